from collections.abc import Callable

import numpy as np
import pytest

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    Euclidean,
    FloatArray,
    Geometry,
    Poincare,
    ProductOfBalls,
    Similarity,
)
from fairvec.metrics.utility import analogy_sweep, metrics_for
from fairvec.metrics.utility.analogy import METHODS, TS, Analogies
from fairvec.metrics.utility.gyro_analogy import gyro_translate
from tests.metrics.utility import questions
from tests.metrics.utility.questions import benchmark, best, cosine

SPACES: list[Geometry] = [Euclidean(), Poincare(), Poincare(0.5), ProductOfBalls(2)]
Score = Callable[[FloatArray, FloatArray], float]
every_space = pytest.mark.parametrize("space", SPACES, ids=lambda space: f"{space!r}")


def three_cos_add(three: FloatArray, d: FloatArray) -> float:
    a, b, c = (vector / np.sqrt(vector @ vector) for vector in three)
    return cosine(d, b - a + c)


def three_cos_mul(three: FloatArray, d: FloatArray) -> float:
    to_a, to_b, to_c = ((cosine(d, vector) + 1) / 2 for vector in three)
    return to_b * to_c / (to_a + 0.001)


@every_space
@pytest.mark.parametrize("tile", [512, 7])
@pytest.mark.parametrize(
    ("method", "score"), [("3cosadd", three_cos_add), ("3cosmul", three_cos_mul)]
)
def test_answers_by_cosine_are_those_of_the_textbook(
    space: Geometry, tile: int, method: str, score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analogy_sweep, "TILE", tile)
    monkeypatch.setattr(analogy_sweep, "QUESTIONS_AT_A_TIME", tile)
    model = questions.embedding(space)
    asked = questions.rows(len(model))
    (given,) = Analogies(method).answers(asked, model)  # type: ignore[arg-type]
    vectors = model.rows(model.keys)
    for three, answer in zip(asked, given, strict=True):
        scores = [score(vectors[three], d) for d in vectors]
        assert answer == best(scores, {*three})


@every_space
@pytest.mark.parametrize("similarity", [None, COSINE, NEGATIVE_DISTANCE])
def test_answers_by_gyro_translation_are_those_nearest_to_the_point(
    space: Geometry, similarity: Similarity | None
) -> None:
    model = questions.embedding(space)
    vectors = model.rows(model.keys)
    asked = questions.rows(len(model))
    given = Analogies("gyro-translation", similarity=similarity).answers(asked, model, TS)
    for t, answers in zip(TS, given, strict=True):
        for three, answer in zip(asked, answers, strict=True):
            a, b, c = vectors[three]
            point = gyro_translate(a, b, c, t, space)
            alike = (similarity or NEGATIVE_DISTANCE).between(point[None], vectors, space)
            assert answer == best(list(alike[0]), {*three})


@pytest.mark.parametrize("method", METHODS)
def test_what_single_precision_cannot_tell_apart_is_told_in_double(method: str) -> None:
    """Each word has a neighbour a billionth away: which of the two is nearer, floats cannot say."""
    model = questions.embedding(Euclidean(), words=30)
    noise = np.random.default_rng(1).normal(size=model.vectors.shape) * 1e-9
    vectors = np.concatenate([model.vectors, model.vectors + noise])
    assert (vectors[:30].astype(np.float32) == vectors[30:].astype(np.float32)).mean() > 0.9
    twice = Embedding([f"w{n}" for n in range(60)], vectors)
    asked = questions.rows(30)
    metric = Analogies(method)  # type: ignore[arg-type]
    (given,) = metric.answers(asked, twice)
    for three, answer in zip(asked, given, strict=True):
        if method == "3cosmul":
            scores = [three_cos_mul(vectors[three], d) for d in vectors]
        elif method == "3cosadd":
            scores = [three_cos_add(vectors[three], d) for d in vectors]
        else:
            point = vectors[three[1]] - vectors[three[0]] + vectors[three[2]]
            scores = [-float(np.linalg.norm(point - d)) for d in vectors]
        assert answer == best(scores, {*three})


@pytest.mark.parametrize("space", [Euclidean(), Poincare()], ids=lambda space: space.name)
@pytest.mark.parametrize("method", METHODS)
def test_the_best_of_several_answers_is_the_answer(space: Geometry, method: str) -> None:
    model = questions.embedding(space, dtype="float32")
    asked = questions.rows(len(model))
    metric = Analogies(method)  # type: ignore[arg-type]
    several = metric.best_answers(asked, model, 5)
    np.testing.assert_array_equal(several.rows[:, 0], metric.answers(asked, model)[0])
    assert (np.diff(several.similarities, axis=1) <= 0).all()
    assert not any({*three} & {*found} for three, found in zip(asked, several.rows, strict=True))


def test_in_flat_space_t_changes_nothing() -> None:
    model = questions.embedding(Euclidean())
    given = Analogies("gyro-translation").answers(questions.rows(60), model, TS)
    assert (given == given[0]).all()


PLANE = {"man": (1, 0), "king": (1, 2), "woman": (3, 0), "queen": (3, 2), "walk": (5, 7)}
PLANE |= {"walked": (6, 7), "run": (5, 9), "ran": (6, 9), "none": (0, 0)}


