"""Turn a name, a path or an object of another library into a model."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from inspect import isroutine
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.api.adapters import (
    WordsAndVectors,
    from_vocabulary,
    input_vectors,
    is_from_package,
    is_tokenizer,
    pandas_frame,
    polars_frame,
    sentence_model_name,
    spacy_vectors,
    to_numpy,
    type_label,
)
from fairvec.core.errors import SettingError
from fairvec.embedding import (
    LOAD_DEFAULTS,
    Embedding,
    LoadOptions,
    from_arrays,
    from_dict,
    load,
    read,
)
from fairvec.embedding.detect_geometry import choose_geometry
from fairvec.embedding.formats.base import Unseen
from fairvec.embedding.loading import warn_of_reading
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.encoders.encoder import Encoder
from fairvec.encoders.endpoint import Endpoint
from fairvec.encoders.endpoint.protocol import is_address
from fairvec.encoders.function import encoder_from_function
from fairvec.encoders.open import is_encoder_name, open_encoder
from fairvec.geometry import Geometry

UNNAMED = "embedding"
SENTENCE_LIBRARIES = ("sentence_transformers", "model2vec")
"""Libraries whose models turn a list of texts into rows by `encode`."""


@dataclass(frozen=True, eq=False)
class ModelSource:
    """A model that is opened when a call needs it, with options that the call does not have.

    `open` is called with what names the words that are to be composed, or None; `place` is the
    file, folder or name.
    """

    place: str
    open: Callable[[Unseen | None], Embedding | Encoder]
    encoding: EncoderOptions = AS_USUAL


def place_of(source: Any) -> str:
    """Return the file, folder or name of a model; empty of an object."""
    if isinstance(source, ModelSource):
        return source.place
    if isinstance(source, Endpoint):
        return source.url
    return _text(fspath(source)) if isinstance(source, str | PathLike) else ""


def as_model(
    source: Any,
    *,
    name: str = "",
    language: str | Sequence[str] | None = None,
    geometry: str | Geometry | None = None,
) -> Embedding | Encoder:
    """Return the model that an object of Python is, holds or names.

    Args:
        source: A name of the catalogue, a path or a folder; an Embedding or Encoder; gensim's
            KeyedVectors or a model with some; a DataFrame of pandas or polars (words in the index
            or in the first column of text); a dict from words to vectors; (words, matrix), where
            the words may be a dict from each to its row and the matrix a tensor or torch's
            Embedding; spaCy's pipeline or vectors; (tokenizer, model) of Hugging Face; a model of
            sentence-transformers or model2vec; an Endpoint; a function from a list of texts to
            rows.
        name: What to call it in results; else its own name, which is that of its card, folder or
            repository where it says one, and else that of its type.
        language: The code of its language, or of several; else what is known of it.
        geometry: Where its points live: "euclidean", "poincare", "poincare-x50" or a Geometry;
            else what it says itself, and flat space where it says nothing.

    Arrays of numpy and gensim are looked at and not copied: leave them as they are while the
    model is in use. Of tensors and tables a copy is made. Nothing that was given is changed.
    """
    if not isinstance(name, str):
        raise SettingError(f"name= is {name!r}; give text, as in name={str(name)!r}.")
    if isinstance(source, str | PathLike) and not str(source):
        raise SettingError("The name of the model is empty; give a name, a file or a folder.")
    if isinstance(source, ModelSource):
        source = source.open(None)
    if isinstance(source, Embedding | Encoder):
        found = _check_geometry(source, geometry)
    elif isinstance(source, Endpoint):
        found = _check_geometry(open_encoder(source), geometry)
    elif isinstance(source, str | PathLike):
        found = _open(fspath(source), geometry)
    elif (encode := _encode_function(source)) is not None:
        title = name or (None if encode is source else sentence_model_name(source))
        found = _check_geometry(encoder_from_function(encode, title), geometry)
    elif is_from_package(source, "gensim"):
        found = load(source, geometry=geometry, name=name or UNNAMED)
    else:
        words = _words_and_vectors(source, name or UNNAMED)
        found = from_arrays(
            words.words,
            words.vectors,
            geometry=geometry,
            name=name or words.name or UNNAMED,
            language=words.language,
            source=words.source,
            notes=words.notes,
        )
    found = found.with_name(name) if name else found
    return found if language is None else found.with_languages(language)


def as_model_with(
    unseen: Unseen, source: Any, *, language: str | Sequence[str] | None = None
) -> Embedding | Encoder:
    """Return the model as above; one that can compose words has those that `unseen` names.

    These are files of fastText, and gensim's fastText in hand.
    """
    if isinstance(source, ModelSource):
        source = source.open(unseen)
    named = isinstance(source, str | PathLike) and str(source) != ""
    if named or (is_from_package(source, "gensim") and _encode_function(source) is None):
        reading = LoadOptions(language=language)
        opened = open_model(source, reading, unseen=unseen, name="" if named else UNNAMED)
        warn_of_opening(opened)
        return opened
    return as_model(source, language=language)


def open_model(
    source: Any,
    reading: LoadOptions = LOAD_DEFAULTS,
    encoding: EncoderOptions = AS_USUAL,
    *,
    words: Iterable[str] | None = None,
    unseen: Unseen | None = None,
    name: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Embedding | Encoder:
    """Return what a file, a folder, a name or an object of gensim holds, by options of reading.

    An encoder is a folder, a function or on the hub. `words` keeps some of an embedding, `unseen`
    names those that are to be composed from pieces, where the model can. An option that is for the
    other kind of model is refused.
    """
    text = place_of(source)
    if not (text and is_encoder_name(text)):
        if encoding != AS_USUAL:
            raise SettingError(
                f"{text} names word vectors, and --layer, --pooling, --dtype, --download, "
                "--token-embeddings and what is for endpoints are for encoders: leave them out."
            )
        return read(
            text or source,
            reading,
            words=words,
            name=name or None,
            progress=progress,
            unseen=unseen,
        )
    if reading not in (LOAD_DEFAULTS, LoadOptions(language=reading.language)):
        raise SettingError(
            f"{text} names an encoder, and of the options of reading only --language is for one: "
            "leave the others out."
        )
    opened = _open_encoder(source if isinstance(source, Endpoint) else text, encoding)
    return opened if reading.language is None else opened.with_languages(reading.language)


def _open_encoder(source: str | Endpoint, encoding: EncoderOptions) -> Embedding | Encoder:
    # Here and not above: word vectors need nothing that encodes or debiases.
    from fairvec.encoders.transformer import read_input_embeddings
    from fairvec.experiments.debiasing.files import is_debiased_encoder, open_debiased_encoder

    if is_address(source):
        source = Endpoint(source, **encoding.of_endpoint)
    folder = None if isinstance(source, Endpoint) else Path(source)
    is_debiased = folder is not None and is_debiased_encoder(folder)
    if not (folder is None or is_debiased) and encoding != encoding.of_local:
        raise SettingError(
            f"{source} is no endpoint, and {_endpoint_options(encoding)} is for one: leave it out."
        )
    if folder is None:
        if encoding.token_embeddings or encoding.download:
            raise SettingError(
                "An endpoint gives no input embeddings and nothing to fetch; leave "
                "--token-embeddings and --download out."
            )
        return open_encoder(
            source,
            layer=encoding.layer,
            pooling=encoding.pooling,
            dtype=encoding.dtype,
            keep=encoding.keep,
        )
    if encoding.token_embeddings:
        return read_input_embeddings(folder)
    if is_debiased:
        return open_debiased_encoder(folder, encoding)
    return open_encoder(
        source,
        layer=encoding.layer,
        pooling=encoding.pooling,
        dtype=encoding.dtype,
        keep=encoding.keep,
        download=encoding.download,
    )


def _endpoint_options(encoding: EncoderOptions) -> str:
    """Return the first option that is for endpoints, as it is written."""
    usual = encoding.of_local
    names = (each.name for each in fields(encoding))
    changed = (name for name in names if getattr(encoding, name) != getattr(usual, name))
    return f"--{next(changed).replace('_', '-')}"


def warn_of_opening(model: Embedding | Encoder) -> None:
    """Warn of what is doubtful in word vectors that were read."""
    if isinstance(model, Embedding):
        warn_of_reading(model)


def as_embedding(source: Any, *, language: str | Sequence[str] | None = None) -> Embedding:
    """Return a model of word vectors; an encoder has no words of its own and is refused."""
    found = as_model(source, language=language)
    if isinstance(found, Embedding):
        return found
    raise SettingError(
        f"{found.name} is an encoder and has no vocabulary; make word vectors of it with "
        "'fairvec distil'."
    )


def _check_geometry(
    model: Embedding | Encoder, requested: str | Geometry | None
) -> Embedding | Encoder:
    space = choose_geometry(requested, None, model.geometry)
    if space != model.geometry:
        raise SettingError(
            f"{model.name} lies in the {model.geometry.name} space, not the {space.name} one; "
            "leave geometry out, or give (model.keys, model.vectors) to declare its numbers anew."
        )
    return model


def _open(source: str | bytes, geometry: str | Geometry | None) -> Embedding | Encoder:
    text = _text(source)
    if is_encoder_name(text):
        return _check_geometry(open_model(text), geometry)
    return load(text, geometry=geometry)


def _text(source: str | bytes) -> str:
    return source.decode() if isinstance(source, bytes) else source


def _encode_function(obj: Any) -> Callable[[list[str]], Any] | None:
    """Return the function from texts to rows that an object is or has."""
    if any(is_from_package(obj, package, "encode") for package in SENTENCE_LIBRARIES):
        encode: Callable[[list[str]], Any] = obj.encode
        return encode
    return obj if isroutine(obj) or isinstance(obj, partial) else None


def _words_and_vectors(obj: Any, name: str) -> WordsAndVectors:
    if is_from_package(obj, "pandas", "columns", "iloc"):
        return pandas_frame(obj, name)
    if is_from_package(obj, "polars", "get_columns"):
        return polars_frame(obj, name)
    if is_from_package(obj, "spacy", "vocab") or is_from_package(obj, "spacy", "key2row"):
        return spacy_vectors(obj, name)
    if is_from_package(obj, "spacy", "vectors", "strings"):
        return spacy_vectors(obj, name)
    if isinstance(obj, Mapping):
        rows = {word: to_numpy(vector, name) for word, vector in obj.items()}
        embedding = from_dict(rows, name=name)
        return WordsAndVectors(list(embedding.keys), embedding.vectors, "dict")
    if isinstance(obj, tuple) and len(obj) == 2:
        return _pair(*obj, name)
    if hasattr(obj, "index_to_key") and hasattr(obj, "vectors"):
        return WordsAndVectors(list(obj.index_to_key), obj.vectors, type(obj).__name__)
    raise SettingError(_refusal(obj))


def _pair(first: Any, second: Any, name: str) -> WordsAndVectors:
    if is_tokenizer(first):
        return input_vectors(first, second, name)
    if is_tokenizer(second) or is_from_package(first, "torch") or getattr(first, "ndim", 1) == 2:
        raise SettingError(
            f"{name}: {type_label(first)} stands where the words should; give (words, matrix) or "
            "(tokenizer, model), the words or the tokenizer first."
        )
    if hasattr(second, "get_input_embeddings"):
        second = second.get_input_embeddings()
    if is_from_package(second, "torch", "weight"):
        source = type(second).__name__
        return from_vocabulary(first, to_numpy(second.weight, name), f"torch {source}", name)
    if isinstance(second, str | bytes | Mapping) or callable(second):
        raise SettingError(
            f"{name}: {type_label(second)} stands where the matrix should; give (words, matrix)."
        )
    return from_vocabulary(first, to_numpy(second, name), "words and matrix", name)


def _refusal(obj: Any) -> str:
    """Say in one sentence what an object is and what to give instead."""
    lead = f"A model cannot be made of {type_label(obj)} alone"
    if is_from_package(obj, "polars", "collect"):
        return f"{lead}, which is not computed yet; give frame.collect()."
    if is_tokenizer(obj) or hasattr(obj, "get_input_embeddings"):
        return f"{lead}; give (tokenizer, model)."
    if isinstance(obj, np.ndarray) or is_from_package(obj, "torch"):
        return f"{lead}, which has no words; give (words, matrix)."
    if isinstance(obj, list | tuple):
        return f"{lead}; give the tuple (words, matrix), or one model after the other."
    return (
        f"{lead}; give a path, a model's name, (words, matrix), a dict from words to vectors, a "
        "DataFrame, gensim's KeyedVectors, spaCy's pipeline, (tokenizer, model), or a function "
        "from texts to rows."
    )
