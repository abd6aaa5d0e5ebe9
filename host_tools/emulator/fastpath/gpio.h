/* The 30 GPIO lines: function select, pads, what is connected outside, edge and level interrupts.
 *
 * A line has one level. The chip drives it when the selected function enables the output; else an external driver, else
 * an external resistor, else the pad's own pull decides. Peripheral functions other than SIO, PWM and PIO (SPI, UART,
 * I2C, USB) are not modelled as pins: their bytes go to the attached part directly.
 */
#define PAD_RESET 0x56u /* input enabled, 4 mA, pull down, Schmitt trigger (datasheet 2.19.6.3) */
#define PAD_OUTPUT_DISABLE 0x80u
#define PAD_INPUT_ENABLE 0x40u
#define PAD_PULL_UP 0x08u
#define PAD_PULL_DOWN 0x04u
#define FUNCTION_NULL 31u
enum { FUNCTION_PWM = 4, FUNCTION_SIO = 5, FUNCTION_PIO0 = 6, FUNCTION_PIO1 = 7 };

static void pio_pins_changed(Machine *m, uint32_t changed);

static void gpio_init(Gpio *g) {
    for (int i = 0; i < GPIO_COUNT; i++) {
        g->ctrl[i] = FUNCTION_NULL;
        g->pad[i] = PAD_RESET;
    }
}

static inline int gpio_override(int value, uint32_t how) {
    switch (how & 3) {
    case 0: return value;
    case 1: return !value;
    case 2: return 0;
    default: return 1;
    }
}

/* 4 status bits of each of 8 pins, as in INTR0..3: level low, level high, edge low, edge high. */
static uint32_t gpio_raw_interrupts(const Gpio *g, int index) {
    uint32_t result = 0;
    for (int i = 0; i < 8; i++) {
        int pin = index * 8 + i;
        if (pin >= GPIO_COUNT) break;
        uint32_t high = (g->in >> pin) & 1;
        uint32_t bits = (high ? 2u : 1u) | (((g->edge_low >> pin) & 1) << 2) | (((g->edge_high >> pin) & 1) << 3);
        result |= bits << (4 * i);
    }
    return result;
}

static void gpio_update_irq(Machine *m) {
    Gpio *g = &m->gpio;
    int level = 0;
    for (int i = 0; i < 4 && !level; i++)
        if (g->intf[i] || (g->inte[i] && (gpio_raw_interrupts(g, i) & g->inte[i]))) level = 1;
    machine_set_irq(m, IRQ_IO_BANK0, level);
}

/* Works out the level of one line again after anything about it changed, and tells who looks at it. */
static void gpio_update(Machine *m, int pin) {
    Gpio *g = &m->gpio;
    uint32_t bit = 1u << pin, ctrl = g->ctrl[pin], pad = g->pad[pin], out, oe;
    switch (ctrl & 31) {
    case FUNCTION_PWM: out = g->pwm_out; oe = g->pwm_oe; break;
    case FUNCTION_SIO: out = g->sio_out; oe = g->sio_oe; break;
    case FUNCTION_PIO0: out = m->pio[0].out; oe = m->pio[0].oe; break;
    case FUNCTION_PIO1: out = m->pio[1].out; oe = m->pio[1].oe; break;
    default: out = oe = 0;
    }
    int drives = gpio_override(!!(oe & bit), ctrl >> 12) && !(pad & PAD_OUTPUT_DISABLE);
    int level;
    if (drives) level = gpio_override(!!(out & bit), ctrl >> 8);
    else if (g->driven & bit) level = !!(g->driven_level & bit);
    else if (g->pulled & bit) level = !!(g->pulled_level & bit);
    else if ((pad & (PAD_PULL_UP | PAD_PULL_DOWN)) == PAD_PULL_UP) level = 1;
    else if ((pad & (PAD_PULL_UP | PAD_PULL_DOWN)) == (PAD_PULL_UP | PAD_PULL_DOWN)) level = !!(g->level & bit); /* keeper */
    else level = 0;

    int changed = level != !!(g->level & bit);
    /* Frames already sent belong to the old level of CS and DC, which the CPU drives; PIO and outside change too often. */
    if (changed && m->spi_dirty && (drives || (g->output & bit)) && (ctrl & 30) != FUNCTION_PIO0) spi_flush(m);
    g->output = drives ? g->output | bit : g->output & ~bit;
    if (changed) g->level ^= bit;
    int in = gpio_override(level && (pad & PAD_INPUT_ENABLE), ctrl >> 16);
    if (in != !!(g->in & bit)) {
        g->in ^= bit;
        if (in) g->edge_high |= bit;
        else g->edge_low |= bit;
        if ((g->inte[pin >> 3] >> (4 * (pin & 7))) & 15) gpio_update_irq(m);
        pio_pins_changed(m, bit);
    }
    if (changed && (g->watched & bit)) {
        m->call.pin(m->context, pin, level);
        m->reload = m->attention = 1;
    }
}

