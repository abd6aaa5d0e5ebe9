"""One file a game: its tables (strips, pays, lines) and its own rules, each marked with its id."""

GAMES = ("mad_hatters", "mad_mad_monkey", "santa_vs_rudolf", "haunted_house")


_loaded = {}


def game_module(name):
    """The module of a game, loaded when it is first asked for.

    Raises:
        ValueError: there is no such game.
    """
    module = _loaded.get(name)
    if module is None:
        if name == "mad_hatters":
            from . import mad_hatters as module
        elif name == "mad_mad_monkey":
            from . import mad_mad_monkey as module
        elif name == "santa_vs_rudolf":
            from . import santa_vs_rudolf as module
        elif name == "haunted_house":
            from . import haunted_house as module
        else:
            raise ValueError("no game is called %s" % (name,))
        _loaded[name] = module
    return module
