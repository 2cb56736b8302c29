"""ELMo's network beside other implementations."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.encoders.base import Choices
from fairvec.encoders.elmo import ElmoModel, model, network, read_elmo
from fairvec.languages.sentences import Sentence
from tests.encoders.elmo.toys import (
    each_token,
    slowly,
    toy_arrays,
    toy_elmo,
    toy_options,
    write_elmo,
)

assert_close = partial(np.testing.assert_allclose, rtol=1e-4, atol=1e-5)
WORDS = ["a", "Ab", "राजा", "дом", "王", "?", "longer-than-ten", "राजकुमारी", "🙂", "Σ"]
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9), min_size=1)


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_elmo(tmp_path_factory.mktemp("elmo"))


@pytest.fixture(scope="module")
def every_layer(toy: Path) -> ElmoModel:
    return read_elmo(toy, Choices("all"))


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_it_agrees_with_another_implementation(shared_data: Path, layer: int) -> None:
    folder = shared_data / "enc_elmo_hi"
    if not folder.is_dir():
        pytest.skip(f"there is no enc_elmo_hi in {shared_data}")
    sentences = json.loads((folder / "reference_sentences.json").read_text(encoding="utf-8"))
    elmo = read_elmo(folder, Choices(str(layer), "word"))
    together = elmo.encode([one for tokens in sentences for one in each_token(tokens)])
    with np.load(folder / "reference_vectors.npz") as file:
        expected = np.concatenate([file[f"sentence_{n}"][layer] for n in range(len(sentences))])
    np.testing.assert_allclose(together, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"char_cnn__activation": "tanh"},
        {"char_cnn__n_highway": 0},
        {"char_cnn__filters": [[12, 3]]},
        {"char_cnn__max_characters_per_token": 50},
        {"char_cnn__n_characters": 261},
        {"lstm__n_layers": 1},
        {"lstm__n_layers": 4},
        {"lstm__use_skip_connections": False},
        {"lstm__cell_clip": None},
        {"lstm__proj_clip": 0},
        {"lstm__cell_clip": 3, "lstm__proj_clip": 3},
        {"lstm__cell_clip": 1e308, "lstm__proj_clip": 1e39},
        {"lstm__dim": 4},
        {"char_cnn__filters": [[2, 4]]},
    ],
    ids=str,
)
def test_the_sums_are_those_of_a_plain_loop(tmp_path: Path, changes: dict[str, Any]) -> None:
    folder = toy_elmo(tmp_path, **changes)
    tokens = ["a", "राजकुमारी", "и", "longerword", "?", "王"]
    for layer, expected in enumerate(slowly(folder, tokens)):
        found = read_elmo(folder, Choices(str(layer), "word")).encode(each_token(tokens))
        assert_close(found, expected)


def test_a_projection_between_equal_sizes_may_be_left_out(tmp_path: Path) -> None:
    options = toy_options(lstm__dim=4, char_cnn__filters=[[2, 4]])
    arrays = {
        name: array
        for name, array in toy_arrays(options).items()
        if "CNN_proj" not in name and "W_P_0" not in name
    }
    folder = write_elmo(tmp_path, options, dict(arrays))
    tokens = ["ab", "c", "def"]
    found = read_elmo(folder, Choices("last", "word")).encode(each_token(tokens))
    assert_close(found, slowly(folder, tokens)[-1])


def test_the_first_layer_is_the_same_twice_and_knows_no_neighbours(toy: Path) -> None:
    elmo = read_elmo(toy, Choices("0", "word"))
    one, other = elmo.encode([Sentence("a ", "b", ""), Sentence("", "b", " c d")])
    np.testing.assert_array_equal(one[:4], one[4:])
    assert_close(one, other)


def test_the_layers_are_averaged(toy: Path) -> None:
    sentences = [Sentence("a ", "b", " c"), Sentence.alone("d")]
    layers = [read_elmo(toy, Choices(str(n))).encode(sentences) for n in range(3)]
    for layer, expected in (
        ("all", np.mean(layers, axis=0)),
        ("last", layers[2]),
        ("1,-1", (layers[1] + layers[2]) / 2),
    ):
        found = read_elmo(toy, Choices(layer)).encode(sentences)
        assert_close(found, expected)


@given(sentences=SENTENCES, order=st.randoms(use_true_random=False))
def test_neither_order_nor_neighbours_nor_padding_change_a_vector(
    every_layer: ElmoModel, sentences: list[list[str]], order: Any
) -> None:
    lot = [Sentence.alone(" ".join(tokens)) for tokens in sentences]
    alone = np.concatenate([every_layer.encode([one]) for one in lot])
    assert_close(every_layer.encode(lot), alone)
    mixed = order.sample(range(len(lot)), len(lot))
    assert_close(every_layer.encode([lot[n] for n in mixed]), alone[mixed])


@given(sentences=SENTENCES, tokens=st.integers(1, 40), words=st.integers(1, 4))
def test_the_size_of_batches_changes_nothing(
    every_layer: ElmoModel, sentences: list[list[str]], tokens: int, words: int
) -> None:
    lot = [Sentence.alone(" ".join(one)) for one in sentences]
    whole = every_layer.encode(lot)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "TOKENS_AT_ONCE", tokens)
        patch.setattr(network, "WORDS_AT_ONCE", words)
        assert_close(every_layer.encode(lot), whole)


def test_no_state_is_carried_from_call_to_call(every_layer: ElmoModel) -> None:
    sentences = [Sentence.alone("a b c")]
    first = every_layer.encode(sentences)
    every_layer.encode([Sentence.alone("x y z w")])
    np.testing.assert_array_equal(every_layer.encode(sentences), first)


def test_no_sentences_have_no_rows(every_layer: ElmoModel) -> None:
    assert every_layer.encode([]).shape == (0, 8)
