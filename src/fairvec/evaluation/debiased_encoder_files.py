"""The folder of a debiased encoder: what moves its vectors, what it is made of, what was found."""

import json
from os import PathLike
from pathlib import Path

from fairvec.encoders import Encoder
from fairvec.encoders.choices import AS_GIVEN, Choices
from fairvec.encoders.encoder_reading import EncoderReading
from fairvec.encoders.opening import DEBIASED, open_encoder
from fairvec.evaluation.debiasing_encoders import DebiasedEncoder
from fairvec.ground.disk.at_hand import is_folder, is_there
from fairvec.ground.disk.drafts import scratch
from fairvec.ground.disk.files import put, write_text
from fairvec.ground.disk.places import taken
from fairvec.ground.errors import FileFormatError, SettingError
from fairvec.ground.text.json_text import json_of
from fairvec.mitigation import load_transform, save_transform
from fairvec.results import PAGE, write_results

TRANSFORM = "transform.safetensors"
VERSION = 1
CHOICES = ("layer", "pooling", "numbers")


def write_debiased_encoder(
    done: DebiasedEncoder,
    source: str,
    encoding: EncoderReading,
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
    with scratch(folder.parent) as place:
        draft = place / folder.name
        draft.mkdir()
        save_transform(done.transform, draft / TRANSFORM)
        write_text(draft / DEBIASED, json.dumps(described, ensure_ascii=False, indent=1) + "\n")
        write_results(done.outcomes, draft, {PAGE: page} if page else None)
        put(draft, folder)
    return folder


def refuse_taken_folder(folder: Path) -> None:
    """Raise where something is there already."""
    if taken(folder):
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
    return _opened(folder, choices, keep=keep, outer=())


def _opened(folder: Path, choices: Choices, *, keep: bool, outer: tuple[Path, ...]) -> Encoder:
    """Open a folder that those in `outer` are made of."""
    if folder.resolve() in outer:
        raise FileFormatError(
            f"{folder / DEBIASED} says that it is made of itself; write into it where the encoder "
            "is, or debias that one again."
        )
    try:
        said = json_of((folder / DEBIASED).read_bytes())
        version = said["version"]
        if version != VERSION:
            raise FileFormatError(
                f"{folder / DEBIASED} is of version {version} and this fairvec reads {VERSION}; "
                "upgrade fairvec or debias the encoder again."
            )
        reading = EncoderReading(said["layer"], said["pooling"], said["numbers"])
        source, languages, name = said["encoder"], said["languages"], said["name"]
        expected = said["sha256"]
        if not all(isinstance(text, str) for text in (source, name, expected, *languages)):
            raise TypeError("encoder, name, languages and sha256 must be text")
        again = is_debiased_encoder(Path(source))  # no folder has a name of a thousand letters
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise FileFormatError(
            f"{folder / DEBIASED} is damaged ({type(error).__name__}: {error}); debias the encoder "
            "again."
        ) from error
    _refuse_other(folder, choices, reading.choices)
    if Path(source).is_absolute() and not is_folder(source):
        raise FileFormatError(
            f"{folder.name} was made of {source}, which is not there any more; put it back, or "
            f"write into {folder / DEBIASED} where it is now."
        )
    if again:
        inner = (*outer, folder.resolve())
        before = _opened(Path(source), AS_GIVEN, keep=keep, outer=inner)
        before = before.speaking(languages) if languages else before
    else:
        before = open_encoder(source, reading.choices, language=languages or None, keep=keep)
    if before.content_hash != expected:
        raise FileFormatError(
            f"{source} is not the encoder that {folder.name} was fitted on: its content has "
            "changed; debias it again."
        )
    return load_transform(folder / TRANSFORM).on(before).named(name)


def _refuse_other(folder: Path, asked: Choices, fitted: Choices) -> None:
    """Raise where vectors are asked for that the transform was not fitted on."""
    pairs = {name: (getattr(asked, name), getattr(fitted, name)) for name in CHOICES}
    for name, (value, was) in pairs.items():
        if value not in (getattr(AS_GIVEN, name), was):
            raise SettingError(
                f"{folder} was debiased as it was read with {name} {was or 'as its folder says'}; "
                f"leave {name} out, or debias the encoder with {value}."
            )
