"""Open an encoder: a folder, an endpoint, a function, or a name of the Hugging Face hub."""

import os
import re
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.catalogue import cache_folder, names
from fairvec.core.errors import (
    DownloadError,
    FairvecError,
    FileFormatError,
    MissingExtraError,
    SettingError,
)
from fairvec.core.io.read_files import is_file, is_folder, is_there
from fairvec.core.text import LONGEST_NAME, escape_surrogates, short_repr
from fairvec.embedding import Step
from fairvec.embedding.archives import SUFFIXES as ARCHIVE_SUFFIXES
from fairvec.embedding.formats import format_for_suffix
from fairvec.encoders import elmo, model2vec, sentence_transformers, transformer
from fairvec.encoders.base import Choices, Dtype, EncoderKind, Pooling, Source, folder_kind
from fairvec.encoders.encoder import Encoder
from fairvec.encoders.endpoint import ENDPOINT, Endpoint
from fairvec.encoders.function import FUNCTION

KINDS: tuple[EncoderKind, ...] = (
    FUNCTION,
    ENDPOINT,
    folder_kind("model2vec", model2vec.recognises, model2vec.read_model2vec),
    folder_kind(
        "sentence-transformers",
        sentence_transformers.recognises,
        sentence_transformers.read_sentence_transformer,
    ),
    folder_kind("elmo", elmo.recognises, elmo.read_elmo),
    folder_kind("transformer", transformer.recognises, transformer.read_transformer),
)
"""Every kind of encoder, the more specific kinds of folder first."""


