"""A matrix of numbers, wherever it lies and however it is kept."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.api.holding.kinds import comes_from
from fairvec.ground.errors import FileFormatError, SettingError

UNKNOWN_TO_NUMPY = ("bfloat16", "float8")


def numbers_of(held: Any, name: str) -> Any:
    """Return what numpy can read: an array as it is, a tensor as a copy in main memory.

    A copy, because training goes on in a tensor's own numbers. Half precision that numpy does not
    know (bfloat16) becomes float32, which holds all of it.
    """
    if comes_from(held, "torch", "detach"):
        return _of_torch(held, name)
    if comes_from(held, "cupy", "get"):
        return held.get()
    if comes_from(held, "scipy", "toarray"):
        raise SettingError(f"{name}: the matrix is sparse; give matrix.toarray().")
    if isinstance(held, np.ma.MaskedArray) and np.ma.getmaskarray(held).any():
        raise FileFormatError(
            f"{name}: {int(np.ma.getmaskarray(held).sum())} numbers of the matrix are masked; "
            "remove those rows, or fill them with numbers."
        )
    kind = str(getattr(held, "dtype", ""))
    if isinstance(held, np.ndarray) and kind.startswith(UNKNOWN_TO_NUMPY):
        return held.astype(np.float32)
    return held


def _of_torch(tensor: Any, name: str) -> NDArray[Any]:
    if str(tensor.device) == "meta":
        raise SettingError(
            f"{name}: the tensor lies on torch's meta device and has no numbers; load its weights "
            "first."
        )
    if str(tensor.layout) != "torch.strided" or tensor.is_quantized:
        raise SettingError(
            f"{name}: the tensor is sparse or quantised; give tensor.to_dense() or "
            "tensor.dequantize()."
        )
    plain = tensor.detach().cpu().resolve_conj().resolve_neg()
    if str(plain.dtype).removeprefix("torch.").startswith(UNKNOWN_TO_NUMPY):
        plain = plain.float()
    return np.array(plain.numpy())
