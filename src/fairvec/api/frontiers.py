"""fairvec.frontier: every method at every strength, what it leaves and what it costs."""

from collections.abc import Iterable, Mapping, Sequence
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.api.asked_tests import asked_tests, refuse_lists
from fairvec.api.models import as_embedding
from fairvec.api.named import AskedBenchmarks, as_concept, as_given, as_list
from fairvec.evaluation.frontiers.frontier import STRENGTHS, Frontier
from fairvec.evaluation.frontiers.frontier import frontier as run_frontier
from fairvec.ground.disk.drafts import scratch
from fairvec.ground.disk.places import named_path
from fairvec.ground.settings import check_names, plain
from fairvec.lexicon import Asked, Concept, Test


def frontier(
    model: Any,
    concept: str | Path | Concept,
    *,
    methods: str | Iterable[str] | None = None,
    strengths: float | Iterable[float] = STRENGTHS,
    suites: Asked | None = None,
    tests: Test | Iterable[Test] | None = None,
    benchmarks: AskedBenchmarks | None = None,
    folder: str | PathLike[str] | None = None,
    beside: Mapping[str, Any] | None = None,
    language: str | Sequence[str] | None = None,
    **settings: Any,
) -> Frontier:
    """Try methods at several strengths, and recommend what holds up on tests that did not choose.

    Args:
        model: Word vectors, as in `fairvec.audit`.
        concept: As in `fairvec.debias`; tests of its category say how much of it is left.
        methods: Names; else all.
        strengths: Above 0 and up to 1.
        suites: What to judge by, as in `fairvec.audit`; else the suites that fit the model.
        tests: Test objects to judge by.
        benchmarks: Those of usefulness; else one or two of each kind that are at hand.
        folder: Where points are kept as they are found, so that an interrupted run goes on and the
            same one again computes nothing; without it they are forgotten.
        beside: Other models by the name they shall have, trained otherwise on the same text.
        language: Of the models, or several; else what is known or found of them.
        settings: Those of `fairvec.evaluation.frontier`: keep, holdout, calibrated, tasks, seed
            and progress.

    >>> import fairvec
    >>> found = fairvec.frontier(
    ...     "glove-en-small", "en/gender", methods="linear-projection", strengths=1.0,
    ...     suites=["caliskan2017/weat-1", "caliskan2017/weat-6"], benchmarks=[],
    ... )
    >>> [point.label for point in found.points]
    ['the model as it is', 'linear-projection at 1']
    """
    refuse_lists("frontier", settings)
    check_names("frontier", settings, {*signature(run_frontier).parameters} - {"embedding"})
    tried_at = as_list(strengths) or []
    as_given("frontier", {"beside": beside, "strengths": tried_at})
    settings = as_given("frontier", settings)
    place_of = None if folder is None else named_path(folder, "say frontier(..., folder='points')")
    embedding = as_embedding(model, language=language)
    asked = asked_tests([embedding], suites=suites, tests=tests)
    others = {name: as_embedding(one, language=language) for name, one in (beside or {}).items()}

    def tried(place: Path) -> Frontier:
        return run_frontier(
            embedding,
            as_concept(concept, embedding),
            folder=place,
            methods=as_list(methods),
            strengths=[*map(plain, tried_at)],
            suites=asked,
            benchmarks=as_list(benchmarks),
            beside=others,
            **settings,
        )

    if place_of is not None:
        return tried(place_of)
    with scratch() as place:
        return tried(place)
