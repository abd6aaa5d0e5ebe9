/* The two PIO blocks. Written from datasheet chapter 3; not modelled: the two-cycle input synchroniser, OUT_STICKY and
 * INLINE_OUT_EN. Each state machine runs at its own clock; a stalled one costs nothing until what it waits for changes,
 * and resumes at its next clock, so a pulse shorter than the clock is missed as on silicon.
 */
#define SHIFT_AUTOPUSH (1u << 16)
#define SHIFT_AUTOPULL (1u << 17)
#define SHIFT_IN_RIGHT (1u << 18)
#define SHIFT_OUT_RIGHT (1u << 19)
#define SHIFT_JOIN_TX (1u << 30)
#define SHIFT_JOIN_RX (1u << 31)
#define EXEC_SIDE_PINDIR (1u << 29)
#define EXEC_SIDE_ENABLE (1u << 30)
#define EXEC_STALLED (1u << 31)
#define FDEBUG_RXSTALL(k) (1u << (k))
#define FDEBUG_RXUNDER(k) (1u << (8 + (k)))
#define FDEBUG_TXOVER(k) (1u << (16 + (k)))
#define FDEBUG_TXSTALL(k) (1u << (24 + (k)))

static void sm_reset(StateMachine *s) {
    memset(s, 0, sizeof *s);
    s->clkdiv = 1u << 16;
    s->period = FP_PER_CYCLE;
    s->execctrl = 0x1fu << 12;
    s->shiftctrl = 3u << 18;
    s->pinctrl = 5u << 26;
    s->osr_count = 32;
    s->tx_depth = s->rx_depth = 4;
    s->due = NEVER;
}

static void pio_init(Pio *p) {
    for (int k = 0; k < 4; k++) sm_reset(&p->sm[k]);
    p->due = NEVER;
}

static void pio_update_due(Machine *m, Pio *p) {
    int64_t due = NEVER;
    for (int k = 0; k < 4; k++)
        if (p->sm[k].due < due) due = p->sm[k].due;
    if (due != p->due) {
        p->due = due;
        machine_update_due(m);
    }
}

static uint32_t pio_int_raw(const Pio *p) {
    uint32_t raw = (p->irq & 15) << 8;
    for (int k = 0; k < 4; k++) {
        const StateMachine *s = &p->sm[k];
        if (s->rx_len) raw |= 1u << k;
        if (s->tx_len < s->tx_depth) raw |= 16u << k;
    }
    return raw;
}

static void pio_update_irq(Machine *m, Pio *p) {
    if (!(p->inte[0] | p->inte[1] | p->intf[0] | p->intf[1] | (m->irq_lines & (15u << IRQ_PIO0_0)))) return;
    uint32_t raw = pio_int_raw(p);
    for (int i = 0; i < 2; i++)
        machine_set_irq(m, IRQ_PIO0_0 + 2 * p->index + i, ((raw & p->inte[i]) | p->intf[i]) != 0);
}

/* The instruction that the machine is stuck at may go on: try again at its next clock after now. */
static void sm_wake(Machine *m, Pio *p, StateMachine *s) {
    int64_t ticks = (m->now - s->tick + s->period - 1) / s->period;
    if (ticks < 1) ticks = 1;
    int64_t due = s->tick + ticks * s->period;
    if (due < s->due) {
        s->due = due;
        pio_update_due(m, p);
    }
}

static void pio_pins_changed(Machine *m, uint32_t changed) {
    for (int i = 0; i < 2; i++) {
        Pio *p = &m->pio[i];
        for (int k = 0; k < 4; k++) {
            StateMachine *s = &p->sm[k];
            if (s->stall == STALL_PIN && (changed >> s->stall_index) & 1 && (s->enabled || s->exec_pending))
                sm_wake(m, p, s);
        }
    }
}

static void pio_irq_changed(Machine *m, Pio *p) {
    for (int k = 0; k < 4; k++) {
        StateMachine *s = &p->sm[k];
        if ((s->stall == STALL_IRQ || s->stall == STALL_IRQ_CLEAR) && (s->enabled || s->exec_pending)) sm_wake(m, p, s);
    }
    pio_update_irq(m, p);
}

