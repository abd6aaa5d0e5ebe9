"""The plots of a PAR sheet as SVG text, the same bytes from the same figures: no date, letters as outlines, ids from a
fixed salt."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

INK, MUTED, GRID = "#1f2933", "#66788a", "#dfe5ec"
MAIN, OTHER, ALARM = "#2f6f9f", "#e0923b", "#b23a48"
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "path",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "legend.frameon": False,
}


def histogram(labels: Sequence[str], series: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Probabilities of the bands of wins, as bars over a logarithmic scale.

    Args:
        labels: of the bands.
        series: a name and a share of rounds for each band; one or two of them. A share of 0 has no bar.
    """
    with _style("histogram"):
        figure, axes = _axes(9.2, 3.4)
        width = 0.8 / len(series)
        for number, (name, shares) in enumerate(series):
            left = [at + (number - (len(series) - 1) / 2) * width for at in range(len(labels))]
            axes.bar(left, [100 * share for share in shares], width * 0.94, label=name, color=(MAIN, OTHER)[number])
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.12f}".rstrip("0").rstrip(".") + " %"))
        axes.set_xticks(range(len(labels)), labels, fontsize=8.5)
        axes.set_xlabel("win in total bets")
        axes.set_ylabel("share of rounds")
        axes.grid(visible=False, axis="x")
        if len(series) > 1:
            axes.legend(loc="upper right")
        return _svg(figure)


def shares(names: Sequence[str], values: Sequence[float]) -> str:
    """The return of each source as a horizontal bar, the first on top.

    Args:
        names: of the sources.
        values: shares of the total bet.
    """
    with _style("shares"):
        figure, axes = _axes(9.2, 0.7 + 0.42 * len(names))
        rows = range(len(names))
        percents = [100 * value for value in values]
        axes.barh(rows, percents, 0.62, color=MAIN)
        for row, share in zip(rows, percents, strict=True):
            text = f"{round(share, 3) + 0.0:.3f} %"  # 0.0 is added for the sign of a negative zero
            axes.annotate(text, (max(share, 0), row), (5, 0), textcoords="offset points", va="center", color=INK)
        axes.set_yticks(rows, names)
        axes.tick_params(axis="y", labelcolor=INK)
        axes.invert_yaxis()
        axes.set_xlim(min(0, *percents), 1.16 * max(percents))
        axes.grid(visible=False, axis="y")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
        return _svg(figure)


def convergence(
    points: Sequence[tuple[int, float]], value: float, band: Sequence[tuple[int, float]], confidence: float
) -> str:
    """How far the return of a simulation is from the computed one as it goes on, with the interval of that distance.

    Args:
        points: rounds played and the return up to there, as a share.
        value: the computed return.
        band: rounds and half the width of the interval of the return of so many.
        confidence: of the interval, in percent.
    """
    with _style("convergence"):
        figure, axes = _axes(9.2, 3.6)
        rounds = [at for at, _ in band]
        low, high = ([100 * sign * half for _, half in band] for sign in (-1, 1))
        axes.fill_between(rounds, low, high, color=MAIN, alpha=0.14, linewidth=0, label=f"{confidence:g} % interval")
        axes.axhline(0, color=MAIN, linewidth=1.2, label=f"computed return, {100 * value:.4f} %")
        distances = [100 * (share - value) for _, share in points]
        axes.plot([at for at, _ in points], distances, "o-", color=OTHER, markersize=4, label="simulation")
        axes.set_xscale("log")
        # Logarithmic on both sides of zero: the interval narrows a thousandfold, its end must still be seen.
        narrowest, widest = (math.log10(100 * half) for half in (band[-1][1], band[0][1]))
        axes.set_yscale("symlog", linthresh=10**narrowest, linscale=1)
        decades = [10.0**power for power in range(math.ceil(narrowest), math.ceil(widest))]
        axes.set_yticks([-tick for tick in decades] + [0] + decades)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda distance, _: f"{distance:+g}" if distance else "0"))
        axes.set_xlabel("rounds")
        axes.set_ylabel("distance in points")
        axes.legend(loc="upper right")
        return _svg(figure)


@contextmanager
def _style(salt: str) -> Iterator[None]:
    """The style of all plots, whatever the user's own settings of matplotlib are."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({**_STYLE, "svg.hashsalt": salt})
        yield


def _axes(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure, figure.add_subplot()


def _svg(figure: Figure) -> str:
    """The element alone: without the head of a file, so that it can stand in a page."""
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = file.getvalue()
    return text[text.index("<svg") :]
