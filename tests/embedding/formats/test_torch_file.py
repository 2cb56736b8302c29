"""Files of torch are read without running them, and what is not plain data is refused."""

import io
import pickle
import struct
import sys
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import FairvecError, FileFormatError, UnsafeFileError
from fairvec.embedding.formats.torch_file import (
    Tensor,
    inspect_torch_file,
    read_torch_tensors,
)
from tests.embedding.pickles import ATTACKS, called, numbers, pushed, refuse_each, whole

torch = pytest.importorskip("torch", reason="torch is not installed")


# --- Files of torch that ask for more than they hold are refused before torch opens them ---


MATRIX = np.arange(6, dtype=np.float32).reshape(3, 2)
DOUBLED = b")" + b"q\xfah\xfa\x86" * 60
"""A tuple of two equal tuples, 60 times; torch's own unpickler builds it so."""


def archive(pickled: bytes, how: int = zipfile.ZIP_STORED, /, **more: bytes) -> bytes:
    """The members of torch.save around a pickle, with a storage of six floats."""
    written = io.BytesIO()
    members = {"data.pkl": pickled, "byteorder": b"little", "data/0": MATRIX.tobytes()}
    with zipfile.ZipFile(written, "w", how) as file:
        for name, content in {**members, "version": b"3\n", **more}.items():
            file.writestr(name if name.startswith("other/") else f"model/{name}", content)
    return written.getvalue()


def tensor(
    items: object = 6,
    offset: object = 0,
    size: object = (3, 2),
    stride: object = (2, 1),
    key: str = "0",
    kind: str = "Float",
) -> bytes:
    """The instructions of a tensor; what it says of itself may be anything."""
    storage = b"(" + pushed("storage") + f"ctorch\n{kind}Storage\n".encode()
    storage += pushed(key) + pushed("cpu") + pushed(items) + b"tQ"
    hooks = called("collections", "OrderedDict")
    described = pushed(offset) + pushed(size) + pushed(stride) + b"\x89" + hooks
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + described + b"tR"


def held(**parts: bytes) -> bytes:
    return whole(b"}(" + b"".join(pushed(name) + part for name, part in parts.items()) + b"u", 2)


def old_layout(count: int, content: bytes) -> bytes:
    """What torch.save wrote before version 1.6, with a count of its own for the one storage."""
    saved = io.BytesIO()
    torch.save({"weight": torch.ones(3, 2)}, saved, _use_new_zipfile_serialization=False)
    whole_file = saved.getvalue()
    return whole_file[: -8 - 24] + struct.pack("<Q", count) + content


