"""SPI, UART and DMA registers at their outer ends: contents, order against other pins, exact times."""

from __future__ import annotations

import pytest

from host_tools.emulator.pico import Pico

CS, DC = 17, 20
PANEL = f"""
import machine, uctypes, rp2, time
from machine import Pin, SPI
cs, dc = Pin({CS}, Pin.OUT, value=1), Pin({DC}, Pin.OUT, value=1)
machine.freq(125_000_000, 125_000_000)
spi = SPI(0, baudrate=62_500_000, sck=Pin(18), mosi=Pin(19), miso=None)
"""


class Panel:
    """An SPI part that keeps (level of CS, level of DC, bytes), neighbours joined."""

    def __init__(self, pico: Pico) -> None:
        self.pieces: list[tuple[int, int, bytes]] = []
        self.times_us: list[float] = []
        self._pico = pico
        pico.spi(0).attach(self)

    def write(self, data: bytes) -> None:
        levels = self._pico.pins.level(CS), self._pico.pins.level(DC)
        self.times_us.append(self._pico.now_us)
        if self.pieces and self.pieces[-1][:2] == levels:
            data = self.pieces.pop()[2] + data
        self.pieces.append((*levels, data))


@pytest.fixture
def panel(pico: Pico) -> Panel:
    return Panel(pico)


def test_spi_bytes_come_with_cs_and_dc_at_their_levels(pico: Pico, panel: Panel) -> None:
    pico.console.exec(
        PANEL + "cs(0)\ndc(0)\nspi.write(b'\\x2c')\ndc(1)\nspi.write(b'ab')\nspi.write(bytes(range(256)) * 8)\ncs(1)\n"
        "spi.write(b'z')\n"
    )
    assert panel.pieces == [(0, 0, b"\x2c"), (0, 1, b"ab" + bytes(range(256)) * 8), (1, 1, b"z")]


@pytest.mark.parametrize("alias", [0x10, 0x11, 0x12, 0x13])
def test_spi_writes_straight_from_flash(alias: int, pico: Pico, panel: Panel, bare_image: bytes) -> None:
    pico.console.exec(PANEL + f"cs(0)\nspi.write(uctypes.bytearray_at({alias} << 24 | 0x20000, 30000))\ncs(1)\n")
    assert panel.pieces == [(0, 1, bare_image[0x20000 : 0x20000 + 30000])]


@pytest.mark.parametrize(
    ("peripheral", "baud"),
    [(125_000_000, 62_500_000), (48_000_000, 24_000_000), (125_000_000, 125_000_000 / 124)],  # the nearest to 1 MHz
)
def test_spi_block_takes_its_bits_time(peripheral: int, baud: float, pico: Pico, panel: Panel) -> None:
    pico.pins.record(CS, "cs")
    pico.console.exec(
        PANEL + f"machine.freq(125_000_000, {peripheral})\n"
        f"spi = SPI(0, baudrate={round(baud)}, sck=Pin(18), mosi=Pin(19), miso=None)\n"
        "data, more = bytearray(1000), bytearray(5000)\n"
        "def block(d):\n cs(0)\n spi.write(d)\n cs(1)\n"
        "block(data)\nblock(more)\nblock(data)\nblock(more)\n",
    )
    edges = [event.ns for event in pico.pins.events][-4:]
    short, long = edges[1] - edges[0], edges[3] - edges[2]
    assert abs(long - short - 4000 * 8e9 / baud) < 40  # the CPU sees the end of a block a few instructions late


def test_spi_by_a_channel_of_its_own_goes_on_while_the_program_runs(
    pico: Pico, panel: Panel, bare_image: bytes
) -> None:
    out = pico.console.exec(
        PANEL + "ends = []\n"
        "dma = rp2.DMA()\n"
        "dma.irq(lambda d: ends.append(time.ticks_us()), hard=True)\n"
        "ctrl = dma.pack_ctrl(size=0, inc_write=False, treq_sel=16, irq_quiet=False)\n"
        "cs(0)\n"
        "dma.config(read=0x10030000, write=0x4003c008, count=20000, ctrl=ctrl)\n"
        "begin = time.ticks_us()\n"
        "dma.active(1)\n"
        "counts = []\n"
        "while dma.active():\n counts.append(dma.count)\n"
        "time.sleep_us(50)\n"
        "cs(1)\n"
        "took = ends[0] - begin\n"
        "print(counts == sorted(counts, reverse=True), len(counts) > 50, 2555 <= took <= 2600, dma.count)\n"
    )
    assert out == "True True True 0\n"
    assert panel.pieces == [(0, 1, bare_image[0x30000 : 0x30000 + 20000])]


