/* The two PL022 SPI blocks as masters: 8-deep FIFOs, exact frame times, no MISO (the line reads 0).
 *
 * Frames that have left the shifter are collected and handed to the attached part in one piece: before a pin changes
 * (so CS and DC still have the level the frames were sent under), when the bus falls idle, and when the run stops. A
 * long DMA block costs no event for each frame: all but its last 9 frames (FIFO and shifter) are accounted for by time.
 */
#define SPI_SSE 2u
#define SPI_TXDMAE 2u
#define SPI_RXDMAE 1u
#define SPI_FIFO 8
#define SPI_BULK_TAIL 9u
#define SPI_BULK_MIN 32u
#define SPI_CHUNK_SRAM 256u /* frames: how long a source in SRAM is trusted to stay as it was when read */

static void dma_spi_received(Machine *m, Spi *s, uint32_t frames);
static void dma_run(Machine *m, int channel);

static void spi_init(Spi *s) {
    int index = s->index;
    memset(s, 0, sizeof *s);
    s->index = index;
    s->bulk_channel = -1;
    s->due = NEVER;
}

static int spi_dreq_tx(const Spi *s) { return 16 + 2 * s->index; }
static int spi_dreq_rx(const Spi *s) { return 17 + 2 * s->index; }
static uint32_t spi_data_register(const Spi *s) { return s->index ? 0x40040008u : 0x4003c008u; }
static uint32_t spi_bits(const Spi *s) { return (s->cr0 & 15) + 1; }
static int spi_running(const Spi *s) { return (s->cr1 & SPI_SSE) && s->cpsr; }

static double spi_frame(const Machine *m, const Spi *s) {
    return spi_bits(s) * (double)s->cpsr * (1 + ((s->cr0 >> 8) & 0xff)) * (125e6 / m->peri_hz) * FP_PER_CYCLE;
}

static void spi_set_due(Machine *m, Spi *s, double at) {
    s->due = (int64_t)at;
    if ((double)s->due < at) s->due++;
    machine_update_due(m);
}

static uint32_t spi_raw_interrupts(const Spi *s) {
    uint32_t tx_len = s->bulk_channel >= 0 ? SPI_FIFO : s->tx_len;
    return (tx_len <= 4 ? 8u : 0) | (s->rx_len >= 4 ? 4u : 0) | s->overrun;
}

static void spi_update_irq(Machine *m, Spi *s) {
    machine_set_irq(m, IRQ_SPI0 + s->index, (spi_raw_interrupts(s) & s->imsc) != 0);
}

static int spi_tx_wanted(const Spi *s) { return s->bulk_channel < 0 && s->tx_len < SPI_FIFO && (s->dmacr & SPI_TXDMAE); }
static int spi_rx_ready(const Spi *s) { return s->rx_len > 0 && (s->dmacr & SPI_RXDMAE); }

static void spi_publish_dreq(Machine *m, Spi *s) {
    m->dma.dreq[spi_dreq_tx(s)] = (uint8_t)spi_tx_wanted(s);
    m->dma.dreq[spi_dreq_rx(s)] = (uint8_t)spi_rx_ready(s);
}

static void spi_start(Machine *m, Spi *s) {
    if (s->busy || !s->tx_len || !spi_running(s) || s->bulk_channel >= 0) return;
    s->shifting = s->tx[s->tx_head];
    s->tx_head = (s->tx_head + 1) & 7;
    s->tx_len--;
    s->busy = 1;
    /* frames that follow each other have no gap; `now` is the end of the last one rounded up */
    if ((double)m->now - s->line >= 1.0) s->line = (double)m->now;
    s->line += spi_frame(m, s);
    spi_set_due(m, s, s->line);
}

static void spi_deliver(Machine *m, Spi *s) {
    uint32_t length = s->out_len;
    s->out_len = 0;
    if (s->bulk_channel < 0 && !s->busy) m->spi_dirty &= ~(1u << s->index);
    if (!length) return;
    m->call.spi(m->context, s->index, s->out, length);
    m->reload = m->attention = 1;
}

static void spi_sent(Machine *m, Spi *s, const uint8_t *data, uint32_t length) {
    m->spi_dirty |= 1u << s->index;
    while (length) {
        uint32_t n = SPI_OUT_SIZE - s->out_len;
        if (n > length) n = length;
        memcpy(s->out + s->out_len, data, n);
        s->out_len += n;
        data += n;
        length -= n;
        if (s->out_len == SPI_OUT_SIZE) spi_deliver(m, s);
    }
}

