"""The return of the games: exact mathematics, enumeration, simulation, tuning and PAR sheets."""
