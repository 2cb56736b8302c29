"""torch's `.pt` and `.pth`: one matrix, with its words inside or in a file of their own.

Such a file is a pickle. `inspect_torch_file` first rebuilds outlines of its tensors from stand-ins,
checks each against the storage it names, and refuses every other name. Then torch opens it with
weights_only=True, in a version of torch where that is safe. The end of a zip archive must be the
plainest one, because Python and torch could read two archives in one file otherwise.
"""

import io
import os
import pickle
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from pathlib import Path
from pickle import UnpicklingError
from struct import Struct
from typing import IO, Any

from fairvec.core.errors import FileFormatError, MissingExtraError, UnsafeFileError
from fairvec.core.text import join_names
from fairvec.embedding.formats.base import FileContent, ReadOptions, Vectors
from fairvec.embedding.formats.numpy_files import KEY_NAMES, MALFORMED
from fairvec.embedding.formats.rows import match_words, parse_vocabulary, with_words
from fairvec.embedding.formats.safe_pickle import (
    BUILDERS,
    MALFORMED_PICKLE,
    Builder,
    charge,
    map_file,
    memory_limit,
    scan_pickle,
    short_reason,
)

WIDTHS = {
    "FloatStorage": 4,
    "DoubleStorage": 8,
    "HalfStorage": 2,
    "BFloat16Storage": 2,
    "LongStorage": 8,
    "IntStorage": 4,
    "ShortStorage": 2,
    "CharStorage": 1,
    "ByteStorage": 1,
    "BoolStorage": 1,
    "ComplexFloatStorage": 8,
    "ComplexDoubleStorage": 16,
}
MOST_SIDES, LARGEST_SIZE = 64, 2**62


@dataclass(frozen=True)
class StorageKind:
    """What a storage holds, by the name of its class."""

    name: str

    @property
    def width(self) -> int:
        """The bytes of an item."""
        if self.name not in WIDTHS:
            raise UnpicklingError("a storage holds something that is no number")
        return WIDTHS[self.name]


@dataclass(frozen=True)
class Storage:
    """The numbers of one or more tensors: their key in the file, how many and how wide."""

    key: str
    items: int
    width: int


class Inert:
    """A value that is never used; it takes any state and keeps none."""

    __slots__ = ()

    def __setstate__(self, state: Any) -> None:
        """Forget it."""


class Mapping(dict[Any, Any]):
    """An ordered dict, whose further attributes (as the versions of modules) are left out."""

    __slots__ = ()

    def __setstate__(self, state: Any) -> None:
        """Forget it."""


def parse_storage(reference: Any) -> Storage:
    """Return the storage that a tensor refers to."""
    if not (
        isinstance(reference, tuple) and 5 <= len(reference) <= 6 and reference[0] == "storage"
    ):
        raise UnpicklingError("a tensor refers to what is no storage")
    kind, key, place, items = reference[1:5]
    view = reference[5] if len(reference) == 6 else None
    proper = isinstance(kind, StorageKind) and isinstance(key, str) and isinstance(place, str)
    if not proper or view is not None or not _is_size(items):
        raise UnpicklingError("a tensor refers to a storage that is not described")
    return Storage(key, items, kind.width)


def _tensor(storage: Any, offset: Any, size: Any, stride: Any, *_: Any) -> Inert:
    """Stand for _rebuild_tensor_v2: every number must lie in the storage, none be repeated."""
    if not (isinstance(storage, Storage) and isinstance(size, tuple) and isinstance(stride, tuple)):
        raise UnpicklingError("a tensor has no storage and shape")
    if len(size) != len(stride) or len(size) > MOST_SIDES:
        raise UnpicklingError("a tensor has a shape that no tensor has")
    if not all(map(_is_size, (offset, *size, *stride))):
        raise UnpicklingError("a tensor has a shape that no tensor has")
    items = prod(size)
    last = offset + sum((side - 1) * step for side, step in zip(size, stride, strict=True))
    if items > storage.items or (items and last >= storage.items):
        raise UnpicklingError("a tensor asks for more numbers than its storage holds")
    charge(items * max(storage.width, 4))
    return Inert()


def _parameter(data: Any, *_: Any) -> Inert:
    if not isinstance(data, Inert):
        raise UnpicklingError("a parameter is no tensor")
    return data


def _of_type(build: Any, kind: Any = None, arguments: Any = (), *_: Any) -> Any:
    """Stand for _rebuild_from_type_v2: a tensor that carries attributes of its own."""
    if not (isinstance(build, Builder) and isinstance(arguments, tuple)):
        raise UnpicklingError("a tensor is built from something else")
    if len(arguments) > MOST_SIDES:
        raise UnpicklingError("a tensor is built from too much")
    return build(*arguments)


def _mapping(items: Any = ()) -> Mapping:
    return Mapping(BUILDERS["builtins", "dict"](items))


def _size(sides: Any = ()) -> tuple[Any, ...]:
    """Stand for torch.Size, which is a tuple of whole numbers."""
    if not (isinstance(sides, tuple) and len(sides) <= MOST_SIDES and all(map(_is_size, sides))):
        raise UnpicklingError("a size is none of a tensor")
    return sides


