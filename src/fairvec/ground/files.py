"""Writing files whole or not at all, reading text, and saying how far a long work on one is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources.abc import Traversable
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


def utf8(content: bytes, where: str, fault: Callable[[str], Exception]) -> str:
    """Return the text of a file, without the mark that may stand at its start.

    What is not UTF-8 is refused by raising `fault`, which names the line of the file `where`.
    """
    try:
        text = content.decode("utf-8-sig")
        wrong = text.encode().find(b"\0")  # of UTF-16 without a mark at its start
    except UnicodeDecodeError as error:
        wrong = error.start
    if wrong >= 0:
        line = content.count(b"\n", 0, wrong) + 1
        raise fault(f"{where}, line {line}: this is not UTF-8; save it as UTF-8.")
    return text


def text_of(path: str | Path | Traversable, what: str, fault: Callable[[str], Exception]) -> str:
    """Return the text of a file of UTF-8; `what` says in errors what it should hold."""
    file = Path(path) if isinstance(path, str) else path
    try:
        content = file.read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise fault(f"{path}: the {what} file cannot be read ({reason}).") from None
    return utf8(content, str(path), fault)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all."""
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
