"""The dense layer of sentence-transformers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.encoders.sentence_transformer.modules import ListedModule
from fairvec.encoders.tensors import tensor_file, tensors_in
from fairvec.geometry import FloatArray
from fairvec.ground.errors import FileFormatError

_ROOT_OF_TWO = np.float32(np.sqrt(2))
_TANH = "torch.nn.modules.activation.Tanh"


def _special() -> Any:
    from scipy import special  # here: few encoders have such a layer

    return special


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "torch.nn.modules.linear.Identity": lambda x: x,
    _TANH: np.tanh,
    "torch.nn.modules.activation.ReLU": lambda x: np.maximum(x, 0),
    "torch.nn.modules.activation.Sigmoid": lambda x: _special().expit(x),
    "torch.nn.modules.activation.SiLU": lambda x: x * _special().expit(x),
    "torch.nn.modules.activation.GELU": lambda x: x * (1 + _special().erf(x / _ROOT_OF_TWO)) / 2,
}
"""By the names under which sentence-transformers saves them; no other is looked up."""


@dataclass(frozen=True)
class DenseLayer:
    """activation(W v + b); where it has a residual, R v or v itself is added."""

    file: Path
    width: int
    activation: str
    residual: bool = False

    def applied(self, rows: FloatArray) -> FloatArray:
        """Return the rows after the layer."""
        found = self._tensors
        try:
            summed = rows @ found["linear.weight"].T + found.get("linear.bias", np.float32(0))
            given: FloatArray = ACTIVATIONS[self.activation](summed)
            if not self.residual:
                return given
            again = found.get("residual.weight")
            return given + (rows if again is None else rows @ again.T)
        except (KeyError, ValueError) as error:
            raise FileFormatError(
                f"{self.file} does not hold the weights of a dense layer of this width ({error}); "
                "copy or download it again."
            ) from error

    @cached_property
    def _tensors(self) -> Mapping[str, NDArray[Any]]:
        found = tensors_in(self.file)
        with np.errstate(over="ignore"):
            return {name: tensor.astype(np.float32) for name, tensor in found.items()}


def read_dense(module: ListedModule) -> DenseLayer:
    """Return the layer that a module's folder describes."""
    said = module.config
    for name in ("module_input_name", "module_output_name"):
        module.expect(said, name, "sentence_embedding")
    activation = said.get("activation_function", _TANH)
    if not isinstance(activation, str) or activation not in ACTIVATIONS:
        raise module.refuse("activation_function", activation)
    width = said.get("out_features")
    if not isinstance(width, int) or isinstance(width, bool) or width < 1:
        raise module.refuse("out_features", width)
    return DenseLayer(tensor_file(module.folder), width, activation, bool(said.get("use_residual")))
