"""The service UART as a port of the link."""

TRANSMIT_BYTES = 512
"""Buffer that the UART needs for transmission (`txbuf`): 44 ms of line time at 115,200 baud."""
RECEIVE_BYTES = 512
"""Buffer that the UART needs for reception (`rxbuf`): 44 ms in which no task has to look."""


class UartPort:
    """A machine.UART that is never waited for.

    MicroPython's UART waits a millisecond for each byte that has not come yet, so that a read goes on as long as a host
    sends, and a write that finds no room goes on until all is sent. So only what is there is read, and only a
    transmitter that has sent everything is given more, never more than its buffer holds.

    Args:
        uart: the UART, made with the buffers above.
    """

    def __init__(self, uart):
        self._uart = uart

    def read(self, most):
        """At most so many of the bytes that have arrived."""
        waiting = min(self._uart.any(), most)
        return self._uart.read(waiting) if waiting else b""

    def write(self, data):
        """Takes a front part of data and returns its length, 0 while the last part is still on its way."""
        if not self._uart.txdone():
            return 0
        return self._uart.write(data[:TRANSMIT_BYTES])
