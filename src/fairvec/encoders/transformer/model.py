"""A transformer as a text model: batches of tokens to pooled vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.core.errors import EncoderError, FileFormatError, SettingError
from fairvec.encoders.base import AS_GIVEN, Choices, TextModel, WordPieces, no_tokens, too_long
from fairvec.encoders.model_folder import (
    content_hash_of,
    json_object_or_empty,
    require_folder,
    silence_libraries,
)
from fairvec.encoders.pooling import (
    POOLINGS,
    Tokens,
    VectorStep,
    batches,
    call_tokenizer,
    pad_rows,
    tokenize,
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
    lowercase_tokenizer,
    resolve_dtype,
)
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence


def recognises(folder: Path) -> bool:
    """Say whether a folder has a config.json that names a transformer."""
    config = json_object_or_empty(folder / "config.json")
    return isinstance(config.get("model_type"), str) and config["model_type"] != "model2vec"


CPU_BUDGET, GPU_BUDGET = 4096, 65536
"""How many tokens, padding included, are run at once."""


@dataclass(frozen=True, eq=False)
class Network:
    """A module of torch, the layers to average, and the padding of its input."""

    module: Any
    name: str
    layers: tuple[int, ...]
    dtype: str
    filler: int
    takes_segments: bool

    @cached_property
    def _module_on_device(self) -> Any:
        import torch

        device = "cuda" if has_gpu() else "cpu"
        return self.module.to(device=device, dtype=getattr(torch, self.dtype))

    def run(self, tokens: Sequence[Tokens], poolings: Sequence[str]) -> FloatArray:
        """Return one row a sentence: its tokens' vectors pooled in each way, concatenated."""
        import torch

        def to_tensor(rows: Sequence[Sequence[int]], filler: int = 0) -> Any:
            return torch.from_numpy(pad_rows(rows, filler)).to(self._module_on_device.device)

        inputs = {
            "input_ids": to_tensor([sentence.ids for sentence in tokens], self.filler),
            "attention_mask": to_tensor([[1] * len(sentence.ids) for sentence in tokens]),
        }
        segments = [sentence.segments for sentence in tokens if sentence.segments is not None]
        if self.takes_segments and segments:
            inputs["token_type_ids"] = to_tensor(segments)
        with torch.inference_mode():
            vectors: FloatArray = self._mean_of_layers(inputs).cpu().numpy()
        counted = pad_rows([sentence.counted for sentence in tokens], 0)
        rows = [POOLINGS[pooling](vectors, counted) for pooling in poolings]
        return np.concatenate(rows, axis=-1)

    def _mean_of_layers(self, inputs: dict[str, Any]) -> Any:
        """Return the mean of the layers, in float32."""
        depth = self._module_on_device.config.num_hidden_layers
        inner = self.layers != (depth,)
        try:
            output = self._module_on_device(**inputs, output_hidden_states=inner, return_dict=True)
        except (RuntimeError, IndexError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split())[:300]
            raise EncoderError(
                f"{self.name} cannot read these sentences ({type(error).__name__}: {reason}); its "
                "tokenizer and weights may belong to two models."
            ) from error
        if not inner:
            return output.last_hidden_state.float()
        # The last layer is taken after the final normalisation, where a model has one.
        states = [*output.hidden_states[:-1], output.last_hidden_state]
        if len(states) != depth + 1:
            raise FileFormatError(
                f"{self.name} gives {len(states)} layers where {depth + 1} are expected; take the "
                "last."
            )
        return sum(states[layer].float() for layer in self.layers) / len(self.layers)


