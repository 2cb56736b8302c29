"""Run the plan of an audit: look up, measure, correct, and make a record of each test."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from fairvec.core.errors import FairvecError, NoSpreadError, is_out_of_memory
from fairvec.core.plugins import describe_plugin_fault, origin_of
from fairvec.encoders.versions import versions
from fairvec.experiments.audit.inference import Inference, PValueCache, infer
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.robustness import qualify_by_robustness, robustness
from fairvec.experiments.audit.test_words import coverage_shortfall, usable_groups
from fairvec.experiments.audit.verdicts import (
    CorrectedP,
    FamilyMember,
    correct_families,
    decide_verdict,
    family_name,
)
from fairvec.experiments.provenance import (
    coverage_of,
    describe_metric,
    describe_model,
    describe_test,
    fitted_words,
    similarities,
    word_scores,
)
from fairvec.geometry import Geometry
from fairvec.lexicon import Groups, SelectedTest, resolve
from fairvec.metrics import CorpusMetric, Metric, check_plugin_score
from fairvec.results import (
    Description,
    Outcome,
    Result,
    Robustness,
    Skipped,
    TestIdentity,
)

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class _Row:
    """A test that was looked up and measured, or the reason why it was not."""

    audit: Audit
    test: TestIdentity
    groups: Groups | None
    answer: "Inference | _Refusal"
    robustness: Robustness | None = None


class _Refusal(NamedTuple):
    """Why a test has no answer."""

    reason: str
    cause: Literal["missing", "undefined", "no-spread", "foreign", "error"]


def run(
    plan: Plan, progress: Progress | None = None, p_values: PValueCache | None = None
) -> list[Outcome]:
    """Measure every test of the plan and return one record for each.

    An error in one test becomes its record and leaves the others alone. The verdict of a test does
    not depend on the other suites of the plan: p-values are corrected over the tests of its own
    suite and kind in the same embedding. `p_values` may hold those of earlier runs.
    """
    p_values = p_values or PValueCache()
    total = sum(len(audit.tests) for audit in plan.audits)
    rows: list[_Row] = []
    for audit in plan.audits:
        if isinstance(audit.metric, CorpusMetric):
            with suppress(Exception):  # each test reads the corpus again and reports the error
                audit.metric.prepare([selected.test for selected in audit.tests])
        for selected in audit.tests:
            if progress:
                progress(len(rows), total, f"{audit.source.name}: {selected.test.id}")
            rows.append(_row(audit, selected, plan.statistics, p_values))
    return _outcomes(rows, plan.statistics)


def _row(
    audit: Audit, selected: SelectedTest, statistics: Statistics, p_values: PValueCache
) -> _Row:
    test, groups = describe_test(selected), None
    try:
        groups = resolve(selected.test, audit.source)
        try:
            groups = usable_groups(audit.metric, groups)
        except FairvecError as error:
            return _Row(audit, test, groups, _Refusal(str(error), "undefined"))
        answer = _answer(groups, audit.source.geometry, audit.metric, statistics, p_values)
        robust = None
        if statistics.robust and isinstance(answer, Inference) and answer.evidence:
            robust = robustness(groups, audit.metric, statistics)
        return _Row(audit, test, groups, answer, robust)
    except FairvecError as error:  # an encoder reads words while they are looked up
        return _Row(audit, test, groups, _Refusal(str(error), "undefined"))
    except Exception as error:  # an unforeseen error must not cost other tests their answer
        return _Row(audit, test, groups, _fault(audit.metric, error))


def _fault(metric: Metric, error: Exception) -> "_Refusal":
    """Return an unforeseen error as the plugin's fault or fairvec's own; no memory is our own."""
    own_fault = origin_of(type(metric)) is None or is_out_of_memory(error)
    return _Refusal(describe_plugin_fault(metric, error), "error" if own_fault else "foreign")


def _answer(
    groups: Groups,
    geometry: Geometry,
    metric: Metric,
    statistics: Statistics,
    p_values: PValueCache,
) -> "Inference | _Refusal":
    """Return the score with its statistics, or the reason why there is none."""
    shortfall = coverage_shortfall(groups, metric, statistics.smallest_coverage)
    if shortfall:
        return _Refusal(shortfall, "missing")
    try:
        score = check_plugin_score(metric, metric.measure(groups, geometry))
        return infer(score, statistics, p_values)
    except NoSpreadError as error:
        return _Refusal(str(error), "no-spread")
    except FairvecError as error:
        return _Refusal(str(error), "undefined")


def _outcomes(rows: list[_Row], statistics: Statistics) -> list[Outcome]:
    """Correct the p-values over the families of each embedding, and make a record of each row."""
    outcomes: list[Outcome] = []
    for row, corrected in zip(rows, _corrected(rows, statistics.alpha), strict=True):
        try:
            outcomes.append(_outcome(row, corrected, statistics))
        except Exception as error:  # as above: a record that fails must not cost the others
            refused = replace(row, answer=_fault(row.audit.metric, error))
            outcomes.append(_outcome(refused, None, statistics))
    return outcomes


def _outcome(row: _Row, corrected: CorrectedP | None, statistics: Statistics) -> Outcome:
    metric, finding = row.audit.metric, row.answer
    shared: dict[str, Any] = {
        "test": row.test,
        "model": describe_model(row.audit.source),
        "metric": metric.name,
        "described": describe_metric(metric),
        "similarity": metric.similarity.name if metric.similarity else "",
        "coverage": coverage_of(row.groups) if row.groups else (),
        "fitted_words": fitted_words(row.groups) if row.groups else (),
        "smallest_coverage": statistics.smallest_coverage,
        "seed": statistics.seed,
        "versions": versions(row.audit.source, metric),
    }
    if isinstance(finding, _Refusal):
        return Skipped(**shared, convention=metric.convention, **finding._asdict())
    shared |= {"interval": finding.steadiness.interval, "words": word_scores(finding)}
    if finding.evidence is None or corrected is None or row.groups is None:
        return Description(
            **shared,
            value=finding.score.value,
            neutral=metric.neutral,
            meaning=metric.meaning,
        )
    evidence = finding.evidence
    detectable = evidence.detectable(statistics.alpha, max(corrected.family, 1))
    verdict = decide_verdict(
        finding.score.value,
        evidence,
        row.groups,
        p_holm=corrected.holm_two_sided,
        alpha=statistics.alpha,
        family=family_name(row.test),
        candidates=corrected.candidates,
        detectable=detectable,
        interval=finding.steadiness.interval,
        convention=metric.convention,
        doubt=finding.score.doubt,
    )
    verdict, robust = qualify_by_robustness(verdict, finding.score.value, row.robustness)
    return Result(
        **shared,
        convention=metric.convention,
        effect=finding.score.value,
        statistic=evidence.statistic,
        p=evidence.p,
        p_holm=corrected.holm,
        p_bh=corrected.benjamini_hochberg,
        family=corrected.family,
        family_of=family_name(row.test),
        detectable=detectable,
        verdict=verdict,
        robustness=robust,
        similarities=similarities(finding),
    )


def _corrected(rows: list[_Row], alpha: float) -> list[CorrectedP | None]:
    """Return the corrected p-values of each row; None of one that has no p-value."""
    members = {
        index: FamilyMember(
            id(row.audit.source),
            row.test,
            row.answer.evidence.p.value,
            row.answer.evidence.p_two_sided.value,
            row.answer.evidence.sizes,
            bool(row.answer.score.doubt),
        )
        for index, row in enumerate(rows)
        if isinstance(row.answer, Inference) and row.answer.evidence
    }
    corrected = dict(zip(members, correct_families([*members.values()], alpha), strict=True))
    return [corrected.get(index) for index in range(len(rows))]
