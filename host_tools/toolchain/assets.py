"""From the project's own drawings in `firmware/assets` to the files that the firmware draws from.

Sources and results (layouts in `asset_formats`):

* `symbols/<game>/symbols.json` names the SVG of the reel's paper (`cell`) and the symbols in the order of their ids;
  each SVG is drawn for 60 x 60 px on a transparent ground. Result `symbols/<game>.bin`.
* `screens/<name>.svg` is a picture of 320 x 240 px; `screens/<name>.json` says where the firmware draws into it (boxes
  in px). Results `screens/<name>.bin` and the table as it is.
* `fonts/<face>.json` holds letters as stroke centre lines (SVG path data, absolute commands M L H V C Z) and the sizes
  to make. Result `fonts/<size>.bin` for each size.

The same sources give the same bytes: shapes only, no system font, one pinned renderer, no dithering.
"""

from __future__ import annotations

import bisect
import hashlib
import io
import json
import math
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import paths
from ..errors import BuildError, ToolMissing
from .asset_formats import (
    ALPHA_MAX,
    SYMBOL_PX,
    Font,
    Glyph,
    Picture,
    encode_font,
    encode_pixels,
    encode_screen,
    rgb565,
    rgb888,
)

if TYPE_CHECKING:
    from PIL import Image

SOURCES = paths.FIRMWARE / "assets"
FOLDERS = ("symbols", "screens", "fonts")
MAX_SYMBOL_BYTES = 620_000  # all games together
MAX_SCREEN_BYTES = 40_000
MAX_FONT_BYTES = 30_000  # all sizes together

_SCREEN_PX = (320, 240)
_SCREEN_COLOURS = 256
_FARTHEST = 9 * 255 * 255 + 1  # more than the weighted distance of any two colours
_FIRST, _LAST = 32, 126  # printable ASCII, what a face may hold

# Design units of a face: the centre line of a capital runs from 0 to 10, downwards.
_CAP_UNITS = 10
_ZONES = (0.0, 10.0, 3.0, 13.0)  # cap height, baseline, x-height, descender: the same pixel row in every glyph
_MERGE_UNITS = 0.7  # stems nearer than this move together
_POINT_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}
_TOKEN = re.compile(r"[MLHVCZ]|-?\d+(?:\.\d+)?")

Segment = tuple[str, list[tuple[float, float]]]


def build_assets(out_dir: Path, progress: Callable[[str], None], sources: Path = SOURCES) -> None:
    """Render all assets into `out_dir/symbols`, `out_dir/screens` and `out_dir/fonts`, replacing what is there.

    Results are kept in the cache under the hash of everything they depend on, so unchanged sources cost a copy.

    Raises:
        ToolMissing: the renderer or Pillow is not installed.
        BuildError: a source breaks a rule of its kind, or a result is larger than its budget.
    """
    kept = paths.cache() / "assets" / _key(sources)
    if kept.is_dir():
        progress("assets: unchanged")
    else:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
            made = Path(scratch) / "made"
            _render_all(sources, made, progress)
            try:
                made.rename(kept)
            except OSError:  # another build was faster: the same key means the same bytes
                if not kept.is_dir():
                    raise
    for folder in FOLDERS:
        shutil.rmtree(out_dir / folder, ignore_errors=True)
        shutil.copytree(kept / folder, out_dir / folder)


def _key(sources: Path) -> str:
    digest = hashlib.sha256()
    for package in ("resvg-py", "pillow"):
        try:
            digest.update(f"{package} {metadata.version(package)}\n".encode())
        except metadata.PackageNotFoundError:
            raise ToolMissing(f"{package} is not installed", "pip install 'picocab[build]'") from None
    here = Path(__file__)
    for path in (here, here.with_name("asset_formats.py"), *_files(sources)):
        data = path.read_bytes()
        name = path.relative_to(sources).as_posix() if path.is_relative_to(sources) else path.name
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()


def _files(sources: Path) -> list[Path]:
    return sorted(path for path in sources.rglob("*") if path.suffix in (".svg", ".json"))


