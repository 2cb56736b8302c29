"""torch's `.pt` and `.pth`: one embedding matrix among tensors, its words there or beside it.

Such a file is a pickle. It is inspected first, then opened with weights_only=True alone, which
builds tensors and plain containers and refuses the rest, by a torch in which that holds.
"""

import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from fairvec.embedding.formats.npz_file.array_header import MALFORMED
from fairvec.embedding.formats.npz_file.reader import KEY_NAMES
from fairvec.embedding.formats.reading import Raw, ReadOptions, Vectors
from fairvec.embedding.formats.torch_file.inspection import OLD_MAGIC, inspect_torch_file
from fairvec.embedding.formats.word_file import matched, with_words, words_of
from fairvec.ground.errors import FileFormatError, MissingExtraError, UnsafeFileError
from fairvec.ground.text.shown_values import few_named

SAFE_SINCE = (2, 6)
"""Before this, weights_only could be made to run code (CVE-2025-32434)."""
INNER = ("state_dict", "model_state_dict", "model")
NAMED_LIKE_ONE = re.compile(r"emb|wte|word|token", re.IGNORECASE)


def is_torch_archive(names: Iterable[str]) -> bool:
    """Say whether the members of a zip archive are those of torch.save."""
    inside = {name.partition("/")[2] for name in names}
    return "data.pkl" in inside and "version" in inside


@dataclass(frozen=True)
class TorchFile:
    """What torch.save wrote: a tensor, or tensors by name."""

    name: str = "torch"
    suffixes: tuple[str, ...] = (".pt", ".pth")

    def recognises(self, path: Path, head: bytes) -> bool:
        """A zip file with torch's members, or the number that older files begin with."""
        if not head.startswith(b"PK\x03\x04"):
            return head.startswith(OLD_MAGIC)
        try:
            with zipfile.ZipFile(path) as archive:
                return is_torch_archive(archive.namelist())
        except MALFORMED:
            return path.suffix.lower() in self.suffixes

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Read the one matrix, with the words that the file holds or that stand beside it."""
        held = _loaded(path)
        if isinstance(held, dict):
            inner = next((held[each] for each in INNER if isinstance(held.get(each), dict)), held)
            name, vectors = _matrix(path, inner)
            words = next((held[each] for each in KEY_NAMES if each in held), None)
            if words is not None and options.vocabulary is None:
                notes = {"tensor": name}
                return matched(path, words_of(words, path.name), vectors, options, notes=notes)
        else:
            name, vectors = _matrix(path, {"": held})
        found = with_words(path, vectors, options)
        if name:
            found.notes["tensor"] = name
        return found


def _loaded(path: Path) -> Any:
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError(f"Reading {path.name}", "encoders") from error
    version = tuple(int(part) for part in re.findall(r"\d+", torch.__version__)[:2])
    if version < SAFE_SINCE:
        raise UnsafeFileError(
            f"{path.name} is a pickle, which torch {torch.__version__} does not open safely; "
            "install torch 2.6 or newer, or have the matrix saved as .npy or safetensors."
        )
    inspect_torch_file(path)
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except UnpicklingError as error:
        raise UnsafeFileError(
            f"{path.name} asks for more than tensors, or is cut short, and is not opened; save the "
            "state dict of the model alone: torch.save(model.state_dict(), ...)."
        ) from error
    except MemoryError:
        raise
    except Exception as error:  # of a damaged file torch raises almost anything
        said = str(error).partition("\n")[0][:200]
        raise FileFormatError(
            f"{path.name} is not a whole file of torch ({said}); copy or download it again."
        ) from error


def _matrix(path: Path, held: dict[Any, Any]) -> tuple[str, Vectors]:
    """Return the one matrix of floats, or the one that is named like an embedding."""
    import torch

    found = {
        str(name): tensor
        for name, tensor in held.items()
        if isinstance(tensor, torch.Tensor)
        and tensor.ndim == 2
        and tensor.is_floating_point()
        and tensor.layout == torch.strided
    }
    likely = [name for name in found if len(found) == 1 or NAMED_LIKE_ONE.search(name)]
    if len(likely) != 1:
        some = few_named(sorted(likely or found), 6)
        raise FileFormatError(
            f"{path.name} must hold one matrix of word vectors, and those that may be one are: "
            f"{some}; save the one that is wanted alone."
        )
    tensor = found[likely[0]].detach()
    if tensor.dtype not in (torch.float16, torch.float32, torch.float64):
        tensor = tensor.float()  # bfloat16, which numpy does not know
    return likely[0], tensor.numpy()
