"""One model measured: its tests and its usefulness, to be compared with any change of it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from fairvec.benchmarks import BenchmarkSet
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.evaluation.auditing import audit
from fairvec.evaluation.changes.usefulness import (
    USUAL,
    Answer,
    answers,
    answers_of_encoder,
    chosen_sets,
)
from fairvec.evaluation.reviews.learning import ReviewTask, learn
from fairvec.evaluation.runs.asked_metrics import AskedMetrics
from fairvec.evaluation.runs.plan import Statistics
from fairvec.evaluation.runs.run import Progress
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon import Asked
from fairvec.metrics.utility.change import AMONG, Neighbourhoods, neighbourhoods
from fairvec.results import Outcome

NEIGHBOURS = (10, 100)
LARGE = 10_000
"""Only of a vocabulary of so many words are the larger neighbourhoods looked at."""


@dataclass(frozen=True, eq=False)
class Measured:
    """All that was measured of one embedding or encoder, nothing of it twice."""

    source: Representation
    audited: tuple[Outcome, ...]
    answers: tuple[Answer, ...]
    statistics: Statistics

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The tests and the figures of usefulness, as results.jsonl holds them."""
        return (*self.audited, *(answer.outcome for answer in self.answers))

    @property
    def embedding(self) -> Embedding:
        """The embedding that was measured."""
        if isinstance(self.source, Embedding):
            return self.source
        raise UndefinedError(f"{self.source.name} is an encoder and has no vocabulary.")

    @cached_property
    def neighbourhoods(self) -> Neighbourhoods:
        """The nearest words of a sample of words, found when they are first asked for."""
        counts = neighbours_of(self.embedding)
        return neighbourhoods(self.embedding, max(counts), seed=self.statistics.seed)


def measure(
    model: Representation,
    *,
    suites: Asked | None = None,
    metrics: AskedMetrics | None = None,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    restrict: int | None = None,
    original: Representation | None = None,
    tasks: Sequence[ReviewTask] = (),
    seed: int = 0,
    progress: Progress | None = None,
    **statistics: Any,
) -> Measured:
    """Measure one embedding or encoder with the suites (as `audit` does) and ask it benchmarks.

    Without `benchmarks` those are asked that are at hand for the model's languages. Analogies are
    asked among `restrict` of the most frequent words only, or else among the first 500,000.
    `original` is the model of which this one is a change, if it is one. `tasks` are learnt from an
    embedding, and their accuracy is one more answer. An encoder is asked which words it finds
    alike, each read alone, and nothing else.
    """
    sets = chosen_sets(model, benchmarks)  # a name that is unknown costs no time
    audited = audit(
        model,
        suites=suites,
        metrics=metrics,
        progress=progress,
        categories=False,  # few who measure ask for them, and `judged` does
        seed=seed,
        **statistics,
    )
    known = {field.name for field in fields(Statistics)}
    said = {"seed": seed} | {name: one for name, one in statistics.items() if name in known}
    settings, asking = (replace(each, **said) for each in (Statistics(), USUAL))
    if isinstance(model, Embedding):
        before = original if isinstance(original, Embedding) else None
        some = restrict or (AMONG if len(model) > AMONG else None)
        found = answers(model, sets, asking, restrict=some, original=before, progress=progress)
        found += [learn(model, each.reviews, each.task).answer for each in tasks]
    else:
        found = answers_of_encoder(model, sets, asking, progress=progress)
    return Measured(model, tuple(audited), tuple(found), settings)


def neighbours_of(embedding: Embedding) -> tuple[int, ...]:
    """Return how many neighbours of a word are looked at in a vocabulary of this size."""
    return NEIGHBOURS if len(embedding) >= LARGE else NEIGHBOURS[:1]
