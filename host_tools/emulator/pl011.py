"""The RP2040's UART block (ARM PL011): line timing, FIFOs, interrupts, DREQs.

rp2040py's own model sends in no time and raises the transmit interrupt for ever. Sources: RP2040 datasheet 4.2 and
ARM DDI 0183 (PL011 technical reference manual).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

_TX_INT, _RX_INT, _TIMEOUT_INT = 1 << 5, 1 << 4, 1 << 6
_OVERRUN_INT, _BREAK_INT, _PARITY_INT, _FRAMING_INT = 1 << 10, 1 << 9, 1 << 8, 1 << 7
_LEVELS = (4, 8, 16, 24, 28, 28, 28, 28)  # of 32: UARTIFLS
_IDENTIFICATION = {0xFE0: 0x11, 0xFE4: 0x10, 0xFE8: 0x34, 0xFEC: 0, 0xFF0: 0x0D, 0xFF4: 0xF0, 0xFF8: 0x05, 0xFFC: 0xB1}

DATA_BREAK, DATA_PARITY, DATA_FRAMING = 0x400, 0x200, 0x100
"""Error bits of a received character, or'ed to it in `feed`."""


class _Alarm(Protocol):
    def schedule(self, delay_ns: float) -> None: ...
    def cancel(self) -> None: ...


