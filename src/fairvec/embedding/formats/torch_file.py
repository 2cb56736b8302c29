"""torch's `.pt` and `.pth`: one matrix, with its words inside or in a file of their own.

Such a file is a pickle, and torch is not needed to read it: plain containers are rebuilt, each
tensor becomes a description, checked against the storage that it names, and every other name is
refused. `inspect_torch_file` reads no numbers. The end of a zip archive must be the plainest one:
else fairvec and torch could read two archives in one file.
"""

import os
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from pickle import UnpicklingError
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, UnsafeFileError
from fairvec.core.io.compression import check_archive_end, check_member
from fairvec.core.text import join_names
from fairvec.embedding.formats.base import FileContent, Format, ReadOptions, Vectors
from fairvec.embedding.formats.numpy_files import KEY_NAMES, MALFORMED
from fairvec.embedding.formats.pickles.objects import BUILDERS, Builder, charge
from fairvec.embedding.formats.pickles.unpickler import (
    MALFORMED_PICKLE,
    Content,
    SafeUnpickler,
    map_file,
    short_reason,
)
from fairvec.embedding.formats.rows import match_words, parse_vocabulary, with_words

_TYPES = {
    "FloatStorage": "f4",
    "DoubleStorage": "f8",
    "HalfStorage": "f2",
    "BFloat16Storage": "u2",
    "LongStorage": "i8",
    "IntStorage": "i4",
    "ShortStorage": "i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "BoolStorage": "b1",
    "ComplexFloatStorage": "c8",
    "ComplexDoubleStorage": "c16",
}
"""The numbers of each storage; those of bfloat16 are the upper halves of float32."""
FLOATS = ("FloatStorage", "DoubleStorage", "HalfStorage", "BFloat16Storage")
MOST_SIDES, LARGEST_SIZE = 64, 2**62


@dataclass(frozen=True)
class Storage:
    """The numbers of one or more tensors: their key in the file, how many and of which kind."""

    key: str
    items: int
    kind: str

    @property
    def width(self) -> int:
        """The bytes of an item."""
        return np.dtype(_TYPES[self.kind]).itemsize


@dataclass(frozen=True)
class StorageKind:
    """The class of a storage, by its name."""

    name: str


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor whose numbers have not been read: a view of a storage, in items of it."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def __setstate__(self, state: Any) -> None:
        """Forget attributes that a subclass carries."""


class Inert:
    """A value that is never used; it takes any state and keeps none."""

    __slots__ = ()

    def __setstate__(self, state: Any) -> None:
        """Forget it."""


class PlainDict(dict[Any, Any]):
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
    if kind.name not in _TYPES:
        raise UnpicklingError("a storage holds something that is no number")
    return Storage(key, items, kind.name)


def _tensor(storage: Any, offset: Any, size: Any, stride: Any, *_: Any) -> Tensor:
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
    return Tensor(storage, offset, size, stride)


def _parameter(data: Any, *_: Any) -> Tensor:
    if not isinstance(data, Tensor):
        raise UnpicklingError("a parameter is no tensor")
    return data


def _of_type(build: Any, kind: Any = None, arguments: Any = (), *_: Any) -> Any:
    """Stand for _rebuild_from_type_v2: a tensor that carries attributes of its own."""
    if not (isinstance(build, Builder) and isinstance(arguments, tuple)):
        raise UnpicklingError("a tensor is built from something else")
    if len(arguments) > MOST_SIDES:
        raise UnpicklingError("a tensor is built from too much")
    return build(*arguments)


def _mapping(items: Any = ()) -> PlainDict:
    return PlainDict(BUILDERS["builtins", "dict"](items))


def _size(sides: Any = ()) -> tuple[Any, ...]:
    """Stand for torch.Size, which is a tuple of whole numbers."""
    if not (isinstance(sides, tuple) and len(sides) <= MOST_SIDES and all(map(_is_size, sides))):
        raise UnpicklingError("a size is none of a tensor")
    return sides


