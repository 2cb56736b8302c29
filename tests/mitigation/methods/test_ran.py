"""RAN moves words to the minimum of its published loss, and leaves those that nothing holds."""

import numpy as np
import pytest
from numpy.typing import NDArray

from fairvec.core.errors import SettingError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare
from fairvec.mitigation.methods.ran import RAN, TOLERANCE, RanWeights, forces, objective, solve_ran
from fairvec.testing.planted import NEUTRAL, PAIRS
from tests.mitigation.toys import concept, embedding, row

# --- ran ---


def unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def gender(model: Embedding) -> FloatArray:
    differences = [unit(row(model, m)) - unit(row(model, f)) for m, f in PAIRS]
    return np.asarray(np.linalg.svd(differences)[2][0])


def objective_ran(model: Embedding, key: str, x: FloatArray, settings: RAN) -> float:
    """The objective of a word, its neighbours found by sorting."""
    g, w = gender(model), unit(row(model, key))
    others = {other: unit(row(model, other)) for other in model.keys if other != key}
    near = sorted(others.values(), key=lambda v: -float(v @ w))[: settings.neighbours]
    biased = []
    for v in near:
        without = unit(w - (w @ g) * g) @ unit(v - (v @ g) * g)
        if w @ v > 0 and (w @ v - without) / (w @ v) >= settings.theta:
            biased.append(v)
    repulsion = np.mean([abs(v @ x) for v in biased]) if biased else 0.0
    return float(repulsion / 8 + 6 / 8 * (1 - w @ x) / 2 + abs(g @ x) / 8)


@pytest.mark.parametrize("space", [Euclidean(), Poincare(1.4)], ids=repr)
def test_neutral_words_go_to_the_minimum_and_others_stay(space: Geometry) -> None:
    model, settings = embedding(space), RAN(neighbours=12)
    transform = settings.fit(model, concept())
    after = transform.transform(model)
    noise = np.random.default_rng(0)
    for key in NEUTRAL[:40]:
        x = unit(row(after, key))
        least = objective_ran(model, key, x, settings)
        assert least < objective_ran(model, key, unit(row(model, key)), settings)
        for _ in range(10):
            aside = unit(x + 0.02 * noise.normal(size=len(x)))
            assert least <= objective_ran(model, key, aside, settings) + 1e-9
        assert np.linalg.norm(row(after, key)) == pytest.approx(np.linalg.norm(row(model, key)))
    for key in ("man", "aunt", "beard"):
        np.testing.assert_array_equal(row(after, key), row(model, key))


def test_most_words_no_longer_lean() -> None:
    model = embedding()
    after = RAN(neighbours=12).fit(model, concept()).transform(model)
    was, now = (np.abs(unit(each.rows(NEUTRAL)) @ gender(model)) for each in (model, after))
    assert was.mean() > 0.4
    assert now.mean() < was.mean() / 2
    assert (now < 1e-9).sum() > 30


def test_only_the_first_words_are_looked_at() -> None:
    model = embedding()
    transform = RAN(words=60, neighbours=5).fit(model, concept())
    assert set(transform.placed) <= set(model.keys[:60])
    small = Embedding(model.keys[:60], model.vectors[:60])
    np.testing.assert_array_equal(
        transform.transform(model).vectors[:60],
        RAN(neighbours=5).fit(small, concept()).transform(small).vectors,
    )
    np.testing.assert_array_equal(transform.transform(model).vectors[60:], model.vectors[60:])
    (message,) = transform.remarks["moved"]
    assert message.startswith(f"{len(transform.placed)} words of the first 60, each repelled from ")


def test_unit_lengths_as_published() -> None:
    model = embedding()
    after = RAN(neighbours=5, lengths="unit").fit(model, concept()).transform(model)
    np.testing.assert_allclose(np.linalg.norm(after.vectors, axis=1), 1, rtol=1e-12)
    with pytest.raises(SettingError, match="use lengths='kept'"):
        RAN(lengths="unit").fit(embedding(Poincare()), concept())


def test_zero_vectors_have_no_direction_and_stay() -> None:
    model = embedding()
    vectors = model.vectors.copy()
    vectors[-1] = 0
    holed = Embedding(model.keys, vectors)
    transform = RAN(neighbours=5).fit(holed, concept())
    assert NEUTRAL[-1] not in transform.placed
    assert not transform.transform(holed).rows([NEUTRAL[-1]]).any()


def test_words_that_nothing_holds_are_named() -> None:
    transform = RAN(repulsion=0, attraction=0.01, neutralisation=9, neighbours=3, words=40)
    model = embedding()
    on_g = Embedding(
        model.keys, np.where(np.arange(len(model))[:, None] == 30, gender(model), model.vectors)
    )
    g = gender(on_g)
    fitted = transform.fit(on_g, concept())
    assert np.abs(unit(on_g.rows([model.keys[30]])) @ g) == pytest.approx(1)
    assert fitted.remarks["not_held"] == [model.keys[30]]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"attraction": 0.0}, "attraction is 0.0; it must be above 0"),
        ({"repulsion": -1.0}, "repulsion is -1.0; it must be 0 or more"),
        ({"neutralisation": float("nan")}, "neutralisation is nan; it must be a finite"),
        ({"neighbours": 0}, "neighbours is 0; it must be 1 or more"),
        ({"words": 1}, "words is 1; it must be 2 or more"),
        ({"strength": 2.0}, "must lie between 0 and 1"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, float], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        RAN(**settings)  # type: ignore[arg-type]