class Pl011:
    """One UART.

    Args:
        alarm: makes an alarm of the emulated clock for an action.
        set_irq: sets the block's interrupt line.
        set_dreq: (receive, level) sets one of its two DMA request lines.
        peripheral_hz: the current clk_peri.
    """

    def __init__(
        self,
        alarm: Callable[[Callable[[], None]], _Alarm],
        set_irq: Callable[[bool], None],
        set_dreq: Callable[[bool, bool], None],
        peripheral_hz: Callable[[], float],
    ) -> None:
        self.on_sent: Callable[[int], None] = lambda byte: None
        self.overruns = 0
        self._set_irq = set_irq
        self._set_dreq = set_dreq
        self._peripheral_hz = peripheral_hz
        self._tx: deque[int] = deque()
        self._rx: deque[int] = deque()
        self._shifting: int | None = None
        self._tx_alarm = alarm(self._frame_sent)
        self._timeout_alarm = alarm(self._receive_timeout)
        self.reset()

    def reset(self) -> None:
        """All registers and FIFOs as after a reset of the block."""
        self._line_control = self._integer = self._fraction = self._mask = self._raw = self._dma_control = 0
        self._fifo_levels, self._control = 0x12, 0x300
        self._error_status = 0
        self._tx.clear()
        self._rx.clear()
        self._shifting = None
        self._tx_alarm.cancel()
        self._timeout_alarm.cancel()
        self._update()

    # ---- line
    @property
    def baud(self) -> float:
        """Bits per second by the divider registers; 115200 before they are set."""
        divider = self._integer + self._fraction / 64
        return self._peripheral_hz() / (16 * divider) if divider else 115_200.0

    @property
    def frame_ns(self) -> float:
        """Start bit, data, parity, stop bits."""
        control = self._line_control
        bits = 1 + 5 + (control >> 5 & 3) + (control >> 1 & 1) + 1 + (control >> 3 & 1)
        return bits * 1e9 / self.baud

    def feed(self, character: int) -> None:
        """A character arrives; its stop bit ends now."""
        if self._control & 0x201 != 0x201:
            return
        if len(self._rx) >= self._depth:
            self.overruns += 1
            self._raw |= _OVERRUN_INT
            self._error_status |= 8
        else:
            self._rx.append(character)
            if len(self._rx) >= self._receive_level:
                self._raw |= _RX_INT
            if character & DATA_BREAK:
                self._raw |= _BREAK_INT
            if character & DATA_PARITY:
                self._raw |= _PARITY_INT
            if character & DATA_FRAMING:
                self._raw |= _FRAMING_INT
            self._timeout_alarm.schedule(32 * 1e9 / self.baud)
        self._update()

    @property
    def _depth(self) -> int:
        return 32 if self._line_control & 0x10 else 1

    @property
    def _transmit_level(self) -> int:
        return _LEVELS[self._fifo_levels & 7] if self._depth == 32 else 0

    @property
    def _receive_level(self) -> int:
        return _LEVELS[self._fifo_levels >> 3 & 7] if self._depth == 32 else 1

    def _send_next(self) -> None:
        if self._shifting is None and self._tx and self._control & 0x101 == 0x101:
            before = len(self._tx)
            self._shifting = self._tx.popleft()
            if before > self._transmit_level >= len(self._tx):  # the interrupt comes with the transition
                self._raw |= _TX_INT
            self._tx_alarm.schedule(self.frame_ns)
        self._update()

    def _frame_sent(self) -> None:
        byte, self._shifting = self._shifting, None
        self._send_next()
        if byte is not None:
            self.on_sent(byte)

    def _receive_timeout(self) -> None:
        if self._rx:
            self._raw |= _TIMEOUT_INT
            self._update()

    def _update(self) -> None:
        self._set_irq(bool(self._raw & self._mask))
        self._set_dreq(False, len(self._tx) < self._depth and bool(self._dma_control & 2))
        self._set_dreq(True, bool(self._rx) and bool(self._dma_control & 1))

    # ---- registers
    def read_uint32(self, offset: int) -> int:
        """A register by its offset; 0 where there is none."""
        if offset == 0x00:
            return self._read_data()
        if offset == 0x18:
            return (
                (0 if self._tx else 0x80)
                | (0x40 if len(self._rx) >= self._depth else 0)
                | (0x20 if len(self._tx) >= self._depth else 0)
                | (0 if self._rx else 0x10)
                | (0x08 if self._shifting is not None or self._tx else 0)
            )
        registers = {
            0x04: self._error_status,
            0x24: self._integer,
            0x28: self._fraction,
            0x2C: self._line_control,
            0x30: self._control,
            0x34: self._fifo_levels,
            0x38: self._mask,
            0x3C: self._raw,
            0x40: self._raw & self._mask,
            0x48: self._dma_control,
        }
        return registers.get(offset, _IDENTIFICATION.get(offset, 0))

    def _read_data(self) -> int:
        if not self._rx:
            return 0
        character = self._rx.popleft()
        if len(self._rx) < self._receive_level:
            self._raw &= ~_RX_INT
        if not self._rx:
            self._raw &= ~_TIMEOUT_INT
            self._timeout_alarm.cancel()
        self._update()
        return character

    def write_uint32(self, offset: int, value: int) -> None:
        """A register by its offset."""
        self.write_uint32_atomic(offset, value, 0)

    def write_uint32_atomic(self, offset: int, value: int, atomic_type: int) -> None:
        """A register through the normal, exclusive-or, set or clear alias (0 to 3)."""
        raw = value
        if atomic_type and offset:
            old = self.read_uint32(offset)
            value = old ^ raw if atomic_type == 1 else old | raw if atomic_type == 2 else old & ~raw
        if offset == 0x00:
            if len(self._tx) < self._depth:
                self._tx.append(value & 0xFF)
                if len(self._tx) > self._transmit_level:
                    self._raw &= ~_TX_INT
                self._send_next()
            return
        if offset == 0x04:
            self._error_status = 0
        elif offset == 0x24:
            self._integer = value & 0xFFFF
        elif offset == 0x28:
            self._fraction = value & 0x3F
        elif offset == 0x2C:
            self._line_control = value & 0xFF
        elif offset == 0x30:
            self._control = value & 0xFFFF
            self._send_next()
        elif offset == 0x34:
            self._fifo_levels = value & 0x3F
        elif offset == 0x38:
            self._mask = value & 0x7FF
        elif offset == 0x44:
            self._raw &= ~raw
        elif offset == 0x48:
            self._dma_control = value & 7
        self._update()
