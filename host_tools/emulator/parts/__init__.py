"""The parts of the cabinet around the emulated Pico: one small class for each, with the behaviour of the real thing."""