def _is_size(number: Any) -> bool:
    return type(number) is int and 0 <= number <= LARGEST_SIZE


def _inert(*_: Any) -> Inert:
    return Inert()


_DTYPES = ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")
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
    **{("torch", name): Inert() for name in (*_DTYPES, "bool", "complex64", "complex128")},
}


OLD_MAGIC = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
MAIN, SCRIPT, BYTE_ORDER = "data.pkl", "constants.pkl", "byteorder"
PICKLES_BEFORE, PICKLES_OF_OLD = 3, 5
PLAIN = ("_codecs", "builtins", "__builtin__", "collections")


def _damaged(path: Path, error: Exception) -> FileFormatError:
    return FileFormatError(
        f"{path.name} is not a whole file of torch ({short_reason(error)}); copy or download it "
        "again."
    )


@dataclass(frozen=True)
class TorchContent:
    """What torch.save was given, with a Tensor for each tensor, and how their numbers are read."""

    path: Path
    value: Any
    read_storage: Callable[[Storage], bytes]
    byte_order: Literal["<", ">"] = "<"

    def array(self, tensor: Tensor) -> NDArray[Any]:
        """Return the numbers of a tensor; bfloat16, which numpy does not know, as float32."""
        dtype = np.dtype(_TYPES[tensor.storage.kind]).newbyteorder(self.byte_order)
        strides = [step * dtype.itemsize for step in tensor.strides]
        try:
            numbers: NDArray[Any]
            if prod(tensor.shape):
                content = self.read_storage(tensor.storage)
                start = tensor.offset * dtype.itemsize
                numbers = np.ndarray(tensor.shape, dtype, content, start, strides)
            else:
                numbers = np.empty(tensor.shape, dtype)
        except MALFORMED as error:
            raise _damaged(self.path, error) from error
        if tensor.storage.kind == "BFloat16Storage":
            return (numbers.astype(np.uint32) << 16).view(np.float32)
        return numbers.astype(dtype.newbyteorder("="), copy=False)


def inspect_torch_file(path: Path) -> TorchContent:
    """Return what a file holds, or raise where that is not tensors and plain containers alone."""
    try:
        with path.open("rb") as file:
            head = file.read(len(OLD_MAGIC))
            file.seek(0)
            return (_inspect_old if head == OLD_MAGIC else _inspect_zip)(path, file)
    except (*MALFORMED_PICKLE, *MALFORMED) as error:
        raise _damaged(path, error) from error


def _inspect_zip(path: Path, file: IO[bytes]) -> TorchContent:
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
        big = BYTE_ORDER in inside and archive.read(inside[BYTE_ORDER]) == b"big"
        for member in members:
            check_member(archive, member)  # torch itself does not read the checksums
    storages = {name[5:]: member for name, member in inside.items() if name[:5] == "data/"}
    sizes = {key: member.file_size for key, member in storages.items()}
    value = _TensorUnpickler(path, content, 0, sizes, size - len(content)).load()

    def read_storage(storage: Storage) -> bytes:
        with zipfile.ZipFile(path) as archive:
            return archive.read(storages[storage.key])

    return TorchContent(path, value, read_storage, ">" if big else "<")


def _inspect_old(path: Path, file: Any) -> TorchContent:
    content = map_file(file)
    at, parts = 0, []
    for number in range(PICKLES_OF_OLD):
        sizes: dict[str, int] | None = None if number == PICKLES_BEFORE else {}
        part = _TensorUnpickler(path, content, at, sizes, len(content))
        parts.append((part.load(), part.storages))
        at = part.at
    (value, storages), (keys, _) = parts[PICKLES_BEFORE:]
    named = isinstance(keys, list) and all(isinstance(key, str) for key in keys)
    if not named or sorted(keys) != sorted(storages):
        raise ValueError("it does not hold the storages that its tensors need")
    places = {}
    for storage in (storages[key] for key in keys):
        count, places[storage.key] = int.from_bytes(content[at : at + 8], "little"), at + 8
        at += 8 + storage.items * storage.width
        if count != storage.items or at > len(content):
            raise ValueError("its storages are cut short")

    def read_storage(storage: Storage) -> bytes:
        with path.open("rb") as file:
            file.seek(places[storage.key])
            return file.read(storage.items * storage.width)

    return TorchContent(path, value, read_storage)


