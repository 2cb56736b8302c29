"""A kind of benchmark is declared once: records, judgement, frontier and page follow from that."""

from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.benchmarks import (
    BENCHMARK_KINDS,
    BenchmarkKind,
    RatedPair,
    ReviewSet,
    SimilaritySet,
    benchmark_kind,
)
from fairvec.benchmarks.base import Shares, Wanted
from fairvec.catalogue import datasets
from fairvec.embedding import Embedding, from_arrays
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.comparison.before_after import ChangeReport, ModelMeasurements
from fairvec.experiments.frontier.points import figures_of
from fairvec.experiments.utility import answers
from fairvec.messages.changes import before_and_after, change_label, group_heading
from fairvec.metrics.base import OneSample
from fairvec.metrics.utility import UTILITY_METRICS, UtilityScore
from tests.results.toys import measured

WORDS = [f"w{number}" for number in range(40)]


@dataclass(frozen=True)
class Scents(SimilaritySet):
    """A benchmark of a kind that nobody has thought of yet."""

    kind: ClassVar[str] = "scents"
    items: ClassVar[str] = "noses"


@dataclass(frozen=True)
class Smelling:
    """A metric of two figures, with one column an item or two."""

    columns: int
    name: str = "smelling"
    meaning: str = "More is more."

    def measure(self, benchmark: Scents, embedding: Embedding, /) -> tuple[UtilityScore, ...]:
        items = tuple(range(len(benchmark)))
        own = np.asarray(embedding.vectors[: len(items), 0], float)
        rated = np.array([pair.score for pair in benchmark.pairs])
        rows = np.column_stack([own, rated][: self.columns])
        how = OneSample(rows, lambda drawn: drawn[..., 0].mean(axis=-1))
        value = float(own.mean())
        return tuple(
            UtilityScore(part, value, how, items, len(items), ()) for part in ("rose", "smoke, old")
        )


def scents() -> Scents:
    pairs = tuple(RatedPair(WORDS[i], WORDS[i + 1], float(i % 7)) for i in range(30))
    return Scents("scents", "Scents", "en", "Nobody", "None", pairs)


def model(shift: float, seed: int) -> Embedding:
    vectors = np.random.default_rng(seed).normal(size=(len(WORDS), 4))
    vectors[:, 0] += shift
    return from_arrays(WORDS, vectors, name=f"model {shift}", language="en")


def declared(shares: Shares, criterion: Wanted) -> BenchmarkKind:
    return BenchmarkKind(
        "scents",
        title="Fine scents",
        plain="roses smelt",
        family="noses",
        shares=shares,
        read=lambda *_, **__: scents(),
        counted="rose",
        parts={"smoke": criterion},
    )


@settings(max_examples=25, deadline=None)
@given(
    shares=st.sampled_from(get_args(Shares)),
    criterion=st.sampled_from(get_args(Wanted)),
    columns=st.sampled_from([1, 2]),
    shift=st.sampled_from([-5.0, 5.0]),
    seed=st.integers(0, 9),
)
def test_a_new_kind_is_judged_counted_and_reported_by_its_declaration(
    shares: Shares, criterion: Wanted, columns: int, shift: float, seed: int
) -> None:
    columns = 2 if shares == "rank-correlation" else columns
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BENCHMARK_KINDS, "scents", declared(shares, criterion))
        patch.setitem(UTILITY_METRICS, "scents", Smelling(columns))
        before, after = (
            ModelMeasurements(each, (measured(),), tuple(answers(each, [scents()])), Statistics())
            for each in (model(0, seed), model(shift, seed))
        )
        report = ChangeReport(before, after)
        changes = [one for one in report.changes if one.test.use]
        (counted, _) = figures_of(report)
    assert [one.test.use.wanted for one in changes if one.test.use] == ["more", criterion]
    assert (counted.family, counted.test) == ("noses", "scents/rose")
    rose, smoke = changes
    (table,) = before_and_after(changes)
    assert [group_heading(kind, of) for kind, of in table.groups.items()] == ["Fine scents"]
    # Adding a number to every item moves a mean and leaves ranks where they are.
    if shares == "rank-correlation":
        assert (rose.kind, rose.paired and rose.paired.changed) == ("kept", 0)
        return
    kind_of_change, fewer = ("gained", "more") if shift > 0 else ("lost", "fewer")
    assert (rose.kind, change_label(rose)) == (kind_of_change, kind_of_change)
    assert change_label(smoke) == (kind_of_change if criterion == "more" else fewer)
    measured_figures = 2 if criterion == "more" else 1
    assert table.summary.startswith(
        f"Roses smelt {kind_of_change} in {measured_figures} of {measured_figures} figure"
    )


def test_every_kind_has_a_metric_and_every_shipped_benchmark_a_kind() -> None:
    # A task is learnt, not looked up: evaluation asks it by the network that is chosen.
    assert BENCHMARK_KINDS.keys() - {ReviewSet.kind} == UTILITY_METRICS.keys()
    assert {one.kind for one in datasets()} <= BENCHMARK_KINDS.keys()
    assert all(name == kind.name for name, kind in BENCHMARK_KINDS.items())


@pytest.mark.parametrize("kind", BENCHMARK_KINDS.values(), ids=lambda kind: kind.name)
def test_what_represents_a_benchmark_has_a_direction(kind: BenchmarkKind) -> None:
    assert kind.wanted(kind.counted) == kind.wanted(f"{kind.counted}, held out") == "more"
    assert benchmark_kind(kind.name) is kind
