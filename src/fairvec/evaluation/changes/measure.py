"""One embedding measured: its tests and its usefulness, to be compared with any change of it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from fairvec.benchmarks import BenchmarkSet
from fairvec.embedding import Embedding
from fairvec.evaluation.auditing import audit
from fairvec.evaluation.changes.usefulness import USUAL, Answer, answers, chosen_sets
from fairvec.evaluation.runs.asked_metrics import AskedMetrics
from fairvec.evaluation.runs.plan import Statistics
from fairvec.evaluation.runs.run import Progress
from fairvec.metrics.utility.change import Neighbourhoods, neighbourhoods
from fairvec.results import Outcome

NEIGHBOURS = (10, 100)
LARGE = 10_000
"""Only of a vocabulary of so many words are the larger neighbourhoods looked at."""


@dataclass(frozen=True, eq=False)
class Measured:
    """All that was measured of one embedding, nothing of it twice."""

    embedding: Embedding
    audited: tuple[Outcome, ...]
    answers: tuple[Answer, ...]
    statistics: Statistics

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The tests and the figures of usefulness, as results.jsonl holds them."""
        return (*self.audited, *(answer.outcome for answer in self.answers))

    @cached_property
    def neighbourhoods(self) -> Neighbourhoods:
        """The nearest words of a sample of words, found when they are first asked for."""
        counts = neighbours_of(self.embedding)
        return neighbourhoods(self.embedding, max(counts), seed=self.statistics.seed)


def measure(
    embedding: Embedding,
    *,
    suites: str | Sequence[str] | None = None,
    metrics: AskedMetrics = "weat",
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    restrict: int | None = None,
    original: Embedding | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **statistics: Any,
) -> Measured:
    """Measure one embedding with the suites (as `audit` does) and ask it the benchmarks.

    Without `benchmarks` those are asked that are at hand for the model's languages. With `restrict`
    analogies are asked among so many of the most frequent words only. `original` is the embedding
    of which this one is a change, if it is one.
    """
    sets = chosen_sets(embedding, benchmarks)  # a name that is unknown costs no time
    audited = audit(
        embedding, suites=suites, metrics=metrics, progress=progress, seed=seed, **statistics
    )
    known = {field.name for field in fields(Statistics)}
    said = {"seed": seed} | {name: one for name, one in statistics.items() if name in known}
    settings, asking = (replace(each, **said) for each in (Statistics(), USUAL))
    found = answers(
        embedding, sets, asking, restrict=restrict, original=original, progress=progress
    )
    return Measured(embedding, tuple(audited), tuple(found), settings)


def neighbours_of(embedding: Embedding) -> tuple[int, ...]:
    """Return how many neighbours of a word are looked at in a vocabulary of this size."""
    return NEIGHBOURS if len(embedding) >= LARGE else NEIGHBOURS[:1]
