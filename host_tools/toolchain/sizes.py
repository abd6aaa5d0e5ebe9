"""What the program costs: bytes of .mpy in flash and the RAM that importing them takes, by package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..errors import BuildError
from .romfs import Module

# Byte code and constants stay in flash, but names, functions and tables of objects are made in RAM at import.
MPY_BUDGET_BYTES = 110_000

# Bytes of RAM for each byte of .mpy, measured with `measure_ram` on the emulated Pico: all modules but the program
# itself, imported one by one after the built-in modules and asyncio: 20256 bytes of .mpy took 21568 bytes of heap.
RAM_PER_MPY_BYTE = 1.06


@dataclass(frozen=True)
class PackageSize:
    """A package or a top-level module: its name, bytes of .mpy, and bytes of RAM once it is imported."""

    name: str
    mpy_bytes: int
    ram_bytes: int


def package_sizes(modules: Iterable[Module]) -> list[PackageSize]:
    """Returns the sizes by package, each game apart, the RAM computed with `RAM_PER_MPY_BYTE`."""
    sizes: dict[str, int] = {}
    for module in modules:
        parts = module.path.removesuffix(".mpy").split("/")
        is_game = parts[:2] == ["rules", "games"] and parts[-1] != "__init__"
        name = ".".join(parts) if is_game else parts[0]
        sizes[name] = sizes.get(name, 0) + len(module.data)
    return [PackageSize(name, size, round(size * RAM_PER_MPY_BYTE)) for name, size in sorted(sizes.items())]


def check_budget(sizes: Sequence[PackageSize]) -> None:
    """Raises:
    BuildError: the modules are larger than `MPY_BUDGET_BYTES` together.
    """
    total = sum(size.mpy_bytes for size in sizes)
    if total > MPY_BUDGET_BYTES:
        largest = max(sizes, key=lambda size: size.mpy_bytes)
        raise BuildError(
            f"{total} bytes of .mpy are over the budget of {MPY_BUDGET_BYTES}",
            f"make modules smaller; the largest package is {largest.name} with {largest.mpy_bytes} bytes",
        )


def size_table(sizes: Sequence[PackageSize]) -> list[str]:
    """Returns the sizes as lines of a table, with their sum."""
    total = PackageSize("all", sum(size.mpy_bytes for size in sizes), sum(size.ram_bytes for size in sizes))
    lines = [f"{'package':<27} {'.mpy bytes':>10} {'RAM bytes':>10}"]
    lines += [f"{size.name:<27} {size.mpy_bytes:>10} {size.ram_bytes:>10}" for size in (*sizes, total)]
    return lines


def measure_ram(execute: Callable[[str], str], modules: Iterable[str]) -> dict[str, int]:
    """Imports modules one after another on a board with a mounted program and returns the RAM that each has taken.

    Args:
        execute: runs MicroPython code on the board and returns what it printed, such as a bench's raw REPL.
        modules: names such as "cabinet.coins"; what one imports counts for it and not for the later ones.
    """
    code = "import gc\ngc.collect()\nbefore = gc.mem_alloc()\nimport {}\ngc.collect()\nprint(gc.mem_alloc() - before)\n"
    return {name: int(execute(code.format(name))) for name in modules}
