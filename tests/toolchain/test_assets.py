"""The project's drawings and letters, and the files made from them."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host_tools import paths
from host_tools.errors import BuildError, ToolMissing
from host_tools.toolchain import asset_formats as formats
from host_tools.toolchain import assets

GAME = "mad_mad_monkey"
# fmt: off
SYMBOLS = {
    "mad_hatters": [
        "mad_hat", "bunny", "cuckoo_clock", "john", "james", "jeff", "teapot", "chocolate_cake", "sundae", "teacup",
        "cup_cake",
    ],
    "mad_mad_monkey": [
        "monkey", "logo", "banana", "pineapple", "coconut", "mango", "papaya", "ace", "king", "queen", "jack", "ten",
    ],
    "santa_vs_rudolf": [
        "sleigh", "sack", "bells", "globe", "list", "ace", "king", "queen", "jack", "ten", "rudolf", "santa",
        "merged", "reindeer",
    ],
    "haunted_house": [
        "cherries", "lemon", "orange", "plum", "bell", "grapes", "watermelon", "single_bar", "double_bar",
        "triple_bar", "pumpkin", "haunted_house",
    ],
}
# fmt: on
GAMES = tuple(SYMBOLS)
SCREENS = (*GAMES, "chooser", "feature")
VALUE_GROUND = 0x0820  # the firmware draws the values on this colour
TEXT_SIZES = {"text10": 10, "text14": 14}
PRINTABLE = [chr(code) for code in range(32, 127)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """All assets, rendered with an empty cache; the tests of this module share that cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        out = tmp_path_factory.mktemp("assets")
        assets.build_assets(out, lambda line: None)
        yield out


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of the sources that a test may change."""
    return Path(shutil.copytree(assets.SOURCES, tmp_path / "sources"))


def results(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def symbols_of(built: Path, game: str = GAME) -> list[formats.Picture]:
    return formats.decode_symbols((built / "symbols" / f"{game}.bin").read_bytes())


def screen_of(built: Path, name: str) -> formats.Picture:
    return formats.decode_screen((built / "screens" / f"{name}.bin").read_bytes())


def table_of(built: Path, name: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads((built / "screens" / f"{name}.json").read_text())
    return table


def inside(picture: formats.Picture, box: dict[str, int]) -> set[int]:
    """The colours in a box."""
    rows = range(box["y"], box["y"] + box["h"])
    return {colour for y in rows for colour in picture.row(y)[box["x"] : box["x"] + box["w"]]}


def around(picture: formats.Picture, box: dict[str, int], width_px: int) -> set[int]:
    """The colours in the frame of `width_px` just outside a box."""
    left, top, right, bottom = box["x"], box["y"], box["x"] + box["w"], box["y"] + box["h"]
    sides = (
        {"x": left - width_px, "y": top - width_px, "w": box["w"] + 2 * width_px, "h": width_px},
        {"x": left - width_px, "y": bottom, "w": box["w"] + 2 * width_px, "h": width_px},
        {"x": left - width_px, "y": top, "w": width_px, "h": box["h"]},
        {"x": right, "y": top, "w": width_px, "h": box["h"]},
    )
    return set().union(*(inside(picture, side) for side in sides))


def font_of(built: Path, name: str) -> formats.Font:
    return formats.decode_font((built / "fonts" / f"{name}.bin").read_bytes())


# ---- the build


def test_build_makes_the_same_bytes_with_an_empty_cache(
    built: Path, tmp_path: Path, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for path in sources.rglob("*"):
        os.utime(path, (0, 0))
    lines: list[str] = []
    assets.build_assets(tmp_path / "out", lines.append, sources)
    assert results(tmp_path / "out") == results(built)
    assert any("symbols/mad_mad_monkey.bin 86400 bytes" in line for line in lines)


def test_build_of_unchanged_sources_renders_nothing_and_clears_stale_files(built: Path, tmp_path: Path) -> None:
    stale = tmp_path / "symbols" / "old_game.bin"
    stale.parent.mkdir()
    stale.write_bytes(b"old")
    lines: list[str] = []
    assets.build_assets(tmp_path, lines.append)
    assert lines == ["assets: unchanged"]
    assert results(tmp_path) == results(built)


def test_build_of_a_changed_drawing_changes_that_symbol_only(built: Path, tmp_path: Path, sources: Path) -> None:
    mango = sources / "symbols" / GAME / "mango.svg"
    mango.write_text(mango.read_text().replace("#e3203a", "#2030e3"))
    assets.build_assets(tmp_path / "out", lambda line: None, sources)
    changed = [new != old for new, old in zip(symbols_of(tmp_path / "out"), symbols_of(built), strict=True)]
    assert changed == [name == "mango" for name in SYMBOLS[GAME]]
    others = {f"symbols/{game}.bin" for game in GAMES if game != GAME} | {f"screens/{name}.bin" for name in SCREENS}
    old, new = results(built), results(tmp_path / "out")
    assert all(new[name] == old[name] for name in others)


def test_build_without_renderer_names_the_extra() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(paths.ROOT)!r})\n"
        "from pathlib import Path\n"
        "from host_tools.errors import ToolMissing\n"
        "from host_tools.toolchain.assets import build_assets\n"
        "try:\n"
        "    build_assets(Path('unused'), print)\n"
        "except ToolMissing as error:\n"
        "    print(error)\n"
    )
    # -I -S: the standard library only, as on a machine where the extra was not installed.
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "resvg-py is not installed" in done.stdout
    assert "picocab[build]" in done.stdout
    assert ToolMissing.exit_code == 3


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ('<text x="5" y="30">A</text>', "shapes and paths only"),
        ('<circle cx="30" cy="30" r="30"/>', "does not show plain paper in row 0"),
        ('<rect x="20" y="58" width="9" height="2"/>', "does not show plain paper in row 59"),
        ("<circle", "cannot be rendered"),
    ],
)
def test_build_refuses_a_bad_symbol(tmp_path: Path, sources: Path, drawing: str, message: str) -> None:
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60" width="60" height="60">'
    (sources / "symbols" / GAME / "jack.svg").write_text(f"{head}{drawing}</svg>")
    with pytest.raises(BuildError, match=message) as caught:
        assets.build_assets(tmp_path / "out", lambda line: None, sources)
    assert "jack.svg" in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_build_refuses_a_missing_drawing(tmp_path: Path, sources: Path) -> None:
    (sources / "symbols" / GAME / "ten.svg").unlink()
    with pytest.raises(BuildError, match=r"ten\.svg is missing"):
        assets.build_assets(tmp_path / "out", lambda line: None, sources)


# ---- symbols


@pytest.mark.parametrize("game", GAMES)
def test_symbols_are_raw_pictures(built: Path, game: str) -> None:
    size = (built / "symbols" / f"{game}.bin").stat().st_size
    assert size == len(SYMBOLS[game]) * 60 * 60 * 2


def test_symbols_keep_their_budget(built: Path, sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    total = sum(path.stat().st_size for path in (built / "symbols").iterdir())
    assert total <= assets.MAX_SYMBOL_BYTES
    monkeypatch.setattr(assets, "MAX_SYMBOL_BYTES", total - 1)
    (sources / "README.json").write_text("{}")  # another key, so that the build renders
    with pytest.raises(BuildError, match=f"the symbols make {total} bytes"):
        assets.build_assets(sources.parent / "out", lambda line: None, sources)


@pytest.mark.parametrize("game", GAMES)
def test_symbols_lie_in_the_order_of_their_ids(built: Path, sources: Path, game: str) -> None:
    order = sources / "symbols" / game / "symbols.json"
    assert json.loads(order.read_text())["symbols"] == SYMBOLS[game]
    for number, name in enumerate(SYMBOLS[game]):
        order.write_text(json.dumps({"cell": "cell.svg", "symbols": [name]}))
        assert assets.render_symbols(order) == [symbols_of(built, game)[number]], name


@pytest.mark.parametrize("game", GAMES)
def test_symbols_are_those_of_the_rules(game: str) -> None:
    rules = (paths.FIRMWARE / "rules" / "games" / f"{game}.py").read_text()
    named = re.search(r"^SYMBOLS = \((.*?)^\)", rules, re.DOTALL | re.MULTILINE)
    assert named is not None
    assert re.findall(r'"(\w+)"', named[1]) == SYMBOLS[game]


@pytest.mark.parametrize("game", GAMES)
def test_symbols_join_without_a_seam(built: Path, game: str) -> None:
    edges = {symbol.row(y) for symbol in symbols_of(built, game) for y in (0, 59)}
    assert len(edges) == 1
    assert len(set(edges.pop())) == 1


def test_symbols_hold_the_colour_of_the_drawing_high_byte_first(built: Path) -> None:
    data = (built / "symbols" / f"{GAME}.bin").read_bytes()
    # The paper's first row is #ffebc6: red 31, green 58, blue 24.
    assert data[:2] == bytes((0b11111_111, 0b010_11000))


@pytest.mark.parametrize("game", GAMES)
def test_symbols_differ_at_a_glance(built: Path, game: str) -> None:
    def unlike(one: formats.Picture, other: formats.Picture) -> float:
        far = 0
        for a, b in zip(one.pixels, other.pixels, strict=True):
            far += sum(abs(x - y) for x, y in zip(formats.rgb888(a), formats.rgb888(b), strict=True)) > 150
        return far / len(one.pixels)

    pairs = itertools.combinations(zip(SYMBOLS[game], symbols_of(built, game), strict=True), 2)
    nearest = min((unlike(one, other), a, b) for (a, one), (b, other) in pairs)
    assert nearest[0] > 0.25, nearest


def test_symbols_of_two_games_lie_on_different_paper(built: Path) -> None:
    assert len({symbols_of(built, game)[0].row(0) for game in GAMES}) == len(GAMES)


def test_drawings_use_shapes_only() -> None:
    drawings = sorted(assets.SOURCES.rglob("*.svg"))
    assert len(drawings) == sum(map(len, SYMBOLS.values())) + len(GAMES) + len(SCREENS)
    for path in drawings:
        tags = set(re.findall(r"<([A-Za-z]+)", path.read_text()))
        assert not tags & {"text", "tspan", "image", "style", "foreignObject", "script", "filter"}, path.name


def test_drawings_name_each_part_once_and_use_it() -> None:
    for path in sorted(assets.SOURCES.rglob("*.svg")):
        drawing = path.read_text()
        named = re.findall(r'\bid="([^"]+)"', drawing)
        used = re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', drawing)
        assert sorted(named) == sorted({one or other for one, other in used}), path.name


# ---- screens


@pytest.mark.parametrize("name", SCREENS)
def test_screen_decodes_to_the_reduced_picture(built: Path, name: str) -> None:
    data = (built / "screens" / f"{name}.bin").read_bytes()
    drawn = assets.render_screen(assets.SOURCES / "screens" / f"{name}.svg")
    shown = formats.decode_screen(data)
    assert (shown.width, shown.height, len(shown.pixels)) == (320, 240, 320 * 240)
    assert shown == assets.reduce_colours(drawn, 256)
    assert len(set(shown.pixels)) <= 256
    assert len(data) <= assets.MAX_SCREEN_BYTES


@pytest.mark.parametrize(
    ("name", "farthest", "changed"), [*((game, 32, 1 / 40) for game in GAMES), ("chooser", 64, 1 / 6)]
)
def test_screen_looks_like_the_drawing_after_its_colours_are_reduced(
    built: Path, name: str, farthest: int, changed: float
) -> None:
    drawn = assets.render_screen(assets.SOURCES / "screens" / f"{name}.svg")
    shown = screen_of(built, name)
    assert len(set(drawn.pixels)) > 256
    errors = [
        max(abs(x - y) for x, y in zip(formats.rgb888(a), formats.rgb888(b), strict=True))
        for a, b in zip(drawn.pixels, shown.pixels, strict=True)
    ]
    assert max(errors) <= farthest
    assert sum(error > 0 for error in errors) < len(errors) * changed
    assert sum(error > 24 for error in errors) < len(errors) / 200


@pytest.mark.parametrize("name", SCREENS)
def test_screen_table_names_empty_boxes_of_the_picture(built: Path, name: str) -> None:
    fields = table_of(built, name)["fields"]
    shown = screen_of(built, name)
    assert list(fields) == (["credit"] if name == "chooser" else ["credit", "bet", "lines", "win"])
    for box in fields.values():
        assert inside(shown, box) == {VALUE_GROUND}
        # The frame around the box is drawn, so a value that fills the box leaves it whole.
        assert VALUE_GROUND not in around(shown, box, 1)


@pytest.mark.parametrize("name", [*GAMES, "feature"])
def test_screen_fields_stay_in_place_from_screen_to_screen(built: Path, name: str) -> None:
    assert table_of(built, name)["fields"] == table_of(built, GAME)["fields"]


@pytest.mark.parametrize("game", GAMES)
def test_screen_table_names_the_reel_windows(built: Path, game: str) -> None:
    reels = table_of(built, game)["reels"]
    assert reels == {"x": [6, 68, 130, 192, 254], "y": 26, "w": 60, "h": 180}
    shown = screen_of(built, game)
    windows = [{"x": x, "y": 26, "w": 60, "h": 180} for x in reels["x"]]
    grounds = set().union(*(inside(shown, window) for window in windows))
    assert len(grounds) == 1
    for window in windows:
        assert grounds.isdisjoint(around(shown, window, 1))


def test_chooser_shows_a_tile_for_each_game(built: Path) -> None:
    tiles = table_of(built, "chooser")["tiles"]
    assert list(tiles) == list(GAMES)
    assert [(box["x"], box["y"]) for box in tiles.values()] == [(8, 34), (164, 34), (8, 128), (164, 128)]
    shown = screen_of(built, "chooser")
    faces = set()
    for box in tiles.values():
        assert (box["w"], box["h"]) == (148, 86)
        # A frame of 3 px around the chosen tile can be wiped away with one colour.
        assert len(around(shown, box, 3)) == 1
        drawn = [shown.row(y)[box["x"] : box["x"] + box["w"]] for y in range(box["y"], box["y"] + box["h"])]
        assert len({colour for row in drawn for colour in row}) > 40
        faces.add(tuple(drawn))
    assert len(faces) == len(tiles)


def test_chooser_leaves_room_beside_the_credit(built: Path) -> None:
    assert len(inside(screen_of(built, "chooser"), {"x": 152, "y": 218, "w": 168, "h": 22})) == 1


def test_feature_screen_is_empty_inside_its_frame(built: Path) -> None:
    table = table_of(built, "feature")
    shown = screen_of(built, "feature")
    assert table["title"] == {"x": 0, "y": 0, "w": 320, "h": 30}
    assert table["body"] == {"x": 8, "y": 34, "w": 304, "h": 172}
    title, body = inside(shown, table["title"]), inside(shown, table["body"])
    assert (len(title), len(body)) == (1, 1)
    assert body.isdisjoint(around(shown, table["body"], 1))
    assert title.isdisjoint(shown.row(30))


def test_screen_format_splits_long_runs_and_shares_equal_rows() -> None:
    picture = formats.Picture(320, 3, (0xF800,) * 320 + (0x07E0,) * 300 + (0xF800,) * 20 + (0xF800,) * 320)
    data = formats.encode_screen(picture)
    assert data == (
        bytes((64, 1, 3, 0, 2, 0))  # 320 x 3, two colours
        + bytes((0xF8, 0x00, 0x07, 0xE0))
        + bytes((16, 0, 20, 0, 16, 0))
        + bytes((255, 0, 65, 0))
        + bytes((255, 1, 45, 1, 20, 0))
    )
    assert formats.decode_screen(data) == picture


def test_screen_format_refuses_more_colours_than_an_index_holds() -> None:
    with pytest.raises(BuildError, match="257 colours"):
        formats.encode_screen(formats.Picture(257, 1, tuple(range(257))))


def test_reduce_colours_keeps_a_picture_that_has_few() -> None:
    picture = formats.Picture(256, 1, tuple(range(0, 65536, 256)))
    assert assets.reduce_colours(picture, 256) == picture


def test_reduce_colours_gives_up_rare_neighbours_first() -> None:
    black, nearly, red = 0x0000, 0x0020, 0xF800
    picture = formats.Picture(8, 1, (black, black, black, nearly, red, black, black, black))
    assert assets.reduce_colours(picture, 2).pixels == (black, black, black, black, red, black, black, black)


def test_rgb565_is_the_nearest_of_what_the_panel_shows() -> None:
    assert all(formats.rgb565(*formats.rgb888(value)) == value for value in range(0x10000))
    assert [formats.rgb565(*colour) for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255))] == [0xF800, 0x07E0, 0x001F]


# ---- fonts


@pytest.mark.parametrize("name", TEXT_SIZES)
def test_font_holds_every_printable_character(built: Path, name: str) -> None:
    font = font_of(built, name)
    assert [chr(font.first + number) for number in range(len(font.glyphs))] == PRINTABLE
    blank = [character for character in PRINTABLE if not any(font.glyph(character).alpha)]
    assert blank == [" "]
    drawn = [(glyph.advance, glyph.alpha) for glyph in font.glyphs]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize(("name", "cap"), [*TEXT_SIZES.items(), ("meter16", 16)])
def test_font_digits_have_one_width_and_fill_the_cap_height(built: Path, name: str, cap: int) -> None:
    font = font_of(built, name)
    assert font.baseline == cap
    assert len({font.glyph(digit).advance for digit in "0123456789"}) == 1
    for digit in "0123456789":
        glyph = font.glyph(digit)
        rows = [any(glyph.alpha[y * glyph.advance : (y + 1) * glyph.advance]) for y in range(font.height)]
        assert rows == [True] * cap + [False] * (font.height - cap), digit


@pytest.mark.parametrize("name", [*TEXT_SIZES, "meter16"])
def test_font_has_no_glyph_wider_than_high(built: Path, name: str) -> None:
    """The cabinet draws as many characters at a time as its buffer would hold of the widest."""
    font = font_of(built, name)
    assert max(glyph.advance for glyph in font.glyphs) <= font.height


def test_font_meter_fits_the_value_boxes(built: Path) -> None:
    font = font_of(built, "meter16")
    boxes = table_of(built, GAME)["fields"]
    assert font.height <= min(box["h"] for box in boxes.values())
    assert font.width("99999.99") <= table_of(built, "chooser")["fields"]["credit"]["w"]
    for field, widest in {"credit": "99999.99", "bet": "25.00", "lines": "50", "win": "10000.00"}.items():
        assert font.width(widest) <= boxes[field]["w"], field


@pytest.mark.parametrize(("name", "full_columns"), [("text10", 1), ("text14", 2)])
def test_font_stems_are_crisp(built: Path, name: str, full_columns: int) -> None:
    font = font_of(built, name)
    for character in "BDEFHIKLMNPR":
        glyph = font.glyph(character)
        for y in range(2, font.baseline - 2):
            row = glyph.alpha[y * glyph.advance : (y + 1) * glyph.advance]
            assert set(row[:full_columns]) == {formats.ALPHA_MAX}, (character, y)
    # A bar along the cap height has its upper edge between two pixels.
    glyph = font.glyph("T")
    assert formats.ALPHA_MAX in glyph.alpha[: glyph.advance]


def test_font_format_round_trips_every_glyph(built: Path) -> None:
    for face in sorted((assets.SOURCES / "fonts").glob("*.json")):
        for name, font in assets.render_fonts(face).items():
            assert font_of(built, name) == font


def test_font_format_puts_the_left_pixel_in_the_high_half() -> None:
    font = formats.Font(2, 2, 65, (formats.Glyph(3, (1, 2, 3, 15, 0, 9)),))
    data = formats.encode_font(font)
    assert data == bytes((2, 2, 65, 1)) + bytes((8, 0, 3, 0)) + bytes((0x12, 0x30, 0xF0, 0x90))
    assert formats.decode_font(data) == font


def test_fonts_keep_their_budget(built: Path) -> None:
    sizes = [path.stat().st_size for path in (built / "fonts").iterdir()]
    assert len(sizes) == 3
    assert sum(sizes) <= assets.MAX_FONT_BYTES


def test_draw_text_puts_glyphs_side_by_side_on_the_ground(built: Path) -> None:
    font = font_of(built, "text10")
    ramp = formats.colour_ramp(0x001F, 0xFFFF)
    assert (ramp[0], ramp[15], len(ramp)) == (0x001F, 0xFFFF, 16)
    line = formats.draw_text(font, "No 7", ramp)
    assert (line.width, line.height) == (font.width("No 7"), font.height)
    alone = formats.draw_text(font, "7", ramp)
    at = line.width - alone.width
    assert [line.row(y)[at:] for y in range(line.height)] == [alone.row(y) for y in range(alone.height)]
    with pytest.raises(BuildError, match="has no"):
        font.glyph("\u20ac")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("O", {"advance": 4, "d": "M0 0 L9 10"}), "wider than its advance"),
        (("O", {"advance": 9, "d": "m0 0 l9 10"}), "is not understood"),
        (("O", {"advance": 9, "d": "M0 0 L9"}), "is not understood"),
        (("O", None), "has a gap"),
    ],
)
def test_build_refuses_a_bad_glyph(sources: Path, change: tuple[str, dict[str, object] | None], message: str) -> None:
    path = sources / "fonts" / "picocab_sans.json"
    face = json.loads(path.read_text())
    character, glyph = change
    if glyph is None:
        del face["glyphs"][character]
    else:
        face["glyphs"][character] = glyph
    path.write_text(json.dumps(face))
    with pytest.raises(BuildError, match=message):
        assets.render_fonts(path)
