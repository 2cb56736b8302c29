"""Trials kept by a hash of all that decides them: the same question is answered once."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairvec.benchmarks import BenchmarkSet
from fairvec.embedding import Embedding
from fairvec.evaluation.changes.usefulness import identity_of_benchmark
from fairvec.evaluation.reviews.learning import ReviewTask
from fairvec.ground.disk.files import write_text
from fairvec.ground.text.whole_characters import whole
from fairvec.lexicon import Concept, Selected
from fairvec.results import Trial, read_trial
from fairvec.results.record_file import as_json
from fairvec.tasks.sentiment.kept_answers import WAY_OF_PREDICTING
from fairvec.version import __version__

WAY_OF_JUDGING = 3
"""Counted up whenever points are judged in another way, so that old ones are not taken for new."""


@dataclass(frozen=True)
class TrialCache:
    """A folder of trials; `shared` says what all of them have in common."""

    folder: Path
    shared: dict[str, Any]

    def get(self, about: dict[str, Any], make: Callable[[], Trial]) -> Trial:
        """Return the trial that is kept, or else make it and keep it, whole or not at all."""
        text = json.dumps(whole(self.shared | about), sort_keys=True, ensure_ascii=False)
        path = self.folder / f"{sha256(text.encode()).hexdigest()}.json"
        if path.is_file():
            return read_trial(path)
        trial = make()
        write_text(path, as_json(trial))
        return trial


def everything_shared(
    embedding: Embedding,
    concept: Concept,
    tests: Sequence[Selected],
    benchmarks: Sequence[BenchmarkSet],
    *,
    held_out: Sequence[str],
    seed: int,
    tasks: Sequence[ReviewTask] = (),
) -> dict[str, Any]:
    """Return all that decides the points of one frontier, whatever method and strength."""
    asked = (identity_of_benchmark(one) for one in benchmarks)
    shared = {
        "model": [embedding.name, embedding.content_hash],
        "concept": [concept.name, concept.model_dump(mode="json")],
        "tests": [[each.suite.version, each.test.model_dump(mode="json")] for each in tests],
        "benchmarks": [[one.id, one.suite_version] for one in asked],
        "held_out": sorted(held_out),
        "seed": seed,
        "fairvec": [__version__, WAY_OF_JUDGING],
    }
    # Only where there are some, so that points found without any are still found.
    return shared | ({"tasks": [_about_task(each) for each in tasks]} if tasks else {})


def _about_task(each: ReviewTask) -> list[Any]:
    known = identity_of_benchmark(each.reviews)
    settings = each.task.settings(split=each.reviews.split)
    return [known.id, known.suite_version, settings, each.task.seed, WAY_OF_PREDICTING]
