# mypy: ignore-errors
# ruff: noqa: SIM108, UP031 (MicroPython: its modules are not CPython's, and this runs on old ones too)
# Runs on MicroPython: sent to a board's raw REPL, or imported by the unix port. The rules must be on the path.
import sys
from binascii import hexlify, unhexlify
from hashlib import sha256

from rules.round import RULES_VERSION, play


def event_lines(line):
    # The events of the round that a line describes (RoundInputs.line), as text: the name and the numbers.
    version, game, line_bet, lines, seed, gamble_limit, max_award, choices = line.split(" ")
    if int(version) != RULES_VERSION:
        raise ValueError("rules version %s, not %d" % (version, RULES_VERSION))
    choices = [] if choices == "-" else choices.split(",")
    asked = 0
    answer = None
    try:
        playing = play(game, int(line_bet), int(lines), unhexlify(seed), int(gamble_limit), int(max_award))
        while True:
            event = playing.send(answer)
            answer = None
            name = event[0]
            if name == "window":
                numbers = event[1]
            else:
                numbers = event[1:]
            yield " ".join([name] + [str(number) for number in numbers])
            if name == "choice":
                answer = int(choices[asked])
                asked += 1
    except StopIteration:
        return
    except Exception as error:
        yield "error %s: %s" % (type(error).__name__, error)


def digest(lines):
    # SHA-256 over all event lines of these rounds, in hex.
    whole = sha256()
    for line in lines:
        for text in event_lines(line):
            whole.update(text)
            whole.update(b"\n")
    return hexlify(whole.digest()).decode()


def serve():
    # Answers requests on standard input until it ends. `digest N` and N rounds: one line; `events` and a round: its
    # events and an empty line.
    take = sys.stdin.readline
    while True:
        request = take().split()
        if not request:
            return
        if request[0] == "digest":
            print(digest([take().rstrip() for _ in range(int(request[1]))]))
        else:
            for text in event_lines(take().rstrip()):
                print(text)
            print()
