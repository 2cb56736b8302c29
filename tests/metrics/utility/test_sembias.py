"""SemBias shares each row out among its pairs, in flat space and in the ball."""

from typing import Any

import numpy as np
import pytest

from fairvec.benchmarks import Choice, SemBiasSet
from fairvec.core.errors import SettingError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    Euclidean,
    Geometry,
    Poincare,
    ProductOfBalls,
)
from fairvec.metrics.utility import SemBias, UtilityScore, metrics_for, similarity_name
from fairvec.metrics.utility.analogy import choose_t

GENDER, JOB, OTHER = np.eye(4)[:3] * 0.3
VECTORS = {
    "he": -GENDER,
    "she": GENDER,
    "king": OTHER - GENDER / 2,
    "queen": OTHER + GENDER / 2 + JOB / 9,
    "doctor": OTHER - JOB - GENDER / 4,
    "nurse": OTHER + JOB + GENDER / 4,
    "cup": OTHER,
    "lid": OTHER + JOB,
    "pen": OTHER - JOB,
    "ink": OTHER - JOB / 2,
    "zero": OTHER * 0,
}
FAIR = Choice(("king", "queen"), (("cup", "lid"), ("pen", "ink")), ("doctor", "nurse"))
BIASED = Choice(("lid", "cup"), (("queen", "king"), ("pen", "ink")), ("doctor", "nurse"))
UNKNOWN = Choice(("king", "zero"), (("cup", "lid"), ("pen", "ink")), ("doctor", "baker"))

TESTED = Step("subset", {"of": "all.npz", "words": "those of tests"})


def asked(*rows: Choice, held_out: int = 0) -> SemBiasSet:
    return SemBiasSet("toy", "Toy", "en", "-", "-", rows, held_out)


def model(space: Geometry | None = None, **changed: np.ndarray) -> Embedding:
    vectors = VECTORS | changed
    return Embedding([*vectors], np.array([*vectors.values()]), space or Euclidean())


def by_part(found: tuple[UtilityScore, ...]) -> dict[str, float]:
    return {one.part: one.value for one in found}


@pytest.mark.parametrize("space", [Euclidean(), Poincare(), Poincare(0.3), ProductOfBalls(2)])
def test_the_pair_nearest_in_angle_is_chosen(space: Geometry) -> None:
    found = SemBias().measure(asked(FAIR, BIASED, FAIR, held_out=2), model(space))
    assert by_part(found) == {
        "definition": pytest.approx(2 / 3),
        "stereotype": pytest.approx(1 / 3),
        "none": 0,
        "definition, held out": 0.5,
        "stereotype, held out": 0.5,
        "none, held out": 0,
    }
    assert [len(one.items) for one in found] == [3] * 3 + [2] * 3


def test_shares_add_up_to_one_in_every_row() -> None:
    found = SemBias().measure(asked(FAIR, BIASED), model())
    assert np.hstack([one.samples.rows for one in found]).sum(axis=1).tolist() == [1, 1]
    assert [one.samples.effect(one.samples.rows[None])[0] for one in found] == [
        one.value for one in found
    ]


def test_pairs_that_tie_share_the_choice() -> None:
    tied = Choice(("king", "queen"), (("king", "queen"), ("pen", "ink")), ("king", "queen"))
    found = by_part(SemBias().measure(asked(tied), model()))
    assert found == {part: pytest.approx(1 / 3) for part in ("definition", "stereotype", "none")}


def test_one_point_is_never_chosen() -> None:
    still = Choice(("king", "king"), (("cup", "cup"), ("she", "he")), ("cup", "cup"))
    assert by_part(SemBias().measure(asked(still), model()))["none"] == 1


def test_rows_with_a_missing_word_are_left_out_and_counted() -> None:
    found = SemBias().measure(asked(UNKNOWN, FAIR, held_out=1), model())
    assert [(one.items, one.wanted, one.missing) for one in found] == [
        ((1,), 2, ("zero", "baker"))
    ] * 3 + [((1,), 1, ())] * 3


def test_without_held_out_rows_their_parts_are_left_out() -> None:
    assert len(SemBias().measure(asked(FAIR, UNKNOWN, held_out=1), model())) == 3


def test_the_reference_is_a_setting() -> None:
    along_jobs = SemBias(reference=("cup", "lid")).measure(asked(FAIR), model())
    assert by_part(along_jobs)["none"] == 1


def test_the_flat_limit_of_the_ball_is_flat_space() -> None:
    generator = np.random.default_rng(0)
    moved = {word: vector + generator.normal(size=4) * 0.1 for word, vector in VECTORS.items()}
    rows = asked(FAIR, BIASED)
    flat = SemBias().measure(rows, model(None, **moved))
    nearly = SemBias().measure(rows, model(Poincare(1e-9), **moved))
    assert by_part(flat) == by_part(nearly)


def test_what_cannot_be_asked_is_reported() -> None:
    with pytest.raises(UndefinedError, match="none of the 1 rows of Toy"):
        SemBias().measure(asked(UNKNOWN), model())
    with pytest.raises(UndefinedError, match="lacks him, with which"):
        SemBias(reference=("him", "she")).measure(asked(FAIR), model())
    with pytest.raises(UndefinedError, match="are one point"):
        SemBias(reference=("she", "She")).measure(asked(FAIR), model())


def by_hand(row: Choice) -> int:
    """The pair whose b is nearest to a + she - he in angle, in flat space."""
    v = VECTORS
    cosines = []
    for a, b in row.pairs:
        predicted = v[a] + v["she"] - v["he"]
        lengths = np.linalg.norm(predicted) * np.linalg.norm(v[b])
        cosines.append(predicted @ v[b] / lengths)
    return int(np.argmax(cosines))


