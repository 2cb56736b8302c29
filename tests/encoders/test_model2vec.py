"""Folders of model2vec give the vectors that model2vec gives, or are refused in one sentence."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model2vec import StaticModel
from safetensors.numpy import load_file, save_file

from fairvec.core.errors import EncoderError, FileFormatError, MissingExtraError, SettingError
from fairvec.encoders.base import Choices
from fairvec.encoders.model2vec import read_model2vec, recognises
from fairvec.languages.sentences import Sentence
from tests.encoders.tiny_transformers import TEXTS, rewrite, tokenizer_of

WORDS = [*" ".join(TEXTS).split(), "龘", "King."]
TOKENS = tokenizer_of("pieces", framed=False)
SIZE = TOKENS.get_vocab_size()


def saved(folder: Path, **how: Any) -> Path:
    numbers = np.random.default_rng(0)
    rows = SIZE
    if how.pop("shared", False):
        rows = 11
        how["token_mapping"] = numbers.integers(0, rows, SIZE)
        how["weights"] = numbers.random(SIZE).astype(np.float32)
    config = {"model_type": "model2vec", "architectures": ["StaticModel"]}
    vectors = numbers.normal(size=(rows, 6)).astype(how.pop("dtype", np.float32))
    StaticModel(vectors, TOKENS, config=config, **how).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("m2v") / "m2v")


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("shared", [True, False])
def test_it_agrees_with_model2vec(tmp_path: Path, normalize: bool, shared: bool) -> None:
    folder = saved(tmp_path / "m2v", normalize=normalize, shared=shared)
    texts = [*TEXTS, "king 龘 queen", "a  king!"]
    theirs = StaticModel.from_pretrained(folder).encode(texts)
    assert recognises(folder)
    model = read_model2vec(folder)
    found = model.encode([Sentence.alone(text) for text in texts])
    np.testing.assert_allclose(found, theirs, atol=1e-6)
    assert model.dimensions == 6
    assert model.settings["unit length"] is normalize


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
def test_any_text_agrees(folder: Path, words: list[str]) -> None:
    text = " ".join(["king", *words])
    theirs = StaticModel.from_pretrained(folder).encode([text])
    np.testing.assert_allclose(
        read_model2vec(folder).encode([Sentence.alone(text)]), theirs, atol=1e-6
    )


@pytest.mark.parametrize("row", [-1, 11])
def test_tokens_that_have_no_row_are_refused(tmp_path: Path, row: int) -> None:
    folder = saved(tmp_path / "m2v", shared=True)
    tensors = load_file(folder / "model.safetensors")
    save_file(tensors | {"mapping": np.full(SIZE, row)}, folder / "model.safetensors")
    with pytest.raises(FileFormatError, match="has no row for a token"):
        read_model2vec(folder).encode([Sentence.alone("king")])


@pytest.mark.parametrize("dtype", [np.float16, np.int8])
def test_coarser_numbers_are_read(tmp_path: Path, dtype: Any) -> None:
    folder = saved(tmp_path / "m2v", dtype=dtype)
    theirs = StaticModel.from_pretrained(folder).encode(TEXTS)
    found = read_model2vec(folder).encode([Sentence.alone(text) for text in TEXTS])
    np.testing.assert_allclose(found, theirs, atol=2e-3)


def test_what_it_does_not_know_is_counted_and_not_encoded(folder: Path) -> None:
    model = read_model2vec(folder)
    assert model.pieces(["king", "龘"])[1] == (1, 1)
    with pytest.raises(EncoderError, match="knows no token of the sentence '龘'"):
        model.encode([Sentence.alone("龘")])


def test_a_sentence_that_would_be_cut_is_refused(tmp_path: Path) -> None:
    model = read_model2vec(saved(tmp_path / "m2v", max_length=4))
    assert model.encode([Sentence.alone("a a a a")]).shape == (1, 6)
    with pytest.raises(EncoderError, match=r"reads 4 tokens at the most and .* has 5"):
        model.encode([Sentence.alone("a a a a a")])
    with pytest.raises(EncoderError, match=r"reads \d+ letters at the most"):
        model.encode([Sentence.alone("a" + " " * 100 + "a")])
    free = read_model2vec(saved(tmp_path / "free", max_length=None))
    assert free.encode([Sentence.alone("a " * 700)]).shape == (1, 6)


def test_there_is_nothing_to_choose(folder: Path) -> None:
    for choices in (Choices("1"), Choices(pooling="cls")):
        with pytest.raises(SettingError, match="leave layer and pooling out"):
            read_model2vec(folder, choices)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = saved(tmp_path / "m2v")
    (folder / name).unlink()
    with pytest.raises(FileFormatError, match=f"has no {name}"):
        read_model2vec(folder)


def test_damaged_files_are_reported(tmp_path: Path) -> None:
    folder = saved(tmp_path / "m2v")
    rewrite(folder / "config.json", max_length="many")
    with pytest.raises(FileFormatError, match="as max_length"):
        read_model2vec(folder)
    rewrite(folder / "config.json", max_length=9)
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(FileFormatError, match="is no tokenizer"):
        read_model2vec(folder).encode([Sentence.alone("king")])


def test_without_the_extra_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match="encoders"):
        read_model2vec(folder).encode([Sentence.alone("king")])
