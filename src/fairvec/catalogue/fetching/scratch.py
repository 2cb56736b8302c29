"""A folder to work in beside what is kept, which no later run finds again."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

PREFIX = ".new."


@contextmanager
def scratch_in(folder: Path) -> Iterator[Path]:
    """Yield an empty folder inside `folder`, which is made if it is not there.

    Whoever was killed left theirs behind. Only one process at a time works in `folder`, which its
    lock sees to, so that all others are of such ones.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{PREFIX}*"):
        shutil.rmtree(left, ignore_errors=True)
    with TemporaryDirectory(dir=folder, prefix=PREFIX) as scratch:
        yield Path(scratch)
