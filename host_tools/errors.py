"""One tree of errors that a user can cause or meet; each class has an exit code of its own.

Every command ends such an error with one line, `picocab: <what happened>: <what to do>`, and the code.
"""

from __future__ import annotations

import errno


class PicocabError(Exception):
    """What happened and what the user can do about it.

    Args:
        what: the failure in one line, naming the file, port or value at fault.
        cure: what to do next, in one line; empty where the message says it already.
    """

    exit_code = 1

    def __init__(self, what: str, cure: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.cure = cure

    def __str__(self) -> str:
        return f"{self.what}: {self.cure}" if self.cure else self.what


class UsageError(PicocabError):
    """A wrong argument or an impossible combination of arguments."""

    exit_code = 2


class ToolMissing(PicocabError):
    """A program, package or compiler that the command needs is not installed."""

    exit_code = 3


class BuildError(PicocabError):
    """A build step failed or its result breaks a limit."""

    exit_code = 4


class PortError(PicocabError):
    """The port does not exist, is busy, or nothing answers on it."""

    exit_code = 5


class BoardError(PicocabError):
    """Something answers, but it is not a cabinet that can do what was asked."""

    exit_code = 6


class ImageError(PicocabError):
    """An image file is missing, corrupt, of the wrong kind or too large."""

    exit_code = 7


class DeployError(PicocabError):
    """A deployment did not finish, or what was read back differs from what was sent."""

    exit_code = 8


class EmulatorError(PicocabError):
    """The emulated Pico did something that silicon would not survive, or ran past its time."""

    exit_code = 9


class CheckFailed(PicocabError):
    """A check that the command exists to make found a difference."""

    exit_code = 10


class FileError(PicocabError):
    """A file or folder that the command needs cannot be read or written."""

    exit_code = 11


_FILE_CURES = {
    errno.ENOSPC: "make room on that disk and run it again",
    errno.EDQUOT: "make room on that disk and run it again",
    errno.EACCES: "run it as the user who owns that folder, or in a checkout of your own",
    errno.EPERM: "run it as the user who owns that folder, or in a checkout of your own",
    errno.EROFS: "use a folder that can be written, or set XDG_CACHE_HOME to one if it is the cache",
}


def file_error(error: OSError) -> FileError:
    """Returns the FileError for what the system says of a file."""
    what = error.strerror or str(error) or type(error).__name__
    name = error.filename if error.filename2 is None else error.filename2
    cure = _FILE_CURES.get(error.errno or 0, "check that path; picocab --debug shows where it happened")
    return FileError(what if name is None else f"{what}: {name}", cure)
