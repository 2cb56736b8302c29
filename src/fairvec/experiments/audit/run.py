"""Run tests: look up, measure, infer, correct over families, and make a record of each.

    Groups -> Score -> Inference -> (corrected over the family) -> Result

What cannot be measured becomes Skipped at once, and what is only described a Description; a test
with a p-value waits for those of its family.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fairvec.core.errors import (
    FairvecError,
    NoSpreadError,
    UnanswerableError,
    is_out_of_memory,
)
from fairvec.core.plugins import describe_plugin_fault, origin_of
from fairvec.encoders import Representation
from fairvec.experiments.audit.inference import Inference, PValueCache, infer
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.robustness import qualify_by_robustness, robustness
from fairvec.experiments.audit.test_words import require_coverage, usable_groups
from fairvec.experiments.audit.verdicts import (
    CorrectedP,
    FamilyMember,
    correct_families,
    family_name,
    verdict_of_test,
)
from fairvec.experiments.provenance import (
    among_words,
    are_equalised,
    coverage_of,
    describe_test,
    fitted_words,
    record_fields,
    similarities,
    word_scores,
)
from fairvec.lexicon import Groups, SelectedTest, resolve
from fairvec.messages.verdicts import EQUALISED
from fairvec.metrics import CorpusMetric, Metric, Traits, check_plugin_score
from fairvec.results import Outcome, PValue, Result, Skipped
from fairvec.results.identities import TestIdentity
from fairvec.results.records import Description
from fairvec.results.verdicts import Robustness

Progress = Callable[[int, int, str], None]


Measurement = tuple[Representation, Sequence[SelectedTest], Metric]
"""An embedding or encoder, the tests to run on it, and the metric to run them with."""


def run_tests(
    source: Representation,
    tests: Sequence[SelectedTest],
    metric: Metric,
    statistics: Statistics | None = None,
    *,
    p_cache: PValueCache | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Measure one embedding or encoder with one metric: one record for each test."""
    measurements = [(source, tests, metric)]
    return run_all(measurements, statistics, p_cache=p_cache, progress=progress)