class _TensorUnpickler(SafeUnpickler):
    """An unpickler that makes outlines of tensors, and plain containers.

    `sizes` are the bytes of each storage; None where storages follow after the pickles.
    """

    encoding = "utf-8"

    def __init__(
        self,
        path: Path,
        content: Content,
        start: int,
        sizes: dict[str, int] | None,
        further_bytes: int,
    ) -> None:
        super().__init__(path, content, start, further_bytes=further_bytes)
        self._sizes = sizes
        self.storages: dict[str, Storage] = {}

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
        available = len(self._content) if self._sizes is None else self._sizes.get(storage.key, -1)
        needed = storage.items * storage.width
        if needed > available or (self._sizes is not None and needed != available):
            raise UnpicklingError("a tensor asks for more numbers than the file holds")
        if self.storages.setdefault(storage.key, storage) != storage:
            raise UnpicklingError("two tensors read one storage in two ways")
        return storage


def read_torch_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Return the tensors that a file holds by name."""
    content = inspect_torch_file(path)
    value = content.value
    if not isinstance(value, dict) or not all(
        isinstance(name, str) and isinstance(tensor, Tensor) for name, tensor in value.items()
    ):
        raise FileFormatError(
            f"{path} holds no tensors by name; save the state dict of the model alone: "
            "torch.save(model.state_dict(), ...)."
        )
    return {name: content.array(tensor) for name, tensor in value.items()}


STATE_DICT_KEYS = ("state_dict", "model_state_dict", "model")
EMBEDDING_NAME = re.compile(r"emb|wte|word|token", re.IGNORECASE)


def is_torch_archive(names: Iterable[str]) -> bool:
    """Say whether the members of a zip archive are those of torch.save."""
    inside = {name.partition("/")[2] for name in names}
    return "data.pkl" in inside and "version" in inside


class Torch(Format):
    """What torch.save wrote: a tensor, or tensors by name."""

    name = "torch"
    suffixes = (".pt", ".pth")
    options = frozenset({"vocabulary"})

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
        whole = inspect_torch_file(path)
        content = whole.value
        if isinstance(content, dict):
            inner = next(
                (content[key] for key in STATE_DICT_KEYS if isinstance(content.get(key), dict)),
                content,
            )
            name, vectors = _matrix(whole, inner)
            words = next((content[key] for key in KEY_NAMES if key in content), None)
            if words is not None and options.vocabulary is None:
                notes = {"tensor": name}
                return match_words(
                    path, parse_vocabulary(words, path.name), vectors, options, notes=notes
                )
        else:
            name, vectors = _matrix(whole, {"": content})
        found = with_words(path, vectors, options)
        if name:
            found.notes["tensor"] = name
        return found


def _matrix(content: TorchContent, tensors: dict[Any, Any]) -> tuple[str, Vectors]:
    """Return the one matrix of floats, or the one that is named like an embedding."""
    found = {
        str(name): tensor
        for name, tensor in tensors.items()
        if isinstance(tensor, Tensor) and len(tensor.shape) == 2 and tensor.storage.kind in FLOATS
    }
    likely = [name for name in found if len(found) == 1 or EMBEDDING_NAME.search(name)]
    if len(likely) != 1:
        some = join_names(sorted(likely or found), 6)
        raise FileFormatError(
            f"{content.path.name} must hold one matrix of word vectors, and those that may be one "
            f"are: {some}; save the one that is wanted alone."
        )
    return likely[0], content.array(found[likely[0]])
