import numpy as np
import pytest

from fairvec.core.errors import FairvecError, SettingError
from fairvec.embedding import Embedding
from fairvec.geometry import Poincare, ProductOfBalls
from fairvec.lexicon import ConceptWords, parse_concepts
from fairvec.mitigation.methods.erasure import LabelledWords, label_words
from tests.mitigation.toys import PAIRS, TEXT, concept, embedding


def found(
    model: Embedding, which: str, each: int | None = None, variant: str = "pairs"
) -> LabelledWords:
    return label_words(ConceptWords(concept(variant), model), which, each)


def axis(model: Embedding) -> np.ndarray:
    pairs = [model.rows(pair) for pair in PAIRS]
    units = [pair / np.linalg.norm(pair, axis=1)[:, None] for pair in pairs]
    differences = np.array([a - b for a, b in units])
    axis = np.linalg.svd(differences)[2][0]
    return np.asarray(axis * np.sign(differences.sum(axis=0) @ axis))


@pytest.mark.parametrize("space", [None, Poincare(2.0)])
def test_leaning_words_are_the_extremes_and_the_middle(space: Poincare | None) -> None:
    model = embedding(space)
    words = found(model, "leaning", 20)
    cosines = model.vectors @ axis(model) / np.linalg.norm(model.vectors, axis=1)
    ordered = sorted(model.keys, key=lambda key: cosines[model.positions[key]])
    assert set(words.keys[:20]) == set(ordered[-20:])
    assert set(words.keys[20:40]) == set(ordered[:20])
    rest = sorted(ordered[20:-20], key=lambda key: abs(cosines[model.positions[key]]))
    assert set(words.keys[40:]) == set(rest[:20])
    assert list(words.labels) == [0] * 20 + [1] * 20 + [2] * 20
    assert set(words.fitted_on) == {*words.keys, *(word for pair in PAIRS for word in pair)}
    assert words.remarks["labelled"] == ("20 words to either side, 20 neutral ones",)


def test_words_count_with_their_lengths() -> None:
    model = embedding()
    words = found(model, "leaning", 20)
    np.testing.assert_array_equal(words.rows, model.rows(words.keys))
    product = embedding(ProductOfBalls(5))
    tangent = product.geometry.log0(product.rows(product.keys))
    flat = Embedding(product.keys, tangent)
    assert found(product, "leaning", 20).keys == found(flat, "leaning", 20).keys


def test_by_default_a_twentieth_of_the_vocabulary() -> None:
    model = embedding()
    assert len(found(model, "leaning").keys) == 3 * (len(model) // 20)


def test_words_without_a_direction_are_not_labelled() -> None:
    model = embedding()
    vectors = np.array(model.vectors)
    vectors[-5:] = 0
    vectors[-6] = np.nan
    words = found(Embedding(model.keys, vectors), "leaning", 55)
    assert not set(words.keys) & set(model.keys[-6:])


def test_defining_words_have_the_sides_of_their_pairs() -> None:
    words = found(embedding(), "defining")
    sides = dict(zip(words.keys, words.labels, strict=True))
    assert all(sides[a] == 0 and sides[b] == 1 for a, b in PAIRS)
    assert words.fitted_on == words.keys


def test_a_list_is_parted_at_its_mean() -> None:
    words = found(embedding(), "defining", variant="list")
    sides = dict(zip(words.keys, words.labels, strict=True))
    assert len({sides[a] for a, _ in PAIRS}) == 1
    assert all(sides[a] != sides[b] for a, b in PAIRS)


def test_words_of_sets_have_their_place_in_the_set() -> None:
    sets = [["man", "woman", "table"], ["boy", "girl", "chair"], ["he", "she", "table"]]
    text = TEXT + f"[concepts.gender.variants.sets]\nsets = {sets}\n"
    (about,) = parse_concepts(text)
    words = label_words(ConceptWords(about.choosing("sets"), embedding()), "defining", None)
    sides = dict(zip(words.keys, words.labels, strict=True))
    assert sides == {"man": 0, "woman": 1, "table": 2, "boy": 0, "girl": 1, "chair": 2} | {
        "he": 0,
        "she": 1,
    }


def test_too_many_and_unknown_choices_are_refused() -> None:
    model = embedding()
    for each in (3, len(model) // 3 + 1):
        with pytest.raises(SettingError, match=rf"{each} words cannot be labelled .* in toy"):
            found(model, "leaning", each)
    with pytest.raises(FairvecError, match="did you mean leaning"):
        found(model, "leanin")
