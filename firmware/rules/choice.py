"""What a player is asked (see ROUNDS.md)."""

HATTER = 0
CLOCK = 1
GIFT = 2
GAMBLE = 3


def choose(kind, options):
    """Asks the player: yields the events of a choice and returns the option that was sent.

    Raises:
        ValueError: what was sent is not one of the options.
    """
    option = yield ("choice", kind) + tuple(options)
    if not isinstance(option, int) or option not in options:
        raise ValueError("%s is none of the options of the choice" % (option,))
    yield ("chosen", option)
    return option
