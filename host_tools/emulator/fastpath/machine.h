/* The state of the emulated RP2040 that the fast path owns, and its event queue.
 *
 * Time: one system clock cycle is 8 ns (125 MHz, fixed). Events use 1/256 cycle ("fp"), so a PIO clock divider needs no
 * float and a nanosecond is exactly 32 fp. The CPU runs instruction by instruction; everything else (state machines,
 * SPI shifter, DMA pacing) has a due time and is run in order of due times between two instructions.
 *
 * Sources: RP2040 datasheet (build 2024-10), chapters 2.3 (SIO), 2.5 (DMA), 2.19 (GPIO), 3 (PIO), 4.4 (SPI), 4.10 (SSI).
 */
#ifndef PICOCAB_MACHINE_H
#define PICOCAB_MACHINE_H
#include <stdint.h>
#include <string.h>

#define NEVER INT64_MAX
#define FP_PER_CYCLE 256
#define FP_PER_NS 32.0

#define FLASH_BASE 0x10000000u
#define FLASH_WINDOW 0x01000000u /* each of the four XIP aliases: cached, no allocate, no cache, neither */
#define XIP_SPAN (4u * FLASH_WINDOW)
#define SRAM_BASE 0x20000000u
#define SRAM_SIZE (264u * 1024u)
#define ROM_SIZE 0x4000u
#define DPRAM_BASE 0x50100000u
#define DPRAM_SIZE 0x1000u
#define SIO_BASE 0xd0000000u

#define GPIO_COUNT 30
#define GPIO_MASK 0x3fffffffu
#define DMA_CHANNELS 12
#define DREQ_COUNT 64

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

enum { IRQ_PIO0_0 = 7, IRQ_DMA0 = 11, IRQ_IO_BANK0 = 13, IRQ_SPI0 = 18, IRQ_LINES = 32 };

typedef struct Machine Machine;

/* ---- PIO ---- */
enum { STALL_NONE, STALL_PIN, STALL_IRQ, STALL_IRQ_CLEAR, STALL_TX, STALL_RX, STALL_PUSH_IN };

typedef struct {
    uint32_t x, y, isr, osr, isr_count, osr_count, pc;
    uint32_t clkdiv, execctrl, shiftctrl, pinctrl;
    uint32_t tx[8], rx[8];
    uint8_t tx_head, tx_len, rx_head, rx_len, tx_depth, rx_depth;
    uint8_t enabled;
    uint8_t stall;          /* why the instruction could not complete; re-tried at the next clock after a change */
    uint8_t stall_index;    /* the GPIO or IRQ flag it waits for */
    uint8_t exec_pending;   /* exec_instr runs instead of the instruction at pc */
    uint32_t exec_instr;
    int64_t period;         /* fp of one state machine clock */
    int64_t tick;           /* fp of the last clock at which an instruction was tried */
    int64_t due;            /* fp of the next try; NEVER while stalled or stopped */
} StateMachine;

typedef struct {
    StateMachine sm[4];
    uint32_t memory[32];
    uint32_t irq, fdebug, input_sync_bypass;
    uint32_t out, oe;       /* levels and directions the block drives, all 30 pins */
    uint32_t inte[2], intf[2];
    int index;
    int64_t due;
} Pio;

/* ---- DMA ---- */
typedef struct {
    uint32_t read_addr, write_addr, count, reload, ctrl;
    int64_t due, start; /* paced by time: next element, or the end of an unpaced block that began at `start` */
    uint32_t done;      /* unpaced block: elements moved since start */
    int running;        /* its elements are being moved right now */
    int spi;            /* 1 + SPI block that moves this channel's data in bulk, 0: none */
} DmaChannel;

typedef struct {
    DmaChannel channel[DMA_CHANNELS];
    uint32_t intr, inte[2], intf[2], timer[4];
    uint8_t dreq[DREQ_COUNT];
    int64_t due;
} Dma;

