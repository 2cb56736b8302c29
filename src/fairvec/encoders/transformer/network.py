"""The network itself: batches of tokens to pooled vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fairvec.encoders.transformer.device import has_gpu
from fairvec.encoders.transformer.pooling import POOLINGS
from fairvec.encoders.transformer.tokens import Tokens, padded
from fairvec.geometry import FloatArray
from fairvec.ground.errors import EncoderError, FileFormatError


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
