/* The flash interface as software drives it: command bytes with chip select forced, and the state of the XIP window.
 *
 * Erase and program commands are carried out by Python's side when chip select rises; here are only the bytes. While the
 * interface is not set up for XIP, chip select is forced, or the flash chip is busy, every access to the XIP window is an
 * error: silicon would return garbage or hang.
 */
#define SSI_EEPROM_READ 3u /* CTRLR0.TMOD of both XIP modes (boot2's and the boot ROM's) */
enum { CMD_WRITE_DISABLE = 0x04, CMD_READ_STATUS = 0x05, CMD_WRITE_ENABLE = 0x06, CMD_READ = 0x03, CMD_READ_STATUS_2 = 0x35,
       CMD_UNIQUE_ID = 0x4b, CMD_JEDEC_ID = 0x9f };

static int ssi_busy(const Machine *m) { return m->now < m->ssi.busy_until; }

/* Whether the XIP window can be read now; keeps the CPU's copy (xip_span) up to date. */
static int ssi_xip_ready(Machine *m) {
    const Ssi *s = &m->ssi;
    int ready = s->ssienr && ((s->ctrlr0 >> 8) & 3) == SSI_EEPROM_READ && !s->cs_forced && !ssi_busy(m);
    m->xip_span = ready ? XIP_SPAN : 0;
    return ready;
}

static void ssi_changed(Machine *m) {
    ssi_xip_ready(m);
    m->attention = 1;
}

static uint8_t ssi_shift(Machine *m, uint8_t byte) {
    Ssi *s = &m->ssi;
    uint32_t at = s->tx_len;
    if (s->tx_len < SSI_BUFFER) s->tx[s->tx_len++] = byte;
    uint8_t opcode = s->tx[0];
    if (at == 0) {
        if (ssi_busy(m) && opcode != CMD_READ_STATUS && opcode != CMD_READ_STATUS_2)
            m->call.hazard(m->context, "a flash command while the flash is busy", opcode, -1);
        else if (opcode == CMD_WRITE_ENABLE) s->write_enabled = 1;
        else if (opcode == CMD_WRITE_DISABLE) s->write_enabled = 0;
        return 0xff;
    }
    switch (opcode) {
    case CMD_READ_STATUS:
        if (ssi_busy(m)) {
            m->skip_until = s->busy_until;
            m->attention = 1;
            return 1u | (s->write_enabled ? 2u : 0);
        }
        return s->write_enabled ? 2 : 0;
    case CMD_READ_STATUS_2: return 2; /* quad enable */
    case CMD_JEDEC_ID: { static const uint8_t id[3] = {0xef, 0x40, 0x15}; return at <= 3 ? id[at - 1] : 0; } /* W25Q16 */
    case CMD_UNIQUE_ID: return at >= 5 && at < 13 ? s->unique_id[at - 5] : 0xff;
    case CMD_READ:
        if (at >= 4 && at < SSI_BUFFER) {
            uint32_t address = ((uint32_t)s->tx[1] << 16 | (uint32_t)s->tx[2] << 8 | s->tx[3]) + at - 4;
            return m->flash[address & (FLASH_WINDOW - 1)];
        }
        return 0xff;
    }
    return 0xff;
}

/* Override of the chip select pin (IO_QSPI): 0 none, 2 low, 3 high. Returns 1 when a command has just ended. */
static int ssi_chip_select(Machine *m, uint32_t override) {
    Ssi *s = &m->ssi;
    int forced = override == 2 ? 1 : override == 3 ? 2 : 0, before = s->cs_forced;
    s->cs_forced = forced;
    if (forced != before) ssi_changed(m);
    if (forced == 1 && before != 1) s->tx_len = s->rx_len = 0;
    return before == 1 && forced != 1;
}

static void ssi_reset(Machine *m) {
    Ssi *s = &m->ssi;
    s->ctrlr0 = s->ctrlr1 = s->ssienr = s->ser = s->baudr = s->sample_delay = s->spi_ctrlr0 = s->drive_edge = 0;
    s->tx_len = s->rx_len = 0;
    s->cs_forced = 0; /* IO_QSPI is reset with it; a command that was only half sent is not carried out */
    s->write_enabled = 0;
    ssi_changed(m);
}

static uint32_t ssi_read(Machine *m, uint32_t offset) {
    Ssi *s = &m->ssi;
    if (offset >= 0x60 && offset < 0xf0) {
        if (!s->rx_len) return 0;
        uint8_t byte = s->rx[s->rx_head];
        s->rx_head = (s->rx_head + 1) % sizeof s->rx;
        s->rx_len--;
        return byte;
    }
    switch (offset) {
    case 0x00: return s->ctrlr0;
    case 0x04: return s->ctrlr1;
    case 0x08: return s->ssienr;
    case 0x10: return s->ser;
    case 0x14: return s->baudr;
    case 0x24: return s->rx_len;
    case 0x28: return 6u | (s->rx_len ? 8u : 0); /* transmit FIFO empty and not full */
    case 0x58: return 0x51535049;
    case 0x5c: return 0x3430312a;
    case 0xf0: return s->sample_delay;
    case 0xf4: return s->spi_ctrlr0;
    case 0xf8: return s->drive_edge;
    }
    return 0;
}

static void ssi_write(Machine *m, uint32_t offset, uint32_t value) {
    Ssi *s = &m->ssi;
    if (offset >= 0x60 && offset < 0xf0) {
        if (!s->ssienr) return;
        /* without an override the interface selects the chip itself, for as long as bytes follow each other */
        if (!s->cs_forced && !s->rx_len) s->tx_len = 0;
        uint8_t byte = s->cs_forced == 2 ? 0xff : ssi_shift(m, (uint8_t)value);
        if (s->rx_len < sizeof s->rx) {
            s->rx[(s->rx_head + s->rx_len) % sizeof s->rx] = byte;
            s->rx_len++;
        }
        return;
    }
    switch (offset) {
    case 0x00: s->ctrlr0 = value; break;
    case 0x04: s->ctrlr1 = value; return;
    case 0x08:
        s->ssienr = value & 1;
        if (!s->ssienr) s->rx_len = 0; /* disabling clears the FIFOs */
        break;
    case 0x10: s->ser = value; return;
    case 0x14: s->baudr = value; return;
    case 0xf0: s->sample_delay = value & 0xff; return;
    case 0xf4: s->spi_ctrlr0 = value; return;
    case 0xf8: s->drive_edge = value & 0xff; return;
    default: return;
    }
    ssi_changed(m);
}
