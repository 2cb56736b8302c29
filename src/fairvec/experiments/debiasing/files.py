"""Write a debiased model or encoder with its transform and results, and open such an encoder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.io.atomic_files import (
    Progress,
    atomic_file_set,
    check_writable_file,
    check_writable_folder,
    move_into_place,
    scratch_folder,
    write_text,
)
from fairvec.core.io.read_files import is_folder, is_there, path_exists
from fairvec.core.parsing import parse_json
from fairvec.core.text import short_repr
from fairvec.embedding.saving import write_embedding
from fairvec.encoders import Encoder
from fairvec.encoders.base import AS_GIVEN, AS_USUAL, Choices, EncoderOptions
from fairvec.encoders.endpoint import Endpoint, EndpointModel
from fairvec.encoders.endpoint.protocol import is_address
from fairvec.encoders.open import DEBIASED, open_encoder
from fairvec.experiments.debiasing.debias import Debiased
from fairvec.mitigation import load_transform, save_transform
from fairvec.mitigation.out_of_core import debias_file
from fairvec.results import write_results
from fairvec.results.store import FILE_NAME, PAGE

TRANSFORM = "transform.safetensors"
LEARNT_WORDS = "learnt_words"
"""The remark of a transform whose specific words were learnt: too many to print."""


@dataclass(frozen=True)
class DebiasedFiles:
    """Where the parts of a debiased model lie; an encoder is one folder with all of them."""

    model: Path
    of_encoder: bool = False

    @property
    def folder(self) -> Path:
        """Where all but the model lies."""
        return self.model if self.of_encoder else self.model.with_name(f"{self.model.name}.run")

    @property
    def transform(self) -> Path:
        """What the method learnt."""
        return self.folder / TRANSFORM

    @property
    def learnt(self) -> Path:
        """The specific words, where the method learnt them."""
        return self.folder / "specific.txt"

    @property
    def report(self) -> Path:
        """The page, if whoever called `write_debiased` had one."""
        return self.folder / PAGE

    def require_new_path(self, *, force: bool = False) -> None:
        """Raise where something is there already that is not to be, or cannot be, written over."""
        if self.of_encoder:
            if force:
                raise SettingError(
                    "A folder of an encoder is not written over; choose another name."
                )
            if path_exists(self.model):
                raise SettingError(f"{self.model} exists already; choose another name.")
            return
        check_writable_file(self.model, force=force)
        if path_exists(self.folder) and not force:
            raise SettingError(
                f"{self.folder} exists already; choose another name, or say --force (force=True)."
            )
        parts = (self.transform, self.learnt, self.report, self.folder / FILE_NAME)
        check_writable_folder(self.folder, *(part.name for part in parts))


def write_debiased(
    done: Debiased[Any],
    output: str | PathLike[str],
    *,
    source: str = "",
    encoding: EncoderOptions = AS_USUAL,
    force: bool = False,
    page: str = "",
    progress: Progress | None = None,
) -> DebiasedFiles:
    """Write model, transform, results and page whole or not at all, and return where they lie.

    The ending of `output` chooses the format of an embedding, as in `save`; what lies there is
    written over only by `force`. All take their places together: no results stand beside a model of
    another run. `progress` is called with (done, in all) while the model is written. An encoder is
    a new folder; its weights are not copied, but where it lies (`source`) and how it was read
    (`encoding`) stand there.
    """
    files = DebiasedFiles(Path(output), of_encoder=isinstance(done.before, Encoder))
    files.require_new_path(force=force)
    if files.of_encoder:
        text = json.dumps(_describe(done, source, encoding), ensure_ascii=False, indent=1)
        files.model.parent.mkdir(parents=True, exist_ok=True)
        with scratch_folder(files.model.parent) as scratch:
            drafts = DebiasedFiles(scratch / files.model.name, of_encoder=True)
            drafts.folder.mkdir()
            write_text(drafts.folder / DEBIASED, text + "\n")
            _write_parts(done, drafts, page)
            move_into_place(drafts.folder, files.folder)
        return files
    # What the run that this one writes over has, and this one has not.
    is_written = {files.report: bool(page), files.learnt: LEARNT_WORDS in done.transform.remarks}
    obsolete = [path.name for path, written in is_written.items() if not written]
    with atomic_file_set(files.folder, gone=obsolete, around=True) as folder:
        drafts = DebiasedFiles(folder / files.model.name)
        if limit := done.max_memory:
            debias_file(
                done.transform, done.before, drafts.model, max_memory=limit, progress=progress
            )
        else:
            write_embedding(done.after, drafts.model, progress=progress)
        _write_parts(done, drafts, page)
    return files


def _write_parts(done: Debiased[Any], files: DebiasedFiles, page: str) -> None:
    save_transform(done.transform, files.transform)
    if LEARNT_WORDS in done.transform.remarks:
        write_text(files.learnt, "\n".join([*done.transform.remarks[LEARNT_WORDS], ""]))
    write_results(done.outcomes, files.folder)
    if page:
        write_text(files.report, page)


VERSION = 1
CHOICES = ("layer", "pooling", "dtype")
OF_ENDPOINT = ("model", "prefix", "dimensions")
"""The settings of an endpoint that change its vectors; its key is named by whoever opens it."""


def _describe(done: Debiased[Encoder], source: str, encoding: EncoderOptions) -> dict[str, Any]:
    """Return where the encoder lies that a transform was fitted on, and how it is read."""
    path, model = Path(source), done.before.model
    endpoint = model.endpoint if isinstance(model, EndpointModel) else None
    return {
        "version": VERSION,
        "encoder": str(path.resolve()) if is_there(path) else source,
        "sha256": done.before.content_hash,
        "name": done.after.name,
        "languages": list(done.before.languages),
        "layer": encoding.layer,
        "pooling": encoding.pooling,
        # Not "auto": a GPU would read another type than the transform was fitted on.
        "dtype": model.settings.get("dtype", encoding.dtype),
        "endpoint": None
        if endpoint is None
        else {one: getattr(endpoint, one) for one in OF_ENDPOINT},
    }


def is_debiased_encoder(folder: Path) -> bool:
    """Return whether a folder is a debiased encoder that `write_debiased` wrote."""
    return (folder / DEBIASED).is_file()


def open_debiased_encoder(folder: Path, encoding: EncoderOptions = AS_USUAL) -> Encoder:
    """Return the debiased encoder of a folder; the one it was fitted on must be where it was.

    The choices may only be those by which that one was read. An endpoint is asked only if its model
    is named, and gets the key that is named here: a folder may come from a stranger.
    """
    return _open(folder, encoding.choices, encoding, outer=())


def _open(
    folder: Path, choices: Choices, encoding: EncoderOptions, *, outer: tuple[Path, ...]
) -> Encoder:
    """Open a folder that those in `outer` are made of."""
    if folder.resolve() in outer:
        raise FileFormatError(
            f"{folder / DEBIASED} says that it is made of itself; write into it where the encoder "
            "is, or debias that one again."
        )
    try:
        description = parse_json((folder / DEBIASED).read_bytes())
        version = description["version"]
        if version != VERSION:
            raise FileFormatError(
                f"{folder / DEBIASED} is of version {version} and this fairvec reads {VERSION}; "
                "upgrade fairvec or debias the encoder again."
            )
        reading = EncoderOptions(description["layer"], description["pooling"], description["dtype"])
        source, languages, name = (
            description["encoder"],
            description["languages"],
            description["name"],
        )
        fitted_hash = description["sha256"]
        if not all(isinstance(text, str) for text in (source, name, fitted_hash, *languages)):
            raise TypeError("encoder, name, languages and sha256 must be text")
        of_endpoint = description.get("endpoint") or {}
        if {*of_endpoint} != ({*OF_ENDPOINT} if is_address(source) else set()):
            raise TypeError(f"an endpoint has {', '.join(OF_ENDPOINT)}")
        is_nested = is_debiased_encoder(Path(source))  # no folder has a name of a thousand letters
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise FileFormatError(
            f"{folder / DEBIASED} is damaged ({type(error).__name__}: {error}); debias the encoder "
            "again."
        ) from error
    _refuse_other_choices(folder, choices, reading.choices)
    if Path(source).is_absolute() and not is_folder(source):
        raise FileFormatError(
            f"{folder.name} was made of {source}, which is not there any more; put it back, or "
            f"write into {folder / DEBIASED} where it is now."
        )
    if is_nested:
        inner = (*outer, folder.resolve())
        before = _open(Path(source), AS_GIVEN, encoding, outer=inner)
        before = before.with_languages(languages) if languages else before
    else:
        before = open_encoder(
            _endpoint(folder, source, of_endpoint, encoding) if is_address(source) else source,
            layer=reading.layer,
            pooling=reading.pooling,
            dtype=reading.dtype,
            language=languages or None,
            keep=encoding.keep,
        )
    if before.content_hash != fitted_hash:
        raise FileFormatError(
            f"{source} is not the encoder that {folder.name} was fitted on: its content has "
            "changed; debias it again."
        )
    return load_transform(folder / TRANSFORM).on(before).with_name(name)


def _endpoint(
    folder: Path, url: str, of_endpoint: Mapping[str, Any], encoding: EncoderOptions
) -> Endpoint:
    """Return the endpoint that a transform was fitted on, if whoever opens it names its model."""
    model = of_endpoint["model"]
    if encoding.model != model:
        raise SettingError(
            f"{folder} was made of the model {short_repr(model)} at {short_repr(url)}, which is "
            "asked only if you name it: say --model, and --key-variable if it needs a key; in "
            "Python say transform.on(encoder)."
        )
    return Endpoint(url, **{**encoding.of_endpoint, **of_endpoint})


def _refuse_other_choices(folder: Path, requested: Choices, fitted: Choices) -> None:
    """Raise where the choices give other vectors than the transform was fitted on."""
    pairs = {name: (getattr(requested, name), getattr(fitted, name)) for name in CHOICES}
    for name, (value, fitted_value) in pairs.items():
        if value not in (getattr(AS_GIVEN, name), fitted_value):
            raise SettingError(
                f"{folder} was debiased as it was read with {name} "
                f"{fitted_value or 'as its folder says'}; leave {name} out, or debias the encoder "
                f"with {value}."
            )
