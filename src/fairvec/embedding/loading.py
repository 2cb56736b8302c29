"""Load an embedding from a file, a model of the catalogue, or an object in Python.

load            the public call, with every option as a keyword; warns of what is doubtful
read            the same with the options in one object, and without warnings
shape_of        rows and columns of a file, read without keeping a vector
"""

import errno
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import (
    FileFormatError,
    MissingExtraError,
    SettingError,
    UnknownNameError,
    warn_user,
)
from fairvec.core.format import omit_hint
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.read_files import is_file, is_folder, require_regular_file
from fairvec.core.text import LONGEST_NAME, short_repr
from fairvec.embedding.archives import SUFFIXES as ARCHIVE_SUFFIXES
from fairvec.embedding.archives import unpacked
from fairvec.embedding.detect_geometry import (
    choose_geometry,
    geometry_notes,
    place_points,
    question_of_space,
)
from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.formats import detect_format, format_for_suffix
from fairvec.embedding.formats.base import (
    LOAD_DEFAULTS,
    InvalidUtf8,
    LoadOptions,
    Outside,
    ReadOptions,
    Unseen,
    VectorRole,
)
from fairvec.embedding.formats.text import remark_on_damage
from fairvec.embedding.python_objects import (
    KeyedVectors,
    from_arrays,
    from_dict,
    from_keyed_vectors,
    word_filter,
    word_filter_notes,
)
from fairvec.geometry import Geometry
from fairvec.geometry import geometry as geometry_named

Source = str | PathLike[str] | Mapping[str, Any] | NDArray[Any] | KeyedVectors


