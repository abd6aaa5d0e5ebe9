"""One file a game: its tables (strips, pays, lines) and its own rules."""
