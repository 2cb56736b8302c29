"""Tensors of a module's folder as arrays: from safetensors, else from a pickle of tensors alone."""

from collections.abc import Mapping
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.torch_file.inspection import inspect_torch_file
from fairvec.ground.errors import FileFormatError, MissingExtraError, UnsafeFileError
from fairvec.ground.safetensors_layout import TensorFile, open_tensors

SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
_MORE_TYPES = {"I8": "|i1", "I32": "<i4", "BF16": "<u2"}


def tensor_file(folder: Path) -> Path:
    """Return the file that holds a module's tensors, or say that there is none."""
    for name in (SAFE, PICKLED):
        if (folder / name).is_file():
            return folder / name
    raise FileFormatError(
        f"{folder} has no weights ({SAFE} or {PICKLED}); copy or download the whole folder again."
    )


def tensors_in(path: Path) -> Mapping[str, NDArray[Any]]:
    """Return the tensors of a file by name."""
    if path.name == SAFE:
        file = open_tensors(path)
        return {name: array_of(file, name) for name in file.entries}
    return _unpickled(path)


def array_of(file: TensorFile, name: str) -> NDArray[Any]:
    """Return a tensor; bfloat16, which numpy does not know, as float32."""
    entry = file.entries.get(name)
    if entry is None or entry.dtype not in _MORE_TYPES:
        return file.tensor(name)
    kind = np.dtype(_MORE_TYPES[entry.dtype])
    try:
        array = file.content[entry.start : entry.end].view(kind).reshape(entry.shape)
    except ValueError as error:
        raise FileFormatError(
            f"{file.path}: the tensor {name} is damaged ({error}); copy or download it again."
        ) from error
    if entry.dtype != "BF16":
        return array
    return (array.astype(np.uint32) << 16).view(np.float32)


def _unpickled(path: Path) -> Mapping[str, NDArray[Any]]:
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError(f"Reading {path.name}", "encoders") from error
    inspect_torch_file(path)
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
        return {name: tensor.float().numpy() for name, tensor in found.items()}
    except UnpicklingError as error:
        raise UnsafeFileError(
            f"{path}: the pickled weights ask for more than tensors and are not opened; have the "
            "model saved as safetensors."
        ) from error
    except (RuntimeError, ValueError, TypeError, EOFError, OSError, AttributeError) as error:
        said = str(error).partition("\n")[0][:200]
        raise FileFormatError(
            f"{path} holds no tensors by name ({said}); copy or download it again."
        ) from error
