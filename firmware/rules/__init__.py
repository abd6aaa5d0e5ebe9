"""The rules core: what a round is worth, from its seed alone.

Pure integers and bytes: no hardware, no time, no input or output, and only `rules` imported. The same source runs on
CPython and on MicroPython. Amounts are whole coins; money is made of them outside (credits = coins x coin size).
"""
