"""The card gamble (MM-09 to MM-11) is neutral: no way to play it changes the mean of a round's win.

Each bet is fair by itself: half of the 52 cards double a bet on a colour, a quarter quadruple one on a suit. Dynamic
programming over (gambles left, win) shows that the game as it is offered, with its limit and its last gamble, leaves no
way to gain or lose by choosing. A maximum award (G-09) that cuts the win after the gamble is not part of this: it can
only lower the mean, and only of those who gamble.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

Tables = Mapping[str, Any]

_SUITS = ("clubs", "diamonds", "hearts", "spades")  # a quarter of the cards each, in this order
_COLOURS = {"red": ("diamonds", "hearts"), "black": ("clubs", "spades")}

BETS: dict[str, tuple[str, ...]] = {**_COLOURS, **{suit: (suit,) for suit in _SUITS}}
"""What can be bet on -> the suits that win."""


def factors(tables: Tables, bet: str) -> list[int]:
    """What each card multiplies the stake by."""
    gamble = tables["gamble"]
    cards = gamble["cards"]
    factor = gamble["colour_factor" if bet in _COLOURS else "suit_factor"]
    return [factor if _SUITS[card * len(_SUITS) // cards] in BETS[bet] else 0 for card in range(cards)]


def mean_final_win(tables: Tables, stake: int, limit: int | None = None) -> tuple[Fraction, Fraction]:
    """The least and the greatest mean of the final win, over all policies; both are the stake in a neutral gamble.

    A policy may go by the gambles made and the win so far; randomised policies lie between.

    Args:
        tables: of the game, with the cards, their factors and how many gambles are offered at most.
        stake: win of the round before the gamble, in coins.
        limit: coins; a win below it is offered, the result may pass it. None is no limit.
    """
    laws = [Counter(factors(tables, bet)) for bet in BETS]
    cards_in_all = tables["gamble"]["cards"]

    @cache
    def means(win: int, left: int) -> tuple[Fraction, Fraction]:
        options = [(Fraction(win), Fraction(win))]  # collect
        if left and win > 0 and (limit is None or win < limit):
            for law in laws:
                after = [(means(win * factor, left - 1), cards) for factor, cards in law.items()]
                least = sum(cards * low for (low, _), cards in after)
                greatest = sum(cards * high for (_, high), cards in after)
                options.append((Fraction(least, cards_in_all), Fraction(greatest, cards_in_all)))
        return min(low for low, _ in options), max(high for _, high in options)

    return means(stake, tables["gambles"])


def is_neutral(tables: Tables) -> bool:
    """Whether no policy changes the mean, at any stake and any limit.

    One stake without a limit decides. Factors multiply, so wins and means go with the stake; and a policy under a limit
    is one of those without it, that collects from there on.
    """
    return mean_final_win(tables, stake=1) == (Fraction(1), Fraction(1))
