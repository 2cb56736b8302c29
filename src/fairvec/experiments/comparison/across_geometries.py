"""Two models of different geometries compared in one unit.

A leaning s(w, A, B) is a difference of cosines in one model and of distances in the other, and no
number of the one is a number of the other. Two readings of it are in one unit:

    ranks         each word's place among the words X and Y that both models have, as a normal score
    standardised  its leaning less their mean over their standard deviation, whose difference is d

The null is that the two numbers of a word might as well be swapped: both models are two readings of
one leaning. The paired test (`paired_words`) swaps them, word by word, and asks for nothing else.
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

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.format import format_signed, is_significant
from fairvec.experiments.audit import verdicts as families
from fairvec.experiments.audit.categories import as_poolable, canonical_json
from fairvec.experiments.audit.test_words import COVERAGE_REMEDY
from fairvec.experiments.comparison.compare import RunComparison, compare
from fairvec.geometry import FloatArray
from fairvec.results import (
    Convention,
    Outcome,
    PValue,
    Result,
    Skipped,
    Verdict,
    VerdictKind,
    WordScore,
)
from fairvec.results.records import ACROSS
from fairvec.stats import permutation_test
from fairvec.stats.correlation import normal_scores, standard_scores

# One test of one model in a unit that other geometries share: its words' leanings scored anew.


Tested = Result | Skipped

UNITS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "ranks": normal_scores,
    "standardised": standard_scores,
}
"""The ways to compare across geometries, and what each makes of the leanings of X and Y."""

_CONVENTIONS = {
    "ranks": Convention(
        name="ranks", ddof=1, denominator="normal scores of the words X and Y of both models"
    ),
    "standardised": Convention(
        name="standardised", ddof=1, denominator="leanings of the words X and Y of both models"
    ),
}


def in_one_unit(one: Tested, other: Tested | None, *, by: str, similarity: str) -> Tested:
    """Return a test with its words' leanings in one unit, over the words that the other has too.

    `similarity` says by which similarities both were measured, in the record and its settings. The
    effect is d of the new scores, p regroups them, two-sided. Where the words of both are too few,
    or a test is none of two lists of words, it is skipped and says why.
    """
    about = _about(one, by, similarity)
    if isinstance(one, Skipped):
        return one.model_copy(update=about)
    why = as_poolable(one)
    if isinstance(why, str):
        cause = "no-spread" if why == "all words lean alike" else "undefined"
        return _skipped(one, about, cause, f"It cannot be put in {by}: {why}.")
    words = _shared(one, other)
    if short := _too_few(one, words):
        return _skipped(one, about, "missing", short)
    scores = UNITS[by](np.array([word.score for word in words]))
    if not scores.any():
        return _skipped(one, about, "no-spread", "The words that both models have lean alike.")
    return _rescored(one, about, words, scores)


def _about(one: Tested, by: str, similarity: str) -> dict[str, Any]:
    """Return what a record says of the comparison, so that it is never taken for another."""
    convention = _CONVENTIONS[by]
    described = one.described and one.described.model_copy(
        update={
            "convention": convention,
            "settings": one.described.settings
            | ({"similarity": similarity} if "similarity" in one.described.settings else {})
            | {"across_geometries": by},
        }
    )
    return {"convention": convention, "described": described, "similarity": similarity}


def _shared(one: Result, other: Tested | None) -> list[WordScore]:
    """Return the words that the other model has too; all where there is no other."""
    if not isinstance(other, Result):
        return [*one.words]
    there = {(word.role, word.word) for word in other.words}
    return [word for word in one.words if (word.role, word.word) in there]


def _too_few(one: Result, words: list[WordScore]) -> str:
    """Say which list has too few words in both models; nothing if none has."""
    there = {role: sum(word.role == role for word in words) for role in ("x", "y")}
    for group in one.coverage:
        if there.get(group.role, group.wanted) < one.smallest_coverage * group.wanted:
            return (
                f"Only {there[group.role]} of {group.wanted} {group.title} are in both models, "
                f"less than {one.smallest_coverage:.0%}; use models that know these words or "
                f"{COVERAGE_REMEDY}."
            )
    empty = [role.upper() for role, found in there.items() if not found]
    return f"No word of {empty[0]} is in both models; use models that know them." if empty else ""


def _rescored(
    one: Result, about: dict[str, Any], words: list[WordScore], scores: FloatArray
) -> Result:
    of_x = np.array([word.role == "x" for word in words])
    x, y = scores[of_x], scores[~of_x]
    found = permutation_test(x, y, sides="two", ties=">=", seed=one.seed)
    difference = float(x.mean() - y.mean())
    return one.model_copy(
        update=about
        | {
            "effect": difference,  # the scores have a deviation of 1
            "statistic": difference,
            "p": PValue.model_validate(found, from_attributes=True),
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
            "verdict": one.verdict.model_copy(update={"p": found.value}),
        }
    )


def _skipped(one: Result, about: dict[str, Any], cause: Any, reason: str) -> Skipped:
    kept = ("test", "model", "metric", "coverage", "fitted_words", "smallest_coverage", "seed")
    same = {name: getattr(one, name) for name in (*kept, "versions")}
    return Skipped(**same, **about, cause=cause, reason=reason)


def compare_across(
    before: Sequence[Outcome], after: Sequence[Outcome], *, by: str = "ranks"
) -> RunComparison:
    """Compare two runs whose similarities may differ, by ranks or by standardised leanings.

    Every test that both asked, with the same settings but for the similarity, is put in one unit
    over the words that both found, and is then compared as `compare` does: effects, p-values,
    paired tests, categories and the words for a change are all in that unit, and none is a figure
    of either run. What has no p-value over words is left out.
    """
    if by not in UNITS:
        raise UnknownNameError("way to compare across geometries", str(by), UNITS)
    runs = [[one for one in run if isinstance(one, Result | Skipped)] for run in (before, after)]
    by_model = any(len({one.model.name for one in run}) > 1 for run in runs)
    was, is_now = (_by_question(run, by_model=by_model) for run in runs)
    earlier: list[Tested] = []
    later: list[Tested] = []
    for question in dict.fromkeys((*is_now, *was)):
        pair = was.get(question), is_now.get(question)
        called = ", then ".join(dict.fromkeys(one.similarity for one in pair if one))
        for one, other, run in ((*pair, earlier), (*pair[::-1], later)):
            if one is not None:
                run.append(in_one_unit(one, other, by=by, similarity=called))
    found = compare(*(_with_verdicts(run, by) for run in (earlier, later)))
    left_out = {one.test.id for run in (before, after) for one in run if one.status == "described"}
    return replace(found, across=by, left_out=tuple(sorted(left_out)))


def _by_question(run: Sequence[Tested], *, by_model: bool) -> dict[Hashable, Tested]:
    """Return each test under what was asked, whatever the similarity; one of them a question."""
    found: dict[Hashable, Tested] = {}
    for one in run:
        settings = dict(one.described.settings) if one.described else {}
        settings.pop("similarity", None)
        how = canonical_json(settings)
        model = one.model.name if by_model else ""
        version, convention = one.test.suite_version, one.convention
        name = convention and convention.name
        question = model, one.test.id, version, one.metric, name, how
        if question in found and found[question].similarity != one.similarity:
            raise SettingError(
                f"One run asked {one.test.id} by {found[question].similarity} and by "
                f"{one.similarity}, and across geometries it is compared by one; write them to a "
                "run each with similarity=... (--similarity)."
            )
        found[question] = one
    return found


def _with_verdicts(run: Sequence[Tested], by: str) -> list[Outcome]:
    """Return the tests with the verdicts that their p in the new unit gives, corrected anew."""
    results = [one for one in run if isinstance(one, Result)]
    tested = [
        families.FamilyMember(
            one.model.name,
            one.test,
            one.p.value,
            one.p.value,
            sizes=(
                sum(word.role == "x" for word in one.words),
                sum(word.role == "y" for word in one.words),
            ),
        )
        for one in results
    ]
    alpha = results[0].verdict.alpha if results else 0.05
    corrected = iter(families.correct_families(tested, alpha))
    return [_judged(one, next(corrected), by) if isinstance(one, Result) else one for one in run]


def _judged(one: Result, corrected: families.CorrectedP, by: str) -> Result:
    p, p_holm, alpha = one.p.value, corrected.holm_two_sided, one.verdict.alpha
    kind: VerdictKind = "no-evidence"
    if p_holm is None:
        kind = "too-few-words"
    elif is_significant(p_holm, alpha):
        kind = "biased" if one.test.kind == "bias" else "associated"
    elif is_significant(p, alpha):
        kind = "inconclusive"
    said = f"{kind.replace('-', ' ').capitalize()} {ACROSS[by]} (d {format_signed(one.effect)})."
    return one.model_copy(
        update={
            "p_holm": p_holm,
            "p_bh": corrected.benjamini_hochberg,
            "family": corrected.family,
            "family_of": families.family_name(one.test),
            "verdict": Verdict(kind=kind, sentence=said, p=p, p_holm=p_holm, alpha=alpha),
        }
    )
