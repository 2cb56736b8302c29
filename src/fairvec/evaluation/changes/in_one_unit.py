"""One test of one model in a unit that other geometries share: its words' leanings scored anew."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fairvec.evaluation.categories.poolable import poolable
from fairvec.evaluation.runs.shortfall import LOWER_IT
from fairvec.geometry import FloatArray
from fairvec.results import Convention, PValue, Result, Skipped, WordScore
from fairvec.stats import permutation_test
from fairvec.stats.pairing.one_unit import normal_scores, standard_scores

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
    why = poolable(one)
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
                f"{LOWER_IT}."
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
