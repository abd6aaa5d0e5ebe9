"""Still pictures, stored as a palette and runs, drawn row by row from flash."""

import asyncio

import micropython

_BAND_ROWS = 40


@micropython.viper
def _unpack_row(data: ptr8, at: int, palette_at: int, row: ptr8, width: int):
    x = 0
    while x < width:
        count = data[at]
        colour = palette_at + 2 * data[at + 1]
        high = data[colour]
        low = data[colour + 1]
        at += 2
        while count > 0 and x < width:
            row[2 * x] = high
            row[2 * x + 1] = low
            x += 1
            count -= 1


async def draw_picture(panel, data, x, y):
    """Draws a still picture with its top left corner at (x, y), in bands of 10 ms with the other tasks in between.

    Args:
        panel: window(x, y, width, height), write(pixels), end().
        data: memoryview of the file: width, height, number of colours c (two little-endian bytes each), c colours with
            the high byte first, offset of each row's runs (two bytes each), runs of (count, colour).
    """
    width = data[0] | data[1] << 8
    height = data[2] | data[3] << 8
    colours = data[4] | data[5] << 8
    rows_at = 6 + 2 * colours
    row = bytearray(2 * width)
    for top in range(0, height, _BAND_ROWS):
        rows = min(_BAND_ROWS, height - top)
        panel.window(x, y + top, width, rows)
        for line in range(top, top + rows):
            entry = rows_at + 2 * line
            _unpack_row(data, data[entry] | data[entry + 1] << 8, 6, row, width)  # pyright: ignore[reportArgumentType]
            panel.write(row)
        panel.end()
        await asyncio.sleep_ms(0)


async def clear(panel, x, y, width, height, colour):
    """Fills a rectangle, in bands with the other tasks in between."""
    for top in range(0, height, _BAND_ROWS):
        panel.fill(x, y + top, width, min(_BAND_ROWS, height - top), colour)
        await asyncio.sleep_ms(0)
