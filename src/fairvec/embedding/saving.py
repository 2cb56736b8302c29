"""Write an embedding in the format that the file's suffix names, and say what that format drops."""

from os import PathLike
from pathlib import Path

from fairvec.core.errors import FileFormatError, SettingError, UnknownNameError, warn_user
from fairvec.core.io.atomic_files import Progress, atomic_path, check_writable_file
from fairvec.core.io.read_files import as_path
from fairvec.core.text import short_repr
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats import format_for_suffix, sniff, writable_formats
from fairvec.embedding.formats.base import (
    COMPRESSIONS_TO_WRITE,
    HEAD_BYTES,
    WritableFormat,
    WriteOptions,
    open_compressed,
)
from fairvec.embedding.formats.rows import refuse_empty
from fairvec.geometry import Euclidean

FLOATS = ("float16", "float32", "float64")


def save(
    embedding: Embedding,
    path: str | PathLike[str],
    *,
    format: str | None = None,
    licence: str = "",
    origin: str = "",
    force: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write the embedding whole or not at all, and return the path.

    Only `.fairvec` keeps everything and is memory-mapped on loading. Where another format rounds
    the numbers or leaves out the geometry or the counts, a warning says so; `lost_by_saving` names
    all that it leaves out.

    Args:
        embedding: What to write; it is gone through in blocks and may be larger than memory.
        path: The ending chooses the format: .fairvec, .vec or .w2v (word2vec text), .bin (word2vec
            binary), .txt or .glove (GloVe text), .csv, .tsv, .npz, .safetensors; text and binary
            files may also end in .gz, .xz or .bz2.
        format: The format's name, where the ending does not say it.
        licence: The rights, kept by `.fairvec`.
        origin: Where the vectors come from, kept by `.fairvec`.
        force: Write over a file that is there; without it that is refused.
        progress: Called with (done, in all) while writing.
    """
    written = write_embedding(
        embedding,
        path,
        format=format,
        licence=licence,
        origin=origin,
        force=force,
        progress=progress,
    )
    warn_of_losses(embedding, path, format=format)
    return written


def write_embedding(
    embedding: Embedding,
    path: str | PathLike[str],
    *,
    format: str | None = None,
    licence: str = "",
    origin: str = "",
    force: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write as `save` does, without a warning: for callers that report `lost_by_saving`."""
    target = as_path(path, "say save(model, 'model.npz')")
    if not isinstance(embedding, Embedding):
        raise SettingError(
            f"An Embedding is saved, not an object of the kind {type(embedding).__name__}; make "
            "one with fairvec.load, as in save(load('glove-en-small'), 'model.npz')."
        )
    writer = format_to_write(target, format)
    dtype = embedding.vectors.dtype.newbyteorder("=").name
    if dtype not in FLOATS:
        raise SettingError(
            f"{target.name} holds {', '.join(FLOATS)}, not {dtype}; convert the vectors first."
        )
    refuse_empty(target, *embedding.vectors.shape)
    _refuse_impossible_keys(embedding, target, writer)
    check_writable_file(target, force=force)
    with atomic_path(target) as draft:
        writer.write(embedding, draft, WriteOptions(licence, origin, progress))
        _refuse_misread(draft, writer)
    return target


def warn_of_losses(
    embedding: Embedding, path: str | PathLike[str], *, format: str | None = None
) -> None:
    """Warn that a file just written will be loaded with other numbers, geometry or counts."""
    lost = [
        part
        for part in lost_by_saving(embedding, path, format=format)
        if part not in ("history", "language")
    ]
    if lost:
        warn_user(
            f"{Path(path).name} does not keep: {', '.join(lost)}; only .fairvec keeps everything."
        )


def lost_by_saving(
    embedding: Embedding,
    path: str | PathLike[str],
    *,
    format: str | None = None,
    licence: str = "",
    origin: str = "",
) -> tuple[str, ...]:
    """Name what `save` with the same arguments leaves out, such as ("history", "counts")."""
    keeps = format_to_write(Path(path), format).keeps
    space = embedding.geometry
    flat = isinstance(space, Euclidean)
    parts = {
        "geometry": "" if flat else f"geometry {space.name}",
        "curvature": "" if flat or space.curvature == 1 else f"curvature {space.curvature:g}",
        "history": "history" if embedding.history else "",
        "counts": "" if embedding.counts is None else "counts",
        "language": "language" if embedding.languages else "",
        "licence": "licence" if licence else "",
        "origin": "origin" if origin else "",
        "float64": "float64 precision" if embedding.vectors.dtype.itemsize > 4 else "",
    }
    kept = keeps | {"curvature"} if "geometry" in keeps else keeps
    return tuple(text for part, text in parts.items() if text and part not in kept)


def format_to_write(path: Path, name: str | None = None) -> WritableFormat:
    """Return the format to write in: of this name or, without a name, of the suffix of `path`."""
    compressed = path.suffix.lower() in COMPRESSIONS_TO_WRITE
    if name is None:
        suffix = Path(path.stem).suffix.lower() if compressed else path.suffix.lower()
        matching = [writer for writer in writable_formats() if suffix in writer.suffixes]
        if not matching:
            raise SettingError(
                f"{path.name}: an embedding is not written to a file that ends like this; choose "
                f"{_format_choices(writable_formats())}, or name the format."
            )
    else:
        matching = [writer for writer in writable_formats() if writer.name == name]
        if not matching:
            raise UnknownNameError(
                "format to write", name, (writer.name for writer in writable_formats())
            )
    if compressed and not matching[0].compressible:
        raise SettingError(
            f"{path.name}: the format {matching[0].name} is not compressed, so that it opens at "
            f"once; leave out {path.suffix}."
        )
    return matching[0]


def _format_choices(writers: tuple[WritableFormat, ...]) -> str:
    return ", ".join(f"{' or '.join(writer.suffixes)} ({writer.name})" for writer in writers)


def _refuse_impossible_keys(embedding: Embedding, path: Path, writer: WritableFormat) -> None:
    impossible = writer.impossible_key.search
    for key in embedding.keys:
        if impossible(key):
            capable = tuple(
                candidate
                for candidate in writable_formats()
                if not candidate.impossible_key.search(key)
            )
            remedy = f"choose {_format_choices(capable)}" if capable else "rename it"
            raise FileFormatError(
                f"{path.name}: {writer.name} holds {writer.holds}, not {short_repr(key)}; {remedy}."
            )


def _refuse_misread(draft: Path, writer: WritableFormat) -> None:
    """Raise where the first bytes look like another format: the file would be read as that."""
    with open_compressed(draft, "rb") as file:
        head = file.read(HEAD_BYTES)
    inner = (
        draft.with_suffix("")
        if writer.compressible and draft.suffix.lower() in COMPRESSIONS_TO_WRITE
        else draft
    )
    found = sniff(inner, head) or format_for_suffix(inner)
    if found is None or found.name != writer.name:
        mistaken_for = "nothing known" if found is None else found.name
        raise FileFormatError(
            f"{draft.name}: these keys and numbers, written as {writer.name}, would be taken for "
            f"{mistaken_for} on reading; choose another format, such as .fairvec."
        )
