"""Whether something is there, of names that strangers chose: what no disk can hold is not there.

A Path raises an error for a name that is too long; whoever looks for one only wants to know.
"""

import os
from pathlib import Path


def is_there(path: str | Path) -> bool:
    """Say whether anything lies at a path."""
    return os.path.exists(path)  # noqa: PTH110 - that of a Path raises, as said above


def is_file(path: str | Path) -> bool:
    """Say whether a file lies at a path."""
    return os.path.isfile(path)  # noqa: PTH113 - as above


def is_folder(path: str | Path) -> bool:
    """Say whether a folder lies at a path."""
    return os.path.isdir(path)  # noqa: PTH112 - as above
