"""Debiasing a model that is larger than memory, from one file to another."""

from os import PathLike
from pathlib import Path

from fairvec.embedding import Embedding, load, save
from fairvec.embedding.formats.checks import ROWS_AT_ONCE
from fairvec.embedding.recognise import head_of
from fairvec.embedding.saving import writer_of
from fairvec.ground.disk.at_hand import is_file
from fairvec.ground.disk.files import Progress
from fairvec.ground.errors import SettingError
from fairvec.ground.machine.mapped_files import is_mapped
from fairvec.ground.machine.memory import in_words
from fairvec.ground.safetensors_layout import (
    BLOCK_BYTES,
    begins_like_safetensors,
    open_tensors,
)
from fairvec.mitigation.transform.fitted import BLOCK, Transform
from fairvec.mitigation.transform.moved_vectors import PIECE_BYTES, lazily

BYTES_PER_KEY = 300
"""A short key takes about this much as text, in the look-up and while it is written."""
ARRAYS = 6
"""How many float64 blocks there are while rows move."""
LINES_BYTES = 1 << 26
"""Text is written by up to eight threads, each with a block of lines."""


def debias_file(
    transform: Transform,
    source: str | PathLike[str] | Embedding,
    target: str | PathLike[str],
    *,
    max_memory: int,
    progress: Progress | None = None,
) -> Path:
    """Write a transformed embedding whole or not at all, holding a few blocks of rows at a time.

    Args:
        transform: The change.
        source: A file, or an embedding over one. Only native files with plain vectors and
            safetensors files are mapped; all others, and what is compressed, are read whole.
        target: The ending chooses the format, as in `save`; npz is put together in memory.
        max_memory: The bytes that may be held beyond the interpreter and its libraries; if they
            cannot suffice, an error says so before anything is written.
        progress: Called with (done, in all) while writing.
    """
    if not isinstance(source, Embedding):
        refuse_to_read(Path(source), max_memory)
        source = load(source)
    moved = lazily(transform, source)
    needed = _needed(source, moved, Path(target))
    if needed > max_memory:
        raise SettingError(
            f"Debiasing {source.name} into {Path(target).name} takes about {in_words(needed)} and "
            f"{in_words(max_memory)} are allowed; allow more, or go from .fairvec to .fairvec."
        )
    return save(moved, target, progress=progress)


def refuse_to_read(path: Path, max_memory: int) -> None:
    """Raise where a file has to be read whole and is larger than the memory allowed."""
    if is_file(path) and path.stat().st_size > max_memory and not _can_be_mapped(path):
        raise SettingError(
            f"{path.name} has to be read whole ({in_words(path.stat().st_size)}) and "
            f"{in_words(max_memory)} are allowed; only .fairvec files with plain vectors and "
            ".safetensors files are read bit by bit: convert it, or allow more."
        )


def _can_be_mapped(path: Path) -> bool:
    if not begins_like_safetensors(head_of(path)):
        return False
    entries = open_tensors(path).entries.values()
    return any(len(entry.shape) == 2 and entry.dtype.startswith("F") for entry in entries)


def _needed(source: Embedding, moved: Embedding, target: Path) -> int:
    """Return the bytes that keys, blocks and all that is held whole take, about."""
    writer, floats = writer_of(target).name, moved.vectors.dtype.itemsize
    checked, moving = ROWS_AT_ONCE * (floats + 1), BLOCK * 8 * ARRAYS
    blocks = max((checked + moving) * moved.dimensions, 2 * BLOCK_BYTES) + PIECE_BYTES
    lines = LINES_BYTES if writer in ("csv", "tsv") or writer.endswith("-text") else 0
    read_whole = 0 if is_mapped(source.vectors) else source.vectors.nbytes
    written_whole = moved.vectors.nbytes if writer == "npz" else 0
    return len(source) * BYTES_PER_KEY + blocks + lines + read_whole + written_whole
