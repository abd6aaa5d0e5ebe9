"""Coin pulses by their width (CAB-11): what is money and what is not."""


class CoinPulses:
    """Judges pulses, each worth one coin unit (`per_pulse`, CAB-12).

    Args:
        nominal_ms: the acceptor's pulse width; 0.5 to 1.5 times it is a coin.

    Attributes:
        coins, glitches, bad: pulses of each kind so far. A glitch is shorter than a coin, a bad pulse longer.
    """

    def __init__(self, nominal_ms):
        self._shortest_us = nominal_ms * 500
        self._longest_us = nominal_ms * 1500
        self.coins = 0
        self.glitches = 0
        self.bad = 0

    def pulse(self, width_us):
        """Takes a finished pulse; returns 1 when it is a coin, else 0."""
        if width_us < self._shortest_us:
            self.glitches += 1
            return 0
        if width_us > self._longest_us:
            self.bad += 1
            return 0
        self.coins += 1
        return 1
