"""The laws in one call: every one of ours obeys, and each broken one is told in a sentence."""

from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, ClassVar

import numpy as np
import pytest

from fairvec.core.errors import BrokenLawError, FairvecError, SettingError
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, Geometry, Poincare
from fairvec.lexicon import Concept, ConceptWords, Groups
from fairvec.metrics import METRICS, Metric
from fairvec.metrics.bias.weat import Weat
from fairvec.mitigation import DEBIASERS, Debiaser, Transform
from fairvec.mitigation.methods.double_hard import DoubleHard
from fairvec.mitigation.methods.ran import RAN
from fairvec.mitigation.moves import Affine
from fairvec.testing import check_method, check_metric
from fairvec.testing.planted import NEUTRAL
from tests.laws.helpers import METHODS
from tests.laws.metric_laws import as_used
from tests.loading import loaded_after
from tests.metrics.toys import TRAITS, Gap
from tests.testing.toys import FirstPair

FLAT = (Euclidean(),)


# tests/laws holds every metric and method to the laws; here some are, by the call for packages.
@pytest.mark.parametrize("empty", ["laws", "seeds", "spaces"])
def test_empty_arguments_are_refused(empty: str) -> None:
    checks: list[tuple[Any, Any]] = [(check_metric, Weat()), (check_method, FirstPair())]
    for check, plugin in checks:
        if empty in signature(check).parameters:
            with pytest.raises(SettingError, match=f"No {empty} are given"):
                check(plugin, **{empty: iter(())})


@pytest.mark.parametrize("known", METRICS[::5], ids=lambda known: known.name)
def test_our_metrics_obey(known: Metric) -> None:
    check_metric(next(as_used(known)), seeds=[11])


@pytest.mark.parametrize("kind", DEBIASERS[::4], ids=lambda kind: kind.name)
def test_our_methods_obey(kind: type[Debiaser]) -> None:
    method = next(one for one in METHODS if type(one) is kind)
    spaces = (Poincare(),) if method.name == "pgd" else FLAT
    check_method(method, spaces=spaces, looks_around=isinstance(method, RAN | DoubleHard))


def test_the_laws_need_fairvec_alone() -> None:
    program = (
        "from fairvec.testing import check_metric\nfrom fairvec.metrics.bias.weat import Weat\n"
    )
    loaded = loaded_after(program + "check_metric(Weat(), seeds=[0])")
    assert not loaded & {"pytest", "_pytest", "hypothesis", "sklearn"}


def test_a_metric_from_outside_obeys() -> None:
    check_metric(Gap())
    check_metric(Gap(neutral=None))


def test_laws_seeds_and_spaces_of_any_iterable_are_tried_as_those_of_a_list() -> None:
    tried: list[tuple[Any, ...]] = []

    def law(*case: Any) -> None:
        tried.append(case)

    def counted(check: Any, one: Any, **cases: Any) -> int:
        tried.clear()
        check(one, **cases)
        return len(tried)

    laws, seeds, spaces = [law, law], [0, 1], [Euclidean(), Poincare()]
    metric = counted(check_metric, Weat(), laws=iter(laws), seeds=iter(seeds))
    assert metric == counted(check_metric, Weat(), laws=laws, seeds=seeds) == 36
    method = counted(check_method, FirstPair(), laws=iter(laws), spaces=iter(spaces))
    assert method == counted(check_method, FirstPair(), laws=laws, spaces=spaces) == 4


class Broken(Gap):
    """A metric that depends on what it must not; a plain subclass is frozen as its parent is."""


class Flipped(Broken):
    def distort(self, value: float, groups: Groups) -> float:
        return -value


class OneSided(Broken):
    def distort(self, value: float, groups: Groups) -> float:
        return abs(value)


class ByOrder(Broken):
    def distort(self, value: float, groups: Groups) -> float:
        return value * (1 + sum(float(groups[role].vectors[0] @ each(groups)) for role in "xyab"))


def each(groups: Groups) -> Any:
    """The sum of all listed words: swapped lists do not change it."""
    return sum(groups[role].vectors.sum(axis=0) for role in "xyab")


class ByCoordinate(Broken):
    def distort(self, value: float, groups: Groups) -> float:
        return value * (1 + float(each(groups)[0]) ** 2)


class ByLength(Broken):
    def distort(self, value: float, groups: Groups) -> float:
        return value * (1 + float(each(groups) @ each(groups)))


class Random(Broken):
    def distort(self, value: float, groups: Groups) -> float:
        return value + np.random.default_rng().normal() * 1e-3


class Raising(Broken):
    def distort(self, value: float, groups: Groups) -> float:
        raise KeyError("a")


@pytest.mark.parametrize(
    ("broken", "message"),
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
def test_a_broken_metric_is_reported_in_a_sentence(broken: Metric, message: str) -> None:
    with pytest.raises(BrokenLawError, match=message) as raised:
        check_metric(broken, seeds=[0, 1])
    assert isinstance(raised.value, AssertionError)
    assert isinstance(raised.value, FairvecError)
    assert "\n" not in str(raised.value)


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
    ("broken", "message"),
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
def test_a_broken_method_is_reported_in_a_sentence(broken: Any, message: str) -> None:
    with pytest.raises(BrokenLawError, match=message) as raised:
        check_method(broken, spaces=FLAT)
    assert "\n" not in str(raised.value)


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
