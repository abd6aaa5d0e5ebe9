"""The return of the games: exact mathematics, enumeration, simulation, tuning and PAR sheets."""

INSTALL = "make test installs it, or: pip install -e '.[par]'"  # the cure when a package of this extra is missing
