# What is frozen into the firmware. Everything else is the program in its ROMFS partition.
# ruff: noqa: F821  (freeze and include are given by MicroPython's build)
freeze("$(PORT_DIR)/modules", "rp2.py")
freeze("$(BOARD_DIR)/modules", opt=3)
include("$(MPY_DIR)/extmod/asyncio")
