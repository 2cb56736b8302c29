import numpy as np
import pytest

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.metrics.bias.vocabulary import nearest_words
from tests.metrics.crowds import crowd, units


def brute_force(embedding: Embedding, key: str, count: int, without: set[str]) -> list[str]:
    cosines = units(embedding.rows(embedding.keys)) @ units(embedding.rows([key]))[0]
    order = [embedding.keys[row] for row in np.argsort(-cosines.round(12), kind="stable")]
    return [other for other in order if other not in {key, *without}][:count]


def test_the_nearest_words_are_those_of_brute_force() -> None:
    model = crowd(0.3, others=700)
    keys, without = ["office", "w3", "man"], {"woman", "w7", "not there"}
    near = nearest_words(model.rows(keys), keys, model, 9, without=without)
    for key, rows, cosines in zip(keys, near.rows, near.cosines, strict=True):
        found = [model.keys[row] for row in rows]
        assert found == brute_force(model, key, 9, without)
        np.testing.assert_allclose(
            cosines, units(model.rows(found)) @ units(model.rows([key]))[0], rtol=1e-12
        )


def test_a_point_that_is_no_word_has_neighbours_too() -> None:
    model = crowd(0.3)
    point = model.rows(["man", "boy"]).mean(axis=0)[None]
    near = nearest_words(point, ["man + boy"], model, 2)
    assert {model.keys[row] for row in near.rows[0]} & {"man", "boy"}
    # No word is its own, so all of them may be its neighbours.
    every = nearest_words(point, ["man + boy"], model, len(model))
    assert sorted(every.rows[0]) == list(range(len(model)))


def test_a_vector_of_length_zero_is_no_neighbour() -> None:
    model = Embedding(["one", "two", "none", "three"], np.array([[1, 0], [1, 1], [0, 0], [-1, 1]]))
    near = nearest_words(model.rows(["one"]), ["one"], model, 2)
    np.testing.assert_array_equal(near.rows, [[1, 3]])


def test_too_few_words_to_be_neighbours_is_said() -> None:
    model = crowd(0.3, others=0)
    with pytest.raises(UndefinedError, match="crowd has fewer than 18 other words"):
        nearest_words(model.rows(["man"]), ["man"], model, 18)
    assert nearest_words(model.rows(["man"]), ["man"], model, 17).rows.shape == (1, 17)


def test_a_cut_of_a_larger_embedding_is_refused() -> None:
    whole = crowd(0.3)
    part = whole.moved_to(whole.vectors, Step("subset", {"of": "the large one"}))
    with pytest.raises(UndefinedError, match="this one was cut from the large one"):
        nearest_words(part.rows(["man"]), ["man"], part, 2)
