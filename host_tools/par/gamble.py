"""The card gamble (MM-09 to MM-11) is neutral: no way to play it changes the mean of a round's win.

Each bet is fair by itself: half of the 52 cards double a bet on a colour, a quarter quadruple one on a suit. Dynamic
programming over (gambles left, win) shows that the game as it is offered, with its limit and its last gamble, leaves no
way to gain or lose by choosing. A maximum award (G-09) that cuts the win after the gamble is not part of this: it can
only lower the mean, and only of those who gamble.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

CARDS = 52
_SUITS = ("clubs", "diamonds", "hearts", "spades")  # thirteen cards each, in this order
_COLOURS = {"red": ("diamonds", "hearts"), "black": ("clubs", "spades")}
_COLOUR_FACTOR, _SUIT_FACTOR = 2, 4

BETS: dict[str, tuple[str, ...]] = {**_COLOURS, **{suit: (suit,) for suit in _SUITS}}
"""What can be bet on -> the suits that win."""


def factors(bet: str) -> list[int]:
    """What each of the 52 cards multiplies the stake by."""
    factor = _COLOUR_FACTOR if bet in _COLOURS else _SUIT_FACTOR
    return [factor if _SUITS[card * len(_SUITS) // CARDS] in BETS[bet] else 0 for card in range(CARDS)]


def mean_final_win(stake: int, limit: int, gambles: int) -> tuple[Fraction, Fraction]:
    """The least and the greatest mean of the final win, over all policies; both are the stake in a neutral gamble.

    A policy may go by the gambles made and the win so far; randomised policies lie between.

    Args:
        stake: win of the round before the gamble, in coins.
        limit: coins; a win below it is offered, the result may pass it.
        gambles: how many are offered at most.
    """
    laws = [Counter(factors(bet)) for bet in BETS]

    @cache
    def means(win: int, left: int) -> tuple[Fraction, Fraction]:
        options = [(Fraction(win), Fraction(win))]  # collect
        if left and 0 < win < limit:
            for law in laws:
                after = [(means(win * factor, left - 1), cards) for factor, cards in law.items()]
                least = sum(cards * low for (low, _), cards in after)
                greatest = sum(cards * high for (_, high), cards in after)
                options.append((Fraction(least, CARDS), Fraction(greatest, CARDS)))
        return min(low for low, _ in options), max(high for _, high in options)

    return means(stake, gambles)