def test_spi_bytes_still_in_the_fifo_go_out_with_the_new_level(pico: Pico, panel: Panel) -> None:
    """A program that raises CS when DMA has ended instead of when SPI has loses the tail, as on silicon."""
    pico.console.exec(
        PANEL + "dma = rp2.DMA()\ndata = bytes(range(200))\nspi.init(baudrate=1_000_000)\n"
        "ctrl = dma.pack_ctrl(size=0, inc_write=False, treq_sel=16)\n"
        "cs(0)\ndma.config(read=data, write=0x4003c008, count=200, ctrl=ctrl, trigger=True)\n"
        "while dma.active(): pass\n"
        "cs(1)\ntime.sleep_ms(1)\n"
    )
    (cs_low, _, begin), (cs_high, _, tail) = panel.pieces
    assert (cs_low, cs_high) == (0, 1)
    assert begin + tail == bytes(range(200))
    assert 6 <= len(tail) <= 9


def test_dma_abort_stops_a_block_and_keeps_the_count(pico: Pico, panel: Panel) -> None:
    out = pico.console.exec(
        PANEL + "spi.init(baudrate=1_000_000)\ndma = rp2.DMA()\n"
        "ctrl = dma.pack_ctrl(size=0, inc_write=False, treq_sel=16)\n"
        "dma.config(read=0x10030000, write=0x4003c008, count=5000, ctrl=ctrl, trigger=True)\n"
        "time.sleep_ms(10)\nprint(dma.active(0))\nleft = dma.count\ntime.sleep_ms(10)\nprint(left == dma.count, left)\n"
    )
    active, rest = out.split("\n", 1)
    same, left = rest.split()
    assert (active, same) == ("False", "True")
    sent = sum(len(data) for _, _, data in panel.pieces)
    assert abs(5000 - int(left) - sent) <= 9
    assert 1000 < sent < 1700


def test_dma_timer_paces_transfers(pico: Pico) -> None:
    out = pico.console.exec(
        "import rp2, time, machine\nmachine.mem32[0x50000424] = 2 << 16 | 2500\n"  # timer 1: an element each 10 us
        "dma = rp2.DMA()\nsource, target = bytes(400), bytearray(400)\n"
        "dma.config(read=source, write=target, count=100, ctrl=dma.pack_ctrl(treq_sel=0x3c), trigger=True)\n"
        "begin = time.ticks_us()\nwhile dma.active(): pass\ntook = time.ticks_diff(time.ticks_us(), begin)\n"
        "print(960 <= took <= 1060)\n"
    )
    assert out == "True\n"


def test_uart_bytes_take_their_frame_time_both_ways(pico: Pico) -> None:
    line = pico.uart(0)
    pico.console.start(
        "from machine import UART, Pin\nimport time\n"
        "u = UART(0, 115200, tx=Pin(0), rx=Pin(1), rxbuf=512)\nu.write(b'hello')\nprint('READY')\n"
        "time.sleep_ms(60)\nprint(u.any(), u.read(3), sum(u.read()))\n"
    )
    pico.console.expect(b"READY\r\n")
    pico.run_until(lambda: len(line.received) == 5, 1e6)
    gaps = [later - earlier for earlier, later in zip(line.received_us, line.received_us[1:], strict=False)]
    assert bytes(line.received) == b"hello"
    assert gaps == pytest.approx([10e6 / 115_200] * 4, rel=0.001)
    sent = bytes(index & 255 for index in range(300))
    line.send(sent)
    assert pico.console.finish() == f"300 {sent[:3]!r} {sum(sent[3:])}\n"
    assert line.overruns == 0


def test_uart_loses_bytes_when_nobody_takes_them(pico: Pico) -> None:
    line = pico.uart(1)
    pico.console.start(
        "from machine import UART, Pin, disable_irq, enable_irq\nimport time, micropython\n"
        "@micropython.viper\ndef spin(n: int):\n    while n:\n        n -= 1\n"
        "u = UART(1, 9600, tx=Pin(4), rx=Pin(5))\nprint('READY')\ntime.sleep_ms(1)\n"
        "state = disable_irq()\nspin(2_000_000)\nenable_irq(state)\nprint(u.any())\n"
    )
    pico.console.expect(b"READY\r\n")
    line.send(bytes(60), delay_us=2000)
    assert int(pico.console.finish()) <= 33
    assert line.overruns >= 27


def test_uart_echo_answers_from_a_callback(pico: Pico) -> None:
    line = pico.uart(1)
    line.on_byte = lambda byte: line.send(bytes((byte ^ 0xFF,)), delay_us=500)
    out = pico.console.exec(
        "from machine import UART, Pin\nimport time\nu = UART(1, 9600, tx=Pin(4), rx=Pin(5))\n"
        "u.write(b'\\x01\\x02')\ntime.sleep_ms(10)\nprint(u.read())\n"
    )
    assert out == "b'\\xfe\\xfd'\n"
