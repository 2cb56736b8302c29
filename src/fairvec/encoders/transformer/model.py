"""A transformer as a text model: batches of tokens to pooled vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.core.errors import EncoderError, FileFormatError, SettingError
from fairvec.encoders.base import AS_GIVEN, Choices, WordPieces, no_tokens, too_long
from fairvec.encoders.model_folder import (
    checked_folder,
    hash_of,
    json_object_or_empty,
    silence_libraries,
)
from fairvec.encoders.pooling import (
    POOLINGS,
    Tokens,
    VectorStep,
    batches,
    padded,
    said_by,
    tokens_of,
)
from fairvec.encoders.transformer.config import (
    PURPOSE,
    TransformerConfig,
    check_files,
    content_files,
)
from fairvec.encoders.transformer.loading import (
    PRECISION,
    has_gpu,
    load_network,
    load_tokenizer,
    lowered,
    resolve_dtype,
)
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence

# The network itself: batches of tokens to pooled vectors.


@dataclass(frozen=True, eq=False)
class Network:
    """A module of torch, which of its layers are taken and how its input is filled up."""

    module: Any
    name: str
    layers: tuple[int, ...]
    numbers: str
    filler: int
    takes_segments: bool

    @cached_property
    def _placed(self) -> Any:
        import torch

        device = "cuda" if has_gpu() else "cpu"
        return self.module.to(device=device, dtype=getattr(torch, self.numbers))

    def run(self, tokens: Sequence[Tokens], poolings: Sequence[str]) -> FloatArray:
        """Return one row a sentence: its tokens' vectors pooled in each way, side by side."""
        import torch

        def placed(rows: Sequence[Sequence[int]], filler: int = 0) -> Any:
            return torch.from_numpy(padded(rows, filler)).to(self._placed.device)

        given = {
            "input_ids": placed([each.ids for each in tokens], self.filler),
            "attention_mask": placed([[1] * len(each.ids) for each in tokens]),
        }
        segments = [each.segments for each in tokens if each.segments is not None]
        if self.takes_segments and segments:
            given["token_type_ids"] = placed(segments)
        with torch.inference_mode():
            vectors = self._taken(given)
            counted = placed([each.counted for each in tokens])
            pooled = [POOLINGS[how](vectors, counted) for how in poolings]
            found: FloatArray = torch.cat(pooled, dim=-1).cpu().numpy()
        return found

    def _taken(self, given: dict[str, Any]) -> Any:
        """Return the mean of the layers, in float32."""
        depth = self._placed.config.num_hidden_layers
        inner = self.layers != (depth,)
        try:
            said = self._placed(**given, output_hidden_states=inner, return_dict=True)
        except (RuntimeError, IndexError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split())[:300]
            raise EncoderError(
                f"{self.name} cannot read these sentences ({type(error).__name__}: {reason}); its "
                "tokenizer and weights may belong to two models."
            ) from error
        if not inner:
            return said.last_hidden_state.float()
        # The last is taken after the final normalisation, where a model has one.
        states = [*said.hidden_states[:-1], said.last_hidden_state]
        if len(states) != depth + 1:
            raise FileFormatError(
                f"{self.name} gives {len(states)} layers where {depth + 1} are expected; take the "
                "last."
            )
        return sum(states[layer].float() for layer in self.layers) / len(self.layers)


CPU_BUDGET, GPU_BUDGET = 4096, 65536
"""How many tokens, padding counted, are run at once."""


@dataclass(frozen=True, eq=False)
class TransformerModel:
    """The mean of `layers` of a transformer, pooled in one or several ways, and what follows.

    `files` are those outside the transformer's own that have a part in the vectors; `settings` say
    all of this in words.
    """

    description: TransformerConfig
    name: str
    root: Path
    layers: tuple[int, ...]
    poolings: tuple[str, ...]
    numbers: str
    settings: Mapping[str, Any]
    longest: int | None
    prompt: str = ""
    lower: bool = False
    after: tuple[VectorStep, ...] = ()
    files: tuple[Path, ...] = field(default=(), repr=False)

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        width = self.description.width * len(self.poolings)
        return next((step.width for step in reversed(self.after) if step.width), width)

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers."""
        return PRECISION[self.numbers]

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over weights, tokenizer, configuration and settings."""
        files = [*content_files(self.description.folder), *self.files]
        return hash_of(self.root, files, self.settings)

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizer = load_tokenizer(self.description.folder)
        return lowered(tokenizer) if self.lower else tokenizer

    @cached_property
    def _network(self) -> Network:
        module = load_network(self.description.folder)
        takes_segments = "token_type_ids" in signature(module.forward).parameters
        given = self._tokenizer.pad_token_id, module.config.pad_token_id
        # Where there is no padding token any will do: what stands there is masked.
        filler = next((number for number in given if number is not None and number >= 0), 0)
        return Network(module, self.name, self.layers, self.numbers, filler, takes_segments)

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence, in float32."""
        with silence_libraries(PURPOSE):
            tokens = tokens_of(
                self._tokenizer, sentences, prompt=self.prompt, word="word" in self.poolings
            )
            self._check(sentences, tokens)
            rows: FloatArray = np.empty((len(sentences), 0), dtype=np.float32)
            for batch in batches(tokens, GPU_BUDGET if has_gpu() else CPU_BUDGET):
                found = self._network.run([tokens[row] for row in batch], self.poolings)
                if not rows.shape[1]:
                    rows = np.empty((len(sentences), found.shape[1]), dtype=np.float32)
                rows[batch] = found
        for step in self.after:
            rows = step.applied(rows)
        return rows

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        """Say of each word how the tokenizer reads it, alone."""
        with silence_libraries(PURPOSE):
            said = said_by(self._tokenizer, words, add_special_tokens=False)
        unknown = self._tokenizer.unk_token_id
        return [WordPieces(len(ids), ids.count(unknown)) for ids in said["input_ids"]]

    def _check(self, sentences: Sequence[Sentence], tokens: Sequence[Tokens]) -> None:
        for sentence, each in zip(sentences, tokens, strict=True):
            if not len(each.ids):
                raise no_tokens(self.name, sentence)
            if self.longest is not None and len(each.ids) > self.longest:
                raise too_long(self.name, sentence, len(each.ids), self.longest, "tokens")


# A folder in the layout of Hugging Face as a text model.


def recognises(folder: Path) -> bool:
    """Say whether a folder has a config.json that names a transformer."""
    config = json_object_or_empty(folder / "config.json")
    return isinstance(config.get("model_type"), str) and config["model_type"] != "model2vec"


def read_transformer(folder: Path, choices: Choices = AS_GIVEN) -> TransformerModel:
    """Return the transformer of a folder; its weights are loaded when a sentence is encoded.

    Unless chosen, the mean over all tokens is taken, [CLS] and [SEP] counted; of a decoder, in
    which only the last token has seen the whole sentence, the last token (May et al. 2019).
    """
    check_files(checked_folder(folder))
    description = TransformerConfig(folder)
    kind = description.kind
    layers = choices.layers(description.depth + 1, folder.name)
    pooling = choices.pooling or ("last" if description.decoder else "mean")
    if pooling == "cls" and description.decoder:
        raise SettingError(
            f"The first token of {folder.name}, a decoder, has seen nothing of its sentence; take "
            "the pooling last, mean or word."
        )
    numbers = resolve_dtype(choices.numbers)
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
