"""Linear projection, LPSG and OSCaR."""

import json
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import (
    FairvecError,
    LexiconError,
    SettingError,
    UndefinedError,
    UnknownNameError,
)
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray, Geometry, Poincare
from fairvec.lexicon import Concept, ConceptWords, parse_concepts
from fairvec.lexicon import concept as shipped
from fairvec.mitigation.concept_direction import concept_direction
from fairvec.mitigation.methods.projection import LPSG, LinearProjection, OSCaR
from fairvec.testing.planted import PAIRS, THINGS, VERBS, concept_text
from tests.mitigation.toys import concept, embedding, row

# --- linear ---


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


def test_what_was_left_out_is_reported() -> None:
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


# --- lpsg ---


def top(rows: list[FloatArray]) -> FloatArray:
    return np.asarray(np.linalg.eigh(sum(np.outer(each, each) for each in rows))[1][:, -1])


def pairs_axis(model: Embedding, pairs: list[tuple[str, str]], raw: bool) -> FloatArray:
    rows = [[row(model, word) for word in pair] for pair in pairs]
    if not raw:
        rows = [[word / np.sqrt(word @ word) for word in pair] for pair in rows]
    return top([m - f for m, f in rows])


def list_axis(model: Embedding, words: list[str], raw: bool) -> FloatArray:
    rows = [row(model, word) for word in words]
    if not raw:
        rows = [word / np.sqrt(word @ word) for word in rows]
    return top([word - sum(rows) / len(rows) for word in rows])


def basis(method: LPSG, model: Embedding, about: Concept) -> FloatArray:
    (found,) = method.fit(model, about).move.tensors()["basis"]
    return np.asarray(found)


def test_the_direction_is_orthogonal_to_the_span() -> None:
    model = embedding()
    d = pairs_axis(model, PAIRS, raw=False)
    kept = [pairs_axis(model, VERBS, raw=False), list_axis(model, THINGS, raw=False)]
    weights = np.linalg.lstsq(np.array(kept).T, d, rcond=None)[0]
    expected = d - weights @ np.array(kept)
    found = basis(LPSG(), model, concept())
    assert abs(found @ expected) / np.sqrt(expected @ expected) == pytest.approx(1, abs=1e-10)
    assert np.abs(np.array(kept) @ found).max() < 1e-12
    assert abs(d @ kept[0]) > 0.05


def test_as_computed_subtracts_each_direction_from_the_first() -> None:
    model = embedding()
    d = pairs_axis(model, PAIRS, raw=True)
    kept = [pairs_axis(model, VERBS, raw=True), list_axis(model, THINGS, raw=True)]
    expected = d - (d @ kept[0]) * kept[0] - (d @ kept[1]) * kept[1]
    found = basis(LPSG(convention="as-computed"), model, concept())
    assert abs(found @ expected) / np.sqrt(expected @ expected) == pytest.approx(1, abs=1e-10)


def hindi() -> tuple[Embedding, Concept]:
    """A concept with the four directions of the paper."""
    extra = """
[concepts.gender.keep.{name}]
{words}
"""
    text = concept_text(PAIRS[:3]) + "".join(
        extra.format(name=name, words=words)
        for name, words in {
            "verbs": f"pairs = {[list(pair) for pair in VERBS]}",
            "adjectives": 'pairs = [["neutral0", "neutral1"], ["neutral2", "neutral3"]]',
            "titles": 'pairs = [["uncle", "aunt"], ["king", "queen"]]',
            "entities": f"words = {THINGS}",
        }.items()
    )
    (found,) = parse_concepts(text)
    return embedding(), found


def test_as_computed_for_verbs_and_adjectives_takes_entities_and_verbs() -> None:
    model, about = hindi()
    d = pairs_axis(model, PAIRS[:3], raw=True)
    entities, verbs = list_axis(model, THINGS, raw=True), pairs_axis(model, VERBS, raw=True)
    expected = d - (d @ entities) * entities - (d @ verbs) * verbs
    method = LPSG(keep=("verbs", "adjectives"), convention="as-computed")
    found = basis(method, model, about)
    assert abs(found @ expected) / np.sqrt(expected @ expected) == pytest.approx(1, abs=1e-10)
    assert "neutral0" not in method.fit(model, about).fitted_on


def test_as_computed_for_all_four_takes_two_pooled_lists() -> None:
    model, about = hindi()
    d = pairs_axis(model, PAIRS[:3], raw=True)
    adjectives = [("neutral0", "neutral1"), ("neutral2", "neutral3")]
    one = pairs_axis(model, [*VERBS, *adjectives], raw=True)
    other = list_axis(model, ["uncle", "king", "aunt", "queen", *THINGS], raw=True)
    expected = d - (d @ one) * one - (d @ other) * other
    found = basis(LPSG(convention="as-computed"), model, about)
    assert abs(found @ expected) / np.sqrt(expected @ expected) == pytest.approx(1, abs=1e-10)


