"""Writing files whole or not at all, and saying how far a long work on one is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in all; 0 if not known)."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a draft path that takes the place of `path` once the block ends without an error.

    The draft lies in a temporary folder beside `path`, so the last step is one atomic rename, and
    an interrupted write leaves what was there before.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        draft = Path(folder) / path.name
        yield draft
        draft.replace(path)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all."""
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
