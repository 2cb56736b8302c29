"""Outlines of tensors: what a file of torch says of them, held against the storage it names."""

from dataclasses import dataclass
from math import prod
from pickle import UnpicklingError
from typing import Any

from fairvec.embedding.formats.pickles.allowance import charge
from fairvec.embedding.formats.pickles.pickle_stand_ins import BUILDERS, Builder

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
MOST_SIDES, LARGEST = 64, 2**62


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
    """A value that is mentioned and never looked at; it takes any state and keeps none."""

    __slots__ = ()

    def __setstate__(self, state: Any) -> None:
        """Forget it."""


class Mapping(dict[Any, Any]):
    """An ordered dict, whose further attributes (as the versions of modules) are left out."""

    __slots__ = ()

    def __setstate__(self, state: Any) -> None:
        """Forget it."""


def storage_of(reference: Any) -> Storage:
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
    return type(number) is int and 0 <= number <= LARGEST


def _nothing(*_: Any) -> Inert:
    return Inert()


_TYPES = ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")
NAMES: dict[tuple[str, str], Any] = {
    ("torch._utils", "_rebuild_tensor"): Builder(_tensor),
    ("torch._utils", "_rebuild_tensor_v2"): Builder(_tensor),
    ("torch._utils", "_rebuild_parameter"): Builder(_parameter),
    ("torch._utils", "_rebuild_parameter_with_state"): Builder(_parameter),
    ("torch._utils", "_rebuild_sparse_tensor"): Builder(_nothing),
    ("torch.serialization", "_get_layout"): Builder(_nothing),
    ("torch._tensor", "_rebuild_from_type_v2"): Builder(_of_type),
    ("torch", "Tensor"): Inert(),
    ("torch", "Size"): Builder(_size),
    ("torch", "device"): Builder(_nothing),
    ("torch.nn.parameter", "Parameter"): Builder(_parameter),
    ("collections", "OrderedDict"): Builder(_mapping),
    ("collections", "Counter"): Builder(_mapping),
    **{("torch", name): Inert() for name in (*_TYPES, "bool", "complex64", "complex128")},
}