/* ---- SPI ---- */
#define SPI_OUT_SIZE 4096
typedef struct {
    uint32_t cr0, cr1, cpsr, imsc, overrun, dmacr;
    uint16_t tx[8], rx[8];
    uint8_t tx_head, tx_len, rx_head, rx_len;
    uint8_t busy;
    uint16_t shifting;
    double line;        /* fp at which the frame in the shifter (or the last one) ends */
    int64_t due;
    /* a DMA block that is moved without an event for each byte: all but its last 9 frames */
    int bulk_channel;   /* -1: none */
    uint32_t bulk_total, bulk_done;
    double bulk_start;
    /* frames that have left the shifter and wait to be handed to the attached part */
    uint8_t out[SPI_OUT_SIZE];
    uint32_t out_len;
    int index;
} Spi;

/* ---- GPIO ---- */
typedef struct {
    uint32_t ctrl[GPIO_COUNT], pad[GPIO_COUNT];
    uint32_t voltage_select;
    uint32_t sio_out, sio_oe;
    uint32_t pwm_out, pwm_oe;
    uint32_t driven, driven_level; /* an external push-pull driver */
    uint32_t pulled, pulled_level; /* an external resistor */
    uint32_t level;                /* what is on the wire */
    uint32_t output;               /* pins that the chip drives */
    uint32_t in;                   /* what SIO and the PIO read */
    uint32_t edge_low, edge_high;
    uint32_t inte[4], intf[4];
    uint32_t watched;
} Gpio;

/* ---- SSI (the flash interface) ---- */
#define SSI_BUFFER 280
typedef struct {
    uint32_t ctrlr0, ctrlr1, ssienr, ser, baudr, sample_delay, spi_ctrlr0, drive_edge;
    int cs_forced;   /* chip select overridden: 0 no, 1 low (selected), 2 high */
    uint8_t tx[SSI_BUFFER];
    uint32_t tx_len;
    uint8_t rx[64];
    uint32_t rx_head, rx_len;
    int write_enabled;
    int64_t busy_until; /* fp at which the flash chip is ready again */
    uint8_t unique_id[8];
} Ssi;

/* Python's side. `fp` is the emulated time of the event. */
typedef struct {
    void (*pin)(void *context, int pin, int level);
    void (*spi)(void *context, int index, const uint8_t *data, uint32_t length);
    void (*irq)(void *context, int line, int level);
    uint32_t (*read)(void *context, uint32_t address, int size);
    void (*write)(void *context, uint32_t address, uint32_t value, int size);
    void (*hazard)(void *context, const char *what, uint32_t address, int channel);
} Callbacks;

enum { EXIT_HORIZON, EXIT_SLOW, EXIT_EVENT, EXIT_FETCH };
enum { RUN_LIMIT, RUN_ATTENTION, RUN_SLOW, RUN_FETCH };

struct Machine {
    /* CPU: registers live in rp2040py's core, flags are copied in and out around every run */
    uint32_t *r;
    uint8_t *flash, *sram, *rom, *dpram;
    uint32_t flash_size;
    int n, z, c, v, primask;
    int irq_possible; /* something is pending: clearing PRIMASK must end the run */
    int want_check;   /* out: PRIMASK was cleared while irq_possible */
    int exit;
    int64_t cycle;    /* CPU time */
    int64_t now;      /* fp of the current event or instruction */
    int64_t idle_cycles;
    uint32_t xip_span; /* bytes from FLASH_BASE that the CPU may read now: all four aliases, or 0 while blocked */
    int64_t skip_until; /* fp: the program polls for something that happens only then */
    int attention;    /* set by anything that may change due times or Python state: ends the inner loop */
    int reload;       /* set by callbacks: the caller must look again */
    int stop;
    double timer_epoch_ns;
    uint32_t timer_high;
    /* one remembered poll: see poll_skip() */
    int poll_read;
    /* SIO */
    uint32_t spinlocks, dividend, divisor, quotient, remainder, div_csr;
    double peri_hz;
    int64_t due;      /* earliest of the due times below */
    uint32_t irq_lines;
    uint32_t spi_dirty;
    Gpio gpio;
    Pio pio[2];
    Dma dma;
    Spi spi[2];
    Ssi ssi;
    Callbacks call;
    void *context;
};

static inline void machine_update_due(Machine *m) {
    int64_t due = m->pio[0].due;
    if (m->pio[1].due < due) due = m->pio[1].due;
    if (m->dma.due < due) due = m->dma.due;
    if (m->spi[0].due < due) due = m->spi[0].due;
    if (m->spi[1].due < due) due = m->spi[1].due;
    m->due = due;
    m->attention = 1;
}