static int pio_dreq_tx(const Pio *p, int k) { return p->index * 8 + k; }
static int pio_dreq_rx(const Pio *p, int k) { return p->index * 8 + 4 + k; }

static void pio_publish_dreq(Machine *m, Pio *p, int k) {
    m->dma.dreq[pio_dreq_tx(p, k)] = p->sm[k].tx_len < p->sm[k].tx_depth;
    m->dma.dreq[pio_dreq_rx(p, k)] = p->sm[k].rx_len > 0;
}

static void sm_rx_changed(Machine *m, Pio *p, int k) {
    pio_update_irq(m, p);
    dma_dreq(m, pio_dreq_rx(p, k), p->sm[k].rx_len > 0);
}

static void sm_tx_changed(Machine *m, Pio *p, int k) {
    pio_update_irq(m, p);
    dma_dreq(m, pio_dreq_tx(p, k), p->sm[k].tx_len < p->sm[k].tx_depth);
}

static void sm_rx_push(Machine *m, Pio *p, int k, uint32_t value) {
    StateMachine *s = &p->sm[k];
    s->rx[(s->rx_head + s->rx_len) & 7] = value;
    s->rx_len++;
    sm_rx_changed(m, p, k);
}

static uint32_t sm_tx_pull(Machine *m, Pio *p, int k) {
    StateMachine *s = &p->sm[k];
    uint32_t value = s->tx[s->tx_head];
    s->tx_head = (s->tx_head + 1) & 7;
    s->tx_len--;
    sm_tx_changed(m, p, k);
    return value;
}

static void sm_clear_fifos(Machine *m, Pio *p, int k) {
    StateMachine *s = &p->sm[k];
    s->tx_head = s->tx_len = s->rx_head = s->rx_len = 0;
    s->rx_depth = s->shiftctrl & SHIFT_JOIN_RX ? 8 : s->shiftctrl & SHIFT_JOIN_TX ? 0 : 4;
    s->tx_depth = s->shiftctrl & SHIFT_JOIN_TX ? 8 : s->shiftctrl & SHIFT_JOIN_RX ? 0 : 4;
    sm_rx_changed(m, p, k);
    sm_tx_changed(m, p, k);
}

static uint32_t sm_read_rx(Machine *m, Pio *p, int k) {
    StateMachine *s = &p->sm[k];
    if (!s->rx_len) {
        p->fdebug |= FDEBUG_RXUNDER(k);
        return 0;
    }
    uint32_t value = s->rx[s->rx_head];
    s->rx_head = (s->rx_head + 1) & 7;
    s->rx_len--;
    if ((s->stall == STALL_RX || s->stall == STALL_PUSH_IN) && (s->enabled || s->exec_pending)) sm_wake(m, p, s);
    sm_rx_changed(m, p, k);
    return value;
}

static void sm_write_tx(Machine *m, Pio *p, int k, uint32_t value) {
    StateMachine *s = &p->sm[k];
    if (s->tx_len >= s->tx_depth) {
        p->fdebug |= FDEBUG_TXOVER(k);
        return;
    }
    s->tx[(s->tx_head + s->tx_len) & 7] = value;
    s->tx_len++;
    if (s->stall == STALL_TX && (s->enabled || s->exec_pending)) sm_wake(m, p, s);
    sm_tx_changed(m, p, k);
}

/* ---- pins ---- */
static uint32_t rotate_right(uint32_t value, uint32_t by) {
    by &= 31;
    return by ? (value >> by) | (value << (32 - by)) : value;
}

static uint32_t rotate_left(uint32_t value, uint32_t by) { return rotate_right(value, 32 - (by & 31)); }

static uint32_t pin_mask(uint32_t base, uint32_t count) {
    if (!count) return 0;
    return rotate_left(count >= 32 ? 0xffffffffu : (1u << count) - 1, base);
}

