"""A PAR sheet laid out: titled tables of text, the same ones in the plain text and in the page."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from .digits import integer_text, percent, points, short_fraction
from .figures import CERTIFIED, EXACT, SIMULATED, Trigger, total
from .law import mean
from .sheet import CONFIDENCES, SPREAD_ROUNDS, Sheet, uncertainty

_KINDS = {
    EXACT: "exact: a ratio of whole numbers, nothing is rounded or estimated",
    CERTIFIED: "certified: how far the true value can be away is proven; the error, where it is shown, is that bound",
    SIMULATED: "simulated: the error is the standard error",
}
_PAID_SPIN = ("lines", "scatter")  # the sources that the law of the paid spin holds


@dataclass(frozen=True)
class Section:
    """A part of a sheet.

    Attributes:
        key: its name in links.
        title: for the reader.
        head: of the columns; empty when the rows are names and values.
        rows: cells as text, as many in every row.
        notes: lines below the table.
    """

    key: str
    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()


def sections(sheet: Sheet) -> list[Section]:
    """All parts of a sheet in the order of reading."""
    parts = (
        _return(sheet),
        _sources(sheet),
        _routes(sheet),
        _simulation(sheet),
        _features(sheet),
        _choices(sheet),
        _lines(sheet),
        _spread(sheet),
        _bands(sheet),
        _award(sheet),
        _origin(sheet),
    )
    return [part for part in parts if part.rows or part.notes]


def readable(name: str) -> str:
    """A name as the figures have it, to be read: `free_spins.lines` is `free spins: lines`."""
    return name.replace(".", ": ").replace("_", " ")


def _return(sheet: Sheet) -> Section:
    bound, error = uncertainty(sheet.sources)
    hits = sheet.spread.hit_frequency
    rows = [
        ("expected return", f"{percent(sheet.value)} % ({sheet.kind})"),
        ("as a fraction", short_fraction(sheet.value)),
        ("target", f"{percent(sheet.target, 2)} %, distance {points(sheet.value - sheet.target)} points"),
        ("hit frequency", f"{percent(hits, 6)} %, one paid spin in {float(1 / hits):.4f}" if hits else "0 %"),
        ("standard deviation", f"{sheet.sigma:.6f} total bets ({_sigma_kind(sheet)})"),
        ("volatility index", f"{sheet.volatility_index:.6f} (90 %)"),
    ]
    if sheet.gamble_neutral is not None:
        neutral = "neutral for every policy (proven)"
        rows.append(("gamble", neutral if sheet.gamble_neutral else "not neutral: a policy changes the return"))
    exact = [source for source in sheet.sources if source.kind == EXACT]
    if exact and sheet.kind != EXACT:
        part = total(exact)
        whole = f"{integer_text(part.numerator)} / {integer_text(part.denominator)}"
        rows.insert(2, ("exact part", f"{percent(part)} % = {whole}"))
    if error:
        rows.insert(2, ("standard error", f"{100 * error:.3g} points, of the simulated sources"))
    if bound:
        rows.insert(2, ("error at most", f"{100 * float(bound):.3g} points, of the certified sources"))
    return Section("return", "Return", rows=tuple(rows))


def _sigma_kind(sheet: Sheet) -> str:
    kind = sheet.spread.kind
    return f"{kind}, standard error at most {sheet.spread.error:.6f}" if kind == SIMULATED else kind


def _sources(sheet: Sheet) -> Section:
    rows = tuple(
        (
            readable(source.name),
            percent(source.value),
            percent(source.value / sheet.value, 3) if sheet.value else "0",
            source.kind,
            "0" if source.kind == EXACT else f"{100 * float(source.error):.2g}",
        )
        for source in sheet.sources
    )
    head = ("source", "return, %", "of all, %", "kind", "error, points")
    return Section("sources", "Return by source", head, rows, _kind_notes(source.kind for source in sheet.sources))


def _kind_notes(kinds: Iterable[str]) -> tuple[str, ...]:
    present = set(kinds)
    return tuple(meaning for kind, meaning in _KINDS.items() if kind in present)


def _routes(sheet: Sheet) -> Section:
    held = [source for source in sheet.sources if source.name in _PAID_SPIN]
    paid_spin = f"paid spin: {', '.join(source.name for source in held)}"
    computed = total(held)
    counted = mean(sheet.spread.paid_spin) / sheet.lines
    same = "equal" if counted == computed else f"differs by {points(counted - computed)} points"
    rows = [
        ("complete round", sheet.route, percent(sheet.value), "-"),
        (paid_spin, sheet.route, percent(computed), "-"),
        (paid_spin, "enumeration of all windows", percent(counted), same),
    ]
    if sheet.spread.mean is not None:
        same = _difference(sheet.spread.mean, sheet)
        rows.insert(1, ("complete round", "enumeration of both modes", percent(sheet.spread.mean), same))
    notes = []
    if played := sheet.simulation:
        distance = f"z = {z_score(played.value, float(sheet.value), played.error):+.3f}"
        rows.append(
            ("complete round", f"simulation of {played.rounds:,} rounds", f"{100 * played.value:.6f}", distance)
        )
        notes = ["z: distance from the computed return in standard errors of the simulation"]
    else:
        notes = [f"no simulation of these tables is stored: picocab par {sheet.game} --simulate 100000000"]
    head = ("of", "by", "return, %", "against the first")
    return Section("routes", "Routes to the return", head, tuple(rows), tuple(notes))


def _difference(counted: Fraction, sheet: Sheet) -> str:
    bound, _ = uncertainty(sheet.sources)
    difference = counted - sheet.value
    if abs(difference) <= bound:
        return "within the error" if difference else "equal"
    return f"differs by {points(difference)} points"


def _simulation(sheet: Sheet) -> Section:
    played = sheet.simulation
    if played is None:
        return Section("simulation", "Simulation")
    rounds = played.rounds
    rows = [
        _compared("complete round", sheet.value, played.value, played.error),
        *(
            _compared(readable(source.name), source.value, *played.sources[source.name])
            for source in sheet.sources
            if source.name in played.sources
        ),
        _counted(Trigger("hit frequency", sheet.spread.hit_frequency, once=True), played.hit_frequency, rounds),
        *(
            _counted(replace(it, name=f"feature: {readable(it.name)}"), played.triggers[it.name] / rounds, rounds)
            for it in sheet.triggers
            if it.name in played.triggers
        ),
    ]
    notes = (
        f"standard deviation {played.sigma:.6f} total bets, standard error at most {played.sigma_error:.6f}"
        + ("" if sheet.spread.kind == SIMULATED else f"; computed {sheet.sigma:.6f}"),
        f"largest win {played.largest:,} coins at line bet 1",
        "a feature without an error can start several times in a round, in groups: its number alone gives none",
        f"played by: {played.command}",
    )
    head = ("of", "computed, %", "simulated, %", "standard error", "z")
    return Section("simulation", f"Simulation of {rounds:,} rounds", head, tuple(rows), notes)


def _compared(name: str, computed: Fraction, simulated: float, error: float | None) -> tuple[str, ...]:
    values = (name, percent(computed, 6), f"{100 * simulated:.6f}")
    if error is None:
        return (*values, "", "")
    return (*values, f"{100 * error:.6f}", f"{z_score(simulated, float(computed), error):+.3f}")


def _counted(trigger: Trigger, simulated: float, rounds: int) -> tuple[str, ...]:
    """How often something happened, with its error when it happens once in a round or not at all."""
    p = float(trigger.probability)
    error = math.sqrt(p * (1 - p) / rounds) if trigger.once else None
    return _compared(trigger.name, trigger.probability, simulated, error)


def z_score(simulated: float, computed: float, error: float) -> float:
    """How many standard errors a simulated figure lies above the computed one; 0 when neither can vary."""
    if error:
        return (simulated - computed) / error
    return math.copysign(math.inf, simulated - computed) if simulated != computed else 0.0


def _features(sheet: Sheet) -> Section:
    rows = tuple(
        (
            readable(it.name),
            f"{float(1 / it.probability):.3f}" if it.probability else "never",
            percent(it.probability, 9),
            it.kind,
        )
        for it in sheet.triggers
    )
    head = ("feature", "paid spins each", "in 100 paid spins", "kind")
    return Section("features", "Features", head, rows, _kind_notes(it.kind for it in sheet.triggers))


def _choices(sheet: Sheet) -> Section:
    rows = tuple(
        (
            readable(it.name),
            percent(it.value),
            points(it.value - sheet.target),
            f"{math.sqrt(it.spread.variance):.6f}",
        )
        for it in sheet.by_choice
    )
    values = [it.value for it in sheet.by_choice]
    notes: tuple[str, ...] = ()
    if values:
        notes = (
            f"between the best and the worst: {percent(max(values) - min(values))} points",
            "all other figures: each is chosen as often as the others",
        )
    head = ("always chosen", "return, %", "from the target, points", "standard deviation")
    return Section("choices", "Return by the player's choice", head, rows, notes)


def _lines(sheet: Sheet) -> Section:
    title = "Return by number of lines"
    if not sheet.line_counts:
        return Section("lines", title, notes=(f"all {sheet.lines} lines are always played",))
    rows = []
    for value, run in groupby(sheet.line_counts, key=lambda at: at.value):
        counts = [at.lines for at in run]
        label = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        rows.append((label, percent(value), points(value - sheet.value)))
    per_line_bet = {readable(name): None for at in sheet.line_counts for name in at.per_line_bet}
    by_line = {readable(name): None for at in sheet.line_counts for name in at.by_line}
    notes = []
    if per_line_bet:
        notes.append(
            f"wins in line bets whatever the lines, so a larger share of a smaller bet: {', '.join(per_line_bet)}"
        )
    if by_line:
        notes.append(f"mean win not the same on every line, by its row on a reel that expands: {', '.join(by_line)}")
    if not notes:
        notes.append("every line has the same mean win, and all other wins are in total bets")
    return Section("lines", title, ("lines", "return, %", "from all lines, points"), tuple(rows), tuple(notes))


def _spread(sheet: Sheet) -> Section:
    rows = tuple(
        (
            f"{rounds:,}",
            *(
                f"{100 * low:.3f} to {100 * high:.3f}"
                for low, high in (sheet.interval(rounds, confidence) for confidence in CONFIDENCES)
            ),
        )
        for rounds in SPREAD_ROUNDS
    )
    head = ("rounds", *(f"{confidence} %" for confidence in CONFIDENCES))
    note = "between which percentages the return of so many rounds lies, by the normal law"
    return Section("spread", "Spread of the return", head, rows, (note,))


def _bands(sheet: Sheet) -> Section:
    head: tuple[str, ...] = ("win in total bets", "of paid spins, %", "one in", "return, %")
    rows: list[tuple[str, ...]] = [
        (
            band.label,
            percent(band.probability, 6),
            f"{float(1 / band.probability):,.1f}" if band.probability else "never",
            percent(band.share, 6),
        )
        for band in sheet.bands
    ]
    notes = ["paid spins: their lines and scatters, from all windows; a band holds its lower end"]
    if sheet.simulation:
        head = (*head, "of complete rounds, %")
        rows = [(*row, f"{100 * (band.simulated or 0):.6f}") for row, band in zip(rows, sheet.bands, strict=True)]
        notes.append("complete rounds: with all features, from the simulation")
    return Section("wins", "Wins", head, tuple(rows), tuple(notes))


def _award(sheet: Sheet) -> Section:
    award = sheet.award
    bets = f"{float(award.coins) / (award.line_bet * sheet.lines):,.2f}"
    head = f"{award.coins:,} coins at line bet {award.line_bet}, {bets} total bets"
    return Section("award", f"Largest {award_name(sheet)}", notes=(head, *award.sequence))


def award_name(sheet: Sheet) -> str:
    """Of what the largest award is: a round's, if that has one."""
    return "award" if sheet.award.of == "round" else sheet.award.of


def _origin(sheet: Sheet) -> Section:
    rows = (
        ("rules version", str(sheet.rules_version)),
        ("SHA-256 of the tables", sheet.tables_hash),
        ("tables", f"picocab tables {sheet.game} --json"),
        ("this sheet", f"picocab par {sheet.game}"),
    )
    return Section("origin", "Origin", rows=rows)
