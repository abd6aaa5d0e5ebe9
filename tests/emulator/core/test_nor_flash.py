"""The flash chip: times, hazards that silicon would not survive, what a power cut leaves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from host_tools.emulator.pico import Pico
from host_tools.errors import EmulatorError, ImageError

AREA = 0x180000  # a part of flash that the firmware leaves alone
BEGIN = f"import rp2, uctypes, machine\nflash = rp2.Flash(start={AREA - 0x60000}, len=0x10000)\n"


def erase_and_program(pico: Pico, source: str) -> None:
    pico.console.exec(BEGIN + source, 20e6)


def test_erase_and_program_change_the_image_and_take_time(pico: Pico) -> None:
    before_us = pico.now_us
    erase_and_program(pico, "flash.writeblocks(1, bytes(range(256)) * 16)")
    erase, *pages = pico.flash.operations
    assert (erase.kind, erase.address, erase.length) == ("erase", AREA + 4096, 4096)
    assert [(page.kind, page.address, page.length) for page in pages] == [
        ("program", AREA + 4096 + 256 * index, 256) for index in range(16)
    ]
    assert pico.flash.image()[AREA + 4096 : AREA + 8192] == bytes(range(256)) * 16
    assert 45_000 <= erase.duration_us <= 400_000
    assert all(700 <= page.duration_us <= 3_000 for page in pages)
    busy_us = sum(operation.duration_us for operation in pico.flash.operations)
    assert pico.now_us - before_us > busy_us
    for earlier, later in zip(pico.flash.operations, pico.flash.operations[1:], strict=False):
        assert later.start_us >= earlier.start_us + earlier.duration_us


def test_times_come_from_the_seed_and_are_typical_most_often(make_pico: Callable[..., Pico]) -> None:
    def times(seed: int) -> list[float]:
        pico = make_pico(seed=seed)
        erase_and_program(pico, "for block in range(12):\n flash.writeblocks(block % 16, bytes(4096))")
        return [operation.duration_us for operation in pico.flash.operations if operation.kind == "program"]

    first, again, other = times(1), times(1), times(2)
    assert first == again != other
    assert sum(time < 0.85 * 1000 for time in first) > len(first) * 0.6
    assert max(first) > 1_500


def test_program_without_erase_only_clears_bits(pico: Pico) -> None:
    erase_and_program(
        pico, "flash.writeblocks(0, b'\\xf0' * 4096)\nflash.writeblocks(0, bytearray(b'\\x3c' * 256), 0)\n"
    )
    assert pico.flash.image()[AREA : AREA + 256] == b"\x30" * 256


def test_program_across_a_page_end_stops_the_emulator(pico: Pico) -> None:
    with pytest.raises(EmulatorError, match=r"256 bytes at 0x180080 crosses the end of its page"):
        erase_and_program(pico, "flash.writeblocks(0, bytearray(256), 128)")


def test_program_from_a_flash_address_stops_the_emulator(pico: Pico) -> None:
    with pytest.raises(EmulatorError, match=r"a load from flash .*address 0x10010000, by the instruction at 0x0000"):
        erase_and_program(pico, "flash.writeblocks(0, uctypes.bytearray_at(0x10010000, 256), 0)")


def test_dma_from_flash_during_an_erase_stops_the_emulator(pico: Pico) -> None:
    with pytest.raises(EmulatorError, match=r"DMA channel \d+ reads flash at 0x1301"):
        erase_and_program(
            pico,
            "machine.mem32[0x50000420] = 1 << 16 | 60000\n"  # timer 0: a word every 480 us
            "dma = rp2.DMA()\ntarget = bytearray(4096)\n"
            "dma.config(read=0x13010000, write=target, count=1000, ctrl=dma.pack_ctrl(treq_sel=0x3b), trigger=True)\n"
            "flash.ioctl(6, 0)\n",
        )


def test_dma_from_flash_while_the_interface_is_off_stops_the_emulator(pico: Pico) -> None:
    source = (
        "@micropython.viper\n"
        "def off():\n"
        "  p = ptr32(0x18000008)\n"
        "  d = ptr32(0x50000000)\n"
        "  p[0] = 0\n"
        "  while d[3] & (1 << 24):\n    pass\n"
    )
    with pytest.raises(EmulatorError, match=r"a DMA read from flash .*address 0x1001\w{4}, by DMA channel 0"):
        erase_and_program(
            pico,
            "import micropython\nmachine.mem32[0x50000420] = 1 << 16 | 60000\nmachine.disable_irq()\n"
            + source
            + "target = bytearray(64)\n"
            "m = machine.mem32\nm[0x50000000] = 0x10010000\nm[0x50000004] = uctypes.addressof(target)\n"
            "m[0x50000008] = 16\nm[0x5000000c] = 0x3b << 15 | 0x30 | 2 << 2 | 1\noff()\n",
        )


def test_fetch_while_the_interface_is_off_stops_the_emulator(pico: Pico) -> None:
    with pytest.raises(EmulatorError, match=r"an instruction fetch from flash .*address 0x10"):
        erase_and_program(pico, "machine.mem32[0x18000008] = 0")


def test_stock_core_sees_the_same_hazards(make_pico: Callable[..., Pico]) -> None:
    pico = make_pico(core="stock")
    with pytest.raises(EmulatorError, match="a load from flash"):
        erase_and_program(pico, "flash.writeblocks(0, uctypes.bytearray_at(0x10010000, 256), 0)")


def test_all_four_xip_aliases_read_the_same(pico: Pico) -> None:
    out = pico.console.exec(
        "import uctypes, hashlib\n"
        "print(len({hashlib.sha256(uctypes.bytearray_at(a << 24 | 0x100, 5000)).digest() for a in range(0x10, 0x14)}))"
    )
    assert out == "1\n"


def changed_bits(before: bytes, after: bytes) -> int:
    return (int.from_bytes(before, "little") ^ int.from_bytes(after, "little")).bit_count()


@pytest.mark.parametrize("kind", ["erase", "program"])
def test_power_cut_tears_only_bits_that_were_to_change(kind: str, make_pico: Callable[..., Pico]) -> None:
    content = bytes(range(256)) * 16
    pico = make_pico()
    erase_and_program(pico, f"flash.writeblocks(0, {content!r})")
    old = pico.flash.image()[AREA : AREA + 4096]
    assert old == content
    pico.flash.on_operation = lambda operation: pico.at(operation.duration_us / 2, pico.stop) and None
    pico.console.start(BEGIN + ("flash.ioctl(6, 0)" if kind == "erase" else "flash.writeblocks(0, bytearray(256), 0)"))
    pico.run_for(1e6)
    assert pico.flash.busy
    new = pico.flash.image()[AREA : AREA + 4096]
    total = changed_bits(old, new)
    torn = {seed: pico.flash.torn_image(seed) for seed in range(12)}
    assert pico.flash.torn_image(3) == torn[3]
    progress = []
    for image in torn.values():
        assert image[:AREA] == pico.flash.image()[:AREA]
        assert image[AREA + 4096 :] == pico.flash.image()[AREA + 4096 :]
        area = image[AREA : AREA + 4096]
        progress.append(changed_bits(old, area) / total)
        assert changed_bits(old, area) + changed_bits(area, new) == total
    assert len(set(torn.values())) >= 6  # a quarter of the tears are at the same byte and look alike
    assert min(progress) < 0.5 < max(progress)
    again = make_pico(flash=pico.power_cut(5))
    with pytest.raises(EmulatorError, match="lost its power"):
        pico.run_for(1)
    again.console.wait_connected()


def test_power_cut_between_operations_tears_nothing(pico: Pico) -> None:
    erase_and_program(pico, "flash.writeblocks(0, b'abc' * 1024 + bytes(1024))")
    assert pico.flash.torn_image(7) == pico.flash.image()


def test_image_of_a_wrong_size_is_refused(make_pico: Callable[..., Pico]) -> None:
    with pytest.raises(ImageError, match="a flash image of 100 bytes"):
        make_pico(flash=bytes(100))


def test_reset_during_an_erase_waits_for_the_flash(pico: Pico) -> None:
    pico.flash.slow_next_us = 300_000
    pico.console.start(BEGIN + "flash.ioctl(6, 0)")
    pico.run_until(lambda: pico.flash.busy, 1e6)
    pico.press_reset()
    reset_us = pico.now_us
    pico.console.wait_connected()
    assert pico.now_us - reset_us > 299_000
    assert pico.flash.image()[AREA : AREA + 4096] == b"\xff" * 4096
