"""Analogies, in flat space and in the ball."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fairvec.benchmarks import AnalogyQuestion, AnalogySet, Section
from fairvec.core.errors import SettingError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    SIMILARITIES,
    Euclidean,
    FloatArray,
    Geometry,
    Poincare,
    ProductOfBalls,
    Similarity,
)
from fairvec.geometry.ball_formulas import mobius_add
from fairvec.geometry.nearest import IntArray
from fairvec.metrics.utility import analogy_sweep, metrics_for
from fairvec.metrics.utility.analogy import METHODS, TS, Analogies, choose_t
from fairvec.metrics.utility.gyro_analogy import gyro_translate, gyro_weights

# --- Analogy questions among random points, and the textbook's answers to them ---


def embedding(
    space: Geometry, words: int = 60, *, seed: int = 0, dtype: str = "float64"
) -> Embedding:
    """Random points, the words w0, w1 ... of which lie at all distances from the origin."""
    generator = np.random.default_rng(seed)
    vectors: FloatArray = generator.normal(size=(words, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors *= generator.uniform(0.2, 0.9, size=(words, 1)) / np.sqrt(space.curvature or 0.1)
    return Embedding([f"w{n}" for n in range(words)], vectors.astype(dtype), space, "random")


def rows(words: int, count: int = 40, *, seed: int = 0) -> IntArray:
    """Rows a, b and c of questions, no two alike in one."""
    generator = np.random.default_rng(seed)
    return np.stack([generator.choice(words, 3, replace=False) for _ in range(count)])


def benchmark(*sections: tuple[str, list[str]]) -> AnalogySet:
    """A set of analogies: (kind, questions as text) a section."""
    made = (
        Section(f"section {number}", kind, tuple(AnalogyQuestion(*text.split()) for text in texts))  # type: ignore[arg-type]
        for number, (kind, texts) in enumerate(sections)
    )
    return AnalogySet("toy", "Toy analogies", "en", "Toy (2026)", "None needed.", tuple(made))


def cosine(x: FloatArray, y: FloatArray) -> float:
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def best(scores: list[float], excluded: set[int]) -> int:
    """The first of the rows with the largest score."""
    return max((s, -row) for row, s in enumerate(scores) if row not in excluded)[1] * -1


# --- analogy ---


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
    model = embedding(space)
    asked = rows(len(model))
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
    model = embedding(space)
    vectors = model.rows(model.keys)
    asked = rows(len(model))
    given = Analogies("gyro-translation", similarity=similarity).answers(asked, model, TS)
    for t, answers in zip(TS, given, strict=True):
        for three, answer in zip(asked, answers, strict=True):
            a, b, c = vectors[three]
            point = gyro_translate(a, b, c, t, space)
            alike = (similarity or NEGATIVE_DISTANCE).between(point[None], vectors, space)
            assert answer == best(list(alike[0]), {*three})


@pytest.mark.parametrize("method", METHODS)
def test_what_single_precision_cannot_tell_apart_is_reported_in_double(method: str) -> None:
    """Each word has a neighbour a billionth away: which of the two is nearer, floats cannot say."""
    model = embedding(Euclidean(), words=30)
    noise = np.random.default_rng(1).normal(size=model.vectors.shape) * 1e-9
    vectors = np.concatenate([model.vectors, model.vectors + noise])
    assert (vectors[:30].astype(np.float32) == vectors[30:].astype(np.float32)).mean() > 0.9
    twice = Embedding([f"w{n}" for n in range(60)], vectors)
    asked = rows(30)
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
    model = embedding(space, dtype="float32")
    asked = rows(len(model))
    metric = Analogies(method)  # type: ignore[arg-type]
    several = metric.best_answers(asked, model, 5)
    np.testing.assert_array_equal(several.rows[:, 0], metric.answers(asked, model)[0])
    assert (np.diff(several.similarities, axis=1) <= 0).all()
    assert not any({*three} & {*found} for three, found in zip(asked, several.rows, strict=True))


def test_in_flat_space_t_changes_nothing() -> None:
    model = embedding(Euclidean())
    given = Analogies("gyro-translation").answers(rows(60), model, TS)
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
        (metric,) = metrics_for(SET, embedding(space))
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


def test_words_that_reach_one_key_are_reported_to() -> None:
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
    model = embedding(Poincare(), 40)
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
    with pytest.raises(UnknownNameError, match="method named '4cosadd'; did you mean 3cosadd"):
        Analogies("4cosadd")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="3cosmul compares by cosine"):
        Analogies("3cosmul", similarity=NEGATIVE_DISTANCE)
    with pytest.raises(SettingError, match=r"t is 1\.5; it must lie between 0 and 1\."):
        Analogies("gyro-translation", t=1.5)
    with pytest.raises(SettingError, match="restrict is 0"):
        Analogies(restrict=0).measure(SET, plane())
    with pytest.raises(UndefinedError, match="No word is left"):
        Analogies().answers(np.array([[0, 1, 2]]), embedding(Euclidean(), 3))


# --- The answers to analogies do not depend on the unit in which vectors are written ---


@pytest.mark.parametrize("method", ["3cosadd", "3cosmul", "gyro-translation"])
@pytest.mark.parametrize("power", [-480, -80, 80, 480])
def test_answers_are_the_same_at_every_size(method: Any, power: int) -> None:
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(120, 6))
    keys = [f"w{number}" for number in range(len(vectors))]
    rows = rng.permuted(np.tile(np.arange(120), (20, 1)), axis=1)[:, :3]
    metric = Analogies(method)
    wanted = metric.answers(rows, Embedding(keys, vectors))
    with np.errstate(all="raise", under="ignore"):
        found = metric.answers(rows, Embedding(keys, np.ldexp(vectors, power)))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda one: one.name)
@pytest.mark.parametrize("power", [-480, -40, 40, 480])
def test_a_ball_of_any_radius_gives_the_answers_of_the_unit_ball(
    similarity: Similarity, power: int
) -> None:
    """c = 4^power, with all vectors as much shorter: the same points in another unit."""
    rng = np.random.default_rng(2)
    points = rng.normal(size=(120, 6)) / 10
    keys = [f"w{number}" for number in range(len(points))]
    rows = rng.permuted(np.tile(np.arange(120), (20, 1)), axis=1)[:, :3]
    metric = Analogies("gyro-translation", similarity)
    wanted = metric.answers(rows, Embedding(keys, points, Poincare()))
    ball = Poincare(float(np.ldexp(1.0, 2 * power)))
    found = metric.answers(rows, Embedding(keys, np.ldexp(points, -power), ball))
    np.testing.assert_array_equal(found, wanted)


# --- choose t ---


PAIRS = [(f"m{n}", f"f{n}") for n in range(8)]


def model() -> Embedding:
    """Pairs that differ by about one translation, among other words."""
    generator = np.random.default_rng(0)
    men: FloatArray = generator.normal(size=(8, 5)) * 0.25
    women = men + 0.12 + generator.normal(size=men.shape) * 0.05
    others = generator.normal(size=(60, 5)) * 0.25
    keys = [word for side in zip(*PAIRS, strict=True) for word in side]
    keys += [f"w{n}" for n in range(len(others))]
    points = Poincare().project(np.concatenate([men, women, others]) * 0.8).points
    return Embedding(keys, points, Poincare(), "pairs")


def test_the_best_t_on_average_is_chosen() -> None:
    chosen = choose_t(PAIRS, model())
    assert tuple(chosen.scores) == TS
    assert chosen.scores[chosen.t] == max(chosen.scores.values()) > 0
    assert min(chosen.scores.values()) < chosen.scores[chosen.t]


def test_the_halves_share_no_pair_and_know_the_other_ones_choice() -> None:
    chosen = choose_t(PAIRS, model(), similarity=COSINE, seed=3)
    one, other = chosen.folds
    assert {*one.pairs} | {*other.pairs} == {*PAIRS}
    assert not {*one.pairs} & {*other.pairs}
    embedding = model()
    metric = Analogies("gyro-translation", similarity=COSINE)
    scores = []
    for fold in chosen.folds:
        asked = np.array(
            [
                [embedding.positions[word] for word in (*first, *second)]
                for first in fold.pairs
                for second in fold.pairs
                if first != second
            ]
        )
        right = metric.answers(asked[:, :3], embedding, TS) == asked[:, 3]
        scores.append(right.mean(axis=1))
    assert one.t == TS[int(np.argmax(scores[1]))]
    assert one.score == scores[0][TS.index(one.t)]
    assert other.t == TS[int(np.argmax(scores[0]))]
    assert list(chosen.scores.values()) == pytest.approx(list(np.mean(scores, axis=0)))


def test_the_seed_makes_the_halves() -> None:
    assert choose_t(PAIRS, model(), seed=1) == choose_t(PAIRS, model(), seed=1)
    assert choose_t(PAIRS, model(), seed=1).folds != choose_t(PAIRS, model(), seed=2).folds


def test_too_few_pairs_are_counted() -> None:
    with pytest.raises(UndefinedError, match="both words of 3 of the 4 pairs"):
        choose_t([*PAIRS[:3], ("he", "she")], model())
    with pytest.raises(UndefinedError, match="share their words"):
        choose_t([("m0", "f0"), ("m0", "f1"), ("m0", "f2"), ("m0", "f3")], model())


# --- gyro analogy ---


def three(space: Geometry, count: int = 20) -> tuple[FloatArray, FloatArray, FloatArray]:
    model = embedding(space, 3 * count)
    a, b, c = model.vectors.astype(np.float64).reshape(3, count, -1)
    return a, b, c


def plus(*points: FloatArray, curvature: float) -> FloatArray:
    """Möbius addition from the right: x (+) (y (+) z)."""
    *others, total = points
    for point in reversed(others):
        total = mobius_add(point, total, c=curvature)
    return total


def gyr(u: FloatArray, v: FloatArray, w: FloatArray, curvature: float) -> FloatArray:
    """The paper's definition: -(u (+) v) (+) (u (+) (v (+) w))."""
    back = -plus(u, v, curvature=curvature)
    return plus(back, plus(u, v, w, curvature=curvature), curvature=curvature)


