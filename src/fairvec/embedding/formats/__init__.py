"""The file formats that fairvec reads and writes, and how the format of a file is detected.

The content decides, by the first of FORMATS that recognises it; the suffix only where none does. To
add a format, write a subclass of `base.Format`, or of `base.WritableFormat` if it can be written
too, in a module of its own and add it to FORMATS.
"""

from pathlib import Path

from fairvec.core.errors import FileFormatError, UnknownNameError
from fairvec.core.format import omit_hint, setting_hint
from fairvec.embedding.formats.base import HEAD_BYTES, Format, WritableFormat
from fairvec.embedding.formats.delimited import CSV, TSV
from fairvec.embedding.formats.fasttext import FastText
from fairvec.embedding.formats.gensim import Gensim
from fairvec.embedding.formats.native import Native, Safetensors
from fairvec.embedding.formats.navec import Navec
from fairvec.embedding.formats.numpy_files import Npy, Npz
from fairvec.embedding.formats.text import GLOVE_TEXT, WORD2VEC_TEXT
from fairvec.embedding.formats.torch_file import Torch
from fairvec.embedding.formats.word2vec_binary import Word2VecBinary

FORMATS: tuple[Format, ...] = (
    Native(),
    Safetensors(),
    Npz(),
    Npy(),
    Torch(),
    Gensim(),
    Navec(),
    CSV,
    TSV,
    Word2VecBinary(),
    FastText(),
    WORD2VEC_TEXT,
    GLOVE_TEXT,
)


def writable_formats() -> tuple[WritableFormat, ...]:
    """Return the formats that can be written."""
    return tuple(known for known in FORMATS if isinstance(known, WritableFormat))


def detect_format(path: Path, name: str | None) -> Format:
    """Return the format to read a file in; one that is named must not contradict the content."""
    head = read_head(path)
    if not head.strip():
        raise FileFormatError(f"{path.name} is empty; fetch or write it again.")
    detected = sniff(path, head)
    if name is not None:
        requested = _format_by_name(name)
        if detected is not None and detected.name != requested.name:
            raise FileFormatError(
                f"{path.name} is not in the format {name}: it looks like {detected.name}; "
                f"leave out {omit_hint('format')}, or say {setting_hint('format', detected.name)}."
            )
        return requested
    for beginning, remedy in OTHER_FILES:
        if head.lower().startswith(beginning):
            raise FileFormatError(f"{path.name} is not an embedding, {remedy}.")
    if detected is None and path.suffix.lower() == ".toml":
        raise FileFormatError(
            f"{path.name} is not an embedding but a file of lists: name it after an option, as in "
            "'fairvec audit MODEL --suite FILE.toml'."
        )
    guessed = detected or format_for_suffix(path)
    if guessed is None:
        raise FileFormatError(
            f"{path.name} is in no format that fairvec recognises "
            f"({', '.join(known.name for known in FORMATS)}); name one with "
            "format=... (--format), or convert the file to word2vec text."
        )
    return guessed


OTHER_FILES = (
    (b"<!doctype", "it is a web page: the download went wrong, so fetch the model again"),
    (b"<html", "it is a web page: the download went wrong, so fetch the model again"),
    (b"version https://git-lfs", "it is a pointer of git-lfs: run 'git lfs pull' to get the file"),
    (b"\xff\xfe", "it is text in UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "it is text in UTF-16: save it as UTF-8"),
)


def _format_by_name(name: str) -> Format:
    for known in FORMATS:
        if known.name == name:
            return known
    raise UnknownNameError("format", name, (known.name for known in FORMATS))


def sniff(path: Path, head: bytes) -> Format | None:
    """Return the format that a file's first bytes show, if one is known."""
    for candidate in FORMATS:
        try:
            if candidate.recognises(path, head):
                return candidate
        except OSError:  # a member of an archive, which is not on disk
            continue
    return None


def format_for_suffix(path: Path) -> Format | None:
    """Return the format that a file's name ends like, if one is known."""
    suffix = path.suffix.lower()
    return next((known for known in FORMATS if suffix in known.suffixes), None)


def read_head(path: Path) -> bytes:
    """Return the first bytes of a file."""
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)
