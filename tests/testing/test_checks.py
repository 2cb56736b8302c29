"""The laws in one call: every one of ours obeys, and each broken one is told in a sentence."""

from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from fairvec.core.errors import BrokenLawError, FairvecError
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, Geometry, Poincare
from fairvec.lexicon import Concept, ConceptWords, Groups
from fairvec.metrics import METRICS, Metric
from fairvec.mitigation import DEBIASERS, RAN, Debiaser, DoubleHard, Transform
from fairvec.mitigation.moves import Affine
from fairvec.testing import check_method, check_metric
from fairvec.testing.planted import NEUTRAL
from tests.laws.metric_laws import as_used
from tests.laws.test_debias_laws import METHODS
from tests.metrics.toys import TRAITS, Gap
from tests.test_architecture import loaded_after

FLAT = (Euclidean(),)


# tests/laws holds every metric and method to the laws; here some are, by the call for packages.
@pytest.mark.parametrize("known", METRICS[::5], ids=lambda known: known.name)
def test_our_metrics_obey(known: Metric) -> None:
    check_metric(next(as_used(known)), seeds=[11])


@pytest.mark.parametrize("kind", DEBIASERS[::4], ids=lambda kind: kind.name)
def test_our_methods_obey(kind: type[Debiaser]) -> None:
    method = next(one for one in METHODS if type(one) is kind)
    spaces = (Poincare(),) if method.name == "pgd" else FLAT
    check_method(method, spaces=spaces, looks_around=isinstance(method, RAN | DoubleHard))


def test_the_laws_need_nothing_but_fairvec() -> None:
    program = "from fairvec.testing import check_metric\nfrom fairvec.metrics import Weat\n"
    loaded = loaded_after(program + "check_metric(Weat(), seeds=[0])")
    assert not loaded & {"pytest", "_pytest", "hypothesis", "sklearn"}


def test_a_metric_from_outside_obeys() -> None:
    check_metric(Gap())
    check_metric(Gap(neutral=None))


class Broken(Gap):
    """A metric that depends on what it must not; a plain subclass is frozen as its parent is."""


class Flipped(Broken):
    def told(self, value: float, groups: Groups) -> float:
        return -value


class OneSided(Broken):
    def told(self, value: float, groups: Groups) -> float:
        return abs(value)


class ByOrder(Broken):
    def told(self, value: float, groups: Groups) -> float:
        return value * (1 + sum(float(groups[role].vectors[0] @ each(groups)) for role in "xyab"))


def each(groups: Groups) -> Any:
    """The sum of all listed words: swapped lists do not change it."""
    return sum(groups[role].vectors.sum(axis=0) for role in "xyab")


class ByCoordinate(Broken):
    def told(self, value: float, groups: Groups) -> float:
        return value * (1 + float(each(groups)[0]) ** 2)


class ByLength(Broken):
    def told(self, value: float, groups: Groups) -> float:
        return value * (1 + float(each(groups) @ each(groups)))


class Random(Broken):
    def told(self, value: float, groups: Groups) -> float:
        return value + np.random.default_rng().normal() * 1e-3


class Raising(Broken):
    def told(self, value: float, groups: Groups) -> float:
        raise KeyError("a")


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (Flipped(), "law 'sees what it declares': where X to A, Y to B it gives -"),
        (OneSided(), "the opposite bias gives .* on the same side"),
        (Gap(traits=replace(TRAITS, swapped_targets="kept")), "swapping x and y takes .* kept"),
        (Gap(traits=replace(TRAITS, positive="")), "`positive` must say what that means"),
        (Gap(traits=replace(TRAITS, positive_words="b")), "the words of x have the mean number"),
        (Gap(traits=replace(TRAITS, lengths="count")), "lengths are declared count"),
        (Gap(traits=replace(TRAITS, flat_only=True)), "declared flat only, and measures in"),
        (ByOrder(), "law 'order is irrelevant': the words in another order take"),
        (ByCoordinate(), "law 'isometries are irrelevant': turning the space takes"),
        (ByLength(), "law 'lengths are as it declares'"),
        (Random(), "on the same words; draw with a seed"),
        (Raising(), "it fails with KeyError: 'a' where it must have an answer"),
        (Gap(name="No Name"), "has a name that is no name"),
    ],
    ids=[
        "flipped", "one side", "targets kept", "no positive", "other side", "lengths",
        "flat", "order", "coordinate", "length", "random", "raising", "name",
    ],
)  # fmt: skip
def test_a_broken_metric_is_told_in_a_sentence(broken: Metric, said: str) -> None:
    with pytest.raises(BrokenLawError, match=said) as told:
        check_metric(broken, seeds=[0, 1])
    assert isinstance(told.value, AssertionError)
    assert isinstance(told.value, FairvecError)
    assert "\n" not in str(told.value)


