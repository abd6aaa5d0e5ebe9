/* The 12 DMA channels: DREQ and timer pacing, rings, chaining, interrupts, abort. Not modelled: sniffer, priorities.
 *
 * A paced element moves at the moment its DREQ rises; an unpaced block takes one cycle for each element. `stop` holds
 * nothing of it up: an element that does not move at its time would never move, or another program would be run.
 */
#define DMA_EN 1u
#define DMA_INCR_READ 0x10u
#define DMA_INCR_WRITE 0x20u
#define DMA_RING_WRITE 0x400u
#define DMA_IRQ_QUIET (1u << 21)
#define DMA_BSWAP (1u << 22)
#define DMA_BUSY (1u << 24)
#define DMA_CTRL_WRITABLE 0x00ffffffu
#define DMA_ERRORS 0xe0000000u
#define TREQ_TIMER0 0x3bu
#define TREQ_PERMANENT 0x3fu

static void dma_start(Machine *m, int channel);

static uint32_t dma_treq(const DmaChannel *c) { return (c->ctrl >> 15) & 0x3f; }

static void dma_init(Dma *d) {
    memset(d->channel, 0, sizeof d->channel);
    for (int i = 0; i < DMA_CHANNELS; i++) {
        d->channel[i].ctrl = (uint32_t)i << 11;
        d->channel[i].due = NEVER;
    }
    d->intr = 0;
    memset(d->inte, 0, sizeof d->inte);
    memset(d->intf, 0, sizeof d->intf);
    memset(d->timer, 0, sizeof d->timer);
    d->due = NEVER;
}

static void dma_update_due(Machine *m) {
    int64_t due = NEVER;
    for (int i = 0; i < DMA_CHANNELS; i++)
        if (m->dma.channel[i].due < due) due = m->dma.channel[i].due;
    if (due != m->dma.due) {
        m->dma.due = due;
        machine_update_due(m);
    }
}

static void dma_update_irq(Machine *m) {
    for (int i = 0; i < 2; i++)
        machine_set_irq(m, IRQ_DMA0 + i, ((m->dma.intr & m->dma.inte[i]) | m->dma.intf[i]) != 0);
}

/* Host pointer to `length` bytes at a readable memory address, or NULL. */
static const uint8_t *dma_source(Machine *m, uint32_t address, uint32_t length, int channel) {
    uint32_t x = address - SRAM_BASE;
    if (x < SRAM_SIZE) return length <= SRAM_SIZE - x ? m->sram + x : NULL;
    x = address - FLASH_BASE;
    if (x < XIP_SPAN) {
        if (!ssi_xip_ready(m)) {
            m->call.hazard(m->context, "a DMA read from flash", address, channel);
            return NULL;
        }
        x &= FLASH_WINDOW - 1;
        return length <= FLASH_WINDOW - x ? m->flash + x : NULL;
    }
    if (address < ROM_SIZE) return length <= ROM_SIZE - address ? m->rom + address : NULL;
    return NULL;
}

static void dma_advance(uint32_t *address, uint32_t ctrl, uint32_t size, int write) {
    uint32_t ring = (ctrl >> 6) & 15, next = *address + size;
    if (ring && !!(ctrl & DMA_RING_WRITE) == write) {
        uint32_t mask = (1u << ring) - 1;
        next = (*address & ~mask) | (next & mask);
    }
    *address = next;
}

static void dma_element(Machine *m, int i) {
    DmaChannel *c = &m->dma.channel[i];
    uint32_t size = 1u << ((c->ctrl >> 2) & 3);
    uint32_t value = bus_read(m, c->read_addr, (int)size, i);
    if (c->ctrl & DMA_BSWAP) value = size == 4 ? __builtin_bswap32(value) : size == 2 ? __builtin_bswap16((uint16_t)value) : value;
    uint32_t to = c->write_addr;
    if (c->ctrl & DMA_INCR_READ) dma_advance(&c->read_addr, c->ctrl, size, 0);
    if (c->ctrl & DMA_INCR_WRITE) dma_advance(&c->write_addr, c->ctrl, size, 1);
    c->count--;
    bus_write(m, to, value, (int)size);
}

static void dma_finish(Machine *m, int i) {
    DmaChannel *c = &m->dma.channel[i];
    c->ctrl &= ~DMA_BUSY;
    c->due = NEVER;
    if (!(c->ctrl & DMA_IRQ_QUIET)) {
        m->dma.intr |= 1u << i;
        dma_update_irq(m);
    }
    dma_update_due(m);
    m->attention = 1;
    uint32_t chain = (c->ctrl >> 11) & 15;
    if (chain != (uint32_t)i && chain < DMA_CHANNELS) dma_start(m, (int)chain);
}

/* fp between two elements paced by a fractional timer (X / Y of the system clock); 0: it stands still. */
static int64_t dma_timer_period(const Machine *m, uint32_t treq) {
    uint32_t timer = m->dma.timer[treq - TREQ_TIMER0], x = timer >> 16, y = timer & 0xffff;
    return x && y ? (int64_t)FP_PER_CYCLE * y / x : 0;
}

