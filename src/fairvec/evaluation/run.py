"""Run a plan."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from fairvec.embedding import Lookup
from fairvec.errors import GeometryError, NoSpreadError, UndefinedError
from fairvec.evaluation.describe import (
    coverage_of,
    fitted_words,
    identity_of_model,
    identity_of_test,
    versions,
    word_scores,
)
from fairvec.evaluation.finding import Evidence, Finding, find
from fairvec.evaluation.plan import Audit, Plan, Statistics
from fairvec.evaluation.robustness import robustness
from fairvec.evaluation.shortfall import shortfall
from fairvec.evaluation.verdict import verdict
from fairvec.geometry import Geometry
from fairvec.lexicon import Groups, Suite, Test, resolve
from fairvec.metrics import Metric
from fairvec.results import (
    Description,
    Outcome,
    Result,
    Robustness,
    Skipped,
    TestIdentity,
)
from fairvec.stats import benjamini_hochberg, holm

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class _Row:
    """One test looked up and measured, or the reason why it was not."""

    test: TestIdentity
    groups: Groups
    answer: "Finding | _Refusal"
    robustness: Robustness | None


def run(plan: Plan, progress: Progress | None = None) -> list[Outcome]:
    """Measure every test of the plan and say what it means.

    p-values are corrected over the tests of one embedding, so what is said of an embedding does
    not depend on which others it is compared with.
    """
    total = sum(len(audit.tests) for audit in plan.audits)
    done = 0
    outcomes: list[Outcome] = []
    for audit in plan.audits:
        lookups = {
            language: Lookup(audit.embedding.positions, language)
            for language in {suite.language for suite, _ in audit.tests}
        }
        rows: list[_Row] = []
        for suite, test in audit.tests:
            if progress:
                progress(done, total, f"{audit.embedding.name}: {test.id}")
            rows.append(_row(audit, suite, test, lookups[suite.language], plan.statistics))
            done += 1
        outcomes += _outcomes(audit, rows, plan.statistics)
    return outcomes


def _row(audit: Audit, suite: Suite, test: Test, lookup: Lookup, statistics: Statistics) -> _Row:
    groups = resolve(test, audit.embedding, lookup)
    answer = _answer(groups, audit.embedding.geometry, audit.metric, statistics)
    tried = None
    if statistics.robust and isinstance(answer, Finding) and answer.evidence:
        tried = robustness(groups, audit.metric, lookup, statistics)
    return _Row(identity_of_test(suite, test), groups, answer, tried)


def _answer(
    groups: Groups, geometry: Geometry, metric: Metric, statistics: Statistics
) -> "Finding | _Refusal":
    """Return the finding, or the reason why there is none."""
    missing = shortfall(groups, metric, statistics.smallest_coverage)
    if missing:
        return _Refusal(missing, "missing")
    try:
        return find(metric.measure(groups, geometry), statistics)
    except NoSpreadError as error:
        return _Refusal(str(error), "no-spread")
    except (GeometryError, UndefinedError) as error:
        return _Refusal(str(error), "undefined")


class _Refusal(NamedTuple):
    """Why a test has no answer."""

    reason: str
    cause: Literal["missing", "undefined", "no-spread"]


def _outcomes(audit: Audit, rows: list[_Row], statistics: Statistics) -> list[Outcome]:
    """Correct over every p-value of the embedding, and make a record of each row."""
    model = identity_of_model(audit.embedding)
    evidence = [
        row.answer.evidence
        for row in rows
        if isinstance(row.answer, Finding) and row.answer.evidence
    ]
    corrected = iter(_corrected(evidence))
    outcomes: list[Outcome] = []
    for row in rows:
        shared: dict[str, Any] = {
            "test": row.test,
            "model": model,
            "metric": audit.metric.name,
            "similarity": audit.metric.similarity.name if audit.metric.similarity else "",
            "coverage": coverage_of(row.groups),
            "fitted_words": fitted_words(row.groups),
            "smallest_coverage": statistics.smallest_coverage,
            "seed": statistics.seed,
            "versions": versions(),
        }
        if isinstance(row.answer, _Refusal):
            refused = row.answer._asdict()
            outcomes.append(Skipped(**shared, convention=audit.metric.convention, **refused))
            continue
        finding = row.answer
        shared |= {"interval": finding.steadiness.interval, "words": word_scores(finding)}
        if finding.evidence is None:
            outcomes.append(
                Description(
                    **shared,
                    value=finding.score.value,
                    neutral=audit.metric.neutral,
                    meaning=audit.metric.meaning,
                )
            )
            continue
        p = next(corrected)
        # Holm's first and hardest step: what is shown at this level is shown whatever the rest is.
        detectable = finding.evidence.detectable(statistics.alpha / len(evidence))
        outcomes.append(
            Result(
                **shared,
                convention=audit.metric.convention,
                effect=finding.score.value,
                statistic=finding.evidence.statistic,
                p=finding.evidence.p,
                p_holm=p.holm,
                p_bh=p.benjamini_hochberg,
                family=len(evidence),
                detectable=detectable,
                verdict=verdict(
                    finding.score.value,
                    finding.evidence,
                    row.groups,
                    p_holm=p.holm_two_sided,
                    alpha=statistics.alpha,
                    family=len(evidence),
                    detectable=detectable,
                    doubt=finding.score.doubt,
                ),
                robustness=row.robustness,
            )
        )
    return outcomes


class _Corrected(NamedTuple):
    holm: float
    benjamini_hochberg: float
    holm_two_sided: float


def _corrected(evidence: list[Evidence]) -> list[_Corrected]:
    p = np.array([one.p.value for one in evidence])
    p_two_sided = np.array([one.p_two_sided.value for one in evidence])
    columns = np.stack([holm(p), benjamini_hochberg(p), holm(p_two_sided)], axis=1)
    return [_Corrected(*row) for row in columns.tolist()]
