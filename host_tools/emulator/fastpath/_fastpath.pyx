# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Joins the C machine (machine.h) to rp2040py: the run loop, the register blocks that replace rp2040py's, callbacks.

Only this file reads rp2040py's C-level fields, through the .pxd files that the wheel ships.
"""
from libc.math cimport ceil
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from rp2040py.native._cortex_m0_core cimport CortexM0Core
from rp2040py.native._rp2040 cimport RP2040
from rp2040py.native._simulation_clock cimport ClockAlarm, SimulationClock


cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from "machine.h":
    const int64_t NEVER
    enum: RUN_LIMIT, RUN_ATTENTION, RUN_SLOW, RUN_FETCH
    ctypedef struct Gpio:
        uint32_t level, output, watched, pwm_out, pwm_oe
    ctypedef struct Pio:
        pass
    ctypedef struct Spi:
        pass
    ctypedef struct Ssi:
        uint8_t tx[280]
        uint32_t tx_len
        int write_enabled
        int64_t busy_until
        uint8_t unique_id[8]
    ctypedef struct DmaChannel:
        uint32_t read_addr, ctrl
    ctypedef struct Dma:
        DmaChannel channel[12]
    ctypedef struct Callbacks:
        void (*pin)(void *, int, int) noexcept
        void (*spi)(void *, int, const uint8_t *, uint32_t) noexcept
        void (*irq)(void *, int, int) noexcept
        uint32_t (*read)(void *, uint32_t, int) noexcept
        void (*write)(void *, uint32_t, uint32_t, int) noexcept
        void (*hazard)(void *, const char *, uint32_t, int) noexcept
    ctypedef struct Machine:
        uint32_t *r
        uint8_t *flash
        uint8_t *sram
        uint8_t *rom
        uint8_t *dpram
        int n, z, c, v, primask, irq_possible, want_check
        int64_t cycle, now, idle_cycles, skip_until, due
        uint32_t xip_span
        int attention, reload, stop
        double timer_epoch_ns, peri_hz
        Gpio gpio
        Pio pio[2]
        Dma dma
        Spi spi[2]
        Ssi ssi
        Callbacks call
        void *context
    void machine_init(Machine *) noexcept
    void machine_reset_irqs(Machine *) noexcept
    int machine_run(Machine *, int64_t) noexcept
    void machine_idle(Machine *, int64_t) noexcept
    void machine_events(Machine *, int64_t) noexcept
    int mmio_read(Machine *, uint32_t, uint32_t *) noexcept
    int mmio_write(Machine *, uint32_t, uint32_t) noexcept
    int sio_read(Machine *, uint32_t, uint32_t *) noexcept
    int sio_write(Machine *, uint32_t, uint32_t) noexcept
    void sio_reset(Machine *) noexcept
    void gpio_update(Machine *, int) noexcept
    void gpio_drive(Machine *, int, int) noexcept
    void gpio_release(Machine *, int) noexcept
    void gpio_pull(Machine *, int, int) noexcept
    void gpio_reset_io(Machine *) noexcept
    void gpio_reset_pads(Machine *) noexcept
    void pio_reset(Machine *, Pio *) noexcept
    void spi_reset(Machine *, Spi *) noexcept
    void spi_flush(Machine *) noexcept
    void dma_reset(Machine *) noexcept
    void dma_dreq(Machine *, int, int) noexcept
    void dma_dreq_pulse(Machine *, int) noexcept
    void ssi_reset(Machine *) noexcept
    int ssi_chip_select(Machine *, uint32_t) noexcept
    int ssi_xip_ready(Machine *) noexcept
    int cpu_check_flash(Machine *) noexcept

cdef double CYCLE_NS = 8.0
cdef int64_t LONGEST_RUN = 1_250_000  # cycles without an alarm: 10 ms


# ---- callbacks from C; an exception ends the run and is raised from there
cdef void call_pin(void *context, int pin, int level) noexcept:
    cdef Fastpath f = <Fastpath> context
    f.clock._nanos_counter = f.m.now / 32.0
    try:
        for callback in f.watchers[pin]:
            callback(level)
    except BaseException as error:
        f.fail(error)


cdef void call_spi(void *context, int index, const uint8_t *data, uint32_t length) noexcept:
    cdef Fastpath f = <Fastpath> context
    device = f.spi_devices[index]
    if device is None:
        return
    f.clock._nanos_counter = f.m.now / 32.0
    try:
        device.write(data[:length])
    except BaseException as error:
        f.fail(error)


cdef void call_irq(void *context, int line, int level) noexcept:
    cdef Fastpath f = <Fastpath> context
    try:
        f.core.set_interrupt(line, level)
    except BaseException as error:
        f.fail(error)


cdef uint32_t call_read(void *context, uint32_t address, int size) noexcept:
    cdef Fastpath f = <Fastpath> context
    f.clock._nanos_counter = f.m.now / 32.0
    try:
        if size == 4:
            return f.mcu.read_uint32(address)
        if size == 2:
            return f.mcu.read_uint16(address)
        return f.mcu.read_uint8(address)
    except BaseException as error:
        f.fail(error)
    return 0


cdef void call_write(void *context, uint32_t address, uint32_t value, int size) noexcept:
    cdef Fastpath f = <Fastpath> context
    f.clock._nanos_counter = f.m.now / 32.0
    try:
        if size == 4:
            f.mcu.write_uint32(address, value)
        elif size == 2:
            f.mcu.write_uint16(address, value)
        else:
            f.mcu.write_uint8(address, value)
    except BaseException as error:
        f.fail(error)


cdef void call_hazard(void *context, const char *what, uint32_t address, int channel) noexcept:
    cdef Fastpath f = <Fastpath> context
    if f.error is None:
        try:
            f.error = f.on_hazard(what.decode(), address, f.core.registers[15], channel)
        except BaseException as error:
            f.error = error
    f.m.stop = 1


cdef class Fastpath:
    """The run loop around one rp2040py chip.

    Args:
        mcu: rp2040py's RP2040 with its clock; `replace_blocks` puts our register blocks into it.
        stock: run every instruction in rp2040py's core instead of in C.
        on_hazard: makes the exception for (what, address, program counter, DMA channel or -1).
    """

    cdef Machine m
    cdef RP2040 mcu
    cdef CortexM0Core core
    cdef SimulationClock clock
    cdef bint stock
    cdef public bint running
    cdef object on_hazard
    cdef public object error
    cdef list watchers
    cdef list spi_devices
    cdef public unsigned long long slow_instructions

    def __init__(self, mcu, bint stock, on_hazard):
        self.mcu = mcu
        self.core = self.mcu.core
        self.clock = self.mcu.clock
        self.stock = stock
        self.on_hazard = on_hazard
        self.error = None
        self.watchers = [[] for _ in range(30)]
        self.spi_devices = [None, None]
        machine_init(&self.m)
        self.m.call.pin = call_pin
        self.m.call.spi = call_spi
        self.m.call.irq = call_irq
        self.m.call.read = call_read
        self.m.call.write = call_write
        self.m.call.hazard = call_hazard
        self.m.context = <void *> self
        self.m.r = &self.core.registers[0]
        self.m.flash = &self.mcu._flash[0]
        self.m.sram = &self.mcu._sram[0]
        self.m.rom = <uint8_t *> &self.mcu._bootrom[0]
        self.m.dpram = &self.mcu._usb_dpram[0]

    cdef fail(self, error):
        if self.error is None:
            self.error = error
        self.m.stop = 1

    # ---- time
    @property
    def cycle(self):
        """CPU time in cycles of 8 ns."""
        return self.m.cycle

    @property
    def idle_cycles(self):
        """Cycles that the CPU slept or was skipped through."""
        return self.m.idle_cycles

    def stop(self):
        """Ends `run` after the current instruction."""
        self.m.stop = self.m.reload = self.m.attention = 1

    cdef _advance(self):
        """Events and alarms up to the CPU's time, merged in order of time; an event comes before an alarm."""
        cdef Machine *m = &self.m
        cdef SimulationClock clock = self.clock
        cdef int64_t target = m.cycle * 256, at
        cdef ClockAlarm alarm
        while not m.stop:
            alarm = clock._next_alarm
            if alarm is None or alarm.nanos > m.cycle * CYCLE_NS:
                if m.due > target:
                    break
                m.reload = 0
                machine_events(m, target)
                continue
            at = <int64_t> ceil(alarm.nanos * 32.0)
            if at > target:
                at = target
            if m.due <= at:
                m.reload = 0
                machine_events(m, at)
                continue
            m.now = at
            clock._nanos_counter = alarm.nanos
            clock.tick(0.0)
        m.now = target
        clock._nanos_counter = m.cycle * CYCLE_NS

    cdef _slow(self):
        """One instruction in rp2040py's core."""
        cdef Machine *m = &self.m
        m.now = m.cycle * 256
        self.clock._nanos_counter = m.cycle * CYCLE_NS
        if not m.xip_span and cpu_check_flash(m):
            return
        self.slow_instructions += 1
        m.cycle += self.core.execute_instruction()

    cdef _fast(self, int64_t limit):
        """Instructions in C up to `limit`, and at most one in rp2040py's core."""
        cdef Machine *m = &self.m
        cdef CortexM0Core core = self.core
        cdef bint taken = False
        cdef int result
        if core.interrupts_updated:
            if core.check_for_interrupts():
                core.waiting = False
            # after an exception was taken rp2040py looks again one instruction later
            taken = core.interrupts_updated
            if taken:
                limit = m.cycle + 1
        m.n = core.n
        m.z = core.z
        m.c = core.c
        m.v = core.v
        m.primask = core.pm
        m.irq_possible = (
            (core.pending_interrupts & core.enabled_interrupts) != 0
            or core.pending_nmi or core.pending_svcall or core.pending_pend_sv or core.pending_systick
        )
        m.want_check = 0
        result = machine_run(m, limit)
        core.n = m.n
        core.z = m.z
        core.c = m.c
        core.v = m.v
        core.pm = m.primask
        if m.want_check:
            core.interrupts_updated = True
        if m.stop:
            return
        if result == RUN_SLOW:
            if taken:
                core.interrupts_updated = False
            self._slow()
        elif result == RUN_FETCH:
            raise self.on_hazard("an instruction fetch from unmapped memory", core.registers[15], core.registers[15], -1)
        if taken:
            core.interrupts_updated = True

    def run(self):
        """Runs until something calls `stop`; raises what a callback or a hazard raised."""
        cdef Machine *m = &self.m
        cdef CortexM0Core core = self.core
        cdef SimulationClock clock = self.clock
        cdef ClockAlarm alarm
        cdef int64_t limit, ready
        m.stop = 0
        m.now = m.cycle * 256
        self.running = True
        try:
            self._advance()
            while not m.stop:
                PyErr_CheckSignals()  # Ctrl-C ends a run that calls nothing in Python for a long time
                m.reload = 0
                alarm = clock._next_alarm
                limit = m.cycle + LONGEST_RUN
                if alarm is not None and alarm.nanos < limit * CYCLE_NS:
                    limit = <int64_t> ceil(alarm.nanos / CYCLE_NS)
                    if limit < m.cycle:
                        limit = m.cycle
                if core.waiting:
                    machine_idle(m, limit)
                elif m.skip_until:
                    ready = (m.skip_until + 255) // 256
                    if core.interrupts_updated and not core.pm:
                        m.skip_until = 0
                    else:
                        machine_idle(m, limit if limit < ready else ready)
                        if m.cycle >= ready:
                            m.skip_until = 0
                elif self.stock:
                    self._slow()
                else:
                    self._fast(limit)
                self._advance()
            spi_flush(m)
        finally:
            self.running = False
            m.now = m.cycle * 256
            clock._nanos_counter = m.cycle * CYCLE_NS
        self._raise()

    def step(self):
        """One instruction in C, for comparisons; returns its cycles, 0 when it belongs to rp2040py's core."""
        cdef Machine *m = &self.m
        cdef CortexM0Core core = self.core
        cdef int64_t before = m.cycle
        m.n = core.n
        m.z = core.z
        m.c = core.c
        m.v = core.v
        m.primask = core.pm
        m.irq_possible = m.want_check = m.reload = m.stop = 0
        machine_run(m, before + 1)
        core.n = m.n
        core.z = m.z
        core.c = m.c
        core.v = m.v
        core.pm = m.primask
        return m.cycle - before

    # ---- pins
    def watch(self, int pin, callback):
        self.watchers[pin].append(callback)
        self.m.gpio.watched |= 1u << pin

    def drive(self, int pin, int level):
        gpio_drive(&self.m, pin, level)
        self._after_call()

    def release(self, int pin):
        gpio_release(&self.m, pin)
        self._after_call()

    def pull(self, int pin, int level):
        gpio_pull(&self.m, pin, level)
        self._after_call()

    def level(self, int pin):
        return (self.m.gpio.level >> pin) & 1

    def output(self, int pin):
        """Whether the chip drives the pin."""
        return (self.m.gpio.output >> pin) & 1

    cdef _after_call(self):
        """After a call from Python; outside a run a callback's exception belongs to the caller."""
        self.m.reload = self.m.attention = 1
        if not self.running:
            self._raise()

    cdef _raise(self):
        error = self.error
        if error is not None:
            self.error = None
            raise error

    # ---- SPI
    def attach_spi(self, int index, device):
        self.spi_devices[index] = device

    def flush_spi(self):
        """Hands over what the SPI blocks have sent up to now."""
        spi_flush(&self.m)
        self._after_call()

    def set_peripheral_clock(self, double hz):
        self.m.peri_hz = hz

    def set_timer_epoch(self, double ns):
        self.m.timer_epoch_ns = ns

    def chip_was_reset(self):
        """rp2040py's interrupt controller was cleared: shows it the lines that still stand."""
        self.m.skip_until = 0
        machine_reset_irqs(&self.m)
        self._after_call()

    # ---- flash
    def chip_select(self, int override):
        """The override of the flash chip's select pin was written; returns the command that ended with it, or None."""
        if ssi_chip_select(&self.m, override):
            return bytes(self.m.ssi.tx[:self.m.ssi.tx_len])
        return None

    @property
    def write_enabled(self):
        return bool(self.m.ssi.write_enabled)

    @write_enabled.setter
    def write_enabled(self, value):
        self.m.ssi.write_enabled = value

    def set_flash_busy(self, double until_ns):
        """The flash chip does not answer until then."""
        self.m.ssi.busy_until = <int64_t> ceil(until_ns * 32.0)
        ssi_xip_ready(&self.m)
        self._after_call()

    def set_unique_id(self, bytes unique_id):
        for i in range(8):
            self.m.ssi.unique_id[i] = unique_id[i]

    def flash_readers(self):
        """DMA channels that are reading from flash now: (channel, address)."""
        return [
            (i, self.m.dma.channel[i].read_addr)
            for i in range(12)
            if self.m.dma.channel[i].ctrl & (1 << 24) and 0x10000000 <= self.m.dma.channel[i].read_addr < 0x14000000
        ]