@dataclass(frozen=True)
class FirstPair:
    """Halve what words have along the difference of the means of all pairs."""

    name: ClassVar[str] = "first-pair"
    strength: float = 1.0

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        keys = self.keys(ConceptWords(concept, embedding), concept)
        rows = embedding.rows(keys)
        along = rows[::2].mean(axis=0) - rows[1::2].mean(axis=0)
        along /= np.linalg.norm(along)
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=tuple(keys),
            guarantees=frozenset(),
            geometry=embedding.geometry,
            move=Affine(-0.5 * np.outer(along, along), np.zeros(len(along)), self.used),
        )

    @property
    def used(self) -> float:
        return self.strength

    def keys(self, words: ConceptWords, concept: Concept) -> list[str]:
        return [key for pair in words.pairs(concept.definition.pairs).pairs for key in pair]


class Promising(FirstPair):
    promise: ClassVar[str]

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        return replace(super().fit(embedding, concept), guarantees=frozenset({self.promise}))


class Idempotent(Promising):
    promise = "idempotent"


class Removing(Promising):
    promise = "direction-removed"


class Unreadable(Promising):
    promise = "not-linearly-readable"


class Magic(Promising):
    promise = "fairness"


class AlwaysWhole(FirstPair):
    @property
    def used(self) -> float:
        return 1.0


class Peeking(FirstPair):
    def keys(self, words: ConceptWords, concept: Concept) -> list[str]:
        return ["king", "queen"]


class PeekingInSecret(FirstPair):
    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        found = super().fit(embedding, concept)
        shift = embedding.rows(NEUTRAL).mean(axis=0)
        return replace(found, move=replace(found.move, centre=shift))  # type: ignore[type-var]


class Elsewhere(FirstPair):
    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        return replace(super().fit(embedding, concept), geometry=Poincare(3.0))


class Strange(Affine):
    """A move that no file can hold."""


class Moving(FirstPair):
    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        found: Any = super().fit(embedding, concept)
        own = Strange(found.move.change, found.move.centre, self.strength)
        moving: Transform = replace(found, move=own)
        return moving


class Nothing(FirstPair):
    def fit(self, embedding: Embedding, concept: Concept) -> Any:
        return None


@dataclass(frozen=True)
class WithoutStrength:
    name: ClassVar[str] = "no-strength"


def test_a_method_from_outside_obeys() -> None:
    check_method(FirstPair())


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (Idempotent(), "it promises idempotent, which does not hold"),
        (Removing(), "it promises direction-removed, which does not hold"),
        (Unreadable(), "it promises not-linearly-readable, which does not hold"),
        (Magic(), "promises fairness, which nobody can hold it to"),
        (AlwaysWhole(), "at strength 0 words move"),
        (Peeking(), "fitted on words that are held out: king, queen"),
        (PeekingInSecret(), "vectors of words that are held out decide where others go"),
        (Elsewhere(), "is of another space"),
        (Moving(), "moves words by Strange, which no file can hold"),
        (Nothing(), "gave a transform that is a NoneType"),
        (WithoutStrength(), "has no setting strength"),
        (42, "is no class that is a frozen dataclass"),
    ],
    ids=lambda one: "told" if isinstance(one, str) else type(one).__name__,
)
def test_a_broken_method_is_told_in_a_sentence(broken: Any, said: str) -> None:
    with pytest.raises(BrokenLawError, match=said) as told:
        check_method(broken, spaces=FLAT)
    assert "\n" not in str(told.value)


def test_a_space_in_which_a_method_does_not_work_is_named() -> None:
    class FlatOnly(FirstPair):
        def fit(self, embedding: Embedding, concept: Concept) -> Transform:
            space: Geometry = embedding.geometry
            if space.curvature:
                raise ValueError("flat space only")
            return super().fit(embedding, concept)

    check_method(FlatOnly(), spaces=FLAT)
    with pytest.raises(BrokenLawError, match=r"\(poincare space, c = 1\).*flat space only"):
        check_method(FlatOnly())