def _is_size(number: Any) -> bool:
    return type(number) is int and 0 <= number <= LARGEST_SIZE


def _inert(*_: Any) -> Inert:
    return Inert()


_TYPES = ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")
STAND_INS: dict[tuple[str, str], Any] = {
    ("torch._utils", "_rebuild_tensor"): Builder(_tensor),
    ("torch._utils", "_rebuild_tensor_v2"): Builder(_tensor),
    ("torch._utils", "_rebuild_parameter"): Builder(_parameter),
    ("torch._utils", "_rebuild_parameter_with_state"): Builder(_parameter),
    ("torch._utils", "_rebuild_sparse_tensor"): Builder(_inert),
    ("torch.serialization", "_get_layout"): Builder(_inert),
    ("torch._tensor", "_rebuild_from_type_v2"): Builder(_of_type),
    ("torch", "Tensor"): Inert(),
    ("torch", "Size"): Builder(_size),
    ("torch", "device"): Builder(_inert),
    ("torch.nn.parameter", "Parameter"): Builder(_parameter),
    ("collections", "OrderedDict"): Builder(_mapping),
    ("collections", "Counter"): Builder(_mapping),
    **{("torch", name): Inert() for name in (*_TYPES, "bool", "complex64", "complex128")},
}


END = Struct("<4s4H2IH")
POINTER = Struct("<4sIQI")
LONG_END = Struct("<4sQ2H2I4Q")
END_MARK, POINTER_MARK, LONG_END_MARK = b"PK\x05\x06", b"PK\x06\x07", b"PK\x06\x06"
MOST, MOST_BYTES = 0xFFFF, 0xFFFFFFFF
"""The value in the short end record of a number that is too large for it."""


def check_archive_end(file: IO[bytes], size: int) -> int:
    """Return how many members an archive lists; raise ValueError where two readers could differ."""
    place = size - END.size
    mark, *_, here, listed, length, start, comment = END.unpack(_read(file, place, END.size))
    if mark != END_MARK or comment:
        raise ValueError("it is no zip archive of torch, or does not end as one")
    pointed = place - POINTER.size
    if pointed >= LONG_END.size and _read(file, pointed, 4) == POINTER_MARK:
        _, _, where, _ = POINTER.unpack(_read(file, pointed, POINTER.size))
        place = pointed - LONG_END.size
        mark, *_, long_here, long_listed, long_length, long_start = LONG_END.unpack(
            _read(file, place, LONG_END.size)
        )
        counts = ((here, long_here), (listed, long_listed))
        offsets = ((length, long_length), (start, long_start))
        agree = all(a in (b, MOST) for a, b in counts) and all(
            a in (b, MOST_BYTES) for a, b in offsets
        )
        if mark != LONG_END_MARK or where != place or not agree:
            raise ValueError("its two ends say two things")
        here, listed, length, start = long_here, long_listed, long_length, long_start
    if here != listed or start + length != place:
        raise ValueError("the list of its members does not lie where its end says")
    return int(listed)


def _read(file: IO[bytes], place: int, count: int) -> bytes:
    file.seek(max(0, place))
    return file.read(count).ljust(count, b"\0")


OLD_MAGIC = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
MAIN, SCRIPT = "data.pkl", "constants.pkl"
PICKLES_BEFORE, PICKLES_OF_OLD = 3, 5
PLAIN = ("_codecs", "builtins", "__builtin__", "collections")


def inspect_torch_file(path: Path) -> None:
    """Raise when a file is not what torch.save writes of tensors and plain containers."""
    try:
        with path.open("rb") as file:
            head = file.read(len(OLD_MAGIC))
            file.seek(0)
            if head == OLD_MAGIC:
                _inspect_old(path, file)
            else:
                _inspect_zip(path, file)
    except (*MALFORMED_PICKLE, *MALFORMED) as error:
        raise FileFormatError(
            f"{path.name} is not a whole file of torch ({short_reason(error)}); copy or download "
            "it again."
        ) from error


def _inspect_zip(path: Path, file: IO[bytes]) -> None:
    size = os.fstat(file.fileno()).st_size
    listed = check_archive_end(file, size)
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        # torch ignores the case of names, and takes a zero byte for a letter.
        inside = {member.orig_filename.lower().partition("/")[2]: member for member in members}
        one_folder = len({member.orig_filename.partition("/")[0] for member in members}) == 1
        if not one_folder or not len(inside) == len(members) == listed or MAIN not in inside:
            raise ValueError("its members are not those that torch writes")
        if SCRIPT in inside:
            raise UnsafeFileError(
                f"{path.name} holds a program (TorchScript) and is not opened; save the state dict "
                "of the model alone: torch.save(model.state_dict(), ...)."
            )
        if any(member.compress_type != zipfile.ZIP_STORED for member in members):
            raise ValueError("its members are compressed, which torch does not do")
        if any(member.file_size != member.compress_size for member in members):
            raise ValueError("its members have two sizes")
        if sum(member.file_size for member in members) > size:
            raise ValueError("its members are larger than itself")
        content = archive.read(inside[MAIN])
    sizes = {name[5:]: member.file_size for name, member in inside.items() if name[:5] == "data/"}
    _rebuild(path, content, size, sizes)


