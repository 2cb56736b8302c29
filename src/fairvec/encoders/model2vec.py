"""Folders of model2vec: one vector a token, distilled from a sentence transformer.

Unknown tokens are left out of the mean; what is common weighs less, in the vectors themselves or in
a tensor of weights; a tensor `mapping` lets several tokens share a row.
"""

from pathlib import Path

from fairvec.encoders.choices import AS_GIVEN, Choices
from fairvec.encoders.model_folder import checked_folder, looks_like, object_in, required
from fairvec.encoders.token_means import TokenMeans, refuse_choices
from fairvec.encoders.vector_steps import UnitLength
from fairvec.ground.errors import FileFormatError

LONGEST = 512
"""So many tokens model2vec reads where config.json says nothing."""


def recognises(folder: Path) -> bool:
    """Say whether a folder's config.json names model2vec."""
    config = looks_like(folder / "config.json")
    made = config.get("architectures")
    return config.get("model_type") == "model2vec" or (
        isinstance(made, list) and "StaticModel" in made
    )


def read_model2vec(folder: Path, choices: Choices = AS_GIVEN) -> TokenMeans:
    """Return the model of a folder."""
    config = object_in(checked_folder(folder) / "config.json")
    refuse_choices(folder, choices)
    longest = config.get("max_length", LONGEST)
    if longest is not None and (not isinstance(longest, int) or longest < 1):
        raise FileFormatError(
            f"{folder / 'config.json'} gives {longest!r} as max_length; it must be a whole number "
            "above 0, or null."
        )
    unit = bool(config.get("normalize"))
    settings = {
        "kind": "model2vec",
        "pooling": "mean",
        "unknown tokens": "left out",
        "unit length": unit,
        "numbers": "float32",
    }
    return TokenMeans(
        folder,
        required(folder / "tokenizer.json"),
        required(folder / "model.safetensors"),
        ("embeddings",),
        settings,
        longest,
        letters=True,
        drops_unknown=True,
        after=(UnitLength(),) if unit else (),
        files=(folder / "config.json",),
    )
