"""The way to a board: find its port, talk to its REPL, send it a program image, copy a UF2 to its boot drive."""
