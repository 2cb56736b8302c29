from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError
from fairvec.core.io.safetensors import open_tensors, write_tensors
from fairvec.embedding import save
from fairvec.mitigation import (
    ConceptorNegation,
    Debiaser,
    HardDebiasing,
    OSCaR,
    load_transform,
    save_transform,
)
from tests.mitigation.toys import concept, embedding


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "gender.safetensors"
    save_transform(HardDebiasing().fit(embedding(), concept()), path)
    return path


def rewritten(path: Path, **changes: str | None) -> Path:
    file = open_tensors(path)
    metadata = {name: text for name, text in {**file.metadata, **changes}.items() if text}
    tensors = {name: np.array(file.tensor(name)) for name in file.entries}
    write_tensors(path, tensors, metadata)
    return path


def test_the_file_is_small_and_any_safetensors_reader_opens_it(saved: Path) -> None:
    from safetensors.numpy import load_file

    assert saved.stat().st_size < 4000
    assert load_file(saved)["basis"].shape == (1, 10)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"fairvec-transform": "2"}, "of version 2 and this fairvec reads version 1"),
        ({"fairvec-transform": "9" * 5000}, r"of version 9{1,200}\D{1,9} and this fairvec reads"),
        ({"fairvec-transform": None}, "holds no transform"),
        ({"move": '"spin"'}, "damaged transform .*spin is not known"),
        ({"settings": "{"}, "damaged transform"),
        ({"settings": None}, "damaged transform .*settings"),
        ({"placed": '["man"]'}, "damaged transform .*1 placed keys"),
        ({"geometry": '"sphere"'}, "damaged transform .*sphere"),
        ({"move": '"affine"'}, "damaged transform .*change"),
        ({"move": '["affine"]'}, "damaged transform"),
        ({"settings": '{"strength": 2}'}, "damaged transform .*strength is 2"),
        ({"settings": '{"strength": "all"}'}, "damaged transform"),
    ],
)
def test_damaged_files_are_refused(saved: Path, changes: dict[str, str], words: str) -> None:
    with pytest.raises(FileFormatError, match=rf"gender\.safetensors .*{words}"):
        load_transform(rewritten(saved, **changes))


@pytest.mark.parametrize(
    ("method", "name"), [(ConceptorNegation(), "change"), (OSCaR("things"), "directions")]
)
def test_arrays_that_make_no_move_are_refused(method: Debiaser, name: str, tmp_path: Path) -> None:
    path = tmp_path / "gender.safetensors"
    save_transform(method.fit(embedding(), concept()), path)
    file = open_tensors(path)
    tensors = {each: np.array(file.tensor(each)) for each in file.entries}
    write_tensors(path, tensors | {name: tensors[name][:1]}, dict(file.metadata))
    with pytest.raises(FileFormatError, match=f"damaged transform .*{name}"):
        load_transform(path)


def test_infinite_numbers_are_refused(saved: Path) -> None:
    file = open_tensors(saved)
    tensors = {name: np.full_like(file.tensor(name), np.inf) for name in file.entries}
    write_tensors(saved, tensors, dict(file.metadata))
    with pytest.raises(FileFormatError, match="basis must be a matrix of finite numbers"):
        load_transform(saved)


def test_what_is_no_transform_is_refused(tmp_path: Path) -> None:
    save(embedding(), tmp_path / "model.fairvec")
    (tmp_path / "text.txt").write_text("hello", encoding="utf-8")
    for name in ("model.fairvec", "text.txt"):
        with pytest.raises(FileFormatError, match=f"{name} holds no transform"):
            load_transform(tmp_path / name)
    with pytest.raises(FileFormatError, match="cannot be read"):
        load_transform(tmp_path / "none")
    saved = tmp_path / "cut"
    save_transform(HardDebiasing().fit(embedding(), concept()), saved)
    saved.write_bytes(saved.read_bytes()[:100])
    with pytest.raises(FileFormatError, match="too short"):
        load_transform(saved)
