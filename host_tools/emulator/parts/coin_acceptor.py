"""A coin acceptor with pulse output and an inhibit input."""

from __future__ import annotations

from functools import partial

from .contact import Bounce, Contact
from .wiring import Clock, Pins


class CoinAcceptor:
    """Checks each coin against the inhibit line as it falls in, then sends its pulses when the coin line is free.

    A coin that was accepted keeps its pulses whatever the inhibit line does afterwards. The line idles at its inactive
    level from power-on; the acceptor's resistor pulls the inhibit line to "inhibited" while the chip does not drive it.

    Attributes:
        accepted: coins taken; each sends its pulses.
        returned: coins that came back because the acceptor was inhibited.
        log: (emulated microseconds, "inhibited" or "enabled") from power-on, at each change.
    """

    def __init__(
        self,
        clock: Clock,
        pins: Pins,
        *,
        coin_pin: int,
        coin_active_low: bool,
        inhibit_pin: int,
        inhibit_active_low: bool,
    ) -> None:
        self.accepted = 0
        self.returned = 0
        self.log: list[tuple[float, str]] = []
        self._clock = clock
        self._pins = pins
        self._coin_pin = coin_pin
        self._active_level = 0 if coin_active_low else 1
        self._inhibit_pin = inhibit_pin
        self._inhibit_level = 0 if inhibit_active_low else 1
        self._output = Contact(clock, self._hold)
        self._holders = 0
        self._free_at_ns = 0
        pins.drive(coin_pin, 1 - self._active_level)
        pins.pull(inhibit_pin, self._inhibit_level)
        pins.watch(inhibit_pin, self._inhibit_changed)
        self._inhibit_changed(pins.level(inhibit_pin))

    @property
    def inhibited(self) -> bool:
        """Whether the inhibit line is active now."""
        return self._pins.level(self._inhibit_pin) == self._inhibit_level

    def insert(
        self,
        coins: int = 1,
        pulse_ms: float = 50,
        gap_ms: float = 50,
        after_ms: float = 0,
        *,
        pulses: int = 1,
        bounce: Bounce | None = None,
    ) -> None:
        """Drops `coins` one by one, the first after `after_ms` (now when 0); returns at once.

        The next coin falls when the line is free again, so a coin of the same call meets an inhibit that the coin
        before it caused. Two calls at the same time are two coins in flight: both are checked now.

        Args:
            coins: number of coins.
            pulse_ms: width of each pulse.
            gap_ms: silence after each pulse.
            after_ms: delay of the first coin.
            pulses: pulses for each coin.
            bounce: contact bounce at both edges of each pulse.
        """
        if after_ms:
            drop = partial(self.insert, coins, pulse_ms, gap_ms, pulses=pulses, bounce=bounce)
            self._clock.at(after_ms * 1000, drop)
            return
        if coins < 1:
            return
        now_ns = self._clock.now_ns
        train_ns = round(pulses * (pulse_ms + gap_ms) * 1_000_000)
        if self.inhibited:
            self.returned += 1
            next_coin_ns = train_ns
        else:
            self.accepted += 1
            start_ns = max(now_ns, self._free_at_ns)
            self._free_at_ns = start_ns + train_ns
            next_coin_ns = self._free_at_ns - now_ns
            self._send((start_ns - now_ns) / 1000, pulses, pulse_ms * 1000, gap_ms * 1000, bounce)
        if coins > 1:
            self.insert(coins - 1, pulse_ms, gap_ms, next_coin_ns / 1_000_000, pulses=pulses, bounce=bounce)
        self._clock.notify()

    def glitch(self, width_ms: float) -> None:
        """The coin line is active for `width_ms`, whatever the coins on it do."""
        self._hold(True)
        self._clock.at(width_ms * 1000, lambda: self._hold(False))

    def jam(self, width_ms: float) -> None:
        """A coin sticks at the sensor for `width_ms`."""
        self.glitch(width_ms)

    def _send(self, delay_us: float, pulses: int, pulse_us: float, gap_us: float, bounce: Bounce | None) -> None:
        for index in range(pulses):
            start_us = delay_us + index * (pulse_us + gap_us)
            if start_us:
                self._clock.at(start_us, lambda: self._output.move(True, bounce))
            else:
                self._output.move(True, bounce)
            self._clock.at(start_us + pulse_us, lambda: self._output.move(False, bounce))

    def _hold(self, active: bool) -> None:
        """Counts who holds the line active: an open collector, so it is idle only when nobody does."""
        self._holders += 1 if active else -1
        self._pins.drive(self._coin_pin, self._active_level if self._holders else 1 - self._active_level)

    def _inhibit_changed(self, level: int) -> None:
        state = "inhibited" if level == self._inhibit_level else "enabled"
        self.log.append((self._clock.now_us, state))
        self._clock.notify()