def load(
    source: Source,
    words: Iterable[str] | None = None,
    *,
    keys: Sequence[str] | None = None,
    geometry: str | Geometry | None = None,
    curvature: float | None = None,
    format: str | None = None,
    name: str | None = None,
    invalid_utf8: InvalidUtf8 = "refuse",
    outside: Outside = "refuse",
    vectors: VectorRole = "target",
    language: str | Sequence[str] | None = None,
    vocabulary: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Embedding:
    """Return an embedding from a path, a name of the catalogue, or points held in Python.

    Args:
        source: A file (also inside .gz, .xz, .bz2 or .zip; "file.zip::member" chooses one of
            several), a model's name, an array (with `keys`), a dict, or gensim's KeyedVectors.
        words: Keep only these keys.
        keys: The names of the rows, when `source` is an array.
        geometry: "euclidean", "poincare", "poincare-x50" (a product of 50 balls) or a Geometry;
            else what the file or the catalogue says.
        curvature: The c of the ball, or of each ball.
        format: The file's format, if it is not to be recognised.
        name: What to call the embedding; else the name of the model or file.
        invalid_utf8: "refuse" a key that is not UTF-8, or "replace" what cannot be read in it.
        outside: "refuse" points outside the ball, or "project" them just inside.
        vectors: Of whole models of gensim or Poincaré GloVe, which learn two vectors a word: the
            word's own ("target"), that of the word as a neighbour ("context"), or both in one
            ("aggregated": their sum, in a ball the point halfway between them).
        language: The code of the model's language, or of several (["en", "hi"]); else what the
            file or the catalogue says. By it suites and benchmarks are chosen.
        vocabulary: The file with the words of a .npy, .pt or .pth matrix: one a line, or JSON; else
            the one beside it that has its name and ends in .vocab, .txt or .json.
        progress: Called with (bytes done, bytes in all) while fetching and reading.
    """
    how = LoadOptions(
        geometry, curvature, outside, vectors, format, language, invalid_utf8, vocabulary
    )
    embedding = read(source, how, words=words, keys=keys, name=name, progress=progress)
    warn_of_reading(embedding)
    return embedding


def read(
    source: Source,
    how: LoadOptions = LOAD_DEFAULTS,
    *,
    words: Iterable[str] | None = None,
    keys: Sequence[str] | None = None,
    name: str | None = None,
    progress: Progress | None = None,
    unseen: Unseen | None = None,
) -> Embedding:
    """Return an embedding as `load` does, with the options of reading in one object.

    What `load` warns of stands in the history, for the caller to report.
    `unseen` names words outside the vocabulary to compose, where the format can do that.
    """
    if not isinstance(source, str | PathLike):
        if how.vocabulary is not None:
            raise SettingError("vocabulary= belongs to a file; name the words with keys=...")
        if how.vectors != "target":
            raise SettingError(_one_vector_message("An object of Python"))
        settings: dict[str, Any] = {
            "words": words,
            "geometry": how.geometry,
            "curvature": how.curvature,
            "name": name or "embedding",
            "outside": how.outside,
            "language": how.language,
            "unseen": unseen,
        }
        return _read_object(source, keys, settings)
    if keys is not None:
        raise SettingError("keys= belongs to an array; a file has its own keys.")
    file = _locate(source, progress)
    vocabulary = None if how.vocabulary is None else Path(how.vocabulary)
    options = ReadOptions(
        word_filter(words), how.invalid_utf8, progress, how.vectors, vocabulary, unseen
    )
    with unpacked(file.path, file.member) as path:
        reader = detect_format(path, how.format)
        if how.vectors != "target" and "vectors" not in reader.options:
            raise SettingError(_one_vector_message(f"{file.path.name} ({reader.name})"))
        if vocabulary is not None and "vocabulary" not in reader.options:
            raise SettingError(
                f"{file.path.name} ({reader.name}) has words of its own; leave out "
                f"{omit_hint('vocabulary')}."
            )
        content = reader.read(path, options)
    details: dict[str, Any] = {"file": file.path.name, "format": reader.name, **content.notes}
    if path != file.path:
        details["unpacked"] = path.name
    details |= word_filter_notes(file.path.name, content, options)
    space = choose_geometry(how.geometry, how.curvature, content.geometry, file.geometry)
    details |= geometry_notes(how, content, space, file.geometry)
    name = name or file.name or content.name or _model_name(file.path)
    embedding = place_points(content, space, Step("read", details), name, how.outside)
    languages = how.language if how.language is not None else content.languages or file.languages
    return embedding if languages == () else embedding.with_languages(languages)


def warn_of_reading(embedding: Embedding) -> None:
    """Warn that points may lie in a ball that nobody named, or that a file may be cut off."""
    ball, flat = (f"fairvec.load(..., geometry={name!r})" for name in ("poincare", "euclidean"))
    warn_user(question_of_space(embedding, ball, flat))
    warn_user(remark_on_damage(embedding))


class _SourceFile(NamedTuple):
    """The file of an embedding, and what the catalogue says of it if it was found by name."""

    path: Path
    member: str | None = None
    name: str | None = None
    geometry: Geometry | None = None
    languages: tuple[str, ...] = ()


MEMBER_MARK = "::"


def _locate(source: str | PathLike[str], progress: Progress | None) -> _SourceFile:
    """Find the file: one that exists wins over a name of the catalogue, a folder does not."""
    text = str(Path(source)) if isinstance(source, PathLike) else source
    outer, _, member = text.partition(MEMBER_MARK)
    for path, inner in ((Path(text), None), (Path(outer), member)):
        if is_file(path):
            return _SourceFile(path, inner)
        require_regular_file(path, FileFormatError)
    # Imported here: reading a file needs none of what downloads need.
    from fairvec.catalogue import find, local_path, names

    if text not in names():
        if is_folder(text) or is_folder(outer):
            raise FileFormatError(
                f"{short_repr(text, LONGEST_NAME)} is a folder; name the file of the embedding in "
                "it, or make word vectors of an encoder with 'fairvec distil'."
            )
        raise _unknown_source(text, names())
    model = find(text)
    path = local_path(text, progress=progress, shape_of=shape_of)
    space = geometry_named(model.geometry, model.curvature)
    return _SourceFile(path, None, model.name, space, (model.language,))


def _unknown_source(text: str, names: Sequence[str]) -> UnknownNameError:
    """Return the error for a source that is neither a file nor a name of the catalogue."""
    hint = "See 'fairvec models list'."
    if "://" in text:
        hint = "Download it and name the file, or give it a name (docs/models.md says how)."
        names = ()
    elif "/" in text or "\\" in text or Path(text).suffix[1:].isalpha():
        hint = "Check its path, or see 'fairvec models list' for names."
        names = ()
    return UnknownNameError("file or model", text, names, hint=hint)


def _model_name(path: Path) -> str:
    """Return the file's name without the suffixes of its format and compression."""
    inner = Path(path.stem) if path.suffix.lower() in ARCHIVE_SUFFIXES else path
    return inner.stem if format_for_suffix(inner) else inner.name


def _read_object(source: Any, keys: Sequence[str] | None, settings: dict[str, Any]) -> Embedding:
    if keys is not None:
        return from_arrays(keys, source, **settings)
    if isinstance(source, Mapping):
        return from_dict(source, **settings)
    # gensim's full models keep their KeyedVectors there.
    vectors = getattr(source, "wv", getattr(source, "kv", source))
    if isinstance(vectors, KeyedVectors):
        if settings["geometry"] is None and type(vectors).__name__.startswith("Poincare"):
            settings["geometry"] = "poincare"
        return from_keyed_vectors(vectors, **settings)
    if isinstance(source, np.ndarray):
        raise SettingError("An array needs the names of its rows; give them with keys=...")
    raise SettingError(
        f"An embedding cannot be made of {type(source).__name__}; give a path, a model's name, "
        "an array with keys=..., a dict, or gensim's KeyedVectors."
    )


def _one_vector_message(source: str) -> str:
    return (
        f"{source} holds one vector a word; context and aggregated ones are read only from files "
        f"of whole models of gensim or Poincaré GloVe: leave out {omit_hint('vectors')}."
    )


NO_WORDS: frozenset[str] = frozenset()


def shape_of(path: Path) -> tuple[int, int] | None:
    """Return how many vectors of how many dimensions a file holds, or raise FileFormatError.

    None if this machine lacks the memory, disk space or extra to open it, which says nothing
    about the file.
    """
    try:
        with unpacked(path) as embedding_file:
            # Whether to accept keys that are not UTF-8 is decided when the model is loaded.
            options = ReadOptions(words=NO_WORDS, invalid_utf8="replace")
            content = detect_format(embedding_file, None).read(embedding_file, options)
    except (MemoryError, MissingExtraError):
        return None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return None
    return content.rows, int(content.vectors.shape[1])