def twice() -> bytes:
    written = io.BytesIO(archive(held(weight=tensor())))
    with zipfile.ZipFile(written, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("model/data.pkl", held(weight=tensor()))
    return written.getvalue()


def listed_twice() -> bytes:
    """One list of members where the end says that it lies, another just before the end."""
    shown, other = archive(held(weight=tensor())), archive(held(other=tensor(6, 0, (2, 3))) * 9)
    first, second = shown.rindex(b"PK\5\6"), other.rindex(b"PK\5\6")
    start, other_start = (
        struct.unpack_from("<I", file, end + 16)[0]
        for file, end in ((shown, first), (other, second))
    )
    listed, at = bytearray(shown[start:first]), 0
    while at < len(listed):
        (place,) = struct.unpack_from("<I", listed, at + 42)
        struct.pack_into("<I", listed, at + 42, place + other_start - start)
        at += 46 + sum(struct.unpack_from("<3H", listed, at + 28))
    end = bytearray(shown[first:])
    struct.pack_into("<I", end, 16, other_start)
    return other[:second] + shown[:start] + bytes(listed) + bytes(end)


def in_two_cases() -> bytes:
    return archive(held(weight=tensor()), **{"DATA.PKL": held(other=tensor(6, 0, (2, 3)))})


def with_a_zero_byte() -> bytes:
    """What one reader calls data.pkl, and another does not."""
    upper = archive(held(weight=tensor()), **{"DATA.PKL": archive(b"N.")})
    return upper.replace(b"model/data.pkl", b"model/dat\0.pkl")


def pointed_elsewhere() -> bytes:
    saved = io.BytesIO()
    torch.save({"weight": torch.ones(3, 2)}, saved)
    content = bytearray(saved.getvalue())
    place = content.rindex(b"PK\6\7") + 8
    struct.pack_into("<Q", content, place, struct.unpack_from("<Q", content, place)[0] - 4)
    return bytes(content)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "storage past its bytes": lambda: archive(held(weight=tensor(10**9, 0, (10**9, 1)))),
    "storage without bytes": lambda: archive(held(weight=tensor(key="7"))),
    "storage of fewer bytes": lambda: archive(held(weight=tensor(5, 0, (2, 2)))),
    "storage of wider items": lambda: archive(held(weight=tensor(kind="Double"))),
    "storage of no known items": lambda: archive(held(weight=tensor(kind="Strange"))),
    "one number as a matrix": lambda: archive(held(weight=tensor(6, 0, (10**6, 10**6), (0, 0)))),
    "past the storage": lambda: archive(held(weight=tensor(6, 0, (3, 2), (10**9, 1)))),
    "far past the storage": lambda: archive(held(weight=tensor(6, 2**61, (3, 2)))),
    "before the storage": lambda: archive(held(weight=tensor(6, 0, (3, 2), (-2, 1)))),
    "negative shape": lambda: archive(held(weight=tensor(6, 0, (-3, -2)))),
    "shape past a word": lambda: archive(held(weight=tensor(6, 0, (2**40, 2**40)))),
    "shape of huge numbers": lambda: archive(held(weight=tensor(6, 0, (2**500,) * 64, (1,) * 64))),
    "shape of other length": lambda: archive(held(weight=tensor(6, 0, (3, 2), (1,)))),
    "sides without end": lambda: archive(
        held(weight=tensor(6, 0, (1,) * 5000, (1,) * 5000)),
    ),
    "one storage in two ways": lambda: archive(
        held(weight=tensor(), other=tensor(3, 0, (1, 3), kind="Double"))
    ),
    "one storage in thousands of tensors": lambda: archive(
        held(**{f"w{n}": tensor(10**6, 0, (10**6,), (1,), "1") for n in range(2000)}),
        **{"data/1": bytes(4 * 10**6)},
    ),
    "quantised": lambda: archive(
        held(weight=called("torch._utils", "_rebuild_qtensor", None, 0, (10**6, 10**6)))
    ),
    "bytes made by a call": lambda: archive(held(weight=called("builtins", "bytearray", 10**10))),
    "key doubled": lambda: archive(whole(b"}" + DOUBLED + b"Ns", 2)),
    "words doubled": lambda: archive(held(weight=tensor(), words=DOUBLED)),
    "word doubled": lambda: archive(held(weight=tensor(), words=b"]" + DOUBLED + b"a")),
    "row doubled": lambda: archive(
        held(weight=tensor(), vocab=b"}" + pushed("a") + DOUBLED + b"s")
    ),
    "rows that are no numbers": lambda: archive(held(weight=tensor(), vocab=pushed({"a": [1]}))),
    "sizes without end": lambda: archive(
        whole(b"(" + numbers(5000) + b"tq\xfa" + b"ctorch\nSize\nh\xfa\x85R" * 5000 + b"l", 2)
    ),
    "compressed members": lambda: archive(
        held(weight=tensor()), zipfile.ZIP_DEFLATED, **{"data/1": bytes(10**8)}
    ),
    "members of two folders": lambda: archive(
        held(weight=tensor()), **{"other/data.pkl": held(weight=tensor())}
    ),
    "two members of one name": twice,
    "two lists of members": listed_twice,
    "two members of one name but for its case": in_two_cases,
    "a zero byte in a name": with_a_zero_byte,
    "a pointer to another end": pointed_elsewhere,
    "something after the archive": lambda: archive(held(weight=tensor())) + b"more",
    "old layout without its numbers": lambda: old_layout(2**40, b""),
    "old layout of fewer numbers": lambda: old_layout(6, bytes(20)),
    "old layout of other numbers": lambda: old_layout(5, bytes(24)),
}
KINDS_OF_PICKLES = ("memo", "deep", "doubled", "number", "colliding keys", "bytes", "frame", "line")
OF_PICKLES = [name for name in ATTACKS if name.startswith(KINDS_OF_PICKLES)]


