from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.embedding import Reading
from fairvec.embedding.formats.native import native_metadata
from fairvec.geometry import Poincare
from tests import toys
from tests.cli.conftest import Shell


def test_a_text_file_becomes_native_and_binary(
    shell: Shell, model_file: Path, tmp_path: Path
) -> None:
    native, binary = tmp_path / "a.fairvec", tmp_path / "a.bin.gz"
    assert shell("convert", model_file, native).code == 0
    answer = shell("convert", native, binary)
    assert answer.code == 0
    assert "18 keys x 6 in the format word2vec-binary" in answer.err
    assert "Not kept: history;" in answer.err
    np.testing.assert_array_equal(fairvec.load(binary).vectors, fairvec.load(model_file).vectors)


def test_a_native_file_keeps_everything_and_says_nothing(
    shell: Shell, model_file: Path, tmp_path: Path
) -> None:
    answer = shell("convert", model_file, tmp_path / "a.fairvec")
    assert "Not kept" not in answer.err
    assert answer.out == ""


def test_the_catalogue_lends_licence_and_origin(shell: Shell, tmp_path: Path) -> None:
    native = tmp_path / "a.fairvec"
    assert shell("convert", "glove-hi-small", native).code == 0
    assert native_metadata(native).licence
    again = tmp_path / "b.fairvec"
    assert shell("convert", native, again).code == 0
    assert native_metadata(again).origin == native_metadata(native).origin
    assert "licence, origin" in shell("convert", native, tmp_path / "a.npz").err


def test_what_is_there_is_not_written_over(shell: Shell, model_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.vec"
    target.write_text("mine")
    answer = shell("convert", model_file, target)
    assert answer.code == 2
    assert "exists already" in answer.err
    assert target.read_text() == "mine"
    assert shell("convert", model_file, target, "--force").code == 0
    assert len(fairvec.load(target)) == 18


def test_an_ending_that_is_not_known_is_refused_before_reading(
    shell: Shell, tmp_path: Path
) -> None:
    answer = shell("convert", tmp_path / "absent.vec", tmp_path / "a.kv")
    assert answer.code == 2
    assert ".fairvec (native)" in answer.err


def test_a_ball_needs_its_geometry_and_says_what_text_loses(shell: Shell, tmp_path: Path) -> None:
    ball = fairvec.save(toys.embedding(0.3, space=Poincare(0.5)), tmp_path / "ball.npz")
    native, text = tmp_path / "ball.fairvec", tmp_path / "ball.any"
    options = ("--geometry", "poincare", "--curvature", "0.5", "--format", "npz")
    assert shell("convert", ball, native, *options).code == 0
    assert fairvec.load(native).geometry == Poincare(0.5)
    answer = shell("convert", native, text, "--to", "word2vec-text")
    assert "Not kept: geometry poincare, curvature 0.5, history;" in answer.err
    assert text.read_text().startswith("18 6\n")


def test_only_some_words(shell: Shell, model_file: Path, tmp_path: Path) -> None:
    words, target = tmp_path / "words.txt", tmp_path / "a.txt"
    words.write_bytes("\ufeffman\r\nwoman\nслово\n\n".encode())
    answer = shell("convert", model_file, target, "--words", words)
    assert answer.code == 0
    assert "1 of the 3 words wanted is not in" in answer.err
    assert sorted(fairvec.load(target).keys) == ["man", "woman"]
    words.write_bytes(b"\xff\xfe")
    answer = shell("convert", model_file, target, "--words", words, "--force")
    assert answer.code == 2
    assert "words.txt, line 1: this is not UTF-8; save it as UTF-8." in answer.err


def two_models(file: Path) -> None:
    gensim = pytest.importorskip("gensim.models", reason="the extra gensim is not installed")
    sentences = [["man", "woman", "king"], ["queen", "king", "man"]] * 3
    gensim.Word2Vec(sentences, vector_size=4, min_count=1, seed=1, workers=1).save(str(file))


def points_outside(file: Path) -> None:
    np.savez(file, keys=np.array(["in", "out"]), vectors=np.array([[0.1, 0.2], [0.8, 0.8]]))


def a_key_that_is_not_utf8(file: Path) -> None:
    file.write_bytes(b"2 2\nman 1 2\nwom\xffn 3 4\n")


@pytest.mark.parametrize(
    ("make", "name", "said"),
    [
        (two_models, "a.model", {"vectors": "context"}),
        (two_models, "a.model", {"vectors": "aggregated"}),
        (points_outside, "a.npz", {"geometry": "poincare", "outside": "project"}),
        (points_outside, "a.npz", {"geometry": "poincare", "curvature": 0.5}),
        (a_key_that_is_not_utf8, "a.vec", {"invalid_utf8": "replace"}),
        (a_key_that_is_not_utf8, "a.any", {"format": "word2vec-text", "invalid_utf8": "replace"}),
    ],
)
def test_a_model_is_converted_as_it_would_be_read(
    shell: Shell, tmp_path: Path, make: Any, name: str, said: dict[str, Any]
) -> None:
    file, target = tmp_path / name, tmp_path / "b.fairvec"
    make(file)
    assert shell("convert", file, target, *as_options(said)).code == 0
    read, kept = fairvec.load(file, **said), fairvec.load(target)
    assert list(kept.keys) == list(read.keys)
    assert kept.geometry == read.geometry
    np.testing.assert_array_equal(kept.vectors, read.vectors)


def test_every_option_of_reading_can_be_said(shell: Shell) -> None:
    page = shell("convert", "--help").out
    for each in fields(Reading):
        assert f"--{each.name.replace('_', '-')} " in page


def as_options(said: dict[str, Any]) -> Sequence[str]:
    return [
        text for name, value in said.items() for text in (f"--{name.replace('_', '-')}", str(value))
    ]
