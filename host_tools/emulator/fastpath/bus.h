/* Who answers at which address. What is not here is answered by rp2040py (or by Python's side of the emulator). */
#define IO_BANK0_BASE 0x40014000u
#define PADS_BANK0_BASE 0x4001c000u
#define SPI0_BASE 0x4003c000u
#define SPI1_BASE 0x40040000u
#define TIMER_BASE 0x40054000u
#define DMA_BASE 0x50000000u
#define PIO0_BASE 0x50200000u
#define PIO1_BASE 0x50300000u
#define SSI_BASE 0x18000000u

/* The microsecond counter; rp2040py keeps its alarms. */
static int timer_read(Machine *m, uint32_t offset, uint32_t *value) {
    double microseconds = ((double)m->now / FP_PER_NS - m->timer_epoch_ns) / 1000.0;
    uint64_t time = microseconds < 0 ? 0 : (uint64_t)microseconds;
    switch (offset) {
    case 0x08: *value = m->timer_high; return 1;
    case 0x0c: m->timer_high = (uint32_t)(time >> 32); *value = (uint32_t)time; return 1;
    case 0x24: *value = (uint32_t)(time >> 32); return 1;
    case 0x28: *value = (uint32_t)time; return 1;
    }
    return 0;
}

static int mmio_read(Machine *m, uint32_t address, uint32_t *value) {
    uint32_t offset = address & 0xfff;
    switch (address & 0xffffc000u) {
    case SIO_BASE: return (address & 0x3fff) < 0x180 && sio_read(m, address & 0x3fff, value);
    case IO_BANK0_BASE: *value = io_read(m, offset); return 1;
    case PADS_BANK0_BASE: *value = pads_read(m, offset); return 1;
    case SPI0_BASE: *value = spi_read(m, &m->spi[0], offset); return 1;
    case SPI1_BASE: *value = spi_read(m, &m->spi[1], offset); return 1;
    case TIMER_BASE: return timer_read(m, offset, value);
    case DMA_BASE: *value = dma_read(m, offset); return 1;
    case PIO0_BASE: *value = pio_read(m, &m->pio[0], offset); return 1;
    case PIO1_BASE: *value = pio_read(m, &m->pio[1], offset); return 1;
    case SSI_BASE: *value = ssi_read(m, offset); return 1;
    }
    return 0;
}

/* Registers with the atomic aliases +0x1000 exclusive or, +0x2000 set, +0x3000 clear. `value` is the word as written. */
static int mmio_write(Machine *m, uint32_t address, uint32_t value) {
    uint32_t base = address & 0xffffc000u, offset = address & 0xfff, raw = value, old;
    if (base == SIO_BASE) return (address & 0x3fff) < 0x180 && sio_write(m, address & 0x3fff, value);
    switch (base) {
    case IO_BANK0_BASE: case PADS_BANK0_BASE: case SPI0_BASE: case SPI1_BASE: case DMA_BASE: case PIO0_BASE: case PIO1_BASE:
    case SSI_BASE: break;
    default: return 0;
    }
    if (address & 0x3000) {
        mmio_read(m, base + offset, &old);
        switch (address & 0x3000) {
        case 0x1000: value = old ^ raw; break;
        case 0x2000: value = old | raw; break;
        default: value = old & ~raw; break;
        }
    }
    switch (base) {
    case IO_BANK0_BASE: io_write(m, offset, value, raw); break;
    case PADS_BANK0_BASE: pads_write(m, offset, value); break;
    case SPI0_BASE: spi_write(m, &m->spi[0], offset, value, raw); break;
    case SPI1_BASE: spi_write(m, &m->spi[1], offset, value, raw); break;
    case DMA_BASE: dma_write(m, offset, value, raw); break;
    case PIO0_BASE: pio_write(m, &m->pio[0], offset, value, raw); break;
    case PIO1_BASE: pio_write(m, &m->pio[1], offset, value, raw); break;
    case SSI_BASE: ssi_write(m, offset, value); break;
    }
    m->attention = 1;
    return 1;
}

static uint32_t narrow(uint32_t word, uint32_t address, int size) {
    if (size == 4) return word;
    word >>= 8 * (address & 3);
    return size == 2 ? word & 0xffff : word & 0xff;
}

static uint32_t widen(uint32_t value, int size) {
    return size == 4 ? value : size == 2 ? (value & 0xffff) * 0x00010001u : (value & 0xff) * 0x01010101u;
}

/* A DMA channel's access to the bus. */
static uint32_t bus_read(Machine *m, uint32_t address, int size, int channel) {
    const uint8_t *p = dma_source(m, address, (uint32_t)size, channel);
    uint32_t value = 0;
    if (p) {
        memcpy(&value, p, (size_t)size);
        return value;
    }
    if (address - FLASH_BASE < XIP_SPAN) return 0;
    if (mmio_read(m, address & ~3u, &value)) return narrow(value, address, size);
    return m->call.read(m->context, address, size);
}

static void bus_write(Machine *m, uint32_t address, uint32_t value, int size) {
    uint32_t x = address - SRAM_BASE;
    if (x < SRAM_SIZE && (uint32_t)size <= SRAM_SIZE - x) memcpy(m->sram + x, &value, (size_t)size);
    else if (!mmio_write(m, address & ~3u, widen(value, size))) m->call.write(m->context, address, value, size);
}