static void pio_set_pins(Pio *p, uint32_t value, uint32_t base, uint32_t count) {
    uint32_t mask = pin_mask(base, count);
    p->out = ((p->out & ~mask) | (rotate_left(value, base) & mask)) & GPIO_MASK;
}

static void pio_set_dirs(Pio *p, uint32_t value, uint32_t base, uint32_t count) {
    uint32_t mask = pin_mask(base, count);
    p->oe = ((p->oe & ~mask) | (rotate_left(value, base) & mask)) & GPIO_MASK;
}

/* ---- one instruction ---- */
static uint32_t reverse_bits(uint32_t x) {
    x = ((x & 0x55555555u) << 1) | ((x >> 1) & 0x55555555u);
    x = ((x & 0x33333333u) << 2) | ((x >> 2) & 0x33333333u);
    x = ((x & 0x0f0f0f0fu) << 4) | ((x >> 4) & 0x0f0f0f0fu);
    return __builtin_bswap32(x);
}

static uint32_t irq_flag(uint32_t index, uint32_t machine) {
    return index & 0x10 ? (index & 4) | ((index + machine) & 3) : index & 7;
}

static uint32_t push_threshold(const StateMachine *s) { uint32_t t = (s->shiftctrl >> 20) & 31; return t ? t : 32; }
static uint32_t pull_threshold(const StateMachine *s) { uint32_t t = (s->shiftctrl >> 25) & 31; return t ? t : 32; }

static uint32_t sm_source(const Machine *m, const StateMachine *s, uint32_t source) {
    switch (source) {
    case 0: return rotate_right(m->gpio.in, (s->pinctrl >> 15) & 31);
    case 1: return s->x;
    case 2: return s->y;
    case 5: { /* STATUS, for MOV */
        uint32_t level = s->execctrl & 0x10 ? s->rx_len : s->tx_len;
        return level < (s->execctrl & 15) ? 0xffffffffu : 0;
    }
    case 6: return s->isr;
    case 7: return s->osr;
    }
    return 0;
}

/* Executes `instr` on machine k. Returns 1 when it completed, 0 when it stalls (s->stall says on what).
 * *jumped: the program counter was written. */
