"""The reference of the four games: the rules once more, in plain Python, for comparison event by event."""
