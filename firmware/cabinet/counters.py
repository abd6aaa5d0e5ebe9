"""Steps for the electromechanical counters, never faster than their coils allow (CAB-06)."""


class CounterQueue:
    """Steps owed to one electromechanical counter.

    Args:
        unit_minor: amount of one step; 1 for a counter of games.
    """

    def __init__(self, unit_minor):
        self._unit_minor = unit_minor
        self._remainder_minor = 0
        self.pending = 0

    def add(self, amount_minor):
        """Owes the steps of an amount; what is below one step is kept for the next."""
        total = self._remainder_minor + amount_minor
        self.pending += total // self._unit_minor
        self._remainder_minor = total % self._unit_minor


class CounterPulser:
    """Drives the coil of one counter: on for on_ms, off for off_ms, a step at a time.

    Args:
        queue: the CounterQueue it serves.
        coil: callable taking True (coil on) or False.
        on_ms, off_ms: shortest times the counter follows.
    """

    def __init__(self, queue, coil, on_ms, off_ms):
        self._queue = queue
        self._coil = coil
        self._on_us = on_ms * 1000
        self._off_us = off_ms * 1000
        self._energised = False
        self._wait_us = 0

    def advance(self, elapsed_us):
        """Time has passed: switches the coil when a phase is over. Call it every few milliseconds."""
        if self._wait_us > 0:
            self._wait_us -= elapsed_us
            if self._wait_us > 0:
                return
        if self._energised:
            self._coil(False)
            self._energised = False
            self._queue.pending -= 1
            self._wait_us = self._off_us
        elif self._queue.pending:
            self._coil(True)
            self._energised = True
            self._wait_us = self._on_us