def _render_all(sources: Path, out: Path, progress: Callable[[str], None]) -> None:
    for folder in FOLDERS:
        (out / folder).mkdir(parents=True)
    total = 0
    for path in sorted((sources / "symbols").glob("*/symbols.json")):
        data = b"".join(encode_pixels(symbol) for symbol in render_symbols(path))
        total += len(data)
        _write(out / "symbols" / f"{path.parent.name}.bin", data, progress)
    if total > MAX_SYMBOL_BYTES:
        raise BuildError(f"the symbols make {total} bytes, budget {MAX_SYMBOL_BYTES}", "draw fewer symbols")
    for path in sorted((sources / "screens").glob("*.svg")):
        data = encode_screen(reduce_colours(render_screen(path), _SCREEN_COLOURS))
        if len(data) > MAX_SCREEN_BYTES:
            raise BuildError(f"{path.name} makes {len(data)} bytes, budget {MAX_SCREEN_BYTES}", "draw less detail")
        _write(out / "screens" / f"{path.stem}.bin", data, progress)
    for path in sorted((sources / "screens").glob("*.json")):
        table = json.dumps(_load(path), separators=(",", ":")).encode()
        _write(out / "screens" / path.name, table, progress)
    total = 0
    for path in sorted((sources / "fonts").glob("*.json")):
        for name, font in render_fonts(path).items():
            data = encode_font(font)
            total += len(data)
            _write(out / "fonts" / f"{name}.bin", data, progress)
    if total > MAX_FONT_BYTES:
        raise BuildError(f"the fonts make {total} bytes, budget {MAX_FONT_BYTES}", "make fewer sizes")


def _write(path: Path, data: bytes, progress: Callable[[str], None]) -> None:
    path.write_bytes(data)
    progress(f"assets: {path.parent.name}/{path.name} {len(data)} bytes")


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BuildError(f"{path.name} is not JSON: {error}", "correct the file") from None


# ---- pictures


def render_symbols(order: Path) -> list[Picture]:
    """The symbols that the `symbols.json` at `order` lists, each on the reel's paper.

    Raises:
        BuildError: a file is missing, holds text, or reaches the first or last row, where cells must join.
    """
    listing = _load(order)
    cell = _render_svg(order.parent / listing["cell"], SYMBOL_PX, SYMBOL_PX)
    paper = _picture(cell)
    symbols: list[Picture] = []
    for name in listing["symbols"]:
        path = order.parent / f"{name}.svg"
        drawn = cell.copy()
        drawn.alpha_composite(_render_svg(path, SYMBOL_PX, SYMBOL_PX))
        symbol = _picture(drawn)
        for y in (0, SYMBOL_PX - 1):
            if symbol.row(y) != paper.row(0):
                raise BuildError(
                    f"{path.name} does not show plain paper in row {y}", "keep rows 0 and 59 free, paper alike in both"
                )
        symbols.append(symbol)
    return symbols


def render_screen(path: Path) -> Picture:
    """The still picture of a screen, 320 x 240 px, in as many colours as it has."""
    return _picture(_render_svg(path, *_SCREEN_PX))


def reduce_colours(picture: Picture, limit: int) -> Picture:
    """The same picture in at most `limit` colours.

    Gives up, one by one, the colour whose pixels change least when its nearest neighbour takes them over. Large areas
    keep their exact colour this way (median cut and octree shift them), and no library version can change the result.
    """
    pixels_of = dict(sorted(Counter(picture.pixels).items()))
    merged = {colour: colour for colour in pixels_of}
    levels: list[dict[int, tuple[int, int, int]]] = [{} for _ in range(64)]  # by the six bits of green
    for colour in pixels_of:
        levels[_green(colour)][colour] = rgb888(colour)

    def nearest(colour: int) -> tuple[int, int]:
        # Weights 2 4 3 for red, green, blue: the usual integer approximation of how different two colours look.
        red, green, blue = rgb888(colour)
        best = (_FARTHEST, -1)
        for step in range(64):
            if 4 * (4 * step) ** 2 > best[0]:  # a step of green is at least 4 of 255: no other level comes nearer
                break
            for level in {_green(colour) - step, _green(colour) + step}:
                for other, (r, g, b) in levels[level].items() if 0 <= level < 64 else ():
                    distance = 2 * (red - r) ** 2 + 4 * (green - g) ** 2 + 3 * (blue - b) ** 2
                    if other != colour and (distance, other) < best:
                        best = (distance, other)
        return best

    neighbour = {colour: nearest(colour) for colour in pixels_of} if len(pixels_of) > limit else {}
    while len(pixels_of) > limit:
        lost = min(pixels_of, key=lambda colour: (pixels_of[colour] * neighbour[colour][0], colour))
        heir = neighbour.pop(lost)[1]
        pixels_of[heir] += pixels_of.pop(lost)
        del levels[_green(lost)][lost]
        merged = {colour: heir if now == lost else now for colour, now in merged.items()}
        for colour in pixels_of:
            if neighbour[colour][1] == lost:
                neighbour[colour] = nearest(colour)
    return Picture(picture.width, picture.height, tuple(merged[value] for value in picture.pixels))


