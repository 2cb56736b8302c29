"""A transformer with its choices, as an Encoder asks for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.encoders.model_folder import hash_of
from fairvec.encoders.sentence import Sentence
from fairvec.encoders.text_model import Pieces
from fairvec.encoders.too_long import no_tokens, too_long
from fairvec.encoders.transformer.description import TransformerShape
from fairvec.encoders.transformer.device import PRECISION, has_gpu
from fairvec.encoders.transformer.files import content_files
from fairvec.encoders.transformer.loading import PURPOSE, load_network, load_tokenizer
from fairvec.encoders.transformer.lowering import lowered
from fairvec.encoders.transformer.network import Network
from fairvec.encoders.transformer.quiet import quietly
from fairvec.encoders.transformer.tokens import Tokens, batches, said_by, tokens_of
from fairvec.encoders.vector_steps import VectorStep
from fairvec.geometry import FloatArray

CPU_BUDGET, GPU_BUDGET = 4096, 65536
"""How many tokens, padding counted, are run at once."""


@dataclass(frozen=True, eq=False)
class TransformerModel:
    """The mean of `layers` of a transformer, pooled in one or several ways, and what follows.

    `files` are those outside the transformer's own that have a part in the vectors; `settings` say
    all of this in words.
    """

    description: TransformerShape
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
        with quietly(PURPOSE):
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

    def pieces(self, words: Sequence[str]) -> Sequence[Pieces]:
        """Say of each word how the tokenizer reads it, alone."""
        with quietly(PURPOSE):
            said = said_by(self._tokenizer, words, add_special_tokens=False)
        unknown = self._tokenizer.unk_token_id
        return [Pieces(len(ids), ids.count(unknown)) for ids in said["input_ids"]]

    def _check(self, sentences: Sequence[Sentence], tokens: Sequence[Tokens]) -> None:
        for sentence, each in zip(sentences, tokens, strict=True):
            if not len(each.ids):
                raise no_tokens(self.name, sentence)
            if self.longest is not None and len(each.ids) > self.longest:
                raise too_long(self.name, sentence, len(each.ids), self.longest, "tokens")
