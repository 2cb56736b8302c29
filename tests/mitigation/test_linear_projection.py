import numpy as np
import pytest

from fairvec.core.errors import (
    FairvecError,
    LexiconError,
    SettingError,
    UndefinedError,
    UnknownNameError,
)
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray, Poincare
from fairvec.lexicon import ConceptWords
from fairvec.mitigation import LinearProjection
from tests.mitigation.toys import PAIRS, concept, embedding, row


def by_hand(model: Embedding, how: str, *, raw: bool = False) -> FloatArray:
    """The unit direction, from plain loops and an eigendecomposition."""
    words = [[row(model, word) for word in pair] for pair in PAIRS]
    if not raw:
        words = [[word / np.sqrt(word @ word) for word in pair] for pair in words]
    if how == "one-pair":
        g = words[2][0] - words[2][1]
    elif how == "two-means":
        g = np.mean([m for m, _ in words], axis=0) - np.mean([f for _, f in words], axis=0)
    elif how == "list-pca":
        everyone = np.array([word for pair in words for word in pair])
        g = np.linalg.eigh(np.cov(everyone.T))[1][:, -1]
    else:
        g = np.linalg.eigh(sum(np.outer(m - f, m - f) for m, f in words))[1][:, -1]
    return np.asarray(g / np.sqrt(g @ g))


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize(
    ("variant", "how"),
    [
        ("pairs", "pairs-pca"),
        ("pairs", "two-means"),
        ("one-pair", "one-pair"),
        ("list", "list-pca"),
    ],
)
def test_projection_by_a_few_lines_of_numpy(variant: str, how: str, raw: bool) -> None:
    model = embedding()
    g = by_hand(model, how, raw=raw)
    method = LinearProjection(direction=how, strength=0.8, raw=raw)  # type: ignore[arg-type]
    after = method.fit(model, concept(variant)).transform(model)
    for key in model.keys:
        w = row(model, key)
        np.testing.assert_allclose(row(after, key), w - 0.8 * (w @ g) * g, atol=1e-10)


def test_projection_in_the_ball_is_projection_of_logarithms() -> None:
    model = embedding(Poincare(2.0))
    g = by_hand(model, "pairs-pca")
    after = LinearProjection().fit(model, concept()).transform(model)
    root = np.sqrt(2.0)
    for key in model.keys:
        x = row(model, key)
        length = np.sqrt(x @ x)
        v = np.arctanh(root * length) * x / (root * length)
        v = v - (v @ g) * g
        length = np.sqrt(v @ v)
        expected = np.tanh(root * length) * v / (root * length)
        np.testing.assert_allclose(row(after, key), expected, atol=1e-12)


def test_the_classifiers_normal_parts_the_pairs() -> None:
    model = embedding()
    transform = LinearProjection(direction="svm").fit(model, concept())
    (g,) = transform.move.tensors()["basis"]
    a, b = (model.rows([pair[side] for pair in PAIRS]) @ g for side in (0, 1))
    assert a.min() > b.max()
    assert abs(g[0]) > 0.8


def test_auto_takes_what_the_words_are() -> None:
    model = embedding()
    for variant, how in (("pairs", "pairs-pca"), ("one-pair", "one-pair"), ("list", "list-pca")):
        auto, named = (
            LinearProjection(direction=each).fit(model, concept(variant))  # type: ignore[arg-type]
            for each in ("auto", how)
        )
        np.testing.assert_array_equal(auto.move.tensors()["basis"], named.move.tensors()["basis"])


def test_lengths_are_free_kept_or_one() -> None:
    model = embedding()
    for lengths, wanted in (("kept", np.linalg.norm(model.vectors, axis=1)), ("unit", 1.0)):
        after = LinearProjection(lengths=lengths).fit(model, concept()).transform(model)  # type: ignore[arg-type]
        np.testing.assert_allclose(np.linalg.norm(after.vectors, axis=1), wanted, rtol=1e-12)


def test_only_neutral_words_move_on_demand() -> None:
    model = embedding()
    transform = LinearProjection(moves="neutral").fit(model, concept())
    expected = {word for pair in PAIRS for word in pair}
    assert transform.unmoved == expected | {"uncle", "aunt", "nephew", "beard", "bride"}
    after = transform.transform(model)
    np.testing.assert_array_equal(row(after, "beard"), row(model, "beard"))
    assert (row(after, "neutral0") != row(model, "neutral0")).any()


def test_what_was_left_out_is_said() -> None:
    model = embedding()
    keys = [key for key in model.keys if key != "boy"]
    model = Embedding(keys, model.rows(keys))
    step = LinearProjection().fit(model, concept()).transform(model).history[-1]
    assert step.details["left_out"] == ["boy-girl"]
    assert "girl" not in step.details["fitted_on"]


def test_a_word_wholly_along_the_direction_does_not_become_noise() -> None:
    model = embedding()
    g = by_hand(model, "pairs-pca")
    longer = Embedding([*model.keys, "along"], np.vstack([model.vectors, 3 * g]))
    after = LinearProjection(lengths="unit").fit(longer, concept()).transform(longer)
    np.testing.assert_allclose(row(after, "along"), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("method", "variant", "error", "words"),
    [
        (LinearProjection("one-pair"), "pairs", SettingError, "has 5 pairs"),
        (LinearProjection("list-pca"), "pairs", SettingError, "is pairs, not a list"),
        (LinearProjection("svm"), "list", SettingError, "is a list, not pairs"),
        (
            LinearProjection(),
            "half-known",
            LexiconError,
            r"en/gender:half-known: of its pairs \(3\) 1 can be used and 2 must be, because toy "
            "lacks him, her, his, hers",
        ),
    ],
)
def test_words_that_do_not_fit_are_refused(
    method: LinearProjection, variant: str, error: type[FairvecError], words: str
) -> None:
    with pytest.raises(error, match=words):
        method.fit(embedding(), concept(variant))


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("strength", 7, "strength is 7; it must lie between 0 and 1"),
        ("strength", -0.1, "it must lie between 0 and 1"),
        ("strength", float("nan"), "it must be a finite number"),
        ("direction", "pairs", "choice of direction named 'pairs'; did you mean pairs-pca"),
        ("moves", "some", "known: all, neutral"),
        ("lengths", "one", "choice of lengths named 'one'"),
    ],
)
def test_bad_settings_are_refused_at_once(setting: str, value: object, words: str) -> None:
    with pytest.raises((SettingError, UnknownNameError), match=words):
        LinearProjection(**{setting: value})  # type: ignore[arg-type]


def test_a_direction_of_no_length_is_refused_by_its_words() -> None:
    model = embedding()
    same = np.array(model.vectors)
    same[list(model.keys).index("she")] = 2 * row(model, "he")
    with pytest.raises(UndefinedError, match=r"one-pair \(he, she\): the two lists do not differ"):
        LinearProjection().fit(Embedding(model.keys, same), concept("one-pair"))


def test_unit_lengths_are_refused_in_the_ball() -> None:
    with pytest.raises(SettingError, match="lengths='kept'"):
        LinearProjection(lengths="unit").fit(embedding(Poincare()), concept())


def test_a_word_with_a_zero_vector_counts_as_missing() -> None:
    model = embedding()
    vectors = np.array(model.vectors)
    vectors[list(model.keys).index("she")] = 0
    words = ConceptWords(concept(), Embedding(model.keys, vectors))
    assert words.pairs(concept().definition.pairs).missing == ("she",)