def _green(colour: int) -> int:
    return colour >> 5 & 63


def _picture(image: Image.Image) -> Picture:
    data = image.convert("RGB").tobytes()
    triples = zip(data[0::3], data[1::3], data[2::3], strict=True)
    return Picture(image.width, image.height, tuple(rgb565(*triple) for triple in triples))


def _render_svg(path: Path, width: int, height: int) -> Image.Image:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BuildError(f"{path.name} is missing in {path.parent.name}", "add the drawing or take it off") from None
    if re.search(r"<(text|image|style)\b", text):
        raise BuildError(f"{path.name} holds text, an image or a style sheet", "draw with shapes and paths only")
    image = _render(text, path.name)
    if image.size != (width, height):
        raise BuildError(f"{path.name} is {image.width} x {image.height} px", f"draw it {width} x {height} px")
    return image


def _render(svg: str, name: str) -> Image.Image:
    """Render at the size of the drawing's own view box."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ToolMissing(f"{error.name} is not installed", "pip install 'picocab[build]'") from None
    try:
        png = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    except ValueError as error:
        raise BuildError(f"{name} cannot be rendered: {error}", "correct the drawing") from None
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


# ---- fonts


def render_fonts(path: Path) -> dict[str, Font]:
    """Every size of the face at `path`, by the size's name.

    Raises:
        BuildError: the codes of the glyphs have a gap or leave printable ASCII, or a path is not understood.
    """
    face = _load(path)
    glyphs: dict[str, dict[str, Any]] = face["glyphs"]
    codes = sorted(ord(character) for character in glyphs)
    if codes != list(range(codes[0], codes[-1] + 1)) or codes[0] < _FIRST or codes[-1] > _LAST:
        raise BuildError(f"{path.name} has a gap in its glyphs", "draw every code from the first to the last")
    strokes = {character: _parse(glyph["d"], f"{path.name} {character!r}") for character, glyph in glyphs.items()}
    fonts: dict[str, Font] = {}
    for name, size in face["sizes"].items():
        cap_px, stroke_px = int(size["cap_px"]), float(size["stroke_px"])
        scale = (cap_px - stroke_px) / _CAP_UNITS
        placed = [_place(strokes[chr(code)], scale, stroke_px) for code in codes]
        height = max(_far_px(segments, 1, stroke_px) for segments in placed)
        pictures: list[Glyph] = []
        for code, segments in zip(codes, placed, strict=True):
            advance = _round(glyphs[chr(code)]["advance"] * scale)
            if _far_px(segments, 0, stroke_px) > advance:
                raise BuildError(f"{path.name} {chr(code)!r} is wider than its advance", "raise the advance")
            pictures.append(_glyph(segments, advance, height, stroke_px, f"{path.name} {chr(code)!r}"))
        fonts[name] = Font(height, cap_px, codes[0], tuple(pictures))
    return fonts


def _glyph(segments: Sequence[Segment], advance: int, height: int, stroke_px: float, name: str) -> Glyph:
    path = " ".join(command + " ".join(f"{x:.3f} {y:.3f}" for x, y in points) for command, points in segments)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {advance} {height}" width="{advance}" height="{height}">'
        f'<path d="{path}" fill="none" stroke="#fff" stroke-width="{stroke_px}" stroke-linecap="round" '
        'stroke-linejoin="round"/></svg>'
    )
    alpha = _render(svg, name).getchannel("A").tobytes()
    return Glyph(advance, tuple((value * ALPHA_MAX + 127) // 255 for value in alpha))


def _parse(path: str, name: str) -> list[Segment]:
    """Path data as (command, points), every point absolute; H and V become L."""
    segments: list[Segment] = []
    tokens = _TOKEN.findall(path)
    if "".join(tokens) != path.replace(" ", ""):
        raise BuildError(f"{name}: path {path!r} is not understood", "use absolute M L H V C Z only")
    at = 0
    x = y = 0.0
    while at < len(tokens):
        command = tokens[at]
        count = _POINT_NUMBERS.get(command, -1)
        numbers = [float(token) for token in tokens[at + 1 : at + 1 + count]]
        if count < 0 or len(numbers) != count:
            raise BuildError(f"{name}: path {path!r} is not understood", "repeat the command before each point")
        if command == "H":
            command, numbers = "L", [numbers[0], y]
        elif command == "V":
            command, numbers = "L", [x, numbers[0]]
        points = list(zip(numbers[0::2], numbers[1::2], strict=True))
        if points:
            x, y = points[-1]
        segments.append((command, points))
        at += 1 + count
    return segments


def _place(segments: Sequence[Segment], scale: float, stroke_px: float) -> list[Segment]:
    """Design units to pixels, with stems and bars moved so that one edge of each falls between two pixels.

    Only this makes strokes of one or two pixels crisp. Everything between two stems moves in proportion.
    """
    stems = _stems(segments, 0)
    ends = list(dict.fromkeys((stems[0], stems[-1]))) if stems else []
    map_x = _grid_fit([*ends, *stems], ends[1:], scale, stroke_px)
    bars = [*_ZONES, *_stems(segments, 1)]
    map_y = _grid_fit(bars, [bar for bar in bars if bar >= _CAP_UNITS], scale, stroke_px)
    return [(command, [(map_x(x), map_y(y)) for x, y in points]) for command, points in segments]


def _stems(segments: Sequence[Segment], axis: int) -> list[float]:
    """Where the stroke runs at right angles to `axis` (0 = x, 1 = y): straight parts and the extremes of curves."""
    found: set[float] = set()
    before = (0.0, 0.0)
    for command, points in segments:
        if command in "LC":
            run = [before, *points]
            # Of a curve these are the two ends with their handles, of a line twice the same.
            for end, handle in ((run[0], run[1]), (run[-1], run[-2])):
                if end[axis] == handle[axis]:
                    found.add(end[axis])
        if points:
            before = points[-1]
    return sorted(found)


def _grid_fit(
    stems: Iterable[float], far_edged: Sequence[float], scale: float, stroke_px: float
) -> Callable[[float], float]:
    """A piecewise linear map from design units to pixels of the stroke's centre line.

    Args:
        stems: coordinates to fit to the pixel grid, the more important first.
        far_edged: those of them whose right or lower edge is to be sharp; of the others it is the left or upper one.
        scale: px per design unit.
        stroke_px: width of the stroke.
    """
    half = stroke_px / 2
    knots: dict[float, float] = {}
    for stem in stems:
        if all(abs(stem - other) >= _MERGE_UNITS for other in knots):
            centre = half + stem * scale
            knots[stem] = _round(centre + half) - half if stem in far_edged else _round(centre - half) + half
    order = sorted(knots)

    def place(unit: float) -> float:
        if not order:
            return half + unit * scale
        if unit <= order[0] or len(order) == 1:
            return knots[order[0]] + (unit - order[0]) * scale
        if unit >= order[-1]:
            return knots[order[-1]] + (unit - order[-1]) * scale
        at = bisect.bisect_right(order, unit)
        low, high = order[at - 1], order[at]
        return knots[low] + (knots[high] - knots[low]) * (unit - low) / (high - low)

    return place


def _far_px(segments: Sequence[Segment], axis: int, stroke_px: float) -> int:
    """The first whole pixel past the stroke's right (axis 0) or lower (axis 1) edge; 0 for a blank glyph."""
    edge = max((point[axis] for _, points in segments for point in points), default=-stroke_px / 2) + stroke_px / 2
    return math.ceil(edge - 0.01)


def _round(value: float) -> int:
    return math.floor(value + 0.5)
