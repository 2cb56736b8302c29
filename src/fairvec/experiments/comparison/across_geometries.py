"""Two models of different geometries compared in one unit.

A leaning s(w, A, B) is a difference of cosines in one model and of distances in the other, and no
number of the one is a number of the other. Two readings of it are in one unit:

    ranks         each word's place among the words X and Y that both models have, as a normal score
    standardised  its leaning less their mean over their standard deviation, whose difference is d

The null is that how far the two numbers of a word differ does not depend on its list: both models
are two readings of one leaning. `change_test` permutes these changes between X and Y.
Ranks are the default: whatever increasing function stands between two similarities, they do not
see it. d does: a similarity that stretches one end changes d where no two words changed places, so
that standardised leanings also answer for the shape of a similarity. Ranks pay with a ceiling: once
all X lean more than all Y, a still wider gap is no difference.

Both are about the words of two given models. Trained again with another seed each would lean
otherwise; docs/curvature.md shows by how much.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fairvec.core.errors import SettingError, UnanswerableError, UnknownNameError
from fairvec.experiments.audit import verdicts as families
from fairvec.experiments.audit.categories import as_poolable, canonical_json
from fairvec.experiments.audit.test_words import COVERAGE_OPTION
from fairvec.experiments.comparison.change_kinds import common_level
from fairvec.experiments.comparison.compare import RunComparison, compare
from fairvec.experiments.provenance import copied_fields
from fairvec.geometry import FloatArray
from fairvec.messages.categories import NOT_POOLED
from fairvec.messages.changes import (
    SHARED_WORDS_ALIKE,
    few_shared_words,
    in_unit_sentence,
    no_shared_words,
    no_unit_reason,
)
from fairvec.messages.remarks import coverage_remedy
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.identities import Convention
from fairvec.results.records import ACROSS, WordScore
from fairvec.results.verdicts import Verdict
from fairvec.stats import permutation_test
from fairvec.stats.correlation import normal_scores, standard_scores

TestOutcome = Result | Skipped

UNITS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "ranks": normal_scores,
    "standardised": standard_scores,
}
"""The units in which geometries are compared, and how each scores the leanings of X and Y."""

_CONVENTIONS = {
    "ranks": Convention(
        name="ranks", ddof=1, denominator="normal scores of the words X and Y of both models"
    ),
    "standardised": Convention(
        name="standardised", ddof=1, denominator="leanings of the words X and Y of both models"
    ),
}


def rescore_in_unit(
    outcome: TestOutcome, partner: TestOutcome | None, *, by: str, similarity: str
) -> TestOutcome:
    """Return a test with its words' leanings in the unit `by`, over the words of both models.

    `similarity` names the similarities of both models, for the record and its settings. The effect
    is d of the new scores, p regroups them, two-sided. A test with too few shared words, or that is
    not one of two lists of words, is skipped with the reason.
    """
    unit_fields = _unit_fields(outcome, by, similarity)
    if isinstance(outcome, Skipped):
        return outcome.model_copy(update=unit_fields)
    try:
        as_poolable(outcome)
    except UnanswerableError as error:
        cause = "no-spread" if error.kind == "no-spread" else "undefined"
        reason = no_unit_reason(by, NOT_POOLED[error.kind])
        return _skip(outcome, unit_fields, cause, reason)
    words = _shared_words(outcome, partner)
    try:
        _require_words(outcome, words)
    except UnanswerableError as error:
        return _skip(outcome, unit_fields, error.kind, str(error), error.finding)
    scores = UNITS[by](np.array([word.score for word in words]))
    if not scores.any():
        return _skip(outcome, unit_fields, "no-spread", SHARED_WORDS_ALIKE)
    return _rescore(outcome, unit_fields, words, scores)


def _unit_fields(outcome: TestOutcome, by: str, similarity: str) -> dict[str, Any]:
    """Return the fields by which a record differs from one in its own unit."""
    convention = _CONVENTIONS[by]
    described = outcome.described and outcome.described.model_copy(
        update={
            "convention": convention,
            "settings": outcome.described.settings
            | ({"similarity": similarity} if "similarity" in outcome.described.settings else {})
            | {"across_geometries": by},
        }
    )
    return {"convention": convention, "described": described, "similarity": similarity}


def _shared_words(result: Result, partner: TestOutcome | None) -> list[WordScore]:
    """Return the words that both models have; all where there is no other model."""
    if not isinstance(partner, Result):
        return [*result.words]
    partner_words = {(word.role, word.word) for word in partner.words}
    return [word for word in result.words if (word.role, word.word) in partner_words]


def _require_words(result: Result, words: list[WordScore]) -> None:
    """Raise UnanswerableError if a list has too few words in both models."""
    counts = {role: sum(word.role == role for word in words) for role in ("x", "y")}
    for group in result.coverage:
        if counts.get(group.role, group.wanted) < result.min_coverage * group.wanted:
            found, least = counts[group.role], result.min_coverage
            finding = few_shared_words(found, group.wanted, group.title, least)
            raise UnanswerableError(
                "coverage", finding, coverage_remedy(COVERAGE_OPTION, "models that know")
            )
    for role, found in counts.items():
        if not found:
            remedy = "use models that know them"
            raise UnanswerableError("missing", no_shared_words(role.upper()), remedy)


def _rescore(
    result: Result, unit_fields: dict[str, Any], words: list[WordScore], scores: FloatArray
) -> Result:
    is_x = np.array([word.role == "x" for word in words])
    x, y = scores[is_x], scores[~is_x]
    p = permutation_test(x, y, sides="two", ties=">=", seed=result.seed)
    difference = float(x.mean() - y.mean())
    return result.model_copy(
        update=unit_fields
        | {
            "effect": difference,  # the scores have a deviation of 1
            "statistic": difference,
            "p": p,
            "interval": None,
            "detectable": None,
            "robustness": None,
            "similarities": (),
            "words": tuple(
                WordScore(
                    **word.model_dump(include={"word", "key", "role", "transliteration", "gloss"}),
                    score=float(score),
                )
                for word, score in zip(words, scores, strict=True)
            ),
            "verdict": result.verdict.model_copy(update={"p": p.value}),
        }
    )


def _skip(
    result: Result, unit_fields: dict[str, Any], cause: Any, reason: str, finding: str = ""
) -> Skipped:
    fields = copied_fields(result) | unit_fields | {"coverage": result.coverage}
    return Skipped(**fields, cause=cause, reason=reason, finding=finding)


def compare_across(
    before: Sequence[Outcome], after: Sequence[Outcome], *, by: str = "ranks"
) -> RunComparison:
    """Compare two runs whose similarities may differ, by ranks or by standardised leanings.

    Every test that both runs have, with the same settings but for the similarity, is put in one
    unit over the words that both found, and is then compared as `compare` does: effects, p-values,
    paired tests, categories and the labels of changes are all in that unit, and none is a figure of
    either run. What has no p-value over words is left out.
    """
    if by not in UNITS:
        raise UnknownNameError("way to compare across geometries", str(by), UNITS)
    runs = [
        [outcome for outcome in run if isinstance(outcome, Result | Skipped)]
        for run in (before, after)
    ]
    by_model = any(len({outcome.model.name for outcome in run}) > 1 for run in runs)
    before_by_question, after_by_question = (_by_question(run, by_model=by_model) for run in runs)
    earlier: list[TestOutcome] = []
    later: list[TestOutcome] = []
    of_two: set[str] = set()
    for question in dict.fromkeys((*after_by_question, *before_by_question)):
        pair = before_by_question.get(question), after_by_question.get(question)
        similarities = dict.fromkeys(outcome.similarity for outcome in pair if outcome)
        similarity = ", then ".join(similarities)
        if len(similarities) > 1:
            of_two.add(similarity)
        for outcome, partner, run in ((*pair, earlier), (*pair[::-1], later)):
            if outcome is not None:
                run.append(rescore_in_unit(outcome, partner, by=by, similarity=similarity))
    comparison = compare(*(_with_verdicts(run, by) for run in (earlier, later)))
    left_out = {
        outcome.test.id
        for run in (before, after)
        for outcome in run
        if outcome.status == "described"
    }
    return replace(
        comparison,
        across=by,
        left_out=tuple(sorted(left_out)),
        two_similarities=any(pair.after.similarity in of_two for pair in comparison.pairs),
    )


def _by_question(run: Sequence[TestOutcome], *, by_model: bool) -> dict[Hashable, TestOutcome]:
    """Return the tests by model, test and settings, the similarity left out."""
    by_question: dict[Hashable, TestOutcome] = {}
    for outcome in run:
        settings = dict(outcome.described.settings) if outcome.described else {}
        settings.pop("similarity", None)
        settings_key = canonical_json(settings)
        model = outcome.model.name if by_model else ""
        version, convention = outcome.test.suite_version, outcome.convention
        convention_name = convention and convention.name
        question = model, outcome.test.id, version, outcome.metric, convention_name, settings_key
        if question in by_question and by_question[question].similarity != outcome.similarity:
            raise SettingError(
                f"One run asked {outcome.test.id} by {by_question[question].similarity} and by "
                f"{outcome.similarity}, and across geometries it is compared by one; write them to "
                "a run each with similarity=... (--similarity)."
            )
        by_question[question] = outcome
    return by_question


def _with_verdicts(run: Sequence[TestOutcome], by: str) -> list[Outcome]:
    """Return the tests with verdicts by their p in the new unit, corrected anew."""
    results = [outcome for outcome in run if isinstance(outcome, Result)]
    members = [
        families.FamilyMember(
            outcome.model.name,
            outcome.test,
            outcome.p.value,
            outcome.p.value,
            sizes=(
                sum(word.role == "x" for word in outcome.words),
                sum(word.role == "y" for word in outcome.words),
            ),
        )
        for outcome in results
    ]
    corrected = iter(families.correct_families(members, common_level(*results)))
    return [
        _judge(outcome, next(corrected), by) if isinstance(outcome, Result) else outcome
        for outcome in run
    ]


def _judge(result: Result, corrected: families.CorrectedP, by: str) -> Result:
    p, p_holm, alpha = result.p.value, corrected.holm_two_sided, result.verdict.alpha
    kind = families.decide_verdict(p=p, p_holm=p_holm, alpha=alpha, test_kind=result.test.kind)
    sentence = in_unit_sentence(kind, ACROSS[by], result.effect)
    return result.model_copy(
        update={
            "p_holm": p_holm,
            "p_bh": corrected.benjamini_hochberg,
            "family": corrected.family,
            "family_of": families.family_name(result.test),
            "verdict": Verdict(
                kind=kind,
                sentence=sentence,
                p=p,
                p_holm=p_holm,
                alpha=alpha,
                candidates=corrected.candidates,
            ),
        }
    )