@dataclass(frozen=True, eq=False)
class TransformerModel(TextModel):
    """The mean of `layers` of a transformer, pooled in one or several ways, and what follows.

    `files` are further ones that affect the vectors; `record` is what the settings say of it all.
    """

    description: TransformerConfig
    name: str
    root: Path
    layers: tuple[int, ...]
    poolings: tuple[str, ...]
    dtype: str
    record: Mapping[str, Any]
    longest: int | None
    prompt: str = ""
    lower: bool = False
    after: tuple[VectorStep, ...] = ()
    files: tuple[Path, ...] = field(default=(), repr=False)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Layers, pooling and whatever else changes a vector."""
        return self.record

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        width = self.description.width * len(self.poolings)
        return next((step.width for step in reversed(self.after) if step.width), width)

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers."""
        return PRECISION[self.dtype]

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over weights, tokenizer, configuration and settings."""
        files = [*content_files(self.description.folder), *self.files]
        return content_hash_of(self.root, files, self.settings)

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizer = load_tokenizer(self.description.folder)
        return lowercase_tokenizer(tokenizer) if self.lower else tokenizer

    @cached_property
    def _network(self) -> Network:
        module = load_network(self.description.folder)
        takes_segments = "token_type_ids" in signature(module.forward).parameters
        padding_ids = self._tokenizer.pad_token_id, module.config.pad_token_id
        # Without a padding token any will do, since padding is masked.
        filler = next((number for number in padding_ids if number is not None and number >= 0), 0)
        return Network(module, self.name, self.layers, self.dtype, filler, takes_segments)

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence, in float32."""
        with silence_libraries(PURPOSE):
            tokens = tokenize(
                self._tokenizer, sentences, prompt=self.prompt, word="word" in self.poolings
            )
            self._check(sentences, tokens)
            rows: FloatArray = np.empty((len(sentences), 0), dtype=np.float32)
            for batch in batches(tokens, GPU_BUDGET if has_gpu() else CPU_BUDGET):
                batch_rows = self._network.run([tokens[row] for row in batch], self.poolings)
                if not rows.shape[1]:
                    rows = np.empty((len(sentences), batch_rows.shape[1]), dtype=np.float32)
                rows[batch] = batch_rows
        for step in self.after:
            rows = step.apply(rows)
        return rows

    def pieces(self, words: Sequence[str]) -> Sequence[WordPieces]:
        """Return the pieces of each word on its own."""
        with silence_libraries(PURPOSE):
            output = call_tokenizer(self._tokenizer, words, add_special_tokens=False)
        unknown = self._tokenizer.unk_token_id
        return [WordPieces(len(ids), ids.count(unknown)) for ids in output["input_ids"]]

    def _check(self, sentences: Sequence[Sentence], tokens: Sequence[Tokens]) -> None:
        for sentence, each in zip(sentences, tokens, strict=True):
            if not len(each.ids):
                raise no_tokens(self.name, sentence)
            if self.longest is not None and len(each.ids) > self.longest:
                raise too_long(self.name, sentence, len(each.ids), self.longest, "tokens")


def read_transformer(folder: Path, choices: Choices = AS_GIVEN) -> TransformerModel:
    """Return the transformer of a folder; its weights are loaded when a sentence is encoded.

    Unless chosen, the mean over all tokens is taken, [CLS] and [SEP] counted; of a decoder, in
    which only the last token has seen the whole sentence, the last token (May et al. 2019).
    """
    check_files(require_folder(folder))
    description = TransformerConfig(folder)
    kind = description.kind
    layers = choices.layers(description.depth + 1, folder.name)
    pooling = choices.pooling or ("last" if description.decoder else "mean")
    if pooling == "cls" and description.decoder:
        raise SettingError(
            f"The first token of {folder.name}, a decoder, has seen nothing of its sentence; take "
            "the pooling last, mean or word."
        )
    dtype = resolve_dtype(choices.dtype)
    settings = {
        "kind": "transformer",
        "model": kind,
        "layer": choices.layer,
        "pooling": pooling,
        **({"special tokens": "counted"} if pooling == "mean" else {}),
        "dtype": dtype,
    }
    return TransformerModel(
        description,
        folder.name,
        folder,
        layers,
        (pooling,),
        dtype,
        settings,
        description.longest,
    )
