"""Two published games as data, to test the general machinery against figures that others computed.

Lobstermania: PAR sheet of the 96.2 % version; K. Harrigan and M. Dixon, "PAR Sheets, probabilities, and slot machine
play", Journal of Gambling Issues 23 (2009); analysed at wizardofodds.com/games/slots/lobstermania/.
Atkins Diet: M. Shackleford's example of a video slot, wizardofodds.com/games/slots/atkins-diet/.
"""

from __future__ import annotations


def _table(text: str) -> dict[str, list[int]]:
    """Rows of a name and numbers."""
    return {name: [int(number) for number in numbers] for name, *numbers in map(str.split, text.strip().splitlines())}


# Symbol -> positions on reels 1 to 5. The order of the strips was not published.
LOBSTERMANIA_COUNTS = _table(
    """
    wild 2 2 1 4 2
    logo 4 4 3 4 4
    buoy 4 4 5 4 5
    boat 6 4 4 4 4
    lighthouse 5 4 6 6 7
    tuna 6 4 5 6 7
    clam 6 6 5 6 6
    seagull 5 6 5 6 6
    starfish 5 5 6 8 7
    bonus 2 5 6 0 0
    scatter 2 2 2 2 2
    """
)
# Symbol -> pays for 0 to 5 of a kind on a line.
LOBSTERMANIA_PAYS = _table(
    """
    wild 0 0 5 100 500 10000
    logo 0 0 2 40 200 1000
    buoy 0 0 0 25 100 500
    boat 0 0 0 25 100 500
    lighthouse 0 0 0 10 50 500
    tuna 0 0 0 10 50 250
    clam 0 0 0 5 30 200
    seagull 0 0 0 5 30 200
    starfish 0 0 0 5 30 150
    """
)
LOBSTERMANIA_SCATTER_PAYS = {3: 5, 4: 25, 5: 200}
LOBSTERMANIA_AVERAGE_BONUS = 331  # for the bonus symbol on reels 1 to 3 of a line, in line bets

_ATKINS_SYMBOLS = {
    "A": "atkins",
    "T": "steak",
    "H": "ham",
    "W": "wings",
    "S": "sausage",
    "E": "eggs",
    "B": "butter",
    "C": "cheese",
    "N": "bacon",
    "M": "mayonnaise",
    "L": "scale",
}
ATKINS_STRIPS = [
    [_ATKINS_SYMBOLS[letter] for letter in strip]
    for strip in (
        "LMHSNECMSBWNEMTWBCEANMHCELBNSWTB",
        "MWTSCMHBNTSMHABECNSWLMBCNEWMTHCN",
        "HBELCMBHSNTWBMCSENMWHSNCEAWNBCMT",
        "HCALBNCSTENMSCBHMNWSCEBWNMEHSTMN",
        "NLTHCSBNWCSHBTMESHABWMEHNBTMSECW",
    )
]
ATKINS_PAYS = _table(
    """
    atkins 0 0 5 50 500 5000
    steak 0 0 3 40 200 1000
    ham 0 0 2 30 150 500
    wings 0 0 2 25 100 300
    sausage 0 0 0 20 75 200
    eggs 0 0 0 20 75 200
    butter 0 0 0 15 50 100
    cheese 0 0 0 15 50 100
    bacon 0 0 0 10 25 50
    mayonnaise 0 0 0 10 25 50
    """
)
ATKINS_SCATTER_PAYS = {3: 5, 4: 25, 5: 100}
ATKINS_FREE_SPINS = 10  # for three scales or more, in free spins too
ATKINS_FREE_MULTIPLIER = 3  # of lines and scatter
