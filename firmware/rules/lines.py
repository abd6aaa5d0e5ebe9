"""Line wins from left to right with a wild (G-02, G-04).

A window is 15 bytes, reel by reel and top to bottom: cell = reel * 3 + row. Paylines are a flat table of five cells a
line. Pays are a flat table of six entries a symbol, indexed by count: `pays[symbol * 6 + count]`, coins per line coin.
"""

import sys

REELS = 5
ROWS = 3
CELLS = REELS * ROWS


def line_table(patterns):
    """Paylines written as rows, such as "22222" or "12321" (1 is the top row), as the flat table of cells.

    Raises:
        ValueError: a pattern is not five digits of 1 to 3.
    """
    cells = bytearray()
    for pattern in patterns:
        if len(pattern) != REELS:
            raise ValueError("a payline has five rows")
        for reel in range(REELS):
            row = ord(pattern[reel]) - 49
            if not 0 <= row < ROWS:
                raise ValueError("a payline's rows are 1 to 3")
            cells.append(reel * ROWS + row)
    return bytes(cells)


def evaluate_plain(window, lines, line_count, pays, wild, wild_multiplier, results):
    """Evaluates the first `line_count` lines and returns the sum of their wins in coins.

    The run starts on reel 1 and counts its symbol or a wild; a win whose run holds a wild is multiplied once. The wild
    never stands on reel 1 in the games that use this function, so the first cell names the symbol.

    Args:
        window: 15 symbol ids.
        lines: five cells a line, flat.
        line_count: enabled lines, from the first.
        pays: six coins a symbol, flat, by count.
        wild: symbol id of the wild.
        wild_multiplier: factor of a win with a wild in its run.
        results: written, 4 entries a line: symbol, count, multiplier, win; win 0 where the line pays nothing.
    """
    total = 0
    at = 0
    for line in range(line_count):
        cell = line * REELS
        symbol = window[lines[cell]]
        count = 1
        multiplier = 1
        while count < REELS:
            other = window[lines[cell + count]]
            if other == wild:
                multiplier = wild_multiplier
            elif other != symbol:
                break
            count += 1
        win = pays[symbol * 6 + count] * multiplier
        results[at] = symbol
        results[at + 1] = count
        results[at + 2] = multiplier
        results[at + 3] = win
        at += 4
        total += win
    return total


if sys.implementation.name == "micropython":
    from .lines_viper import evaluate
else:
    evaluate = evaluate_plain