@pytest.mark.parametrize("curvature", [0.3, 1.0, 4.0])
def test_the_ends_are_the_two_solutions_of_the_paper(curvature: float) -> None:
    a, b, c = three(Poincare(curvature))
    for t, (to, other) in ((0.0, (c, b)), (1.0, (b, c))):
        way = plus(-a, other, curvature=curvature)
        expected = plus(to, gyr(to, -a, way, curvature), curvature=curvature)
        found = gyro_translate(a, b, c, t, Poincare(curvature))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("gap", [1e-5, 1e-8, 1e-11])
@pytest.mark.parametrize("space", [Poincare(), Poincare(3.0), ProductOfBalls(2)], ids=repr)
def test_points_near_the_border_lead_into_the_ball(space: Geometry, gap: float) -> None:
    a, b, c = np.random.default_rng(1).normal(size=(3, 40, 8))
    for rows in (a, b, c):
        runs = rows.reshape(40, getattr(space, "balls", 1), -1)
        runs *= (1 - gap) / np.linalg.norm(runs, axis=-1, keepdims=True) / space.curvature**0.5
    for t in (0.0, 0.3, 1.0):
        assert space.contains(gyro_translate(a, b, c, t, space)).all()


def test_t_is_the_share_of_the_way() -> None:
    space = Poincare()
    a, b, c = three(space)
    ends = [gyro_translate(a, b, c, t, space) for t in (0, 1)]
    between = gyro_translate(a, b, c, 0.3, space)
    whole = space.distance(*ends)
    np.testing.assert_allclose(space.distance(ends[0], between), 0.3 * whole, rtol=1e-7)
    np.testing.assert_allclose(space.distance(between, ends[1]), 0.7 * whole, rtol=1e-7)


