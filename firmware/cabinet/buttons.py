"""Debounced inputs from equally spaced samples (CAB-61)."""


class Debouncer:
    """Turns samples of a word of inputs into press and release events.

    An input counts as on after `press_samples` equal samples, as off after `release_samples`; a held button acts once.

    Args:
        press_samples, release_samples: how many samples in a row change an input's state.
        width: inputs in a word.
        active: the state that the first word is taken for; an input found on at start makes no press event.
    """

    def __init__(self, press_samples, release_samples, width=16, active=0):
        self._press_samples = press_samples
        self._release_samples = release_samples
        self._width = width
        self._seen = bytearray(width)
        self._unsettled = 0
        self.active = active

    @property
    def settled(self):
        """True when samples equal to `active` would change nothing."""
        return not self._unsettled

    def sample(self, word):
        """Takes one word of logical levels (1 = on) and returns the word of inputs that have just become on."""
        changed = word ^ self.active
        if not changed and not self._unsettled:
            return 0
        pressed = 0
        unsettled = 0
        for bit in range(self._width):
            mask = 1 << bit
            if not changed & mask:
                self._seen[bit] = 0
                continue
            seen = self._seen[bit] + 1
            on = word & mask
            if seen >= (self._press_samples if on else self._release_samples):
                self.active ^= mask
                seen = 0
                if on:
                    pressed |= mask
            else:
                unsettled |= mask
            self._seen[bit] = seen
        self._unsettled = unsettled
        return pressed
