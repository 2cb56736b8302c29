from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import fairvec
from fairvec.errors import SettingError
from fairvec.geometry import Poincare
from tests import toys


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    ball = toys.embedding(0.3, space=Poincare(0.5))
    again = fairvec.load(fairvec.save(ball, tmp_path / "ball.fairvec"))
    assert again.content_hash == ball.content_hash
    assert again.geometry == Poincare(0.5)


def test_other_tools_can_open_it(tmp_path: Path) -> None:
    tensors = load_file(fairvec.save(toys.embedding(), tmp_path / "toy.fairvec"))
    np.testing.assert_array_equal(tensors["vectors"], toys.embedding().vectors)
    assert tensors["keys"].tobytes().decode().split("\n") == list(toys.embedding().keys)


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"name the file toy\.fairvec"):
        fairvec.save(toys.embedding(), tmp_path / "toy.bin")


def test_counts_are_kept(tmp_path: Path) -> None:
    counted = replace(toys.embedding(), counts=np.arange(len(toys.embedding())))
    path = fairvec.save(counted, tmp_path / "toy.fairvec")
    again = fairvec.load(path)
    assert again.counts is not None
    np.testing.assert_array_equal(again.counts, counted.counts)
    some = fairvec.load(path, words=["boss", "office"])
    assert some.counts is not None
    assert some.counts.tolist() == [0, 4]