def open_encoder(
    source: str | PathLike[str] | Endpoint | Callable[[list[str]], Any],
    *,
    layer: str = "last",
    pooling: Pooling | None = None,
    dtype: Dtype = "auto",
    name: str | None = None,
    language: str | Sequence[str] | None = None,
    keep: bool = True,
    download: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Encoder:
    """Return an encoder.

    Args:
        source: A folder (of Hugging Face transformers, sentence-transformers, model2vec, or an ELMo
            in AllenNLP's layout), a name of the Hugging Face hub (owner/name), a function from a
            list of texts to an array with a row for each, python:package.module:function, or an
            Endpoint.
        layer: "last", a number (0 is what goes into the first layer, -2 the one before the last),
            several with commas (their mean) or "all" (the mean of all).
        pooling: "cls" (the first token), "mean" (over the tokens of the text), "last" (the last
            token) or "word" (over the tokens of the word in its sentence); else what the folder
            says, or the mean, or of a decoder the last token.
        dtype: "float32" or "bfloat16"; "auto" is bfloat16 on a GPU and else float32.
        name: What to call it; else the name of the folder or function.
        language: The code of its language, or of several; else found by how it cuts words.
        keep: Whether sentence vectors are kept on disk, in the folder for what is fetched.
        download: Whether a name of the hub may be fetched; else it must be on this machine.
        progress: Called with (sentences done, sentences in all) while encoding.
    """
    choices = Choices(layer, pooling, dtype)
    place, folder_name = _find(source, download=download)
    kind = next((kind for kind in KINDS if kind.claims(place)), None)
    if kind is None:
        raise _unknown(place)
    model = kind.open(place, choices, name)
    settings = {**model.settings}
    if folder_name is None:
        settings = {"from": settings.pop("kind"), **settings}
        step, own_name = Step("read", settings), str(settings[kind.name])
    else:
        step, own_name = Step("read", {"folder": folder_name, **settings}), folder_name
    encoder = Encoder(
        model,
        name or own_name,
        (step,),
        store=model.open_store(cache_folder() / "sentences") if keep else None,
        on_progress=progress,
    )
    return encoder if language is None else encoder.with_languages(language)


def _find(source: Any, *, download: bool) -> tuple[Source, str | None]:
    """Return what a kind may claim: a folder with its name, or a source that is no folder."""
    if not isinstance(source, str | PathLike):
        return source, None
    text = str(source)
    if not is_there(text) and any(kind.claims(text) for kind in KINDS):
        return text, None
    return _find_folder(text, download=download)


GENERIC_FOLDER_NAMES = ("model", "encoder", "checkpoint", "0_Transformer")
"""An encoder in a folder of such a name is called after the folder above."""


def _find_folder(source: str, *, download: bool) -> tuple[Path, str]:
    """Return the folder of an encoder, and its name."""
    path = Path(source)
    if is_folder(path):
        if escape_surrogates(source) != source:
            raise FileFormatError(
                f"{source}: its name is not UTF-8, and what reads encoders opens no such folder; "
                "rename it."
            )
        full = path.resolve()
        return path, full.parent.name if full.name in GENERIC_FOLDER_NAMES else full.name
    if os.path.exists(path):  # noqa: PTH110 - Path.exists would raise on odd names
        raise FileFormatError(
            f"{source} is a file; name the folder of the encoder, with its config.json or "
            "options.json."
        )
    if not HUB_NAME.fullmatch(source):
        raise FileFormatError(
            f"There is no folder {short_repr(source, LONGEST_NAME)}; name the folder of an "
            "encoder, or one of the Hugging Face hub as owner/name with --download "
            "(download=True)."
        )
    return hub_folder(source, download=download), source.rpartition("/")[2]


DEBIASED = "fairvec-encoder.json"
"""The file that describes a debiased encoder."""


def _unknown(source: Source) -> FairvecError:
    """Return the error for what is no encoder of any kind."""
    if not isinstance(source, Path):
        return SettingError(
            f"An encoder cannot be made of {type(source).__name__}; give a folder, a name of the "
            "hub or a function."
        )
    folder = source
    if (folder / DEBIASED).is_file():
        return FileFormatError(
            f"{folder} holds a debiased encoder; open it with fairvec.as_model({str(folder)!r})."
        )
    if (folder / "results.jsonl").is_file():
        return FileFormatError(
            f"{folder} holds results and no model: 'fairvec report {folder}' shows it; name a "
            "model, or the folder of an encoder."
        )
    return FileFormatError(
        f"{folder} holds no encoder that fairvec knows: a transformer has a config.json, a "
        "sentence-transformer a modules.json, an ELMo an options.json with weights in .hdf5."
    )


def is_encoder_name(source: str) -> bool:
    """Return whether a text names an encoder rather than a file or model of word vectors.

    A folder does not hide a model of the catalogue: name it as ./NAME then. Called for every model,
    so nothing heavy is loaded.
    """
    path = Path(source)
    if source in names() and not is_file(path):
        return False
    if is_there(source):
        return is_folder(source)
    if any(kind.claims(source) for kind in KINDS):
        return True
    if format_for_suffix(path) or path.suffix.lower() in ARCHIVE_SUFFIXES:
        return False
    return HUB_NAME.fullmatch(source) is not None


HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
"""The name of a model of the hub: owner/name."""
HUB_FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
"""What may be downloaded, also in subfolders: settings, tokenizers and weights without code."""


def hub_folder(name: str, *, download: bool) -> Path:
    """Return the local folder of a model of the hub; download it only with `download`."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtraError(f"Finding {name} of the Hugging Face hub", "encoders") from None
    try:
        return Path(
            snapshot_download(name, local_files_only=not download, allow_patterns=[*HUB_FILES])
        )
    except Exception as error:  # the hub's own errors are of many kinds
        first = str(error).strip().splitlines()[0] if str(error).strip() else ""
        reason = f" ({type(error).__name__}: {first})"
        if not download and type(error).__name__ == "LocalEntryNotFoundError":
            reason = ""  # it advises settings of a function that nobody here calls
        remedy = (
            "check the name and the connection"
            if download
            else "check the name, or say --download (download=True)"
        )
        raise DownloadError(
            f"{short_repr(name, LONGEST_NAME)} is no folder, and no model of that name of the "
            f"Hugging Face hub could be had {'from there' if download else 'on this machine'}"
            f"{reason}; {remedy}."
        ) from None