def test_each_attack_is_one_sentence_in_little_memory_and_time(tmp_path: Path) -> None:
    for name in OF_PICKLES:
        (tmp_path / f"pickle, {name}.pt").write_bytes(archive(ATTACKS[name]()))
    for name, attack in HOSTILE.items():
        (tmp_path / f"{name}.pt").write_bytes(attack())
        (tmp_path / f"{name}.txt").write_text("a\nb\nc")
    alone = "import torch; torch.set_num_threads(1)"
    refuse_each(tmp_path, "*.pt", "torch", before=alone, megabytes=1500)


def test_the_forger_s_honest_file_is_read(tmp_path: Path) -> None:
    """The control: what the forgeries above change is all that is wrong with them."""
    (tmp_path / "model.txt").write_text("a\nb\nc")
    for content in (archive(held(weight=tensor())), old_layout(6, MATRIX.tobytes())):
        (tmp_path / "model.pt").write_bytes(content)
        np.testing.assert_array_equal(fairvec.load(tmp_path / "model.pt").vectors, MATRIX)


def test_a_program_is_refused_before_torch_has_its_say(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(archive(held(weight=tensor()), **{"constants.pkl": b"\x80\x02)."}))
    with pytest.raises(UnsafeFileError, match=r"^model\.pt holds a program .*state_dict"):
        fairvec.load(path)


def test_what_torch_sees_in_two_lists_is_not_what_is_inspected(tmp_path: Path) -> None:
    """The control: zipfile and torch read the two lists apart."""
    path = tmp_path / "model.pt"
    path.write_bytes(listed_twice())
    assert [*torch.load(path, weights_only=True)] == ["other"]
    with zipfile.ZipFile(path) as file:
        assert file.read("model/data.pkl") == held(weight=tensor())
    with pytest.raises(FileFormatError, match="does not lie where its end says"):
        inspect_torch_file(path)


def everything() -> dict[str, Any]:
    shared = torch.arange(12.0)
    carrying = torch.ones(2)
    carrying.note = "an attribute"
    return {
        "state": torch.nn.LSTM(3, 2, bidirectional=True).state_dict(),
        "tied": [shared, shared.view(3, 4), shared.view(3, 4).t(), shared[3:7], shared[::2]],
        "parameter": torch.nn.Parameter(torch.ones(2, 2)),
        "types": [torch.ones(2).to(kind) for kind in (torch.half, torch.bfloat16, torch.bool)],
        "numbers": [torch.arange(3), torch.zeros(0, 4), torch.tensor(1.5)],
        "carrying": carrying,
        "sparse": torch.eye(3).to_sparse(),
        "plain": OrderedDict(a=1, b=[None, True, 2.5, "text", b"bytes", (1, 2), {3}]),
        "size": torch.Size([2, 3]),
        "kinds": [torch.float32, torch.device("cpu")],
    }


@pytest.mark.parametrize("zipped", [True, False])
def test_what_torch_saves_and_loads_is_let_through(zipped: bool, tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    for name, value in everything().items():
        torch.save({name: value}, path, _use_new_zipfile_serialization=zipped)
        torch.load(path, weights_only=True)
        inspect_torch_file(path)


def test_damage_is_an_error_of_ours_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    random = np.random.default_rng(3)
    refused = 0
    for zipped in (True, False):
        torch.save(everything(), path, _use_new_zipfile_serialization=zipped)
        content = path.read_bytes()
        for _ in range(150):
            damaged = bytearray(content)
            for place in random.integers(0, len(damaged), random.integers(1, 4)):
                damaged[place] = random.integers(256)
            path.write_bytes(damaged)
            try:
                inspect_torch_file(path)
            except FairvecError as error:
                refused += isinstance(error, FileFormatError)
    assert refused > 100


# --- Tensors of torch with a list of words; nothing in such a file is ever run ---


WORDS = ["the", "слово", "शब्द"]


def saved(folder: Path, held: Any, name: str = "model.pt", **how: Any) -> Path:
    torch.save(held, folder / name, **how)
    (folder / "model.txt").write_text("\n".join(WORDS), encoding="utf-8")
    return folder / name


def tensor_reader(matrix: Any = MATRIX) -> Any:
    return torch.from_numpy(np.array(matrix))


@pytest.mark.parametrize(
    "held",
    [
        tensor_reader(),
        {"weight": tensor_reader()},
        {
            "embedding.weight": tensor_reader(),
            "out.weight": tensor_reader(),
            "out.bias": torch.ones(3),
        },
        {"state_dict": {"emb.weight": tensor_reader()}, "epoch": 3},
        torch.nn.Parameter(tensor_reader()),
        {"weight": tensor_reader().to(torch.bfloat16)},
        {"weight": tensor_reader().double()},
    ],
    ids=["tensor", "one", "named", "inner", "parameter", "bfloat16", "double"],
)
@pytest.mark.parametrize("name", ["model.pt", "model.pth"])
def test_the_one_matrix_is_found(tmp_path: Path, held: Any, name: str) -> None:
    model = fairvec.load(saved(tmp_path, held, name))
    assert list(model) == WORDS
    np.testing.assert_array_equal(model.vectors, MATRIX)
    assert model.history[0].details["format"] == "torch"


def test_a_real_state_dict_in_the_old_layout_too(tmp_path: Path) -> None:
    layer = torch.nn.Embedding(3, 2)
    for old in (True, False):
        path = saved(tmp_path, layer.state_dict(), _use_new_zipfile_serialization=not old)
        model = fairvec.load(path)
        np.testing.assert_array_equal(model.vectors, layer.weight.detach().numpy())
        assert model.history[0].details["tensor"] == "weight"


def test_the_file_may_hold_its_words(tmp_path: Path) -> None:
    path = saved(tmp_path, {"weight": tensor_reader(), "vocab": {"c": 2, "a": 0}}, "other.pt")
    assert list(fairvec.load(path)) == ["a", "c"]
    path = saved(tmp_path, {"weight": tensor_reader(), "words": ["x", "y", "z"]}, "other.pt")
    assert list(fairvec.load(path)) == ["x", "y", "z"]
    assert list(fairvec.load(path, vocabulary=tmp_path / "model.txt")) == WORDS


class Boom:
    def __reduce__(self) -> Any:
        return (Path.touch, (Path("boom"),))


def test_what_is_more_than_tensors_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for held in ({"weight": tensor_reader(), "x": Boom()}, torch.nn.Embedding(3, 2)):
        for new in (True, False):
            path = saved(tmp_path, held, _use_new_zipfile_serialization=new)
            with pytest.raises(UnsafeFileError, match="save the state dict of the model alone"):
                fairvec.load(path)
    (tmp_path / "model.pt").write_bytes(pickle.dumps(Boom()))
    with pytest.raises(UnsafeFileError):
        fairvec.load(tmp_path / "model.pt")
    assert not (tmp_path / "boom").exists()


def test_torch_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path, {"weight": tensor_reader().to(torch.bfloat16)})
    monkeypatch.setitem(sys.modules, "torch", None)
    np.testing.assert_array_equal(fairvec.load(path).vectors, MATRIX)


def tensors_in(value: Any, kind: type) -> list[Any]:
    """The tensors of a value in their order, those of containers too."""
    if isinstance(value, kind):
        return [value]
    parts = value.values() if isinstance(value, dict) else value
    found = isinstance(value, dict | list | tuple)
    return [one for part in parts for one in tensors_in(part, kind)] if found else []


@pytest.mark.parametrize("zipped", [True, False])
def test_every_number_is_the_one_that_torch_reads(zipped: bool, tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    held = {name: value for name, value in everything().items() if name != "sparse"}
    held["whole numbers"] = [torch.arange(-3, 3).to(kind) for kind in (torch.int8, torch.int16)]
    held["pairs"] = torch.tensor([[1 + 2j, -3j]])
    torch.save(held, path, _use_new_zipfile_serialization=zipped)
    content = inspect_torch_file(path)
    found = tensors_in(content.value, Tensor)
    expected = tensors_in(torch.load(path, weights_only=True), torch.Tensor)
    assert len(found) == len(expected) > 20
    for mine, theirs in zip(found, expected, strict=True):
        half = theirs.dtype == torch.bfloat16
        numbers = (theirs.float() if half else theirs).detach().numpy()
        read = content.array(mine)
        assert read.dtype == numbers.dtype
        np.testing.assert_array_equal(read, numbers)


def test_numbers_of_a_big_endian_machine_are_turned_round(tmp_path: Path) -> None:
    written = archive(held(weight=tensor()))
    swapped = archive(
        held(weight=tensor()), **{"byteorder": b"big", "data/0": MATRIX.astype(">f4").tobytes()}
    )
    for content in (written, swapped):
        path = tmp_path / "model.pt"
        path.write_bytes(content)
        (tmp_path / "model.txt").write_text("a\nb\nc")
        model = fairvec.load(path)
        np.testing.assert_array_equal(model.vectors, MATRIX)
        assert model.vectors.dtype.isnative


def test_a_file_without_tensors_by_name_is_refused_as_weights(tmp_path: Path) -> None:
    for value in ([1, 2], {"a": 1}, torch.ones(2)):
        torch.save(value, tmp_path / "weights.bin")
        with pytest.raises(FileFormatError, match="holds no tensors by name"):
            read_torch_tensors(tmp_path / "weights.bin")


@pytest.mark.parametrize(
    ("held", "message"),
    [
        (
            {"a.weight": tensor_reader(), "b.weight": tensor_reader()},
            "may be one are: a.weight, b.weight; save",
        ),
        ({"emb.a": tensor_reader(), "emb.b": tensor_reader()}, "may be one are: emb.a, emb.b"),
        ({"bias": torch.ones(3)}, "may be one are: none"),
        ([1, 2], "may be one are: none"),
        ({"weight": tensor_reader().long()}, "may be one are: none"),
        ({"weight": tensor_reader().to_sparse()}, "may be one are: none"),
        ({"weight": tensor_reader()[:2]}, "model.txt lists 3 words, and"),
        ({"weight": tensor_reader() * float("nan")}, "holds NaN"),
        ({"weight": tensor_reader(), "words": 3}, "must be a list of words"),
    ],
    ids=range(9),
)
def test_what_is_wrong_is_reported_in_one_sentence(tmp_path: Path, held: Any, message: str) -> None:
    with pytest.raises(FileFormatError, match=message) as caught:
        fairvec.load(saved(tmp_path, held))
    assert "\n" not in str(caught.value)


def test_every_cut_is_one_clear_error(tmp_path: Path) -> None:
    for new in (True, False):
        path = saved(tmp_path, {"weight": tensor_reader()}, _use_new_zipfile_serialization=new)
        data = path.read_bytes()
        for length in range(1, len(data), 41):
            path.write_bytes(data[:length])
            with pytest.raises(FairvecError):
                fairvec.load(path)


def test_damage_is_an_error_of_ours_or_harmless_reader(tmp_path: Path) -> None:
    data = saved(tmp_path, {"weight": tensor_reader()}).read_bytes()
    for seed in range(150):
        rng = np.random.default_rng(seed)
        content = bytearray(data)
        for place in rng.integers(0, len(content), rng.integers(1, 4)):
            content[place] = rng.integers(0, 256)
        (tmp_path / "model.pt").write_bytes(content)
        try:
            model = fairvec.load(tmp_path / "model.pt")
        except FairvecError:
            continue
        assert np.isfinite(model.vectors).all()
