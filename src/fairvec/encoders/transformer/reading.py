"""A folder in the layout of Hugging Face as a text model."""

from pathlib import Path

from fairvec.encoders.choices import AS_GIVEN, Choices
from fairvec.encoders.model_folder import checked_folder, looks_like
from fairvec.encoders.transformer.description import TransformerShape
from fairvec.encoders.transformer.device import numbers_taken
from fairvec.encoders.transformer.files import check_files
from fairvec.encoders.transformer.model import TransformerModel
from fairvec.ground.errors import SettingError


def recognises(folder: Path) -> bool:
    """Say whether a folder has a config.json that names a transformer."""
    config = looks_like(folder / "config.json")
    return isinstance(config.get("model_type"), str) and config["model_type"] != "model2vec"


def read_transformer(folder: Path, choices: Choices = AS_GIVEN) -> TransformerModel:
    """Return the transformer of a folder; its weights are loaded when a sentence is encoded.

    Unless chosen, the mean over all tokens is taken, [CLS] and [SEP] counted; of a decoder, in
    which only the last token has seen the whole sentence, the last token (May et al. 2019).
    """
    check_files(checked_folder(folder))
    description = TransformerShape(folder)
    kind = description.kind
    layers = choices.layers(description.depth + 1, folder.name)
    pooling = choices.pooling or ("last" if description.decoder else "mean")
    if pooling == "cls" and description.decoder:
        raise SettingError(
            f"The first token of {folder.name}, a decoder, has seen nothing of its sentence; take "
            "the pooling last, mean or word."
        )
    numbers = numbers_taken(choices.numbers)
    settings = {
        "kind": "transformer",
        "model": kind,
        "layer": choices.layer,
        "pooling": pooling,
        **({"special tokens": "counted"} if pooling == "mean" else {}),
        "numbers": numbers,
    }
    return TransformerModel(
        description,
        folder.name,
        folder,
        layers,
        (pooling,),
        numbers,
        settings,
        description.longest,
    )