static void spi_receive(Machine *m, Spi *s, uint32_t frames) {
    dma_spi_received(m, s, frames); /* takes what a receive channel takes, puts the rest into the FIFO */
    (void)m;
}

static void spi_rx_push(Spi *s, uint32_t frames) {
    while (frames) {
        if (s->rx_len >= SPI_FIFO) {
            s->overrun |= 1;
            return;
        }
        s->rx[(s->rx_head + s->rx_len) & 7] = 0;
        s->rx_len++;
        frames--;
    }
}

/* ---- DMA blocks in bulk ---- */
static const uint8_t *dma_source(Machine *m, uint32_t address, uint32_t length, int channel);

static void spi_bulk_due(Machine *m, Spi *s) {
    uint32_t left = s->bulk_total - s->bulk_done;
    uint32_t address = m->dma.channel[s->bulk_channel].read_addr;
    uint32_t chunk = address - SRAM_BASE < SRAM_SIZE ? SPI_CHUNK_SRAM : SPI_OUT_SIZE;
    if (left < chunk) chunk = left;
    spi_set_due(m, s, s->bulk_start + (s->bulk_done + chunk) * spi_frame(m, s));
}

/* Accounts for the frames that have left the shifter by now. */
static void spi_bulk_sync(Machine *m, Spi *s) {
    if (s->bulk_channel < 0) return;
    DmaChannel *c = &m->dma.channel[s->bulk_channel];
    double elapsed = (double)m->now - s->bulk_start;
    uint32_t sent = elapsed <= 0 ? 0 : (uint32_t)(elapsed / spi_frame(m, s));
    if (sent > s->bulk_total) sent = s->bulk_total;
    uint32_t n = sent - s->bulk_done;
    if (!n) return;
    const uint8_t *data = dma_source(m, c->read_addr, n, s->bulk_channel);
    s->bulk_done = sent;
    c->read_addr += n;
    c->count -= n;
    if (data) spi_sent(m, s, data, n);
    spi_receive(m, s, n);
    dma_dreq(m, spi_dreq_rx(s), spi_rx_ready(s)); /* a single frame went to the FIFO, not to the channel */
}

static int spi_bulk_start(Machine *m, Spi *s, int channel) {
    DmaChannel *c = &m->dma.channel[channel];
    if (s->bulk_channel >= 0 || s->busy || s->tx_len || !spi_running(s) || !(s->dmacr & SPI_TXDMAE) || spi_bits(s) != 8)
        return 0;
    if (c->count < SPI_BULK_MIN || c->write_addr != spi_data_register(s)) return 0;
    uint32_t size = (c->ctrl >> 2) & 3, ring = (c->ctrl >> 6) & 15;
    if (size || ring || !(c->ctrl & 0x10) || (c->ctrl & 0x20)) return 0;
    if (!dma_source(m, c->read_addr, c->count, channel)) return 0;
    if ((double)m->now - s->line >= 1.0) s->line = (double)m->now;
    s->bulk_channel = channel;
    s->bulk_total = c->count - SPI_BULK_TAIL;
    s->bulk_done = 0;
    s->bulk_start = s->line;
    c->spi = 1 + s->index;
    m->spi_dirty |= 1u << s->index;
    spi_bulk_due(m, s);
    return 1;
}

/* The block is aborted, paused or has only its tail left: back to one event for each frame. */
static void spi_bulk_end(Machine *m, Spi *s) {
    if (s->bulk_channel < 0) return;
    spi_bulk_sync(m, s);
    m->dma.channel[s->bulk_channel].spi = 0;
    s->line = s->bulk_start + s->bulk_done * spi_frame(m, s);
    s->bulk_channel = -1;
    s->due = NEVER;
    machine_update_due(m);
}

static void spi_fifos_changed(Machine *m, Spi *s) {
    dma_dreq(m, spi_dreq_rx(s), spi_rx_ready(s));
    dma_dreq(m, spi_dreq_tx(s), spi_tx_wanted(s));
    spi_start(m, s);
    spi_update_irq(m, s);
}