cdef class Registers:
    """One register block in C, in the shape that rp2040py's bus expects."""

    cdef Fastpath fast
    cdef uint32_t base

    def __init__(self, Fastpath fast, uint32_t base):
        self.fast = fast
        self.base = base

    def read_uint32(self, uint32_t offset):
        cdef uint32_t value = 0
        mmio_read(&self.fast.m, self.base + (offset & 0xfff), &value)
        return value

    def write_uint32_atomic(self, uint32_t offset, value, int atomic_type):
        mmio_write(&self.fast.m, self.base + offset + 0x1000 * atomic_type, <uint32_t> (value & 0xffffffff))

    def write_uint32(self, uint32_t offset, value):
        self.write_uint32_atomic(offset, value, 0)

    def reset(self):
        cdef Machine *m = &self.fast.m
        if self.base == 0x50000000:
            dma_reset(m)
        elif self.base == 0x50200000:
            pio_reset(m, &m.pio[0])
        elif self.base == 0x50300000:
            pio_reset(m, &m.pio[1])
        elif self.base == 0x4003c000:
            spi_reset(m, &m.spi[0])
        elif self.base == 0x40040000:
            spi_reset(m, &m.spi[1])
        elif self.base == 0x18000000:
            ssi_reset(m)

    @property
    def machines(self):
        """For PIO: rp2040py's QSPI pins look for state machines that wait for them. None do."""
        return ()

    def set_dreq(self, int dreq):
        """For the DMA block: a peripheral in Python wants service."""
        if 24 <= dreq < 32:
            dma_dreq_pulse(&self.fast.m, dreq)
        else:
            dma_dreq(&self.fast.m, dreq, 1)

    def clear_dreq(self, int dreq):
        dma_dreq(&self.fast.m, dreq, 0)


