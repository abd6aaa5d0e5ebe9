"""What a test file needs to run on CPython under pytest and on MicroPython under `run_micropython.py`."""

import sys

if sys.implementation.name == "micropython":

    def rule(_rule_id):
        """On MicroPython the id is only a label."""
        return lambda test: test

else:
    import pytest

    rule = pytest.mark.rule


def raises(error, call, *args):
    """Asserts that call(*args) raises error, and returns its message."""
    try:
        call(*args)
    except error as raised:
        return str(raised)
    raise AssertionError("%s was not raised" % error.__name__)
