"""Every way to start again, and what it leaves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from host_tools.emulator.pico import Pico
from host_tools.errors import EmulatorError

OUTPUTS_ON = "from machine import Pin\nPin(6, Pin.OUT, value=1)\nPin(3, Pin.OUT, value=0)\n"
SCRATCH = "machine.mem32[0x4005800c]"


def start_outputs(pico: Pico, then: str) -> None:
    pico.console.start("import machine, time\n" + OUTPUTS_ON + "print('READY')\n" + then)
    pico.console.expect(b"READY\r\n")
    assert (pico.pins.level(6), pico.pins.level(3)) == (1, 0)


@pytest.mark.parametrize(
    "then",
    [
        "time.sleep_ms(20)\nmachine.reset()",
        "machine.WDT(timeout=30)\nwhile True: pass",
        "machine.WDT(timeout=30)\ntime.sleep(5)",
        "machine.WDT(timeout=30)\nmachine.disable_irq()\nwhile True: pass",
        None,
    ],
    ids=["machine.reset", "watchdog busy", "watchdog asleep", "watchdog no interrupts", "RUN pin"],
)
def test_reset_makes_outputs_inputs_and_comes_back(then: str | None, pico: Pico) -> None:
    pico.pins.pull(6, 0)
    pico.pins.pull(3, 1)
    start_outputs(pico, then or "while True: pass")
    seen: list[tuple[str, int, bool]] = []
    pico.pins.watch(6, lambda level: seen.append(("motor", level, pico.pins.output(6))))
    pico.on_reset(lambda: seen.append(("reset", pico.pins.level(3), pico.pins.output(3))))
    resets = len(pico.resets)
    if then is None:
        pico.press_reset()
    pico.run_until(lambda: len(pico.resets) > resets, 1e6)
    assert seen == [("motor", 0, False), ("reset", 1, False)]
    pico.console.wait_connected()
    assert pico.console.exec("print('then' in globals())") == "False\n"
    assert len(pico.resets) == resets + 1


def test_watchdog_scratch_and_sram_survive_machine_reset(pico: Pico) -> None:
    pico.console.exec(f"import machine\n{SCRATCH} = 0x1234\nmachine.mem32[0x20040f00] = 0x5afe")
    pico.console.start("machine.reset()")
    pico.console.wait_connected()
    assert pico.console.exec(f"import machine\nprint({SCRATCH}, machine.mem32[0x20040f00])") == f"{0x1234} {0x5AFE}\n"


def test_run_pin_clears_watchdog_scratch(pico: Pico) -> None:
    pico.console.exec(f"import machine\n{SCRATCH} = 0x1234")
    pico.press_reset()
    pico.console.wait_connected()
    out = pico.console.exec(f"import machine\nprint({SCRATCH}, machine.reset_cause() == machine.PWRON_RESET)")
    assert out == "0 True\n"


def test_watchdog_reset_is_known_to_the_program(pico: Pico) -> None:
    pico.console.start("import machine\nmachine.WDT(timeout=10)\nwhile True: pass")
    pico.console.wait_connected()
    assert pico.console.exec("import machine\nprint(machine.reset_cause() == machine.WDT_RESET)") == "True\n"
    pico.run_for(3e6)
    assert len(pico.resets) == 1  # a reset stops the watchdog


def test_time_since_boot_starts_again(pico: Pico) -> None:
    pico.run_for(5e6)
    pico.press_reset()
    pico.console.wait_connected()
    assert int(pico.console.exec("import time\nprint(time.ticks_us())")) < 200_000


def test_soft_reset_keeps_pins_and_console(pico: Pico) -> None:
    pico.console.exec("from machine import Pin\nPin(15, Pin.OUT, value=1)\nx = 1")
    pico.console.send(b"\x02\x04")
    pico.console.expect(b"soft reboot\r\n")
    pico.console.expect(b">>> ")
    assert pico.pins.level(15) == 1
    assert pico.console.exec("print('x' in globals())") == "False\n"
    assert pico.resets == []


def test_reset_from_a_callback_takes_effect_after_the_instruction(pico: Pico) -> None:
    pico.at(1234, pico.press_reset)
    pico.run_for(2000)
    assert len(pico.resets) == 1
    pico.console.wait_connected()


# ---- the boot loader


def test_blank_flash_waits_in_the_boot_loader(make_pico: Callable[..., Pico]) -> None:
    pico = make_pico(flash=b"\xff" * 2_097_152)
    assert pico.in_boot_loader
    pico.run_for(1e6)
    assert pico.now_us == 1e6
    assert pico.console.connected == 0
    for action in (pico.console.wait_connected, lambda: pico.console.exec("1"), lambda: pico.console.expect(b">")):
        with pytest.raises(EmulatorError, match="flash holds no program"):
            action()


def test_damaged_first_block_waits_in_the_boot_loader(make_pico: Callable[..., Pico], bare_image: bytes) -> None:
    image = bytearray(bare_image)
    image[100] ^= 1
    assert make_pico(flash=bytes(image)).in_boot_loader


def test_machine_bootloader_ends_in_the_boot_loader_until_reset(pico: Pico) -> None:
    pico.console.start("import machine\nmachine.bootloader()")
    pico.run_until(lambda: pico.in_boot_loader, 1e6)
    assert pico.pins.level(25) == 0
    connected = pico.console.connected
    pico.run_for(1e6)
    assert pico.console.connected == connected
    pico.press_reset()
    assert not pico.in_boot_loader
    pico.console.wait_connected()


def test_panic_stops_the_emulator(pico: Pico) -> None:
    with pytest.raises(EmulatorError, match=r"breakpoint instruction \(0\) at 0x2000"):
        pico.console.exec("import micropython\n@micropython.asm_thumb\ndef panic():\n data(2, 0xbe00)\npanic()")


def test_jump_into_nowhere_stops_the_emulator(pico: Pico) -> None:
    with pytest.raises(EmulatorError, match=r"fetch from unmapped memory: address 0x30000000"):
        pico.console.exec("import micropython\n@micropython.asm_thumb\ndef away(r0):\n bx(r0)\naway(0x30000001)")