static int sm_execute(Machine *m, Pio *p, int k, uint32_t instr, int *jumped) {
    StateMachine *s = &p->sm[k];
    uint32_t arg1 = (instr >> 5) & 7, arg2 = instr & 31, count = arg2 ? arg2 : 32;
    uint32_t sideset_count = s->pinctrl >> 29;
    uint32_t previous = s->stall;
    s->stall = STALL_NONE;

    if (sideset_count && previous == STALL_NONE) {
        uint32_t field = (instr >> 8) & 31, value = field >> (5 - sideset_count), width = sideset_count;
        int enabled = 1;
        if (s->execctrl & EXEC_SIDE_ENABLE) {
            enabled = (field >> 4) & 1;
            width--;
            value &= (1u << width) - 1;
        }
        if (enabled && width) {
            if (s->execctrl & EXEC_SIDE_PINDIR) pio_set_dirs(p, value, (s->pinctrl >> 10) & 31, width);
            else pio_set_pins(p, value, (s->pinctrl >> 10) & 31, width);
        }
    }
    /* between OUTs the shift register is refilled in the background (3.5.4.2) */
    if ((s->shiftctrl & SHIFT_AUTOPULL) && (instr >> 13) != 3 && (instr & 0xe080) != 0x8080
        && s->osr_count >= pull_threshold(s) && s->tx_len) {
        s->osr = sm_tx_pull(m, p, k);
        s->osr_count = 0;
    }

    switch (instr >> 13) {
    case 0: { /* JMP */
        int take = 0;
        switch (arg1) {
        case 0: take = 1; break;
        case 1: take = s->x == 0; break;
        case 2: take = s->x-- != 0; break;
        case 3: take = s->y == 0; break;
        case 4: take = s->y-- != 0; break;
        case 5: take = s->x != s->y; break;
        case 6: take = (m->gpio.in >> ((s->execctrl >> 24) & 31)) & 1; break;
        case 7: take = s->osr_count < pull_threshold(s); break;
        }
        if (take) { s->pc = arg2; *jumped = 1; }
        return 1;
    }
    case 1: { /* WAIT */
        uint32_t polarity = (instr >> 7) & 1;
        if (((instr >> 5) & 3) == 2) {
            uint32_t flag = irq_flag(arg2, (uint32_t)k);
            if (((p->irq >> flag) & 1) != polarity) { s->stall = STALL_IRQ; s->stall_index = (uint8_t)flag; return 0; }
            if (polarity) { p->irq &= ~(1u << flag); pio_irq_changed(m, p); }
            return 1;
        }
        uint32_t pin = ((instr >> 5) & 3) == 1 ? (arg2 + (s->pinctrl >> 15)) & 31 : arg2;
        if (((m->gpio.in >> pin) & 1) != polarity) { s->stall = STALL_PIN; s->stall_index = (uint8_t)pin; return 0; }
        return 1;
    }
    case 2: /* IN */
        if (previous != STALL_PUSH_IN) {
            uint32_t value = sm_source(m, s, arg1);
            if (count == 32) s->isr = value;
            else {
                value &= (1u << count) - 1;
                s->isr = s->shiftctrl & SHIFT_IN_RIGHT ? (s->isr >> count) | (value << (32 - count)) : (s->isr << count) | value;
            }
            s->isr_count = s->isr_count + count > 32 ? 32 : s->isr_count + count;
        }
        if ((s->shiftctrl & SHIFT_AUTOPUSH) && s->isr_count >= push_threshold(s)) {
            if (s->rx_len >= s->rx_depth) {
                p->fdebug |= FDEBUG_RXSTALL(k);
                s->stall = STALL_PUSH_IN;
                return 0;
            }
            uint32_t value = s->isr;
            s->isr = s->isr_count = 0;
            sm_rx_push(m, p, k, value);
        }
        return 1;
    case 3: { /* OUT */
        if ((s->shiftctrl & SHIFT_AUTOPULL) && s->osr_count >= pull_threshold(s)) {
            if (!s->tx_len) {
                p->fdebug |= FDEBUG_TXSTALL(k);
                s->stall = STALL_TX;
                return 0;
            }
            s->osr = sm_tx_pull(m, p, k);
            s->osr_count = 0;
        }
        uint32_t value;
        if (count == 32) { value = s->osr; s->osr = 0; }
        else if (s->shiftctrl & SHIFT_OUT_RIGHT) { value = s->osr & ((1u << count) - 1); s->osr >>= count; }
        else { value = s->osr >> (32 - count); s->osr <<= count; }
        s->osr_count = s->osr_count + count > 32 ? 32 : s->osr_count + count;
        switch (arg1) {
        case 0: pio_set_pins(p, value, s->pinctrl & 31, (s->pinctrl >> 20) & 63); break;
        case 1: s->x = value; break;
        case 2: s->y = value; break;
        case 4: pio_set_dirs(p, value, s->pinctrl & 31, (s->pinctrl >> 20) & 63); break;
        case 5: s->pc = value & 31; *jumped = 1; break;
        case 6: s->isr = value; s->isr_count = count; break;
        case 7: s->exec_instr = value & 0xffff; s->exec_pending = 2; break;
        }
        if ((s->shiftctrl & SHIFT_AUTOPULL) && s->osr_count >= pull_threshold(s) && s->tx_len) {
            s->osr = sm_tx_pull(m, p, k);
            s->osr_count = 0;
        }
        return 1;
    }
    case 4:
        if (arg2) return 1;
        if (instr & 0x80) { /* PULL */
            if ((instr & 0x40) && s->osr_count < pull_threshold(s)) return 1;
            if ((s->shiftctrl & SHIFT_AUTOPULL) && s->osr_count == 0) return 1; /* a full register: no operation */
            if (!s->tx_len) {
                if (!(instr & 0x20)) { s->osr = s->x; s->osr_count = 0; return 1; }
                p->fdebug |= FDEBUG_TXSTALL(k);
                s->stall = STALL_TX;
                return 0;
            }
            s->osr_count = 0;
            s->osr = sm_tx_pull(m, p, k);
        } else { /* PUSH */
            if ((instr & 0x40) && s->isr_count < push_threshold(s)) return 1;
            if (s->rx_len >= s->rx_depth) {
                p->fdebug |= FDEBUG_RXSTALL(k);
                if (instr & 0x20) { s->stall = STALL_RX; return 0; }
                s->isr = s->isr_count = 0;
                return 1;
            }
            uint32_t value = s->isr;
            s->isr = s->isr_count = 0;
            sm_rx_push(m, p, k, value);
        }
        return 1;
    case 5: { /* MOV */
        uint32_t value = sm_source(m, s, instr & 7);
        if (((instr >> 3) & 3) == 1) value = ~value;
        else if (((instr >> 3) & 3) == 2) value = reverse_bits(value);
        switch (arg1) {
        case 0: pio_set_pins(p, value, s->pinctrl & 31, (s->pinctrl >> 20) & 63); break;
        case 1: s->x = value; break;
        case 2: s->y = value; break;
        case 4: s->exec_instr = value & 0xffff; s->exec_pending = 2; break;
        case 5: s->pc = value & 31; *jumped = 1; break;
        case 6: s->isr = value; s->isr_count = 0; break;
        case 7: s->osr = value; s->osr_count = 0; break;
        }
        return 1;
    }
    case 6: { /* IRQ */
        uint32_t flag = irq_flag(arg2, (uint32_t)k);
        if (previous == STALL_IRQ_CLEAR) {
            if ((p->irq >> flag) & 1) { s->stall = STALL_IRQ_CLEAR; s->stall_index = (uint8_t)flag; return 0; }
            return 1;
        }
        if (instr & 0x40) p->irq &= ~(1u << flag);
        else p->irq |= 1u << flag;
        if ((instr & 0x60) == 0x20) { s->stall = STALL_IRQ_CLEAR; s->stall_index = (uint8_t)flag; }
        pio_irq_changed(m, p);
        return s->stall == STALL_NONE;
    }
    default: /* SET */
        switch (arg1) {
        case 0: pio_set_pins(p, arg2, (s->pinctrl >> 5) & 31, (s->pinctrl >> 26) & 7); break;
        case 1: s->x = arg2; break;
        case 2: s->y = arg2; break;
        case 4: pio_set_dirs(p, arg2, (s->pinctrl >> 5) & 31, (s->pinctrl >> 26) & 7); break;
        }
        return 1;
    }
}

