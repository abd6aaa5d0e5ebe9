"""One device a file. A driver takes ready pins and state machines, keeps its tables as data and offers deinit()."""
