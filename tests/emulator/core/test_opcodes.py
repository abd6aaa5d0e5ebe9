"""Every 16-bit Thumb opcode on the fast path against rp2040py's core, from random registers, flags and memory.

Where the two differ an independent model of the architecture (ARM DDI 0419, pseudo-code of AddWithCarry and Shift_C)
decides. The stock core is wrong in seven places, all listed in `STOCK_FAULTS`; anything else must be equal.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator

import pytest

from host_tools.emulator.pico import Pico

CODE = 0x2000_1000
DATA = 0x2000_3000
DATA_BYTES = 0x400

INTERESTING = (0, 1, 2, 31, 32, 33, 255, 256, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFE, 0xFFFF_FFFF)

STOCK_FAULTS = {
    "lsls": "C after a shift by more than 32",
    "lsrs": "C after a shift by 0",
    "asrs": "C after a shift by 0",
    "rors": "C after a rotation by 0",
    "adcs": "V when the second operand plus carry overflows",
    "sbcs": "V when the second operand plus borrow overflows",
    "blx lr": "jumps to the new link register",
}

Flags = tuple[bool, bool, bool, bool]  # N Z C V


def add_with_carry(x: int, y: int, carry: bool) -> tuple[int, bool, bool]:
    total = x + y + carry
    result = total & 0xFFFF_FFFF
    signed = signed32(x) + signed32(y) + carry
    return result, total != result, signed != signed32(result)


def signed32(x: int) -> int:
    return x - (1 << 32) if x & 0x8000_0000 else x


def shift(kind: str, x: int, by: int, carry: bool) -> tuple[int, bool]:
    """Shift_C of the architecture manual."""
    if by == 0:
        return x, carry
    if kind == "lsls":
        wide = x << by
        return wide & 0xFFFF_FFFF, bool(wide >> 32 & 1)
    if kind == "rors":
        by %= 32
        result = (x >> by | x << (32 - by)) & 0xFFFF_FFFF
        return result, bool(result >> 31)
    value = signed32(x) if kind == "asrs" else x
    return value >> by & 0xFFFF_FFFF, bool(value >> (by - 1) & 1)


def faulty_name(opcode: int) -> str | None:
    """Which entry of STOCK_FAULTS an opcode belongs to."""
    if opcode == 0x47F0:
        return "blx lr"
    return {0x102: "lsls", 0x103: "lsrs", 0x104: "asrs", 0x105: "adcs", 0x106: "sbcs", 0x107: "rors"}.get(opcode >> 6)


def architecture(name: str, opcode: int, registers: list[int], flags: Flags) -> tuple[list[int], Flags]:
    """Registers (R0 to R14 and the next PC) and flags after one of the faulty opcodes."""
    after = [*registers[:15], CODE + 2]
    if name == "blx lr":
        after[14], after[15] = CODE + 2 | 1, registers[14] & ~1
        return after, flags
    _, _, c, v = flags
    rm, rd = opcode >> 3 & 7, opcode & 7
    if name == "adcs":
        result, c, v = add_with_carry(registers[rd], registers[rm], c)
    elif name == "sbcs":
        result, c, v = add_with_carry(registers[rd], ~registers[rm] & 0xFFFF_FFFF, c)
    else:
        result, c = shift(name, registers[rd], registers[rm] & 0xFF, c)
    after[rd] = result
    return after, (bool(result >> 31), result == 0, c, v)


class Probe:
    """Executes single instructions on either core from a given state."""

    def __init__(self, pico: Pico) -> None:
        self.fast = pico.chip.fast
        self.core = pico.chip.mcu.core
        self.registers = memoryview(self.core.registers)
        self.code = pico.chip.sram[CODE - 0x2000_0000 :][:4]
        self.data = pico.chip.sram[DATA - 0x2000_0000 :][:DATA_BYTES]
        pico.chip.mcu.on_break = lambda code: None

    def load(self, opcode: int, second: int, registers: list[int], flags: Flags, memory: bytes) -> None:
        core = self.core
        self.code[:] = (opcode | second << 16).to_bytes(4, "little")
        self.data[:] = memory
        self.registers[:] = array("I", [*registers, CODE])
        core.n, core.z, core.c, core.v = flags
        core.interrupts_updated = core.waiting = core.pm = core.pending_svcall = core.event_registered = False
        core.current_mode = 0

    def state(self) -> tuple[list[int], Flags, bool, bytes]:
        core = self.core
        flags = (bool(core.n), bool(core.z), bool(core.c), bool(core.v))
        return self.registers.tolist(), flags, bool(core.pm), bytes(self.data)


def random_value(rng: random.Random) -> int:
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(INTERESTING)
    if kind < 0.6:
        return rng.getrandbits(32)
    return DATA + 0x100 + rng.randrange(0x80) * 4


def opcodes() -> Iterator[int]:
    """Each opcode once, and 300 more cases of each group that differs in its upper ten bits only."""
    rng = random.Random(2)
    for group in range(0x400):
        first = group << 6
        if 0xE800 <= first < 0xF000 or first >= 0xF800:  # undefined on ARMv6-M as a first half
            continue
        yield from range(first, first + 64)
        yield from (first | rng.getrandbits(6) for _ in range(300))


@pytest.fixture(scope="module")
def probe(bare_image: bytes) -> Probe:
    pico = Pico(bare_image)
    pico.console.wait_connected()
    return Probe(pico)


def test_opcodes_are_equal_on_both_cores_except_for_the_stock_cores_faults(probe: Probe) -> None:
    rng = random.Random(1)
    memory = rng.randbytes(DATA_BYTES)
    executed = 0
    proven: set[str] = set()
    for opcode in opcodes():
        second = rng.choice((0xF800 | rng.getrandbits(11), 0xD000 | rng.getrandbits(12), rng.getrandbits(16), 0x8F5F))
        registers = [random_value(rng) for _ in range(13)] + [DATA + 0x100 + rng.randrange(0x40) * 4, 0x1000_0401]
        bits = rng.getrandbits(4)
        flags = (bool(bits & 8), bool(bits & 4), bool(bits & 2), bool(bits & 1))
        probe.load(opcode, second, registers, flags, memory)
        cycles = probe.fast.step()
        if not cycles:
            continue
        executed += 1
        fast = probe.state()
        probe.load(opcode, second, registers, flags, memory)
        assert probe.core.execute_instruction() == cycles, hex(opcode)
        stock = probe.state()
        name = faulty_name(opcode)
        if name:
            assert fast[:2] == architecture(name, opcode, registers, flags), hex(opcode)
        if fast != stock:
            assert name, f"{opcode:04x} {second:04x} {registers} {flags}: fast {fast[:3]}, stock {stock[:3]}"
            proven.add(name)
    assert executed > 200_000
    assert proven == set(STOCK_FAULTS)