/* Brings changed outputs to the pins. Only pins with this block's function selected change. */
static void pio_show(Machine *m, Pio *p, uint32_t out, uint32_t oe) {
    uint32_t changed = (out ^ p->out) | (oe ^ p->oe);
    if (changed) gpio_update_mask(m, changed);
}

static void sm_step(Machine *m, Pio *p, int k) {
    StateMachine *s = &p->sm[k];
    uint32_t out = p->out, oe = p->oe;
    int pending = s->exec_pending, jumped = 0;
    uint32_t instr = pending ? s->exec_instr : p->memory[s->pc];
    s->tick = m->now;
    s->due = NEVER;
    if (sm_execute(m, p, k, instr, &jumped)) {
        uint32_t sideset_count = s->pinctrl >> 29;
        int64_t delay = (instr >> 8) & ((1u << (5 - sideset_count)) - 1);
        if (s->exec_pending == 2) { /* OUT EXEC or MOV EXEC: the executee runs next, its own delay counts */
            s->exec_pending = 1;
            delay = 0;
            if (!pending && !jumped) s->pc = s->pc == ((s->execctrl >> 12) & 31) ? (s->execctrl >> 7) & 31 : (s->pc + 1) & 31;
        } else {
            s->exec_pending = 0;
            s->execctrl &= ~EXEC_STALLED;
            if (!pending && !jumped) s->pc = s->pc == ((s->execctrl >> 12) & 31) ? (s->execctrl >> 7) & 31 : (s->pc + 1) & 31;
        }
        s->due = s->enabled || s->exec_pending ? s->tick + (1 + delay) * s->period : NEVER;
    }
    pio_show(m, p, out, oe);
}

