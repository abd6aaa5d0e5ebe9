"""Stands for the module `micropython` on CPython: machine code is MicroPython's business."""


def viper(function):
    """On CPython a viper function is an ordinary one."""
    return function
