"""A PAR sheet as a page: one file without anything from outside, its plots inside, made to be printed too."""

from __future__ import annotations

import math
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from . import plots
from .digits import percent, points
from .sections import award_name, readable, sections
from .sheet import Band, Sheet, normal_quantile

_TEMPLATE = "sheet.html"
_CONFIDENCE = 99  # percent


@dataclass(frozen=True)
class _Plot:
    section: str
    caption: str
    svg: str


def html_sheet(sheet: Sheet) -> str:
    """The text of the page; the same bytes for the same figures and versions of matplotlib and Jinja."""
    environment = Environment(
        loader=PackageLoader("host_tools", "par"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    figures = (
        (f"{percent(sheet.value, 6)} %", f"expected return, {sheet.kind}"),
        (f"{points(sheet.value - sheet.target, 6)}", f"points from the target, {percent(sheet.target, 2)} %"),
        (f"{percent(sheet.spread.hit_frequency, 3)} %", "hit frequency"),
        (f"{sheet.sigma:.4f}", f"standard deviation in total bets, {sheet.spread.kind}"),
        (f"{sheet.volatility_index:.3f}", "volatility index, 90 %"),
        (f"{sheet.award.coins:,}", f"coins, the largest {award_name(sheet)}"),
    )
    template = environment.get_template(_TEMPLATE)
    return template.render(sheet=sheet, figures=figures, sections=sections(sheet), plots=_plots(sheet))


def _plots(sheet: Sheet) -> list[_Plot]:
    by_source = plots.shares(
        [readable(source.name) for source in sheet.sources], [float(source.value) for source in sheet.sources]
    )
    series = [("paid spin, all windows", [float(band.probability) for band in sheet.bands])]
    found = [_Plot("sources", "Return by source, in percent of the total bet", by_source)]
    if played := sheet.simulation:
        series.append(("complete round, simulated", [band.simulated or 0 for band in sheet.bands]))
        quantile = normal_quantile(_CONFIDENCE)
        band = [(rounds, quantile * sheet.sigma / math.sqrt(rounds)) for rounds, _ in played.convergence]
        caption = "Distance of the simulated return from the computed one; both scales are logarithmic"
        svg = plots.convergence(played.convergence, float(sheet.value), band, _CONFIDENCE)
        found.append(_Plot("simulation", caption, svg))
    histogram = plots.histogram([_short(band) for band in sheet.bands], series)
    return [*found, _Plot("wins", "Share of rounds by their win; the scale is logarithmic", histogram)]


def _short(band: Band) -> str:
    """A label of a few letters, such as `2-5` or `from 10k`."""
    if band.high == 0:
        return "0"
    low, high = (f"{edge // 1000}k" if edge and edge >= 1000 else str(edge) for edge in (band.low, band.high))
    if band.high is None:
        return f"from {low}"
    return f"{low}-{high}" if band.low else f"<{high}"
