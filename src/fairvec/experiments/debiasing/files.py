"""Write a debiased model or encoder with its transform and results, and open such an encoder."""

import json
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

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
from fairvec.core.io.read_files import is_folder, is_there, path_taken
from fairvec.core.parsing import parse_json
from fairvec.embedding import save
from fairvec.encoders import Encoder
from fairvec.encoders.base import AS_GIVEN, Choices, EncoderOptions
from fairvec.encoders.open import DEBIASED, open_encoder
from fairvec.experiments.debiasing.debias import Debiased, DebiasedEncoder
from fairvec.mitigation import load_transform, save_transform
from fairvec.mitigation.out_of_core import debias_file
from fairvec.results import PAGE, write_results
from fairvec.results.store import FILE_NAME

LEARNT_WORDS = "learnt_words"
"""The remark of a transform whose specific words were learnt: too many to print."""


@dataclass(frozen=True)
class DebiasedFiles:
    """Where the parts of a debiased model lie."""

    model: Path

    @property
    def folder(self) -> Path:
        """Where all but the model lies."""
        return self.model.with_name(f"{self.model.name}.run")

    @property
    def transform(self) -> Path:
        """What the method learnt."""
        return self.folder / "transform.safetensors"

    @property
    def learnt(self) -> Path:
        """The specific words, where the method learnt them."""
        return self.folder / "specific.txt"

    @property
    def report(self) -> Path:
        """The page, if whoever called `write_debiased` had one."""
        return self.folder / PAGE

    def refuse_taken(self, *, force: bool = False) -> None:
        """Raise where something is there already that is not to be, or cannot be, written over."""
        check_writable_file(self.model, force=force)
        if path_taken(self.folder) and not force:
            raise SettingError(
                f"{self.folder} exists already; choose another name, or say --force (force=True)."
            )
        parts = (self.transform, self.learnt, self.report, self.folder / FILE_NAME)
        check_writable_folder(self.folder, *(part.name for part in parts))


def write_debiased(
    done: Debiased,
    output: str | PathLike[str],
    *,
    force: bool = False,
    page: str = "",
    progress: Progress | None = None,
) -> DebiasedFiles:
    """Write model, transform, results and page whole or not at all, and return where they lie.

    The ending of `output` chooses the format of the model, as in `save`; what lies there is written
    over only by `force`. All take their places together, so that a reader of the results learns if
    a model is of another run. `progress` is called with (done, in all) while the model is written.
    """
    files = DebiasedFiles(Path(output))
    files.refuse_taken(force=force)
    # What the run that this one writes over has, and this one has not.
    is_written = {files.report: bool(page), files.learnt: LEARNT_WORDS in done.transform.remarks}
    obsolete = [path.name for path, written in is_written.items() if not written]
    with atomic_file_set(files.folder, gone=obsolete, around=True) as folder:
        drafts = DebiasedFiles(folder / files.model.name)
        _write(done, drafts, progress)
        if page:
            write_text(drafts.report, page)
    return files


def _write(done: Debiased, files: DebiasedFiles, progress: Progress | None) -> None:
    if done.max_memory:
        limit = done.max_memory
        debias_file(done.transform, done.before, files.model, max_memory=limit, progress=progress)
    else:
        save(done.after, files.model, progress=progress)
    save_transform(done.transform, files.transform)
    if LEARNT_WORDS in done.transform.remarks:
        write_text(files.learnt, "\n".join([*done.transform.remarks[LEARNT_WORDS], ""]))
    write_results(done.outcomes, files.folder)


TRANSFORM = "transform.safetensors"
VERSION = 1
CHOICES = ("layer", "pooling", "numbers")


def write_debiased_encoder(
    done: DebiasedEncoder,
    source: str,
    encoding: EncoderOptions,
    output: str | PathLike[str],
    *,
    page: str = "",
) -> Path:
    """Write the folder of a debiased encoder whole or not at all, and return it.

    It holds the transform, the results, their `page`, and where the encoder lies that it was fitted
    on (`source`) with how that is read: its weights are not copied.
    """
    folder = Path(output)
    refuse_taken_folder(folder)
    path = Path(source)
    described = {
        "version": VERSION,
        "encoder": str(path.resolve()) if is_there(path) else source,
        "sha256": done.before.content_hash,
        "name": done.after.name,
        "languages": list(done.before.languages),
        "layer": encoding.layer,
        "pooling": encoding.pooling,
        # Not "auto", which a GPU would read in other numbers than the transform was fitted on.
        "numbers": done.before.model.settings.get("numbers", encoding.numbers),
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    with scratch_folder(folder.parent) as scratch:
        draft = scratch / folder.name
        draft.mkdir()
        save_transform(done.transform, draft / TRANSFORM)
        write_text(draft / DEBIASED, json.dumps(described, ensure_ascii=False, indent=1) + "\n")
        write_results(done.outcomes, draft, {PAGE: page} if page else None)
        move_into_place(draft, folder)
    return folder


def refuse_taken_folder(folder: Path) -> None:
    """Raise where something is there already."""
    if path_taken(folder):
        raise SettingError(f"{folder} exists already; choose another name.")


def is_debiased_encoder(folder: Path) -> bool:
    """Return whether a folder was written by `write_debiased_encoder`."""
    return (folder / DEBIASED).is_file()


def open_debiased_encoder(
    folder: Path, choices: Choices = AS_GIVEN, *, keep: bool = True
) -> Encoder:
    """Return the debiased encoder of a folder; the one it was fitted on must be where it was.

    `choices` may only be those by which that one was read.
    """
    return _open(folder, choices, keep=keep, outer=())


def _open(folder: Path, choices: Choices, *, keep: bool, outer: tuple[Path, ...]) -> Encoder:
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
        reading = EncoderOptions(
            description["layer"], description["pooling"], description["numbers"]
        )
        source, languages, name = (
            description["encoder"],
            description["languages"],
            description["name"],
        )
        fitted_hash = description["sha256"]
        if not all(isinstance(text, str) for text in (source, name, fitted_hash, *languages)):
            raise TypeError("encoder, name, languages and sha256 must be text")
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
        before = _open(Path(source), AS_GIVEN, keep=keep, outer=inner)
        before = before.speaking(languages) if languages else before
    else:
        before = open_encoder(source, reading.choices, language=languages or None, keep=keep)
    if before.content_hash != fitted_hash:
        raise FileFormatError(
            f"{source} is not the encoder that {folder.name} was fitted on: its content has "
            "changed; debias it again."
        )
    return load_transform(folder / TRANSFORM).on(before).named(name)


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
