"""Text on the emulated panel, pixel by pixel, against the font's own file."""

from __future__ import annotations

import pytest

from host_tools.paths import BUILD
from host_tools.play.virtual_cabinet import VirtualCabinet
from host_tools.toolchain.asset_formats import ALPHA_MAX, decode_font

LEFT, TOP, HEIGHT = 4, 40, 34
RED, WHITE, BLACK = (255, 0, 0), (255, 255, 255), (0, 0, 0)

SHOW = """
import board, machine
machine.freq(board.CPU_HZ, board.CPU_HZ)
from machine import SPI, Pin
from drivers.st7789 import St7789
from ui.show import flash_view
from ui.text import Font, TextField
spi = SPI(board.PANEL_SPI, baudrate=board.PANEL_HZ, sck=Pin(board.PANEL_SCK), mosi=Pin(board.PANEL_MOSI))
pins = [Pin(n, Pin.OUT) for n in (board.PANEL_CS, board.PANEL_DC, board.PANEL_RST, board.PANEL_BACKLIGHT)]
panel = St7789(spi, *pins, board.PANEL_MADCTL, board.PANEL_INVERTED)
panel.fill(0, 0, 320, 240, 0xF800)
font = Font(flash_view("/rom/assets/fonts/{font}.bin"))
field = TextField(panel, font, ({left}, {top}, {width}, {height}), 0xFFFF, 0x0000, {centred})
field.show({text!r})
panel.on()
print(field.shown)
"""


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize(
    ("font", "width", "text"),
    [
        ("text14", 312, "CLOCK 3 PAYS 225.00"),
        ("text14", 312, ""),
        ("meter16", 120, "12345.67"),
        ("text10", 312, "WWWWWWWWWWWWWWWWWWWW"),
    ],
)
def test_text_fills_its_box_and_nothing_else(
    bare_cabinet: VirtualCabinet, font: str, width: int, text: str, centred: bool
) -> None:
    face = decode_font((BUILD / "assets" / "fonts" / f"{font}.bin").read_bytes())
    room = width - face.width(text)
    assert room >= 0
    script = SHOW.format(font=font, left=LEFT, top=TOP, width=width, height=HEIGHT, centred=centred, text=text)
    assert bare_cabinet.pico.console.exec(script).strip() == text
    picture = bare_cabinet.parts.panel.picture()

    inked: dict[tuple[int, int], int] = {}
    x = LEFT + (room // 2 if centred else room - 3)
    for character in text:
        glyph = face.glyph(character)
        for at, alpha in enumerate(glyph.alpha):
            inked[x + at % glyph.advance, TOP + (HEIGHT - face.baseline) // 2 + at // glyph.advance] = alpha
        x += glyph.advance
    for y in range(TOP - 2, TOP + HEIGHT + 2):
        for x in range(LEFT - 2, LEFT + width + 2):
            colour = picture.getpixel((x, y))
            if not (LEFT <= x < LEFT + width and TOP <= y < TOP + HEIGHT):
                assert colour == RED, (x, y)
            elif (alpha := inked.get((x, y), 0)) in (0, ALPHA_MAX):
                assert colour == (BLACK if alpha else WHITE), (x, y)
            else:
                assert colour not in (BLACK, WHITE, RED), (x, y)
