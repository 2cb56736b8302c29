"""What the files of a transformer's folder say, mostly read without torch: width, depth, length."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fairvec.core.errors import FileFormatError, UnsafeFileError
from fairvec.core.text import short_repr
from fairvec.encoders.model_folder import (
    json_field,
    optional_json_object,
    read_json_object,
    require_file,
    silence_libraries,
    tokenizer_errors,
)

PURPOSE = "Reading a transformer"
UNREADABLE = ": transformers cannot read it"

SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
_TOKENIZER_FILES = (
    "config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "merges.txt",
    *_TOKENIZERS,
)


def check_files(folder: Path) -> None:
    """Raise unless configuration, tokenizer and weights are there and need no code of their own."""
    file = folder / "config.json"
    config = read_json_object(file)
    needed = [
        name for name in json_field(file, config, "auto_map", dict) or {} if name.startswith("Auto")
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
    actual, named = (
        weight_files(folder)[0].name,
        json_field(file, config, "transformers_weights", str),
    )
    if named is not None and named != actual:
        raise FileFormatError(
            f"{file} asks for the weights {short_repr(named)} in the place of {actual}; remove "
            "transformers_weights there, or give the weights that name."
        )


def safe_weights(folder: Path) -> bool:
    """Say whether the weights are safetensors; pickled ones are read as tensors alone."""
    return any((folder / name).is_file() for name in (SAFE, f"{SAFE}.index.json"))


def weight_files(folder: Path) -> list[Path]:
    """Return the files of weights, each of which is there."""
    single_file = SAFE if safe_weights(folder) else PICKLED
    index = folder / f"{single_file}.index.json"
    if (folder / single_file).is_file():
        return [folder / single_file]
    if not index.is_file():
        raise FileFormatError(
            f"{folder} has no weights ({SAFE} or {PICKLED}); copy or download the whole folder "
            "again."
        )
    weight_map = json_field(index, read_json_object(index), "weight_map", dict)
    if not weight_map:
        raise FileFormatError(f"{index} lists no files of weights; copy or download it again.")
    names = {*map(str, weight_map.values())}
    for name in names:
        # transformers would open it there, but another file was checked.
        if Path(name).name != name:
            raise FileFormatError(
                f"{index} names the file {short_repr(name)}, and files of weights lie beside it "
                "and in no folder; put them there and name them so."
            )
    return [index, *(require_file(folder / name) for name in names)]


def content_files(folder: Path) -> list[Path]:
    """Return every file that affects the vectors."""
    small_files = [path for name in _TOKENIZER_FILES for path in folder.glob(name)]
    return [*small_files, *weight_files(folder)]


def load_config(folder: Path) -> Any:
    """Return what transformers makes of config.json."""
    with silence_libraries(PURPOSE):
        from transformers import AutoConfig

        return from_pretrained(AutoConfig, folder)


def from_pretrained(kind: Any, folder: Path, **options: Any) -> Any:
    """Return what a class of transformers reads from a folder, without network and foreign code."""
    with tokenizer_errors(folder, UNREADABLE):
        return kind.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False, **options
        )


WIDTHS = ("hidden_size", "n_embd", "d_model", "dim")
DEPTHS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
LENGTHS = ("max_position_embeddings", "n_positions", "max_seq_len")
UNLIMITED = 1e15
WIDEST, DEEPEST = 1_000_000, 1_000
"""No transformer is wider or deeper; building one that claims to be would never end."""
POSITIONS_FROM_PADDING = frozenset(
    [
        "camembert",
        "data2vec-text",
        "esm",
        "ibert",
        "longformer",
        "luke",
        "mpnet",
        "roberta",
        "roberta-prelayernorm",
        "xlm-roberta",
        "xlm-roberta-xl",
        "xmod",
    ]
)
"""Kinds whose first position is that of the padding id plus 1: 514 of RoBERTa hold 512 tokens."""
DECODERS = frozenset(
    [
        "bloom",
        "codegen",
        "cohere",
        "ctrl",
        "falcon",
        "gemma",
        "gemma2",
        "gemma3_text",
        "gpt2",
        "gpt_bigcode",
        "gpt_neo",
        "gpt_neox",
        "gptj",
        "granite",
        "llama",
        "mamba",
        "mistral",
        "mixtral",
        "mpt",
        "olmo",
        "olmo2",
        "openai-gpt",
        "opt",
        "persimmon",
        "phi",
        "phi3",
        "qwen2",
        "qwen3",
        "smollm3",
        "stablelm",
        "starcoder2",
        "xglm",
    ]
)
"""Kinds with causal attention, whatever head they were saved with."""


@dataclass(frozen=True, eq=False)
class TransformerConfig:
    """The width, depth and longest input of a transformer, and whether it reads one way only."""

    folder: Path

    @cached_property
    def config(self) -> dict[str, Any]:
        """What config.json holds."""
        return read_json_object(self.folder / "config.json")

    @property
    def kind(self) -> str:
        """The family, as in bert."""
        kind = self.config.get("model_type")
        if not isinstance(kind, str):
            raise FileFormatError(
                f"{self.folder / 'config.json'} does not say which model_type it is of; add it, as "
                'in "model_type": "bert".'
            )
        return kind

    @property
    def width(self) -> int:
        """How many numbers a token has after each layer."""
        return self._number(WIDTHS, WIDEST)

    @property
    def depth(self) -> int:
        """How many layers there are, not counting what goes into the first."""
        return self._number(DEPTHS, DEEPEST)

    @property
    def decoder(self) -> bool:
        """Whether a token sees only those before it."""
        architectures = (
            json_field(self.folder / "config.json", self.config, "architectures", list) or ()
        )
        return self.kind in DECODERS or any(
            str(name).endswith("ForCausalLM") for name in architectures
        )

    @property
    def positions(self) -> int | None:
        """How many tokens have a position of their own; None where no limit is known."""
        config = self.config
        limit = next((config[name] for name in LENGTHS if name in config), None)
        if not isinstance(limit, int) or limit < 1:
            return None
        padding = config.get("pad_token_id", 1)
        shifted = self.kind in POSITIONS_FROM_PADDING and isinstance(padding, int)
        positions = limit - (padding + 1 if shifted else 0)
        return positions if positions > 0 else None

    @property
    def longest(self) -> int | None:
        """How many tokens a sentence may have; None where no limit is known."""
        max_length = optional_json_object(self.folder / "tokenizer_config.json").get(
            "model_max_length"
        )
        if max_length is not None and (
            isinstance(max_length, bool) or not isinstance(max_length, int | float)
        ):
            raise FileFormatError(
                f"{self.folder / 'tokenizer_config.json'} gives {short_repr(max_length)} as "
                "model_max_length, where a number should stand; copy or download it again."
            )
        # A tokenizer without a limit says 1e30.
        tokenizer_limit = (
            int(max_length)
            if isinstance(max_length, int | float) and 0 < max_length < UNLIMITED
            else None
        )
        return min(
            (limit for limit in (tokenizer_limit, self.positions) if limit is not None),
            default=None,
        )

    def _number(self, names: tuple[str, ...], most: int) -> int:
        """Return a number of config.json, or what transformers takes where it is left out."""
        for name in names:
            if name in self.config:
                value = self.config[name]
                break
        else:
            value = getattr(load_config(self.folder), names[0], None)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise FileFormatError(
                f"{self.folder / 'config.json'} gives {short_repr(value)} as {names[0]}; it must "
                f"be a whole number above 0 and not above {most:,}."
            )
        return value