static void spi_event(Machine *m, Spi *s) {
    if (s->bulk_channel >= 0) {
        int channel = s->bulk_channel;
        spi_bulk_sync(m, s);
        if (s->bulk_channel < 0) return; /* stopped from a callback */
        if (s->bulk_done < s->bulk_total) {
            spi_bulk_due(m, s);
            return;
        }
        spi_bulk_end(m, s);
        m->dma.dreq[spi_dreq_tx(s)] = 1;
        dma_run(m, channel);
        spi_fifos_changed(m, s);
        return;
    }
    s->busy = 0;
    s->due = NEVER;
    uint8_t bytes[2] = {(uint8_t)(s->shifting >> 8), (uint8_t)s->shifting};
    if (spi_bits(s) > 8) spi_sent(m, s, bytes, 2);
    else spi_sent(m, s, bytes + 1, 1);
    spi_receive(m, s, 1);
    spi_fifos_changed(m, s);
    if (!s->busy) spi_deliver(m, s);
    machine_update_due(m);
}

static void spi_flush(Machine *m) {
    for (int i = 0; i < 2; i++) {
        spi_bulk_sync(m, &m->spi[i]);
        spi_deliver(m, &m->spi[i]);
    }
}

/* ---- registers ---- */
static void spi_reset(Machine *m, Spi *s) {
    spi_bulk_end(m, s);
    spi_deliver(m, s);
    double line = s->line;
    spi_init(s);
    s->line = line;
    m->spi_dirty &= ~(1u << s->index);
    spi_publish_dreq(m, s);
    machine_set_irq(m, IRQ_SPI0 + s->index, 0);
    machine_update_due(m);
}

static uint32_t spi_read(Machine *m, Spi *s, uint32_t offset) {
    switch (offset) {
    case 0x00: return s->cr0;
    case 0x04: return s->cr1;
    case 0x08: {
        spi_bulk_sync(m, s);
        if (!s->rx_len) return 0;
        uint32_t value = s->rx[s->rx_head];
        s->rx_head = (s->rx_head + 1) & 7;
        s->rx_len--;
        dma_dreq(m, spi_dreq_rx(s), spi_rx_ready(s));
        spi_update_irq(m, s);
        return value;
    }
    case 0x0c: {
        spi_bulk_sync(m, s);
        m->poll_read = 1;
        uint32_t tx_len = s->bulk_channel >= 0 ? SPI_FIFO : s->tx_len;
        int busy = s->busy || tx_len;
        return (busy ? 16u : 0) | (s->rx_len >= SPI_FIFO ? 8u : 0) | (s->rx_len ? 4u : 0)
            | (tx_len < SPI_FIFO ? 2u : 0) | (tx_len ? 0 : 1u);
    }
    case 0x10: return s->cpsr;
    case 0x14: return s->imsc;
    case 0x18: spi_bulk_sync(m, s); return spi_raw_interrupts(s);
    case 0x1c: spi_bulk_sync(m, s); return spi_raw_interrupts(s) & s->imsc;
    case 0x24: return s->dmacr;
    case 0xfe0: return 0x22;
    case 0xfe4: return 0x10;
    case 0xfe8: return 0x34;
    case 0xff0: return 0x0d;
    case 0xff4: return 0xf0;
    case 0xff8: return 0x05;
    case 0xffc: return 0xb1;
    }
    return 0;
}

static void spi_write(Machine *m, Spi *s, uint32_t offset, uint32_t value, uint32_t raw) {
    spi_bulk_sync(m, s);
    switch (offset) {
    case 0x00: case 0x04: case 0x10: {
        int channel = s->bulk_channel;
        spi_bulk_end(m, s); /* the frame time may change under the block */
        if (offset == 0x00) s->cr0 = value & 0xffff;
        else if (offset == 0x04) s->cr1 = value & 15;
        else s->cpsr = value & 0xfe;
        if (channel >= 0) dma_run(m, channel);
        spi_fifos_changed(m, s);
        return;
    }
    case 0x08:
        if (s->bulk_channel >= 0 || s->tx_len >= SPI_FIFO) return;
        s->tx[(s->tx_head + s->tx_len) & 7] = (uint16_t)(value & ((1u << spi_bits(s)) - 1));
        s->tx_len++;
        spi_start(m, s);
        m->dma.dreq[spi_dreq_tx(s)] = (uint8_t)spi_tx_wanted(s);
        spi_update_irq(m, s);
        return;
    case 0x14: s->imsc = value & 15; break;
    case 0x20: if (raw & 1) s->overrun = 0; break;
    case 0x24: s->dmacr = value & 3; spi_fifos_changed(m, s); return;
    default: return;
    }
    spi_update_irq(m, s);
}
