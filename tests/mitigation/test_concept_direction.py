"""How steady the direction of a concept is."""

import numpy as np
import pytest

from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare, ProductOfBalls
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation import Debiaser
from fairvec.mitigation import concept_direction as concept_direction_module
from fairvec.mitigation.concept_direction import STEADINESS, Sets, concept_direction, stability
from fairvec.mitigation.methods.conceptor import ConceptorNegation, HalfSibling
from fairvec.mitigation.methods.hard import HardDebiasing, MultiClassHard
from fairvec.mitigation.methods.pgd import PGD, PgdExact
from fairvec.mitigation.methods.projection import LPSG, LinearProjection, OSCaR
from fairvec.mitigation.moves import Projection
from fairvec.mitigation.transform import Transform
from fairvec.testing.planted import PAIRS
from tests.loops import loop_over
from tests.mitigation.toys import concept, embedding, every_method

SPACES: list[Geometry] = [Euclidean(), Poincare(), ProductOfBalls(5)]
in_every_space = pytest.mark.parametrize("space", SPACES, ids=repr)
OF_THE_CONCEPT: list[Debiaser] = [
    LinearProjection(),
    LinearProjection(raw=True),
    LinearProjection(direction="two-means"),
    LinearProjection(direction="svm"),
    HardDebiasing(),
    HardDebiasing(k=2),
    MultiClassHard(),
    PGD(),
]


def subspace(transform: Transform) -> FloatArray:
    """What a method takes out, as orthonormal rows."""
    if isinstance(transform.move, PgdExact):
        return transform.move.axis[None] / np.linalg.norm(transform.move.axis)
    assert isinstance(transform.move, Projection)
    return transform.move.basis


def without(pair: tuple[str, str]) -> Concept:
    whole = concept()
    kept = tuple(p for p in whole.definition.pairs if (p[0].word, p[1].word) != pair)
    left = whole.definition.model_copy(update={"pairs": kept})
    return whole.model_copy(update={"variants": {**whole.variants, "pairs": left}})


@in_every_space
@loop_over("method", OF_THE_CONCEPT)
def test_the_range_is_that_of_fits_without_one_pair(method: Debiaser, space: Geometry) -> None:
    before = embedding(space)
    fitted = method.fit(before, concept())
    whole = subspace(fitted)
    again = {pair: subspace(method.fit(before, without(pair))) for pair in PAIRS}
    # The largest angle between two subspaces: no unit vector of one is further from the other.
    cosines = {
        "-".join(pair): np.sqrt(np.linalg.eigvalsh(whole @ other.T @ other @ whole.T)[0])
        for pair, other in again.items()
    }
    low, high = min(cosines, key=cosines.__getitem__), max(cosines, key=cosines.__getitem__)
    (message,) = fitted.remarks[STEADINESS]
    assert message.startswith("en/gender:pairs: ")
    assert (
        f"is {cosines[low]:.3f} (without {low}) to {cosines[high]:.3f} (without {high})" in message
    )
    is_component = "two-means" not in repr(method) and "svm" not in repr(method)
    assert ("holds" in message or "hold " in message) == (
        is_component and not isinstance(method, PGD)
    )


@in_every_space
def test_every_method_says_how_steady_its_directions_are(space: Geometry) -> None:
    for method in every_method():
        message = method.fit(embedding(space), concept()).remarks.get(STEADINESS, ())
        directions = 0 if isinstance(method, ConceptorNegation | HalfSibling) else 1
        directions += isinstance(method, OSCaR) + 2 * isinstance(method, LPSG)
        assert len(message) == directions, method.name


def test_explained_variance_is_the_share_of_the_first_component() -> None:
    words = ConceptWords(concept(), embedding())
    found = concept_direction(words, concept().definition, "x").stability
    rows = [embedding().rows(pair) for pair in PAIRS]
    units = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in rows]
    squares = np.linalg.eigvalsh(sum(np.outer(a - b, a - b) for a, b in units))
    assert found.explained == pytest.approx(squares[-1] / squares.sum())


def test_a_pair_that_alone_makes_a_direction_is_named() -> None:
    """Two pairs differ a little in one thing, and one pair greatly in another."""
    steps = {"a": (0, 0.1), "b": (0, 0.11), "odd": (1, 0)}
    vectors = {
        f"{name}{side}": np.array([*np.multiply(step, side), 5.0])
        for name, step in steps.items()
        for side in (1, -1)
    }
    sets = [(f"{name}1", f"{name}-1") for name in steps]

    def taken(some: Sets) -> FloatArray:
        differences = np.array([vectors[a] - vectors[b] for a, b in some])
        return np.asarray(np.linalg.svd(differences)[2][0])

    found = stability(taken(sets), sets, taken)
    assert min(found.cosines, key=found.cosines.__getitem__) == "odd1-odd-1"
    assert found.cosines["odd1-odd-1"] == pytest.approx(0, abs=1e-12)
    assert found.cosines["a1-a-1"] == pytest.approx(1)


def test_one_pair_is_confirmed_by_nothing_and_words_of_a_list_are_left_out_one_by_one() -> None:
    (message,) = LinearProjection().fit(embedding(), concept("one-pair")).remarks[STEADINESS]
    assert message == "en/gender:one-pair: rests on one pair alone, which no other confirms"
    for method in (LinearProjection(), HardDebiasing(k=2)):
        (message,) = method.fit(embedding(), concept("list")).remarks[STEADINESS]
        assert "with one of 10 words left out" in message


def test_sets_of_the_subspace_count_alike_however_many_words_they_have() -> None:
    """C = sum_i sum_w (w - m_i)(w - m_i)^T / |D_i|, as printed; for pairs the weights cancel."""
    random = np.random.default_rng(5)
    sets = [random.normal(size=(size, 8)) for size in (2, 2, 6)]
    rows = [each - each.mean(axis=0) for each in sets]
    printed = sum(centred.T @ centred / len(centred) for centred in rows)
    first = np.linalg.eigh(printed)[1][:, -1]
    assert abs(concept_direction_module.subspace(sets, 1)[0] @ first) == pytest.approx(1)
    unweighted = np.linalg.svd(np.concatenate(rows))[2][0]
    assert abs(unweighted @ first) < 0.99
    pairs = [each[:2] for each in sets]
    equal = np.concatenate([each - each.mean(axis=0) for each in pairs])
    assert abs(
        concept_direction_module.subspace(pairs, 1)[0] @ np.linalg.svd(equal)[2][0]
    ) == pytest.approx(1)