/* Moves what can move now. */
static void dma_run(Machine *m, int i) {
    DmaChannel *c = &m->dma.channel[i];
    if ((c->ctrl & (DMA_EN | DMA_BUSY)) != (DMA_EN | DMA_BUSY) || c->spi || c->running) return;
    uint32_t treq = dma_treq(c);
    if (treq == TREQ_PERMANENT) {
        if (c->due != NEVER) return;
        c->start = m->now;
        c->done = 0;
        c->due = m->now + (int64_t)FP_PER_CYCLE * c->count;
        dma_update_due(m);
        return;
    }
    if (treq >= TREQ_TIMER0) {
        int64_t period = dma_timer_period(m, treq);
        if (c->due == NEVER && period) {
            c->due = m->now + period;
            dma_update_due(m);
        }
        return;
    }
    if (treq == 16 && spi_bulk_start(m, &m->spi[0], i)) return;
    if (treq == 18 && spi_bulk_start(m, &m->spi[1], i)) return;
    c->running = 1; /* an element may raise the same DREQ again */
    while (c->count && m->dma.dreq[treq] && (c->ctrl & DMA_BUSY)) dma_element(m, i);
    c->running = 0;
    if (!c->count && (c->ctrl & DMA_BUSY)) dma_finish(m, i);
}

static void dma_start(Machine *m, int i) {
    DmaChannel *c = &m->dma.channel[i];
    if (!(c->ctrl & DMA_EN) || (c->ctrl & DMA_BUSY)) return;
    c->ctrl |= DMA_BUSY;
    c->count = c->reload;
    c->due = NEVER;
    if (c->count) dma_run(m, i);
    else dma_finish(m, i);
}

static void dma_dreq(Machine *m, int dreq, int level) {
    m->dma.dreq[dreq] = (uint8_t)level;
    if (!level) return;
    for (int i = 0; i < DMA_CHANNELS; i++) {
        DmaChannel *c = &m->dma.channel[i];
        if ((c->ctrl & DMA_BUSY) && dma_treq(c) == (uint32_t)dreq) dma_run(m, i);
    }
}

/* One element for each pulse (PWM wraps). */
static void dma_dreq_pulse(Machine *m, int dreq) {
    for (int i = 0; i < DMA_CHANNELS; i++) {
        DmaChannel *c = &m->dma.channel[i];
        if ((c->ctrl & (DMA_EN | DMA_BUSY)) != (DMA_EN | DMA_BUSY) || dma_treq(c) != (uint32_t)dreq) continue;
        dma_element(m, i);
        if (!c->count) dma_finish(m, i);
    }
}

static void dma_sync_unpaced(Machine *m, int i) {
    DmaChannel *c = &m->dma.channel[i];
    if (!(c->ctrl & DMA_BUSY) || dma_treq(c) != TREQ_PERMANENT || c->due == NEVER || c->running) return;
    int64_t by_now = (m->now - c->start) / FP_PER_CYCLE;
    c->running = 1;
    while (c->done < by_now && c->count && (c->ctrl & DMA_BUSY)) {
        c->done++;
        dma_element(m, i);
    }
    c->running = 0;
}

static void dma_event(Machine *m) {
    for (int i = 0; i < DMA_CHANNELS; i++) {
        DmaChannel *c = &m->dma.channel[i];
        if (c->due > m->now) continue;
        if (dma_treq(c) == TREQ_PERMANENT) {
            dma_sync_unpaced(m, i);
            if (!c->count) dma_finish(m, i);
            else c->due = m->now + FP_PER_CYCLE; /* stopped in the middle */
        } else {
            int64_t period = dma_timer_period(m, dma_treq(c));
            c->due = period ? c->due + period : NEVER;
            dma_element(m, i);
            if (!c->count) dma_finish(m, i);
        }
    }
    dma_update_due(m);
}

/* `frames` frames were received by an SPI block: a channel that waits for them takes them, the FIFO gets the rest. */
static void dma_spi_received(Machine *m, Spi *s, uint32_t frames) {
    if (!s->rx_len && (s->dmacr & SPI_RXDMAE))
        for (int i = 0; i < DMA_CHANNELS && frames > 1; i++) {
            DmaChannel *c = &m->dma.channel[i];
            if ((c->ctrl & (DMA_EN | DMA_BUSY)) != (DMA_EN | DMA_BUSY) || dma_treq(c) != (uint32_t)spi_dreq_rx(s)) continue;
            if (c->read_addr != spi_data_register(s) || ((c->ctrl >> 2) & 3)) break;
            uint32_t n = frames < c->count ? frames : c->count;
            for (uint32_t k = 0; k < n; k++) {
                bus_write(m, c->write_addr, 0, 1);
                if (!(c->ctrl & DMA_INCR_WRITE)) break; /* always the same byte */
                dma_advance(&c->write_addr, c->ctrl, 1, 1);
            }
            c->count -= n;
            frames -= n;
            if (!c->count) dma_finish(m, i);
        }
    spi_rx_push(s, frames);
}