static void gpio_update_mask(Machine *m, uint32_t pins) {
    pins &= GPIO_MASK;
    while (pins) {
        gpio_update(m, __builtin_ctz(pins));
        pins &= pins - 1;
    }
}

static void gpio_drive(Machine *m, int pin, int level) {
    Gpio *g = &m->gpio;
    uint32_t bit = 1u << pin;
    g->driven |= bit;
    g->driven_level = level ? g->driven_level | bit : g->driven_level & ~bit;
    gpio_update(m, pin);
}

static void gpio_release(Machine *m, int pin) {
    m->gpio.driven &= ~(1u << pin);
    gpio_update(m, pin);
}

static void gpio_pull(Machine *m, int pin, int level) {
    Gpio *g = &m->gpio;
    uint32_t bit = 1u << pin;
    g->pulled |= bit;
    g->pulled_level = level ? g->pulled_level | bit : g->pulled_level & ~bit;
    gpio_update(m, pin);
}

/* Chip reset of the IO bank (function select, interrupts) and of the pads. */
static void gpio_reset_io(Machine *m) {
    Gpio *g = &m->gpio;
    memset(g->inte, 0, sizeof g->inte);
    memset(g->intf, 0, sizeof g->intf);
    for (int i = 0; i < GPIO_COUNT; i++) g->ctrl[i] = FUNCTION_NULL;
    gpio_update_mask(m, GPIO_MASK);
    g->edge_low = g->edge_high = 0;
}

static void gpio_reset_pads(Machine *m) {
    for (int i = 0; i < GPIO_COUNT; i++) m->gpio.pad[i] = PAD_RESET;
    gpio_update_mask(m, GPIO_MASK);
}

static void sio_reset(Machine *m) {
    m->spinlocks = m->dividend = m->quotient = m->remainder = m->div_csr = 0;
    m->divisor = 1;
    m->gpio.sio_out = m->gpio.sio_oe = 0;
    gpio_update_mask(m, GPIO_MASK);
}

/* ---- registers ---- */
#define IO_INTR 0x0f0u
#define IO_PROC0_INTE 0x100u
#define IO_PROC0_INTF 0x110u
#define IO_PROC0_INTS 0x120u
#define IO_PROC0_END 0x130u

static uint32_t io_read(Machine *m, uint32_t offset) {
    Gpio *g = &m->gpio;
    if (offset < 8 * GPIO_COUNT) {
        int pin = (int)(offset >> 3);
        if (offset & 4) return g->ctrl[pin];
        uint32_t bit = 1u << pin;
        return (g->level & bit ? 1u << 17 : 0) | (g->in & bit ? 1u << 19 : 0) | (g->output & bit ? 1u << 13 : 0)
            | ((g->output & bit) && (g->level & bit) ? 1u << 9 : 0);
    }
    if (offset >= IO_INTR && offset < IO_PROC0_END) {
        int i = (int)((offset >> 2) & 3);
        switch (offset & ~15u) {
        case IO_INTR: return gpio_raw_interrupts(g, i);
        case IO_PROC0_INTE: return g->inte[i];
        case IO_PROC0_INTF: return g->intf[i];
        case IO_PROC0_INTS: return (gpio_raw_interrupts(g, i) & g->inte[i]) | g->intf[i];
        }
    }
    return 0;
}

static void io_write(Machine *m, uint32_t offset, uint32_t value, uint32_t raw) {
    Gpio *g = &m->gpio;
    if (offset < 8 * GPIO_COUNT) {
        if (offset & 4) {
            g->ctrl[offset >> 3] = value;
            gpio_update(m, (int)(offset >> 3));
        }
        return;
    }
    if (offset < IO_INTR || offset >= IO_PROC0_END) return; /* processor 1 and wake-up: not there */
    int i = (int)((offset >> 2) & 3);
    switch (offset & ~15u) {
    case IO_INTR:
        for (int k = 0; k < 8 && i * 8 + k < GPIO_COUNT; k++) { /* only the edges are latched */
            uint32_t bits = raw >> (4 * k), pin = 1u << (i * 8 + k);
            if (bits & 4) g->edge_low &= ~pin;
            if (bits & 8) g->edge_high &= ~pin;
        }
        break;
    case IO_PROC0_INTE: g->inte[i] = value; break;
    case IO_PROC0_INTF: g->intf[i] = value; break;
    }
    gpio_update_irq(m);
}

