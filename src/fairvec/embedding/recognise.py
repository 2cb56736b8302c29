"""Which format a file is in: what it holds decides, its name only hints."""

from pathlib import Path

from fairvec.embedding.formats import FORMATS, Format
from fairvec.embedding.formats.reading import HEAD_BYTES
from fairvec.ground.errors import FileFormatError, UnknownNameError
from fairvec.ground.text.remedies import option, without

KNOWN_STRANGERS = (
    (b"<!doctype", "it is a web page: the download went wrong, so fetch the model again"),
    (b"<html", "it is a web page: the download went wrong, so fetch the model again"),
    (b"version https://git-lfs", "it is a pointer of git-lfs: run 'git lfs pull' to get the file"),
    (b"\xff\xfe", "it is text in UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "it is text in UTF-16: save it as UTF-8"),
)


def head_of(path: Path) -> bytes:
    """Return the first bytes of a file."""
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def recognised(path: Path, head: bytes) -> Format | None:
    """Return the format that a file's first bytes show, if one is known."""
    for candidate in FORMATS:
        try:
            if candidate.recognises(path, head):
                return candidate
        except OSError:  # a member of an archive: its name is known, but it is not on disk
            continue
    return None


def suggested(path: Path) -> Format | None:
    """Return the format that a file's name ends like, if one is known."""
    suffix = path.suffix.lower()
    return next((known for known in FORMATS if suffix in known.suffixes), None)


def format_of(path: Path, asked: str | None) -> Format:
    """Return the format to read a file in; one asked for must not contradict the content."""
    head = head_of(path)
    if not head.strip():
        raise FileFormatError(f"{path.name} is empty; fetch or write it again.")
    found = recognised(path, head)
    if asked is not None:
        wanted = _named(asked)
        if found is not None and found.name != wanted.name:
            raise FileFormatError(
                f"{path.name} is not in the format {asked}: it looks like {found.name}; "
                f"leave out {without('format')}, or say {option('format', found.name)}."
            )
        return wanted
    for beginning, remedy in KNOWN_STRANGERS:
        if head.lower().startswith(beginning):
            raise FileFormatError(f"{path.name} is not an embedding, {remedy}.")
    if found is None and path.suffix.lower() == ".toml":
        raise FileFormatError(
            f"{path.name} is not an embedding but a file of lists: name it after an option, as in "
            "'fairvec audit MODEL --suite FILE.toml'."
        )
    chosen = found or suggested(path)
    if chosen is None:
        raise FileFormatError(
            f"{path.name} is in no format that fairvec recognises "
            f"({', '.join(known.name for known in FORMATS)}); name one with "
            "format=... (--format), or convert the file to word2vec text."
        )
    return chosen


def _named(name: str) -> Format:
    for known in FORMATS:
        if known.name == name:
            return known
    raise UnknownNameError("format", name, (known.name for known in FORMATS))
