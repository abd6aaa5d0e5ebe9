"""The virtual cabinet: the real firmware on an emulated Pico, to play with and to show."""
