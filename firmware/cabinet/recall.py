"""Rounds run again from their records."""


def resume(events, choices, feed):
    """Runs a round, without a show, through the choices that were made; returns the first event that waits for a new
    one, None when the round is over.

    Args:
        events: the round as `play` gives it, not started.
        choices: the options chosen so far, in order.
        feed: called after every event, for a watchdog; a round of 250 free spins takes half a second.

    Raises:
        ValueError: a choice was not among the options, or the round ends before all choices are used.
    """
    used = 0
    event = next(events)
    while event[0] != "round_win":
        feed()
        option = None
        if event[0] == "choice":
            if used == len(choices):
                return event
            option = choices[used]
            used += 1
        event = events.send(option)
    if used < len(choices):
        raise ValueError("more choices than the round asks for")
    return None
