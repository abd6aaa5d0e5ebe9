"""A PAR sheet as JSON-ready data; README.md tells its keys and their units."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from .digits import PERCENT_PLACES, percent
from .figures import Source, Trigger
from .sections import z_score
from .sheet import CONFIDENCES, SPREAD_ROUNDS, LineCount, Sheet, uncertainty


def json_sheet(sheet: Sheet) -> dict[str, Any]:
    """All figures of a sheet; `simulation` is null when none is stored for these tables."""
    bound, error = uncertainty(sheet.sources)
    return {
        "game": sheet.game,
        "title": sheet.title,
        "rules_version": sheet.rules_version,
        "tables_sha256": sheet.tables_hash,
        "lines": sheet.lines,
        "rtp": {
            **fraction(sheet.value),
            "kind": sheet.kind,
            "bound": 100 * float(bound),
            "standard_error": 100 * error,
        },
        "target": _percent(sheet.target),
        "distance": _percent(sheet.value - sheet.target),
        "split": [source_json(source) for source in sheet.sources],
        "hit_frequency": float(sheet.spread.hit_frequency),
        "hit_frequency_exact": fraction(sheet.spread.hit_frequency),
        "sigma": round(sheet.sigma, 12),
        "sigma_kind": sheet.spread.kind,
        "sigma_error": sheet.spread.error,
        "volatility_index": round(sheet.volatility_index, 12),
        "spread": [
            {"rounds": rounds, "confidence": confidence, "low": 100 * low, "high": 100 * high}
            for rounds in SPREAD_ROUNDS
            for confidence in CONFIDENCES
            for low, high in (sheet.interval(rounds, confidence),)
        ],
        "triggers": [_trigger(trigger) for trigger in sheet.triggers],
        "by_choice": [
            {"choice": it.name, **fraction(it.value), "sigma": math.sqrt(it.spread.variance)} for it in sheet.by_choice
        ],
        "by_lines": [_line_count(at) for at in sheet.line_counts],
        "histogram": [
            {
                "from": band.low,
                "below": band.high,
                "probability": fraction(band.probability),
                "return": _percent(band.share),
                "complete_rounds": band.simulated,
            }
            for band in sheet.bands
        ],
        "max_award": {
            "coins": sheet.award.coins,
            "line_bet": sheet.award.line_bet,
            "total_bets": sheet.award.coins / (sheet.award.line_bet * sheet.lines),
            "of": sheet.award.of,
            "bounded": sheet.award.bounded,
            "sequence": list(sheet.award.sequence),
        },
        "gamble_neutral": sheet.gamble_neutral,
        "simulation": _simulation(sheet),
    }


def fraction(value: Fraction) -> dict[str, Any]:
    """A share, whole and in percent."""
    return {"num": value.numerator, "den": value.denominator, "percent": _percent(value)}


def _percent(value: Fraction) -> float:
    return float(percent(value, PERCENT_PLACES))


def source_json(source: Source) -> dict[str, Any]:
    return {
        "source": source.name,
        **fraction(source.value),
        "kind": source.kind,
        "error": 100 * float(source.error),
    }


def _trigger(trigger: Trigger) -> dict[str, Any]:
    return {
        "name": trigger.name,
        "probability": fraction(trigger.probability),
        "mean_games": float(1 / trigger.probability) if trigger.probability else None,
        "kind": trigger.kind,
        "once": trigger.once,
    }


def _simulation(sheet: Sheet) -> dict[str, Any] | None:
    played = sheet.simulation
    if played is None:
        return None
    return {
        "command": played.command,
        "rounds": played.rounds,
        "percent": 100 * played.value,
        "standard_error": 100 * played.error,
        "z": z_score(played.value, float(sheet.value), played.error),
        "split": [
            {"source": name, "percent": 100 * value, "standard_error": 100 * error}
            for name, (value, error) in played.sources.items()
        ],
        "hit_frequency": played.hit_frequency,
        "sigma": played.sigma,
        "triggers": dict(played.triggers),
        "largest_win_coins": played.largest,
        "convergence": [{"rounds": rounds, "percent": 100 * value} for rounds, value in played.convergence],
    }


def _line_count(at: LineCount) -> dict[str, Any]:
    return {
        "lines": at.lines,
        **fraction(at.value),
        "differ_per_line_bet": list(at.per_line_bet),
        "differ_by_line": list(at.by_line),
    }