static uint32_t pads_read(Machine *m, uint32_t offset) {
    if (offset == 0) return m->gpio.voltage_select;
    if (offset >= 4 && offset < 4 + 4 * GPIO_COUNT) return m->gpio.pad[(offset >> 2) - 1];
    return 0;
}

static void pads_write(Machine *m, uint32_t offset, uint32_t value) {
    if (offset == 0) m->gpio.voltage_select = value & 1;
    else if (offset >= 4 && offset < 4 + 4 * GPIO_COUNT) {
        int pin = (int)(offset >> 2) - 1;
        m->gpio.pad[pin] = value & 0xff;
        gpio_update(m, pin);
    }
}

/* SIO: GPIO, hardware divider, spinlocks. Returns 0 for registers that rp2040py models (interpolators, QSPI GPIO). */
static void sio_divide(Machine *m, int is_signed) {
    if (is_signed) {
        int32_t p = (int32_t)m->dividend, q = (int32_t)m->divisor;
        if (q == 0) { m->quotient = p < 0 ? 1u : 0xffffffffu; m->remainder = (uint32_t)p; }
        else if (q == -1) { m->quotient = 0u - (uint32_t)p; m->remainder = 0; }
        else { m->quotient = (uint32_t)(p / q); m->remainder = (uint32_t)(p % q); }
    } else if (m->divisor == 0) { m->quotient = 0xffffffffu; m->remainder = m->dividend; }
    else { m->quotient = m->dividend / m->divisor; m->remainder = m->dividend % m->divisor; }
    m->div_csr = 3;
}

static int sio_read(Machine *m, uint32_t offset, uint32_t *value) {
    if (offset >= 0x100 && offset <= 0x17c) {
        uint32_t bit = 1u << ((offset - 0x100) >> 2);
        *value = m->spinlocks & bit ? 0 : bit;
        m->spinlocks |= bit;
        return 1;
    }
    switch (offset) {
    case 0x00: *value = 0; return 1; /* CPUID */
    case 0x04: *value = m->gpio.in; m->poll_read = 1; return 1;
    case 0x10: *value = m->gpio.sio_out; return 1;
    case 0x20: *value = m->gpio.sio_oe; return 1;
    case 0x5c: *value = m->spinlocks; return 1;
    case 0x60: case 0x68: *value = m->dividend; return 1;
    case 0x64: case 0x6c: *value = m->divisor; return 1;
    case 0x70: m->div_csr &= ~2u; *value = m->quotient; return 1;
    case 0x74: *value = m->remainder; return 1;
    case 0x78: *value = m->div_csr; return 1;
    }
    return 0;
}

static int sio_write(Machine *m, uint32_t offset, uint32_t value) {
    Gpio *g = &m->gpio;
    uint32_t out = g->sio_out, oe = g->sio_oe;
    if (offset >= 0x100 && offset <= 0x17c) { m->spinlocks &= ~(1u << ((offset - 0x100) >> 2)); return 1; }
    switch (offset) {
    case 0x10: g->sio_out = value & GPIO_MASK; break;
    case 0x14: g->sio_out |= value & GPIO_MASK; break;
    case 0x18: g->sio_out &= ~value; break;
    case 0x1c: g->sio_out ^= value & GPIO_MASK; break;
    case 0x20: g->sio_oe = value & GPIO_MASK; break;
    case 0x24: g->sio_oe |= value & GPIO_MASK; break;
    case 0x28: g->sio_oe &= ~value; break;
    case 0x2c: g->sio_oe ^= value & GPIO_MASK; break;
    case 0x60: m->dividend = value; sio_divide(m, 0); return 1;
    case 0x64: m->divisor = value; sio_divide(m, 0); return 1;
    case 0x68: m->dividend = value; sio_divide(m, 1); return 1;
    case 0x6c: m->divisor = value; sio_divide(m, 1); return 1;
    case 0x70: m->quotient = value; m->div_csr = 3; return 1;
    case 0x74: m->remainder = value; m->div_csr = 3; return 1;
    default: return 0;
    }
    gpio_update_mask(m, (out ^ g->sio_out) | (oe ^ g->sio_oe));
    return 1;
}