cdef class SioRegisters:
    """SIO: GPIO, divider and spinlocks in C, the rest in rp2040py's own block."""

    cdef Fastpath fast
    cdef object rest

    def __init__(self, Fastpath fast, rest):
        self.fast = fast
        self.rest = rest

    def read_uint32(self, uint32_t offset):
        cdef uint32_t value = 0
        if offset < 0x180 and sio_read(&self.fast.m, offset, &value):
            return value
        return self.rest.read_uint32(offset)

    def write_uint32(self, uint32_t offset, value):
        if not (offset < 0x180 and sio_write(&self.fast.m, offset, <uint32_t> (value & 0xffffffff))):
            self.rest.write_uint32(offset, value)
        self.fast.m.attention = 1

    def reset(self):
        sio_reset(&self.fast.m)
        self.rest.reset()

    @property
    def gpio_value(self):
        return self.rest.gpio_value

    @property
    def gpio_output_enable(self):
        return self.rest.gpio_output_enable


cdef class GpioPin:
    """One pin as rp2040py's other blocks know it: PWM reads and drives it, the chip reset resets it."""

    cdef Fastpath fast
    cdef int index

    def __init__(self, Fastpath fast, int index):
        self.fast = fast
        self.index = index

    def reset(self, io=True, pads=True):
        """rp2040py resets pin by pin; the first call does the whole bank."""
        if self.index == 0:
            if io:
                gpio_reset_io(&self.fast.m)
            if pads:
                gpio_reset_pads(&self.fast.m)

    def check_for_updates(self):
        cdef Machine *m = &self.fast.m
        m.gpio.pwm_out = self.fast.mcu.pwm.gpio_value & 0x3fffffff
        m.gpio.pwm_oe = self.fast.mcu.pwm.gpio_direction & 0x3fffffff
        gpio_update(m, self.index)
        m.attention = 1

    @property
    def input_value(self):
        cdef uint32_t value = 0
        sio_read(&self.fast.m, 4, &value)
        return bool((value >> self.index) & 1)

    @property
    def irq_value(self):
        return False