def run_all(
    measurements: Sequence[Measurement],
    statistics: Statistics | None = None,
    *,
    p_cache: PValueCache | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Make several measurements, and return one record for each test.

    An error in one test becomes its record and leaves the others alone. The verdict of a test does
    not depend on the other suites: p-values are corrected over the tests of its own suite and kind
    in the same embedding, by whatever metric. `p_cache` may hold p-values of earlier runs.
    """
    statistics, p_cache = statistics or Statistics(), p_cache or PValueCache()
    total = sum(len(tests) for _, tests, _ in measurements)
    measured: list[Outcome | Uncorrected] = []
    for source, tests, metric in measurements:
        if isinstance(metric, CorpusMetric):
            with suppress(Exception):  # each test reads the corpus again and reports the error
                metric.prepare([selected.test for selected in tests])
        for selected in tests:
            if progress:
                progress(len(measured), total, f"{source.name}: {selected.test.id}")
            measured.append(_measure(source, selected, metric, statistics, p_cache))
    return _correct(measured, statistics)


@dataclass(frozen=True, eq=False)
class Uncorrected:
    """A measured test whose p-values wait for those of its family."""

    source: Representation
    metric: Metric
    groups: Groups
    fields: dict[str, Any]
    inference: Inference
    p: PValue
    p_two_sided: PValue
    robustness: Robustness | None


def _measure(
    source: Representation,
    selected: SelectedTest,
    metric: Metric,
    statistics: Statistics,
    p_cache: PValueCache,
) -> "Outcome | Uncorrected":
    """Measure one test: its record, unless that needs the p-values of its family."""
    test = describe_test(selected)
    traits: Traits | None = getattr(metric, "traits", None)
    if traits and traits.whole_vocabulary:
        test = among_words(test, source)
    groups: Groups | None = None
    try:
        groups = resolve(selected.test, source)
        groups = usable_groups(metric, groups)
        require_coverage(groups, metric, statistics.min_coverage)
        score = check_plugin_score(metric, metric.measure(groups, source.geometry))
        inference = infer(score, statistics, p_cache)
        p, p_two_sided, robust = inference.p, inference.p_two_sided, None
        # Other words are tried for the sake of a verdict, and a score in doubt has none.
        if statistics.robust and p and not score.doubt:
            robust = robustness(groups, metric, statistics)
    except Exception as error:  # an unforeseen error must not cost other tests their answer
        if groups and isinstance(error, NoSpreadError) and are_equalised(groups):
            error = NoSpreadError(f"{error} {EQUALISED}")
        return _skip(_fields(source, test, groups, metric, statistics), metric, error)
    fields = _fields(source, test, groups, metric, statistics)
    if p and p_two_sided:
        return Uncorrected(source, metric, groups, fields, inference, p, p_two_sided, robust)
    try:
        return Description(
            **fields,
            value=score.value,
            neutral=metric.neutral,
            meaning=metric.meaning,
            interval=inference.interval,
            words=word_scores(inference),
        )
    except Exception as error:  # as above
        return _skip(fields, metric, error)


def _fields(
    source: Representation,
    test: TestIdentity,
    groups: Groups | None,
    metric: Metric,
    statistics: Statistics,
) -> dict[str, Any]:
    return record_fields(source, test, metric, statistics) | {
        "coverage": coverage_of(groups) if groups else (),
        "fitted_words": fitted_words(groups) if groups else (),
    }


def _skip(fields: dict[str, Any], metric: Metric, error: Exception) -> Skipped:
    """Return the record of a test that an error kept from its answer.

    An unforeseen error is the plugin's fault or fairvec's own; no memory is our own.
    """
    cause: Any
    match error:
        case UnanswerableError():
            cause = error.kind
        case NoSpreadError():
            cause = "no-spread"
        case FairvecError():  # an encoder reads words while they are looked up
            cause = "undefined"
        case _:
            own_fault = origin_of(type(metric)) is None or is_out_of_memory(error)
            cause = "error" if own_fault else "foreign"
    reason = str(error) if isinstance(error, FairvecError) else describe_plugin_fault(metric, error)
    finding = error.finding if isinstance(error, UnanswerableError) else ""
    return Skipped(
        **fields, convention=metric.convention, cause=cause, reason=reason, finding=finding
    )


def _correct(measured: "Sequence[Outcome | Uncorrected]", statistics: Statistics) -> list[Outcome]:
    """Correct the p-values over the families of each embedding, and make the records."""
    members = [
        FamilyMember(
            id(row.source),  # two models of one content are two
            row.fields["test"],
            row.p.value,
            row.p_two_sided.value,
            row.inference.sizes,
            bool(row.inference.score.doubt),
        )
        for row in measured
        if isinstance(row, Uncorrected)
    ]
    corrected = iter(correct_families(members, statistics.alpha))
    return [
        _result(row, next(corrected), statistics) if isinstance(row, Uncorrected) else row
        for row in measured
    ]


def _result(row: Uncorrected, corrected: CorrectedP, statistics: Statistics) -> Outcome:
    inference, metric, family = row.inference, row.metric, family_name(row.fields["test"])
    try:
        detectable = inference.detectable(statistics.alpha, max(corrected.family, 1))
        verdict = verdict_of_test(
            inference,
            row.p_two_sided,
            row.groups,
            p_holm=corrected.holm_two_sided,
            alpha=statistics.alpha,
            family=family,
            candidates=corrected.candidates,
            detectable=detectable,
            convention=metric.convention,
        )
        verdict, robust = qualify_by_robustness(verdict, inference.score.value, row.robustness)
        return Result(
            **row.fields,
            convention=metric.convention,
            effect=inference.score.value,
            statistic=inference.statistic,
            p=row.p,
            p_holm=corrected.holm,
            p_bh=corrected.benjamini_hochberg,
            family=corrected.family,
            family_of=family,
            interval=inference.interval,
            detectable=detectable,
            verdict=verdict,
            robustness=robust,
            words=word_scores(inference),
            similarities=similarities(inference),
        )
    except Exception as error:  # as above: a record that fails must not cost the others
        return _skip(row.fields, metric, error)
