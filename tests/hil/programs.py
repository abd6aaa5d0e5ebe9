"""Programs that tests start on the emulated cabinet instead of its own."""

BROKEN_ROUND = """
import cabinet.game
import program
played = cabinet.game.play
def broken(*arguments):
    events = played(*arguments)
    yield next(events)
    raise ValueError("the record of the round is invalid")
cabinet.game.play = broken
program.main()
"""