def test_what_is_kept_is_in_the_history() -> None:
    model = embedding()
    step = LPSG().fit(model, concept()).transform(model).history[-1]
    assert step.details["keep"] == ["verbs", "things"]
    assert {"goes-m", "table", "man"} <= set(step.details["fitted_on"])


def test_keeping_what_is_taken_out_leaves_nothing() -> None:
    same = concept()
    same = same.model_copy(update={"keep": {"itself": same.definition}})
    with pytest.raises(UndefinedError, match="keeping itself: Nothing is left"):
        LPSG().fit(embedding(), same)


def test_nothing_to_keep_and_unknown_names_are_refused() -> None:
    bare = concept().model_copy(update={"keep": {}})
    with pytest.raises(SettingError, match="use linear-projection"):
        LPSG().fit(embedding(), bare)
    with pytest.raises(FairvecError, match="did you mean verbs"):
        LPSG(keep=("verb",)).fit(embedding(), concept())
    with pytest.raises(FairvecError, match="as-computed"):
        LPSG(convention="computed").fit(embedding(), concept())  # type: ignore[arg-type]


def test_it_keeps_verbs_that_plain_projection_moves() -> None:
    model = embedding()
    verbs = pairs_axis(model, VERBS, raw=False)
    moved = [
        np.abs((method.fit(model, concept()).transform(model).vectors - model.vectors) @ verbs)
        for method in (LPSG(), LinearProjection())
    ]
    assert moved[0].max() < 1e-12 < 0.01 < moved[1].max()


# --- oscar ---


@pytest.mark.parametrize("space", [None, Poincare(2.0)])
@pytest.mark.parametrize("against", ["verbs", "things"])
def test_the_other_direction_becomes_orthogonal(against: str, space: Geometry | None) -> None:
    model, about = embedding(space), concept()
    transform = OSCaR(against=against).fit(model, about)
    words = ConceptWords(about, model)
    one = concept_direction(words, about.definition, "one")
    two = concept_direction(words, about.direction_to_keep(against), "two")
    assert set(transform.fitted_on) == {*one.keys, *two.keys}
    turned = transform.move.rows(np.array([one.vector, two.vector]))
    assert abs(turned[0] @ turned[1]) < 1e-12 < 0.01 < abs(one.vector @ two.vector)


def test_verbs_differ_less_in_gender_afterwards() -> None:
    model = embedding()
    after = OSCaR(against="verbs").fit(model, concept()).transform(model)
    gender = concept_direction(
        ConceptWords(concept(), model), concept().definition, "gender"
    ).vector
    was, now = (
        [abs((each.rows([a])[0] - each.rows([b])[0]) @ gender) for a, b in VERBS]
        for each in (model, after)
    )
    assert np.mean(now) < 0.6 * np.mean(was)


def test_unknown_and_parallel_directions_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="direction to keep in en/gender named 'verb'"):
        OSCaR(against="verb").fit(embedding(), concept())
    same = concept().model_copy(update={"keep": {"itself": concept().definition}})
    with pytest.raises(UndefinedError, match="have one direction in toy"):
        OSCaR(against="itself").fit(embedding(), same)


def test_occupations_turn_away_from_gender_in_a_real_model() -> None:
    model, about = fairvec.load("glove-en-small"), shipped("en/gender")
    after = OSCaR().fit(model, about).transform(model)
    lengths = [np.linalg.norm(each.rows(each.keys), axis=1) for each in (model, after)]
    np.testing.assert_allclose(lengths[1], lengths[0], rtol=1e-5)

    def together(each: fairvec.Embedding) -> float:
        words = ConceptWords(about, each)
        gender = concept_direction(words, about.definition, "gender").vector
        return abs(
            float(
                gender
                @ concept_direction(words, about.direction_to_keep("occupations"), "work").vector
            )
        )

    assert together(after) < 0.3 * together(model)


def test_the_occupations_are_published_ones(shared_data: Path) -> None:
    text = (shared_data / "debiaswe" / "professions.json").read_text(encoding="utf-8")
    rated = {word: definitional for word, definitional, _ in json.loads(text)}
    ours = [word.word for word in shipped("en/gender").direction_to_keep("occupations").words]
    assert len(ours) == len(set(ours)) == 50
    assert all(abs(rated[word]) <= 0.3 for word in ours)