def test_nothing_to_move_and_unknown_choices_are_refused() -> None:
    with pytest.raises(UndefinedError, match=r"of the first 10 words of toy 0 are not specific"):
        RAN(words=10).fit(embedding(), concept())
    with pytest.raises(UnknownNameError, match="choice of lengths named 'free'"):
        RAN(lengths="free").fit(embedding(), concept())  # type: ignore[arg-type]


# --- math ---


PUBLISHED = RanWeights(1 / 8, 6 / 8, 1 / 8)


def problem(seed: int, near: float) -> tuple[FloatArray, FloatArray, NDArray[np.bool_], FloatArray]:
    """Words, their neighbours (at all angles where `near` is small), who repels, a direction."""
    noise = np.random.default_rng(seed)
    words = unit(noise.normal(size=(30, 7)))
    neighbours = unit(noise.normal(size=(30, 9, 7)) + near * words[:, None])
    repelled = noise.random((30, 9)) < 0.6
    repelled[0] = False
    return words, neighbours, repelled, unit(noise.normal(size=7))


def published(
    x: FloatArray, word: FloatArray, near: FloatArray, g: FloatArray, weights: RanWeights
) -> float:
    """The objective of one word, as the paper writes it."""
    x = unit(x)
    repulsion = np.mean(np.abs(near @ x)) if len(near) else 0.0
    attraction, neutralisation = abs(x @ word - 1) / 2, abs(x @ g)
    return float(
        weights.repulsion * repulsion
        + weights.attraction * attraction
        + weights.neutralisation * neutralisation
    )


def by_adam(word: FloatArray, near: FloatArray, g: FloatArray, weights: RanWeights) -> FloatArray:
    """The published optimiser: 300 steps of Adam from the word itself, at a rate of .01."""
    x, first, second = word.copy(), np.zeros_like(word), np.zeros_like(word)
    for step in range(1, 301):
        length = np.linalg.norm(x)
        u = x / length
        slope = -weights.attraction / 2 * word + weights.neutralisation * np.sign(u @ g) * g
        if len(near):
            slope = slope + weights.repulsion * (np.sign(near @ u)[:, None] * near).mean(axis=0)
        slope = (slope - (slope @ u) * u) / length
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        x = x - 0.01 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return x


@pytest.mark.parametrize("near", [0.0, 0.5, 3.0])
@pytest.mark.parametrize("weights", [PUBLISHED, RanWeights(0.3, 0.4, 0.3), RanWeights(0, 1, 0.2)])
def test_no_word_does_better_by_the_published_optimiser(near: float, weights: RanWeights) -> None:
    words, neighbours, repelled, g = problem(1, near)
    pushes = forces(neighbours, repelled, g, weights)
    found = solve_ran(words, pushes, weights.attraction)
    assert (found.gaps[found.attracted] < TOLERANCE).all()
    values = objective(found.rows, words, pushes, weights.attraction)
    noise = np.random.default_rng(2)
    for number, word in enumerate(words):
        given = word, neighbours[number][repelled[number]], g, weights
        assert values[number] == pytest.approx(published(found.rows[number], *given), abs=1e-12)
        if found.attracted[number]:
            assert values[number] <= published(by_adam(*given), *given) + TOLERANCE
            for _ in range(20):
                aside = found.rows[number] + 0.03 * noise.normal(size=7)
                assert values[number] <= published(aside, *given) + TOLERANCE


def test_among_neighbours_on_its_side_a_word_is_pushed_from_their_mean() -> None:
    """The closed form: y = (a/2) w - r mean n, less what it has along g, up to s."""
    words, neighbours, repelled, g = problem(3, 12.0)
    found = solve_ran(words, forces(neighbours, repelled, g, PUBLISHED), PUBLISHED.attraction)
    for word, near, pushing, x in zip(words, neighbours, repelled, found.rows, strict=True):
        y = 3 / 8 * word - (near[pushing].mean(axis=0) / 8 if pushing.any() else 0)
        y = y - np.clip(y @ g, -1 / 8, 1 / 8) * g
        assert (near[pushing] @ x > 0).all()
        np.testing.assert_allclose(x, unit(y), atol=1e-9)


def test_a_word_without_bias_and_biased_neighbours_stays() -> None:
    words, neighbours, repelled, g = problem(4, 1.0)
    words = unit(words - np.outer(words @ g, g))
    found = solve_ran(
        words, forces(neighbours, repelled & False, g, PUBLISHED), PUBLISHED.attraction
    )
    np.testing.assert_allclose(found.rows, words, atol=1e-12)


def test_a_word_that_nothing_holds_stays_and_is_marked() -> None:
    words, neighbours, repelled, g = problem(5, 0.0)
    words = np.tile(g, (30, 1))
    weights = RanWeights(0.0, 0.5, 0.5)
    found = solve_ran(words, forces(neighbours, repelled, g, weights), weights.attraction)
    assert not found.attracted.any()
    np.testing.assert_array_equal(found.rows, words)