static void pio_run(Machine *m, Pio *p) {
    for (int k = 0; k < 4; k++)
        if (p->sm[k].due <= m->now) sm_step(m, p, k);
    pio_update_due(m, p);
}

/* SMx_INSTR: executes at once; the instruction at the program counter, stalled or not, stays what comes next. */
static void sm_force(Machine *m, Pio *p, int k, uint32_t instr) {
    StateMachine *s = &p->sm[k];
    uint32_t out = p->out, oe = p->oe;
    uint8_t stall = s->stall, index = s->stall_index;
    int jumped = 0;
    s->stall = STALL_NONE;
    if (sm_execute(m, p, k, instr & 0xffff, &jumped)) {
        if (s->exec_pending == 2) s->exec_pending = 1;
        if (jumped || s->exec_pending) {
            if (jumped) s->exec_pending = 0;
            s->tick = m->now;
            s->due = s->enabled || s->exec_pending ? m->now + s->period : NEVER;
        } else { /* the stalled instruction goes on waiting; a condition that came true meanwhile is seen at its next clock */
            s->stall = stall;
            s->stall_index = index;
            if (stall && s->enabled) sm_wake(m, p, s);
        }
    } else {
        s->exec_pending = 1;
        s->exec_instr = instr & 0xffff;
        s->execctrl |= EXEC_STALLED;
        s->tick = m->now;
        s->due = NEVER;
    }
    pio_show(m, p, out, oe);
    pio_update_due(m, p);
}

/* ---- registers ---- */
static void pio_reset(Machine *m, Pio *p) {
    uint32_t out = p->out, oe = p->oe;
    int index = p->index;
    memset(p, 0, sizeof *p);
    p->index = index;
    pio_init(p);
    for (int k = 0; k < 4; k++) pio_publish_dreq(m, p, k);
    machine_set_irq(m, IRQ_PIO0_0 + 2 * index, 0);
    machine_set_irq(m, IRQ_PIO0_0 + 2 * index + 1, 0);
    pio_show(m, p, out, oe);
    machine_update_due(m);
}

static uint32_t pio_read(Machine *m, Pio *p, uint32_t offset) {
    uint32_t value = 0;
    m->poll_read = 1;
    if (offset >= 0x0c8 && offset < 0x128) {
        StateMachine *s = &p->sm[(offset - 0x0c8) / 24];
        switch ((offset - 0x0c8) % 24) {
        case 0x00: return s->clkdiv;
        case 0x04: return s->execctrl;
        case 0x08: return s->shiftctrl;
        case 0x0c: return s->pc;
        case 0x10: return s->exec_pending ? s->exec_instr : p->memory[s->pc];
        case 0x14: return s->pinctrl;
        }
    }
    switch (offset) {
    case 0x000:
        for (int k = 0; k < 4; k++) value |= (uint32_t)p->sm[k].enabled << k;
        return value;
    case 0x004: /* FSTAT */
        for (int k = 0; k < 4; k++) {
            StateMachine *s = &p->sm[k];
            value |= ((s->tx_len == 0 ? 1u << 24 : 0) | (s->tx_len >= s->tx_depth ? 1u << 16 : 0)
                      | (s->rx_len == 0 ? 1u << 8 : 0) | (s->rx_len >= s->rx_depth ? 1u : 0)) << k;
        }
        return value;
    case 0x008: return p->fdebug;
    case 0x00c: /* FLEVEL */
        for (int k = 0; k < 4; k++) value |= ((uint32_t)p->sm[k].tx_len | (uint32_t)p->sm[k].rx_len << 4) << (8 * k);
        return value;
    case 0x020: case 0x024: case 0x028: case 0x02c:
        m->poll_read = 0;
        return sm_read_rx(m, p, (int)((offset - 0x020) >> 2));
    case 0x030: return p->irq;
    case 0x038: return p->input_sync_bypass;
    case 0x03c: return p->out;
    case 0x040: return p->oe;
    case 0x044: return 0x00200404; /* 32 instructions, 4 machines, 4 words each way */
    case 0x128: return pio_int_raw(p);
    case 0x12c: case 0x138: return p->inte[offset == 0x138];
    case 0x130: case 0x13c: return p->intf[offset == 0x13c];
    case 0x134: case 0x140: return (pio_int_raw(p) & p->inte[offset == 0x140]) | p->intf[offset == 0x140];
    }
    return 0;
}