def _inspect_old(path: Path, file: Any) -> None:
    content = map_file(file)
    ends = [0]
    for _ in range(PICKLES_OF_OLD):
        ends.append(scan_pickle(content, ends[-1]).end)
    parts = [content[here:there] for here, there in pairwise(ends)]
    storages: dict[str, Storage] = {}
    _rebuild(path, parts[PICKLES_BEFORE], len(content), None, storages)
    keys = _rebuild(path, parts[-1], len(content), {})
    named = isinstance(keys, list) and all(isinstance(key, str) for key in keys)
    if not named or sorted(keys) != sorted(storages):
        raise ValueError("it does not hold the storages that its tensors need")
    at = ends[-1]
    for storage in (storages[key] for key in keys):
        count = int.from_bytes(content[at : at + 8], "little")
        at += 8 + storage.items * storage.width
        if count != storage.items or at > len(content):
            raise ValueError("its storages are cut short")


def _rebuild(
    path: Path,
    content: bytes,
    size: int,
    sizes: dict[str, int] | None,
    storages: dict[str, Storage] | None = None,
) -> Any:
    with memory_limit(scan_pickle(content).left + 64 * (size - len(content))):
        return _OutlineUnpickler(
            path, content, size, sizes, {} if storages is None else storages
        ).load()


class _OutlineUnpickler(pickle.Unpickler):
    """An unpickler that builds outlines of tensors, and plain containers."""

    def __init__(
        self,
        path: Path,
        content: bytes,
        size: int,
        sizes: dict[str, int] | None,
        storages: dict[str, Storage],
    ) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")
        self._path, self._size, self._sizes, self._storages = path, size, sizes, storages

    def find_class(self, module: str, name: str) -> Any:
        """Return the stand-in for a name, or refuse it."""
        if (module, name) in STAND_INS:
            return STAND_INS[module, name]
        if module == "torch" and name.endswith("Storage"):
            return StorageKind(name)
        if module in PLAIN and (module, name) in BUILDERS:
            return BUILDERS[module, name]
        raise UnsafeFileError(
            f"{self._path.name} asks for more than tensors and is not opened; save the state dict "
            "of the model alone: torch.save(model.state_dict(), ...)."
        )

    def persistent_load(self, pid: Any) -> Storage:
        """Return the outline of a storage, which must have the bytes that it asks for."""
        storage = parse_storage(pid)
        available = self._size if self._sizes is None else self._sizes.get(storage.key, -1)
        needed = storage.items * storage.width
        if needed > available or (self._sizes is not None and needed != available):
            raise pickle.UnpicklingError("a tensor asks for more numbers than the file holds")
        if self._storages.setdefault(storage.key, storage) != storage:
            raise pickle.UnpicklingError("two tensors read one storage in two ways")
        return storage


SAFE_SINCE = (2, 6)
"""Before this, weights_only could be made to run code (CVE-2025-32434)."""
STATE_DICT_KEYS = ("state_dict", "model_state_dict", "model")
EMBEDDING_NAME = re.compile(r"emb|wte|word|token", re.IGNORECASE)


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

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read the one matrix, with the words in the file or in a word list next to it."""
        content = _load(path)
        if isinstance(content, dict):
            inner = next(
                (content[key] for key in STATE_DICT_KEYS if isinstance(content.get(key), dict)),
                content,
            )
            name, vectors = _matrix(path, inner)
            words = next((content[key] for key in KEY_NAMES if key in content), None)
            if words is not None and options.vocabulary is None:
                notes = {"tensor": name}
                return match_words(
                    path, parse_vocabulary(words, path.name), vectors, options, notes=notes
                )
        else:
            name, vectors = _matrix(path, {"": content})
        found = with_words(path, vectors, options)
        if name:
            found.notes["tensor"] = name
        return found


def _load(path: Path) -> Any:
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
    except Exception as error:  # torch raises almost anything for a damaged file
        reason = str(error).partition("\n")[0][:200]
        raise FileFormatError(
            f"{path.name} is not a whole file of torch ({reason}); copy or download it again."
        ) from error


def _matrix(path: Path, tensors: dict[Any, Any]) -> tuple[str, Vectors]:
    """Return the one matrix of floats, or the one that is named like an embedding."""
    import torch

    found = {
        str(name): tensor
        for name, tensor in tensors.items()
        if isinstance(tensor, torch.Tensor)
        and tensor.ndim == 2
        and tensor.is_floating_point()
        and tensor.layout == torch.strided
    }
    likely = [name for name in found if len(found) == 1 or EMBEDDING_NAME.search(name)]
    if len(likely) != 1:
        some = join_names(sorted(likely or found), 6)
        raise FileFormatError(
            f"{path.name} must hold one matrix of word vectors, and those that may be one are: "
            f"{some}; save the one that is wanted alone."
        )
    tensor = found[likely[0]].detach()
    if tensor.dtype not in (torch.float16, torch.float32, torch.float64):
        tensor = tensor.float()  # bfloat16, which numpy does not know
    return likely[0], tensor.numpy()