def test_in_flat_space_the_second_word_is_predicted_by_a_sum() -> None:
    rows = (FAIR, BIASED, Choice(("cup", "lid"), (("he", "she"), ("pen", "ink")), ("lid", "cup")))
    chosen = [by_hand(row) for row in rows]
    found = by_part(SemBias("gyro-translation").measure(asked(*rows), model()))
    assert found == {
        "definition": pytest.approx(chosen.count(0) / 3),
        "stereotype": pytest.approx(chosen.count(3) / 3),
        "none": pytest.approx((chosen.count(1) + chosen.count(2)) / 3),
    }
    assert {0, 1} <= {*chosen}


def test_a_pair_that_copies_the_reference_is_predicted_exactly_by_distance() -> None:
    row = Choice(("cup", "lid"), (("pen", "ink"), ("he", "she")), ("doctor", "nurse"))
    for space in (Euclidean(), Poincare(), Poincare(0.3), ProductOfBalls(2)):
        metric = SemBias("gyro-translation", NEGATIVE_DISTANCE, 0.5)
        assert by_part(metric.measure(asked(row), model(space)))["none"] == 1


def test_translation_has_a_flat_limit() -> None:
    generator = np.random.default_rng(0)
    moved = {word: vector + generator.normal(size=4) * 0.1 for word, vector in VECTORS.items()}
    rows = asked(FAIR, BIASED)
    flat = SemBias("gyro-translation").measure(rows, model(None, **moved))
    nearly = SemBias("gyro-translation", COSINE, 0.7).measure(rows, model(Poincare(1e-9), **moved))
    assert by_part(flat) == by_part(nearly)


def many(space: Geometry, history: tuple[Step, ...] = ()) -> tuple[SemBiasSet, Embedding]:
    """Six definition pairs in a ball, and enough other words to be mistaken for an answer."""
    generator = np.random.default_rng(3)
    words = ["he", "she"] + [f"{side}{n}" for n in range(6) for side in "mf"]
    words += [f"other{n}" for n in range(30)]
    points = generator.normal(scale=0.15, size=(len(words), 4))
    points[3:14:2] = points[2:14:2] + np.array([0.3, 0.1, 0, 0])
    rows = [
        Choice((f"m{n}", f"f{n}"), (("other1", "other2"), ("other3", "other4")), ("he", "other5"))
        for n in range(6)
    ]
    return asked(*rows), Embedding(words, points, space, history=history)


def test_t_is_chosen_on_the_definition_pairs_and_named() -> None:
    rows, embedding = many(Poincare())
    metric = SemBias("gyro-translation", COSINE)
    chosen = choose_t([(f"m{n}", f"f{n}") for n in range(6)], embedding, similarity=COSINE)
    with_chosen_t = metric.with_chosen_t(rows, embedding)
    assert with_chosen_t.t == chosen.t
    assert f"t = {chosen.t:g}" in with_chosen_t.meaning
    assert "t =" not in metric.meaning
    assert with_chosen_t.with_chosen_t(rows, embedding) is with_chosen_t
    assert by_part(metric.measure(rows, embedding)) == by_part(
        with_chosen_t.measure(rows, embedding)
    )


def test_words_of_tests_cannot_choose_t_but_answer_with_one() -> None:
    rows, part = many(Poincare(), (TESTED,))
    with pytest.raises(UndefinedError, match="only those of tests are here"):
        SemBias("gyro-translation").measure(rows, part)
    assert len(SemBias("gyro-translation", t=0.3).measure(rows, part)) == 3
    whole, cut = (many(Poincare(), history)[1] for history in ((), (Step("subset"),)))
    metric = SemBias("gyro-translation")
    assert metric.with_chosen_t(rows, cut) == metric.with_chosen_t(rows, whole)


def test_reports_show_both_definitions_in_the_ball() -> None:
    rows, ball = many(Poincare())
    first, second = metrics_for(rows, ball)
    assert (first.name, second.name) == ("sembias", "sembias-gyro-translation")
    assert "gyro-translation, t =" in second.meaning
    assert [similarity_name(one, ball.geometry) for one in (first, second)] == [
        "",
        "negative-distance",
    ]
    assert metrics_for(*many(Euclidean())) == (SemBias(),)
    assert metrics_for(*many(Poincare(), (TESTED,)))[1] == SemBias("gyro-translation")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"definition": "angle"}, "definition named 'angle'; did you mean offset-angle"),
        ({"t": 0.3}, "offset-angle has no similarity and no t"),
        ({"similarity": COSINE}, "offset-angle has no similarity and no t"),
        ({"definition": "gyro-translation", "t": 1.5}, r"t is 1\.5; it must lie between 0 and 1"),
    ],
)
def test_settings_are_checked(settings: dict[str, Any], message: str) -> None:
    refused = UnknownNameError if "named" in message else SettingError
    with pytest.raises(refused, match=message):
        SemBias(**settings)


@pytest.mark.parametrize("power", [-480, -80, 80, 480])
@pytest.mark.parametrize("definition", ["offset-angle", "gyro-translation"])
def test_the_choice_is_the_same_at_every_size(definition: Any, power: int) -> None:
    usual, other = (
        Embedding([*VECTORS], np.ldexp(np.array([*VECTORS.values()]), exponent))
        for exponent in (0, power)
    )
    metric = SemBias(definition)
    wanted = [(one.part, one.value) for one in metric.measure(asked(FAIR, BIASED), usual)]
    with np.errstate(all="raise", under="ignore"):
        found = metric.measure(asked(FAIR, BIASED), other)
    assert [(one.part, one.value) for one in found] == wanted
