"""The folder of an ELMo: which file is which."""

from collections.abc import Iterable
from pathlib import Path

from fairvec.encoders.choices import Choices
from fairvec.encoders.elmo.model import ElmoModel
from fairvec.encoders.elmo.options import read_options
from fairvec.ground.errors import FileFormatError, SettingError

_SIGN = b'"char_cnn"'


def recognises(folder: Path) -> bool:
    """Say whether a folder is an ELMo's: its options speak of a CNN over characters.

    The weights are not asked for, so that what reads the folder can say that they are missing.
    """
    options = _options_files(folder)
    return len(options) == 1 and _SIGN in options[0].read_bytes()


def read_elmo(folder: Path, choices: Choices) -> ElmoModel:
    """Return the ELMo in a folder; its weights are read when the first sentence is encoded."""
    options_file = _only(
        _options_files(folder), f"{folder}: an ELMo needs one options.json (or *options.json)"
    )
    weights_file = _only(
        _weights_files(folder),
        f"{folder}: an ELMo needs its weights in one .hdf5 file (or one *weights*.hdf5); no other "
        "format is read",
    )
    options = read_options(options_file)
    name = folder.resolve().name
    layers = choices.layers(options.lstm.n_layers + 1, name)
    pooling = choices.pooling or "mean"
    if pooling == "cls":
        raise SettingError(
            f"{name} is an ELMo, which has no cls token; choose the pooling mean, last or word."
        )
    if choices.numbers == "bfloat16":
        raise SettingError(
            f"{name} is an ELMo, which is run in float32; choose the numbers float32 or auto."
        )
    return ElmoModel(options_file, weights_file, options, layers, pooling, name)


def _options_files(folder: Path) -> list[Path]:
    exact = folder / "options.json"
    return [exact] if exact.is_file() else _files(folder.glob("*options.json"))


def _weights_files(folder: Path) -> list[Path]:
    every = _files(folder.glob("*.hdf5"))
    return every if len(every) == 1 else [path for path in every if "weights" in path.name]


def _files(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path in paths if path.is_file())


def _only(paths: list[Path], wanted: str) -> Path:
    if len(paths) != 1:
        here = f"there are {', '.join(path.name for path in paths)}" if paths else "there is none"
        raise FileFormatError(f"{wanted}; {here}.")
    return paths[0]
