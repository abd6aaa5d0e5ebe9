"""The inputs of a round, and the round played from them by the core or by the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..core import rules
from ..errors import UsageError
from ..reference.common import Choose, Event, Tables
from ..reference.play import play as play_on_reference
from .events import KINDS, option_names

RULES_VERSION: int = rules("round").RULES_VERSION
SEED_BYTES = 16


class ChoiceMissing(UsageError):
    """The round asks for a choice that was not given."""


@dataclass(frozen=True)
class RoundInputs:
    """All that decides a round (see firmware/rules/ROUNDS.md).

    Attributes:
        game: its name.
        line_bet: coins per line.
        lines: enabled lines.
        seed: 16 bytes.
        choices: the options that the player chose, in order.
        gamble_limit: coins, 0 for no gamble.
        max_award: coins, 0 for no maximum.
    """

    game: str
    line_bet: int
    lines: int
    seed: bytes
    choices: tuple[int, ...] = ()
    gamble_limit: int = 0
    max_award: int = 0

    def line(self) -> str:
        """The inputs as one line of text, rules version first, as board_side.py reads it."""
        numbers = f"{RULES_VERSION} {self.game} {self.line_bet} {self.lines} {self.seed.hex()}"
        return f"{numbers} {self.gamble_limit} {self.max_award} {','.join(map(str, self.choices)) or '-'}"

    def command(self) -> str:
        """The command that plays the round again."""
        words = f"picocab play {self.game} --rules-version {RULES_VERSION} --seed {self.seed.hex()}"
        words += f" --line-bet {self.line_bet} --lines {self.lines}"
        if self.choices:
            words += f" --choices {','.join(map(str, self.choices))}"
        if self.gamble_limit:
            words += f" --gamble-limit {self.gamble_limit}"
        if self.max_award:
            words += f" --max-award {self.max_award}"
        return words


def check_rules_version(version: object, whose: str) -> None:
    """Refuses rounds and tables of other rules than those that are here.

    Args:
        version: the rules version that was found.
        whose: where it was found, for the message.

    Raises:
        UsageError: it is another version.
    """
    if version != RULES_VERSION:
        raise UsageError(
            f"{whose} has rules version {version}, this picocab plays version {RULES_VERSION}",
            "use the picocab of that version",
        )


def play_on_core(inputs: RoundInputs, choose: Choose) -> Iterator[Event]:
    """The events of a round on the rules core, one by one; `choose` is the player, `inputs.choices` are not looked at.

    Raises:
        UsageError: a bet, a number of lines, a seed or a limit that the game does not take.
    """
    try:
        playing = rules("round").play(
            inputs.game, inputs.line_bet, inputs.lines, inputs.seed, inputs.gamble_limit, inputs.max_award
        )
    except ValueError as error:
        raise UsageError(f"{inputs.game} cannot be played so", str(error)) from error
    answer = None
    while True:
        try:
            event = playing.send(answer)
        except StopIteration:
            return
        answer = None
        if event[0] == "window":
            yield ("window", *event[1])  # the core's own window, which its next spin overwrites
            continue
        yield event
        if event[0] == "choice":
            answer = choose(event[1], event[2:])


def play_reference(inputs: RoundInputs, tables: Tables, choose: Choose) -> list[Event]:
    """The events of a round on the reference; `choose` is the player, `inputs.choices` are not looked at.

    Raises:
        UsageError: a bet, a number of lines, a seed or a limit that the game does not take.
    """
    return play_on_reference(
        tables,
        line_bet=inputs.line_bet,
        lines=inputs.lines,
        seed=inputs.seed,
        choose=choose,
        gamble_limit=inputs.gamble_limit,
        max_award=inputs.max_award,
    )


def given_choices(inputs: RoundInputs, tables: Tables) -> tuple[Choose, Callable[[], None]]:
    """The player who makes `inputs.choices`, and a check, for after the round, that the round asked for all of them.

    The player raises ChoiceMissing when the round asks for more and UsageError for an option that is not offered; the
    check raises UsageError.
    """
    given = inputs.choices
    asked = 0

    def choose(kind: int, options: tuple[int, ...]) -> int:
        nonlocal asked
        offered = ", ".join(option_names(tables, kind, options))
        if asked == len(given):
            raise ChoiceMissing(
                f"the round asks for choice number {asked + 1}, a {KINDS[kind]}: {offered}",
                "add one of these numbers to --choices",
            )
        option = given[asked]
        asked += 1
        if option not in options:
            raise UsageError(f"choice number {asked} is {option}, but the {KINDS[kind]} offers {offered}")
        return option

    def check_all_asked() -> None:
        if asked != len(given):
            raise UsageError(f"{len(given)} choices are given, the round asks for {asked}", "leave out the others")

    return choose, check_all_asked