def test_where_curvature_fades_the_point_is_that_of_flat_space() -> None:
    a, b, c = three(Euclidean())
    flat = gyro_translate(a, b, c, 0.3, Euclidean())
    np.testing.assert_array_equal(flat, b - a + c)
    np.testing.assert_allclose(
        gyro_translate(a, b, c, 0.3, Poincare(1e-9)), flat, rtol=1e-5, atol=1e-6
    )


def test_a_product_of_balls_is_translated_ball_by_ball() -> None:
    a, b, c = three(ProductOfBalls(2))
    found = gyro_translate(a, b, c, 0.4, ProductOfBalls(2))
    halves = [
        gyro_translate(a[:, run], b[:, run], c[:, run], 0.4, Poincare())
        for run in (slice(4), slice(4, 8))
    ]
    np.testing.assert_allclose(found, np.concatenate(halves, axis=1), rtol=1e-14)


@pytest.mark.parametrize("space", [Euclidean(), Poincare(), Poincare(3.0)], ids=repr)
def test_weights_add_up_to_the_point(space: Geometry) -> None:
    a, b, c = three(space)
    ts = (0.0, 0.3, 1.0)
    for t, found in zip(ts, gyro_weights(a, b, c, ts, space), strict=True):
        total = found[:, :1] * a + found[:, 1:2] * b + found[:, 2:] * c
        np.testing.assert_allclose(total, gyro_translate(a, b, c, t, space), rtol=1e-8, atol=1e-10)


def test_words_that_are_one_point_have_weights_too() -> None:
    a, b, _ = three(Poincare())
    (found,) = gyro_weights(a, b, b, (0.5,), Poincare())
    total = found[:, :1] * a + found[:, 1:2] * b + found[:, 2:] * b
    np.testing.assert_allclose(
        total, gyro_translate(a, b, b, 0.5, Poincare()), rtol=1e-7, atol=1e-9
    )
