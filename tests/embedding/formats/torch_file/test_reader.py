"""Tensors of torch with a list of words; nothing in such a file is ever run."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import FairvecError, FileFormatError, UnsafeFileError

torch = pytest.importorskip("torch", reason="torch is not installed")
WORDS = ["the", "слово", "शब्द"]
MATRIX = np.arange(6, dtype=np.float32).reshape(3, 2)


def saved(folder: Path, held: Any, name: str = "model.pt", **how: Any) -> Path:
    torch.save(held, folder / name, **how)
    (folder / "model.txt").write_text("\n".join(WORDS), encoding="utf-8")
    return folder / name


def tensor(matrix: Any = MATRIX) -> Any:
    return torch.from_numpy(np.array(matrix))


@pytest.mark.parametrize(
    "held",
    [
        tensor(),
        {"weight": tensor()},
        {"embedding.weight": tensor(), "out.weight": tensor(), "out.bias": torch.ones(3)},
        {"state_dict": {"emb.weight": tensor()}, "epoch": 3},
        torch.nn.Parameter(tensor()),
        {"weight": tensor().to(torch.bfloat16)},
        {"weight": tensor().double()},
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
    path = saved(tmp_path, {"weight": tensor(), "vocab": {"c": 2, "a": 0}}, "other.pt")
    assert list(fairvec.load(path)) == ["a", "c"]
    path = saved(tmp_path, {"weight": tensor(), "words": ["x", "y", "z"]}, "other.pt")
    assert list(fairvec.load(path)) == ["x", "y", "z"]
    assert list(fairvec.load(path, vocabulary=tmp_path / "model.txt")) == WORDS


class Boom:
    def __reduce__(self) -> Any:
        return (Path.touch, (Path("boom"),))


def test_what_is_more_than_tensors_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for held in ({"weight": tensor(), "x": Boom()}, torch.nn.Embedding(3, 2)):
        for new in (True, False):
            path = saved(tmp_path, held, _use_new_zipfile_serialization=new)
            with pytest.raises(UnsafeFileError, match="save the state dict of the model alone"):
                fairvec.load(path)
    (tmp_path / "model.pt").write_bytes(pickle.dumps(Boom()))
    with pytest.raises(UnsafeFileError):
        fairvec.load(tmp_path / "model.pt")
    assert not (tmp_path / "boom").exists()


def test_a_torch_that_does_not_keep_its_promise_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path, tensor())
    monkeypatch.setattr(torch, "__version__", "2.5.1+cpu")
    monkeypatch.setattr(torch, "load", None)
    with pytest.raises(UnsafeFileError, match=r"torch 2\.5\.1\+cpu does not open safely; install"):
        fairvec.load(path)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({"a.weight": tensor(), "b.weight": tensor()}, "may be one are: a.weight, b.weight; save"),
        ({"emb.a": tensor(), "emb.b": tensor()}, "may be one are: emb.a, emb.b"),
        ({"bias": torch.ones(3)}, "may be one are: none"),
        ([1, 2], "may be one are: none"),
        ({"weight": tensor().long()}, "may be one are: none"),
        ({"weight": tensor().to_sparse()}, "may be one are: none"),
        ({"weight": tensor()[:2]}, "model.txt lists 3 words, and"),
        ({"weight": tensor() * float("nan")}, "holds NaN"),
        ({"weight": tensor(), "words": 3}, "must be a list of words"),
    ],
    ids=range(9),
)
def test_what_is_wrong_is_said_in_one_sentence(tmp_path: Path, held: Any, said: str) -> None:
    with pytest.raises(FileFormatError, match=said) as caught:
        fairvec.load(saved(tmp_path, held))
    assert "\n" not in str(caught.value)


def test_every_cut_is_one_clear_error(tmp_path: Path) -> None:
    for new in (True, False):
        path = saved(tmp_path, {"weight": tensor()}, _use_new_zipfile_serialization=new)
        data = path.read_bytes()
        for length in range(1, len(data), 41):
            path.write_bytes(data[:length])
            with pytest.raises(FairvecError):
                fairvec.load(path)


def test_damage_is_an_error_of_ours_or_harmless(tmp_path: Path) -> None:
    data = saved(tmp_path, {"weight": tensor()}).read_bytes()
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
