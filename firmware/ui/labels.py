"""Words of the screens: what a choice offers, what a feature is called."""

_SUITS = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "JACK", "QUEEN", "KING", "ACE")

CHOICE_TITLES = ("CHOOSE YOUR HATTER", "PICK A CLOCK", "PICK A GIFT", "GAMBLE?")
_GAMBLE = ("COLLECT", "RED X2", "BLACK X2", "CLUBS X4", "DIAMONDS X4", "HEARTS X4", "SPADES X4")
_HATTERS = ("JOHN", "JAMES", "JEFF")


def option_label(kind, option):
    """The word on the button of an option (kinds as in rules.choice)."""
    if kind == 0:
        return _HATTERS[option]
    if kind == 3:
        return _GAMBLE[option]
    return str(option + 1)


def card_name(card):
    """A card 0 to 51, such as "QUEEN OF HEARTS"."""
    return "%s OF %s" % (_RANKS[card % 13], _SUITS[card // 13])