static void sm_write(Machine *m, Pio *p, int k, uint32_t offset, uint32_t value) {
    StateMachine *s = &p->sm[k];
    switch (offset) {
    case 0x00:
        s->clkdiv = value;
        s->period = (int64_t)((value >> 16 ? value >> 16 : 65536) << 8 | ((value >> 8) & 0xff));
        break;
    case 0x04: s->execctrl = (value & ~EXEC_STALLED) | (s->execctrl & EXEC_STALLED); break;
    case 0x08: {
        uint32_t changed = s->shiftctrl ^ value;
        s->shiftctrl = value;
        if (changed & (SHIFT_JOIN_RX | SHIFT_JOIN_TX)) sm_clear_fifos(m, p, k);
        break;
    }
    case 0x10: sm_force(m, p, k, value); break;
    case 0x14: s->pinctrl = value; break;
    }
}

static void pio_write(Machine *m, Pio *p, uint32_t offset, uint32_t value, uint32_t raw) {
    if (offset >= 0x048 && offset < 0x0c8) {
        p->memory[(offset - 0x048) >> 2] = value & 0xffff;
        return;
    }
    if (offset >= 0x0c8 && offset < 0x128) {
        sm_write(m, p, (int)((offset - 0x0c8) / 24), (offset - 0x0c8) % 24, value);
        return;
    }
    switch (offset) {
    case 0x000:
        for (int k = 0; k < 4; k++) {
            StateMachine *s = &p->sm[k];
            int enabled = (value >> k) & 1;
            if ((value >> (4 + k)) & 1) { /* SM_RESTART: counters, ISR, latched instruction; not X, Y, PC */
                s->isr = s->isr_count = 0;
                s->osr_count = 32;
                s->exec_pending = s->stall = 0;
                s->execctrl &= ~EXEC_STALLED;
                s->due = s->enabled ? m->now + s->period : NEVER;
                s->tick = m->now;
            }
            if ((value >> (8 + k)) & 1) { /* CLKDIV_RESTART: the phase begins now */
                s->tick = m->now;
                if (s->due != NEVER) s->due = m->now + s->period;
            }
            if (enabled && !s->enabled) {
                s->tick = m->now - s->period;
                s->due = m->now;
            } else if (!enabled && s->enabled) s->due = NEVER;
            s->enabled = (uint8_t)enabled;
        }
        pio_update_due(m, p);
        return;
    case 0x008: p->fdebug &= ~raw; return;
    case 0x010: case 0x014: case 0x018: case 0x01c: sm_write_tx(m, p, (int)((offset - 0x010) >> 2), value); return;
    case 0x030: p->irq &= ~raw & 0xff; pio_irq_changed(m, p); return;
    case 0x034: p->irq |= value & 0xff; pio_irq_changed(m, p); return;
    case 0x038: p->input_sync_bypass = value; return;
    case 0x12c: case 0x138: p->inte[offset == 0x138] = value & 0xfff; break;
    case 0x130: case 0x13c: p->intf[offset == 0x13c] = value & 0xfff; break;
    default: return;
    }
    uint32_t raw_int = pio_int_raw(p);
    for (int i = 0; i < 2; i++)
        machine_set_irq(m, IRQ_PIO0_0 + 2 * p->index + i, ((raw_int & p->inte[i]) | p->intf[i]) != 0);
}