def plane(**more: tuple[float, float]) -> Embedding:
    points = {**PLANE, **more}
    return Embedding(list(points), np.array(list(points.values()), float), name="plane")


SET = benchmark(
    ("semantic", ["Man king woman queen", "king man queen woman", "man king boy prince"]),
    ("syntactic", ["walk walked run ran", "walk walked run king"]),
)


def test_parts_items_and_missing_words() -> None:
    parts = Analogies("gyro-translation").measure(SET, plane())
    assert [part.part for part in parts] == ["semantic", "syntactic", ""]
    assert [part.items for part in parts] == [(0, 1), (3, 4), (0, 1, 3, 4)]
    assert [part.wanted for part in parts] == [3, 2, 5]
    assert [part.value for part in parts] == [1, 0.5, 0.75]
    assert all(part.missing == ("boy", "prince") for part in parts)
    for part in parts:
        assert part.samples.effect(part.samples.rows) == part.value
        assert part.samples.effect(np.stack([part.samples.rows] * 3)).shape == (3,)


def test_reports_ask_the_ball_by_gyro_translation_and_say_so() -> None:
    for space in SPACES:
        (metric,) = metrics_for(SET, questions.embedding(space))
        in_one_ball = isinstance(space, Poincare)
        assert metric == Analogies("gyro-translation" if in_one_ball else "3cosadd")
        assert ("(gyro-translation, t = 0.3)" in metric.meaning) == in_one_ball


def test_a_set_without_kinds_has_one_part() -> None:
    (part,) = Analogies().measure(benchmark(("", ["man king woman queen"])), plane())
    assert (part.part, part.wanted, part.coverage) == ("", 1, 1)


def test_a_part_of_which_nothing_is_known_is_left_out() -> None:
    few = benchmark(("semantic", ["man king woman queen"]), ("syntactic", ["go went see saw"]))
    assert [part.part for part in Analogies().measure(few, plane())] == ["semantic", ""]
    with pytest.raises(UndefinedError, match="none of the 1 questions of Toy analogies"):
        Analogies().measure(benchmark(("", ["go went see saw"])), plane())


def test_words_that_reach_one_key_are_said_to() -> None:
    merging = benchmark(("", ["man king woman queen", "Polish polish man king"]))
    (part,) = Analogies().measure(merging, plane(polish=(2, 1)))
    assert part.items == (0,)
    assert part.missing == ("Polish and polish (both polish)",)


def test_a_vector_of_length_zero_is_no_word() -> None:
    (part,) = Analogies().measure(
        benchmark(("", ["man king woman queen", "man king woman none"])), plane()
    )
    assert (part.items, part.missing) == ((0,), ("none",))


def test_without_barring_the_words_of_the_question_answer() -> None:
    asked = benchmark(("", ["man king woman queen"]))
    model = plane(queen=(9, 9))
    rows = np.array([[model.positions[word] for word in ("man", "king", "woman")]])
    metric = Analogies("gyro-translation", barring=False)
    assert model.keys[metric.answers(rows, model)[0, 0]] in {"king", "woman"}
    assert metric.measure(asked, plane())[0].value == 1


def test_restricted_to_frequent_words_the_others_neither_ask_nor_answer() -> None:
    model = plane(queenly=(3, 2))
    counts = np.array([5, 5, 5, 1, 5, 5, 5, 5, 5, 9])
    counted = Embedding(model.keys, model.vectors, name="counted", counts=counts)
    with pytest.raises(UndefinedError, match="none of the 1"):
        Analogies(restrict=9).measure(benchmark(("", ["man king woman queen"])), counted)
    (part,) = Analogies("gyro-translation", restrict=9).measure(
        benchmark(("", ["man king woman queenly"])), counted
    )
    assert part.value == 1
    assert "among the 1,200 most frequent words" in Analogies(restrict=1200).meaning
    (first,) = Analogies(restrict=4).measure(benchmark(("", ["man king woman queen"])), model)
    assert first.coverage == 1


def test_several_t_in_one_sweep_equal_one_at_a_time() -> None:
    model = questions.embedding(Poincare(), 40)
    texts = [
        " ".join(f"w{n}" for n in np.random.default_rng(i).permutation(40)[:4]) for i in range(30)
    ]
    asked = benchmark(("", texts))
    swept = Analogies("gyro-translation", similarity=COSINE).accuracy_by_t(asked, model)
    assert tuple(swept) == TS
    for t, (part,) in swept.items():
        (alone,) = Analogies("gyro-translation", similarity=COSINE, t=t).measure(asked, model)
        np.testing.assert_array_equal(part.samples.rows, alone.samples.rows)


def test_bad_settings_are_refused() -> None:
    with pytest.raises(SettingError, match="method must be one of 3cosadd, 3cosmul"):
        Analogies("4cosadd")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="3cosmul compares by cosine"):
        Analogies("3cosmul", similarity=NEGATIVE_DISTANCE)
    with pytest.raises(SettingError, match=r"between 0 and 1, not 1\.5"):
        Analogies("gyro-translation", t=1.5)
    with pytest.raises(SettingError, match="not 0"):
        Analogies(restrict=0).measure(SET, plane())
    with pytest.raises(UndefinedError, match="No word is left"):
        Analogies().answers(np.array([[0, 1, 2]]), questions.embedding(Euclidean(), 3))
