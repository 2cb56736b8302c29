"""What a file of torch would make torch build, looked at before torch opens it.

weights_only=True keeps torch from running code, but not from hashing a key for years, asking for
memory that no tensor of the file fills or nesting until the process dies. So its pickle is first
walked over and rebuilt from stand-ins here, each tensor held against the bytes of its storage.
"""

import io
import os
import pickle
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from fairvec.embedding.formats.npz_file.array_header import MALFORMED as MALFORMED_ZIP
from fairvec.embedding.formats.pickles.allowance import allowed
from fairvec.embedding.formats.pickles.pickle_stand_ins import BUILDERS
from fairvec.embedding.formats.pickles.safe_pickle import MALFORMED, pickled, reason_of
from fairvec.embedding.formats.pickles.scanning import scanned
from fairvec.embedding.formats.torch_file.tensor_stand_ins import (
    NAMES,
    Storage,
    StorageKind,
    storage_of,
)
from fairvec.embedding.formats.torch_file.zip_ending import refuse_two_readings
from fairvec.ground.errors import FileFormatError, UnsafeFileError

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
    except (*MALFORMED, *MALFORMED_ZIP) as error:
        raise FileFormatError(
            f"{path.name} is not a whole file of torch ({reason_of(error)}); copy or download it "
            "again."
        ) from error


def _inspect_zip(path: Path, file: IO[bytes]) -> None:
    size = os.fstat(file.fileno()).st_size
    listed = refuse_two_readings(file, size)
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        # torch looks names up whatever their case, and takes a zero byte for a letter.
        inside = {each.orig_filename.lower().partition("/")[2]: each for each in members}
        one_folder = len({each.orig_filename.partition("/")[0] for each in members}) == 1
        if not one_folder or not len(inside) == len(members) == listed or MAIN not in inside:
            raise ValueError("its members are not those that torch writes")
        if SCRIPT in inside:
            raise UnsafeFileError(
                f"{path.name} holds a program (TorchScript) and is not opened; save the state dict "
                "of the model alone: torch.save(model.state_dict(), ...)."
            )
        if any(each.compress_type != zipfile.ZIP_STORED for each in members):
            raise ValueError("its members are compressed, which torch does not do")
        if any(each.file_size != each.compress_size for each in members):
            raise ValueError("its members have two sizes")
        if sum(each.file_size for each in members) > size:
            raise ValueError("its members are larger than itself")
        content = archive.read(inside[MAIN])
    sizes = {name[5:]: each.file_size for name, each in inside.items() if name[:5] == "data/"}
    _rebuilt(path, content, size, sizes)


def _inspect_old(path: Path, file: Any) -> None:
    content = pickled(file)
    ends = [0]
    for _ in range(PICKLES_OF_OLD):
        ends.append(scanned(content, ends[-1]).end)
    parts = [content[here:there] for here, there in pairwise(ends)]
    met: dict[str, Storage] = {}
    _rebuilt(path, parts[PICKLES_BEFORE], len(content), None, met)
    keys = _rebuilt(path, parts[-1], len(content), {})
    named = isinstance(keys, list) and all(isinstance(key, str) for key in keys)
    if not named or sorted(keys) != sorted(met):
        raise ValueError("it does not hold the storages that its tensors need")
    at = ends[-1]
    for storage in (met[key] for key in keys):
        count = int.from_bytes(content[at : at + 8], "little")
        at += 8 + storage.items * storage.width
        if count != storage.items or at > len(content):
            raise ValueError("its storages are cut short")


def _rebuilt(
    path: Path,
    content: bytes,
    size: int,
    sizes: dict[str, int] | None,
    met: dict[str, Storage] | None = None,
) -> Any:
    with allowed(scanned(content).left + 64 * (size - len(content))):
        return _TensorRebuilder(path, content, size, sizes, {} if met is None else met).load()


class _TensorRebuilder(pickle.Unpickler):
    """An unpickler that builds outlines of tensors, and plain containers."""

    def __init__(
        self,
        path: Path,
        content: bytes,
        size: int,
        sizes: dict[str, int] | None,
        met: dict[str, Storage],
    ) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")
        self._path, self._size, self._sizes, self._met = path, size, sizes, met

    def find_class(self, module: str, name: str) -> Any:
        """Return the stand-in for a name, or refuse it."""
        if (module, name) in NAMES:
            return NAMES[module, name]
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
        storage = storage_of(pid)
        there = self._size if self._sizes is None else self._sizes.get(storage.key, -1)
        needed = storage.items * storage.width
        if needed > there or (self._sizes is not None and needed != there):
            raise pickle.UnpicklingError("a tensor asks for more numbers than the file holds")
        if self._met.setdefault(storage.key, storage) != storage:
            raise pickle.UnpicklingError("two tensors read one storage in two ways")
        return storage
