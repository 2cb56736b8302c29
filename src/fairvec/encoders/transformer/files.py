"""Which files of a folder make a transformer, and whether they are all there."""

from pathlib import Path

from fairvec.encoders.model_folder import object_in, required, told
from fairvec.ground.errors import FileFormatError, UnsafeFileError
from fairvec.ground.text.shown_values import shown

SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
_BESIDE = (
    "config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "merges.txt",
    *_TOKENIZERS,
)


def check_files(folder: Path) -> None:
    """Raise unless configuration, tokenizer and weights are there and none needs foreign code."""
    file = folder / "config.json"
    config = object_in(file)
    needed = [
        name for name in told(file, config, "auto_map", dict) or {} if name.startswith("Auto")
    ]
    if needed:
        raise UnsafeFileError(
            f"{folder / 'config.json'} asks for program code that comes with the model (auto_map: "
            f"{', '.join(needed)}), which is never run; take a model that transformers knows, or "
            "remove auto_map if its own code for this model_type gives the same."
        )
    if config.get("is_encoder_decoder"):
        raise FileFormatError(
            f"{folder} holds a model of an encoder and a decoder; take a model that is one of them."
        )
    if not any(any(folder.glob(name)) for name in _TOKENIZERS):
        raise FileFormatError(
            f"{folder} has no tokenizer ({', '.join(_TOKENIZERS)}); copy or download the whole "
            "folder again."
        )
    read, named = weight_files(folder)[0].name, told(file, config, "transformers_weights", str)
    if named is not None and named != read:
        raise FileFormatError(
            f"{file} asks for the weights {shown(named)} in the place of {read}; remove "
            "transformers_weights there, or give the weights that name."
        )


def safe_weights(folder: Path) -> bool:
    """Say whether the weights are safetensors; pickled ones are read as tensors alone."""
    return any((folder / name).is_file() for name in (SAFE, f"{SAFE}.index.json"))


def weight_files(folder: Path) -> list[Path]:
    """Return the files of weights, each of which is there."""
    whole = SAFE if safe_weights(folder) else PICKLED
    index = folder / f"{whole}.index.json"
    if (folder / whole).is_file():
        return [folder / whole]
    if not index.is_file():
        raise FileFormatError(
            f"{folder} has no weights ({SAFE} or {PICKLED}); copy or download the whole folder "
            "again."
        )
    listed = told(index, object_in(index), "weight_map", dict)
    if not listed:
        raise FileFormatError(f"{index} lists no files of weights; copy or download it again.")
    names = {*map(str, listed.values())}
    for name in names:
        # transformers would open it there, and what was looked at is another file.
        if Path(name).name != name:
            raise FileFormatError(
                f"{index} names the file {shown(name)}, and files of weights lie beside it and in "
                "no folder; put them there and name them so."
            )
    return [index, *(required(folder / name) for name in names)]


def content_files(folder: Path) -> list[Path]:
    """Return every file that has a part in the vectors."""
    beside = [path for name in _BESIDE for path in folder.glob(name)]
    return [*beside, *weight_files(folder)]