static inline void machine_set_irq(Machine *m, int line, int level) {
    uint32_t bit = 1u << line;
    if (!!(m->irq_lines & bit) == level) return;
    m->irq_lines ^= bit;
    m->call.irq(m->context, line, level);
    m->reload = m->attention = 1;
}

static uint32_t bus_read(Machine *m, uint32_t address, int size, int channel);
static void bus_write(Machine *m, uint32_t address, uint32_t value, int size);
static void dma_dreq(Machine *m, int dreq, int level);
static void spi_flush(Machine *m);
static int ssi_xip_ready(Machine *m);

#include "gpio.h"
#include "pio.h"
#include "spi.h"
#include "dma.h"
#include "ssi.h"
#include "bus.h"
#include "cpu.h"

/* Runs every event that is due up to and including `until`, in order; returns early when a callback wants attention. */
static void machine_events(Machine *m, int64_t until) {
    while (m->due <= until) {
        int64_t now = m->due;
        m->now = now;
        for (int i = 0; i < 2; i++)
            if (m->pio[i].due <= now) pio_run(m, &m->pio[i]);
        for (int i = 0; i < 2; i++)
            if (m->spi[i].due <= now) spi_event(m, &m->spi[i]);
        if (m->dma.due <= now) dma_event(m);
        machine_update_due(m);
        if (m->reload || m->stop) return;
    }
}

/* Runs the CPU up to `limit` cycles (the next alarm of the clock), with all events on the way. */
static int machine_run(Machine *m, int64_t limit) {
    for (;;) {
        int64_t horizon = limit;
        if (m->due != NEVER) {
            int64_t event = (m->due + FP_PER_CYCLE - 1) / FP_PER_CYCLE;
            if (event < horizon) horizon = event;
        }
        m->attention = 0;
        m->exit = EXIT_HORIZON;
        if (horizon > m->cycle) cpu_run(m, horizon);
        m->now = m->cycle * FP_PER_CYCLE;
        if (m->cycle >= limit) return RUN_LIMIT;
        if (m->due <= m->now) machine_events(m, m->now);
        if (m->stop || m->reload || m->want_check || m->skip_until) return RUN_ATTENTION;
        if (m->exit == EXIT_SLOW) return RUN_SLOW;
        if (m->exit == EXIT_FETCH) return RUN_FETCH;
    }
}

/* The CPU sleeps: time jumps from event to event up to `limit` cycles or until something wants attention. */
static void machine_idle(Machine *m, int64_t limit) {
    int64_t begin = m->cycle;
    m->reload = 0;
    while (m->cycle < limit && !m->reload && !m->stop) {
        int64_t event = m->due == NEVER ? limit : (m->due + FP_PER_CYCLE - 1) / FP_PER_CYCLE;
        if (event >= limit) {
            m->cycle = limit; /* events at the limit itself are ordered against the alarm by the caller */
            break;
        }
        if (event > m->cycle) m->cycle = event;
        machine_events(m, m->cycle * FP_PER_CYCLE);
    }
    m->now = m->cycle * FP_PER_CYCLE;
    m->idle_cycles += m->cycle - begin;
}

static void machine_init(Machine *m) {
    memset(m, 0, sizeof *m);
    m->divisor = 1;
    m->peri_hz = 125e6;
    m->due = NEVER;
    gpio_init(&m->gpio);
    for (int i = 0; i < 2; i++) {
        m->pio[i].index = i;
        pio_init(&m->pio[i]);
        m->spi[i].index = i;
        spi_init(&m->spi[i]);
    }
    dma_init(&m->dma);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4; k++) pio_publish_dreq(m, &m->pio[i], k);
        spi_publish_dreq(m, &m->spi[i]);
    }
}

/* A chip reset clears the interrupt controller behind the lines' back: raises the ones that still stand. */
static void machine_reset_irqs(Machine *m) {
    uint32_t lines = m->irq_lines;
    m->irq_lines = 0;
    for (int line = 0; line < IRQ_LINES; line++)
        if ((lines >> line) & 1) machine_set_irq(m, line, 1);
}
#endif