/* ---- registers ---- */
static void dma_sync(Machine *m) {
    for (int i = 0; i < 2; i++) spi_bulk_sync(m, &m->spi[i]);
    for (int i = 0; i < DMA_CHANNELS; i++) dma_sync_unpaced(m, i);
}

static void dma_stop_channel(Machine *m, int i) {
    DmaChannel *c = &m->dma.channel[i];
    if (c->spi) spi_bulk_end(m, &m->spi[c->spi - 1]);
    dma_sync_unpaced(m, i);
    c->due = NEVER;
}

static void dma_reset(Machine *m) {
    for (int i = 0; i < DMA_CHANNELS; i++) dma_stop_channel(m, i);
    dma_init(&m->dma);
    dma_update_irq(m);
    machine_update_due(m);
}

static void dma_set_ctrl(Machine *m, int i, uint32_t value) {
    DmaChannel *c = &m->dma.channel[i];
    uint32_t busy = c->ctrl & DMA_BUSY;
    if (busy) dma_stop_channel(m, i);
    c->ctrl = (value & DMA_CTRL_WRITABLE) | busy | (c->ctrl & DMA_ERRORS & ~value);
    if (busy) dma_run(m, i); /* goes on under the new settings, or pauses when EN is off */
}

static uint32_t dma_read(Machine *m, uint32_t offset) {
    Dma *d = &m->dma;
    if (offset < DMA_CHANNELS * 0x40) {
        DmaChannel *c = &d->channel[offset >> 6];
        static const uint8_t alias[16] = {0, 1, 2, 3, 3, 0, 1, 2, 3, 2, 0, 1, 3, 1, 2, 0};
        switch (alias[(offset >> 2) & 15]) {
        case 0: dma_sync(m); return c->read_addr;
        case 1: dma_sync(m); return c->write_addr;
        case 2: dma_sync(m); return c->count;
        default: m->poll_read = 1; return c->ctrl;
        }
    }
    if (offset >= 0x800 && offset < 0x800 + DMA_CHANNELS * 0x40)
        return (offset & 0x3f) == 4 ? d->channel[(offset - 0x800) >> 6].reload : 0;
    switch (offset) {
    case 0x400: m->poll_read = 1; return d->intr;
    case 0x404: case 0x414: return d->inte[offset == 0x414];
    case 0x408: case 0x418: return d->intf[offset == 0x418];
    case 0x40c: case 0x41c: m->poll_read = 1; return (d->intr & d->inte[offset == 0x41c]) | d->intf[offset == 0x41c];
    case 0x420: case 0x424: case 0x428: case 0x42c: return d->timer[(offset - 0x420) >> 2];
    case 0x448: return DMA_CHANNELS;
    }
    return 0; /* CHAN_ABORT among others: an abort is complete at once */
}

static void dma_write(Machine *m, uint32_t offset, uint32_t value, uint32_t raw) {
    Dma *d = &m->dma;
    if (offset < DMA_CHANNELS * 0x40) {
        int i = (int)(offset >> 6), reg = (int)((offset >> 2) & 15);
        DmaChannel *c = &d->channel[i];
        static const uint8_t alias[16] = {0, 1, 2, 3, 3, 0, 1, 2, 3, 2, 0, 1, 3, 1, 2, 0};
        dma_sync(m);
        switch (alias[reg]) {
        case 0: c->read_addr = value; break;
        case 1: c->write_addr = value; break;
        case 2: c->reload = value; break;
        default: dma_set_ctrl(m, i, value);
        }
        if ((reg & 3) == 3) {
            if (value) dma_start(m, i);
            else if (c->ctrl & DMA_IRQ_QUIET) { /* a null trigger ends a chain of control blocks */
                d->intr |= 1u << i;
                dma_update_irq(m);
            }
        }
        return;
    }
    switch (offset) {
    case 0x400: case 0x40c: case 0x41c: d->intr &= ~raw; break;
    case 0x404: case 0x414: d->inte[offset == 0x414] = value & 0xffff; break;
    case 0x408: case 0x418: d->intf[offset == 0x418] = value & 0xffff; break;
    case 0x420: case 0x424: case 0x428: case 0x42c: d->timer[(offset - 0x420) >> 2] = value; return;
    case 0x430:
        for (int i = 0; i < DMA_CHANNELS; i++)
            if ((value >> i) & 1) dma_start(m, i);
        return;
    case 0x444:
        for (int i = 0; i < DMA_CHANNELS; i++)
            if ((value >> i) & 1) {
                dma_stop_channel(m, i);
                d->channel[i].ctrl &= ~DMA_BUSY;
            }
        dma_update_due(m);
        return;
    default: return;
    }
    dma_update_irq(m);
}
