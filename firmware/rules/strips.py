"""Strips written as text: one letter a symbol, so that a reel can be read."""


def strip_set(letters, strips):
    """Five strips as bytes of symbol ids.

    Args:
        letters: the letter of each symbol, in id order.
        strips: five strings; spaces only part them for the eye.
    """
    return tuple(bytes(letters.index(letter) for letter in strip if letter != " ") for strip in strips)
