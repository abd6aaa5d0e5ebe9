"""A ring of 32-bit words that DMA fills from a PIO state machine, so that nothing is lost while the CPU is busy."""

from array import array

import micropython
import rp2
import uctypes

_PIO_RXF0 = (0x50200020, 0x50300020)
_DREQ_PIO_RX0 = (4, 12)
_WORDS_PER_ARMING = 1 << 28  # below 2**30, so that no count allocates; three days at 1 kHz, then armed again
_REARM_BELOW = 1 << 20


@micropython.viper
def _run_of(words: ptr32, at: int, mask: int, limit: int, value: int) -> int:
    count = 0
    while count < limit and words[at & mask] == value:
        at += 1
        count += 1
    return count


class DmaRing:
    """Words pushed by a PIO state machine, in order.

    The reader may be away for `words` pushes; what comes in after that overwrites the oldest and is counted in
    `overruns`.

    Args:
        state_machine: number 0 to 7 of the state machine whose RX FIFO is read.
        words: length of the ring, a power of two from 8 to 8192.
    """

    def __init__(self, state_machine, words):
        ring_bytes = words * 4
        size_bits = 0
        while 1 << size_bits < ring_bytes:
            size_bits += 1
        # The hardware ring wraps at an address aligned to its own length.
        self._memory = array("I", bytes(2 * ring_bytes))
        start = uctypes.addressof(self._memory)
        skip = -start % ring_bytes
        self._buffer = memoryview(self._memory)[skip // 4 : skip // 4 + words]
        self._address = start + skip
        self._words = words
        self._size_bits = size_bits
        self._source = _PIO_RXF0[state_machine // 4] + 4 * (state_machine % 4)
        self._request = _DREQ_PIO_RX0[state_machine // 4] + state_machine % 4
        self._read = 0
        self.overruns = 0
        self._dma = rp2.DMA()
        self._arm()

    def _arm(self):
        self._count = _WORDS_PER_ARMING + self._read
        self._dma.config(
            read=self._source,
            write=self._address + 4 * self._read,
            count=_WORDS_PER_ARMING,
            ctrl=self._dma.pack_ctrl(
                size=2,
                inc_read=False,
                inc_write=True,
                ring_sel=True,
                ring_size=self._size_bits,
                treq_sel=self._request,
            ),
            trigger=True,
        )

    def available(self):
        """Words not yet read; at most the length of the ring, the rest is added to `overruns`."""
        left = self._dma.count  # pyright: ignore[reportAttributeAccessIssue]
        unread = self._count - left - self._read
        if unread > self._words:
            self.overruns += unread - self._words
            self._read += unread - self._words
            unread = self._words
        elif unread == 0 and left < _REARM_BELOW:
            # Once in 2**28 words. A word that arrives within these few microseconds is overwritten by the next.
            self._dma.active(0)
            self._read &= self._words - 1
            self._arm()
        return unread

    def next(self):
        """The oldest unread word; only after `available()` said that there is one."""
        word = self._buffer[self._read & (self._words - 1)]
        self._read += 1
        return word

    def skip(self, value):
        """Passes over unread words that equal value; returns how many are left to read, from the first that differs."""
        unread = self.available()
        run = _run_of(self._buffer, self._read, self._words - 1, unread, value)  # pyright: ignore[reportArgumentType]
        self._read += run
        return unread - run

    def deinit(self):
        """Stops the DMA channel and gives it back."""
        self._dma.active(0)  # close() alone leaves a waiting channel busy: whoever claims it next would hang
        self._dma.close()
