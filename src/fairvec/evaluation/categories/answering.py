"""One answer for each category of a run, made of its records alone."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from fairvec.evaluation.categories.categories import Category, families_of
from fairvec.evaluation.categories.category_verdict import category_verdict
from fairvec.evaluation.categories.pooling import Pooled, pooled
from fairvec.ground.errors import FairvecError, unexpected
from fairvec.ground.level import significant
from fairvec.ground.sizes import size_in_words
from fairvec.results import CategoryAnswer, Outcome, PooledTest, Skipped
from fairvec.stats import holm

SAMPLES = 100_000
"""Joint regroupings that are drawn where they cannot be listed."""


def category_answers(
    outcomes: Iterable[Outcome], *, samples: int = SAMPLES, interval: bool = True
) -> list[CategoryAnswer | Skipped]:
    """Pool the bias tests of each category, by model, metric with its settings, and language.

    p is corrected over the categories of a model and metric; without `interval` none is sought.
    One category's trouble never costs another its answer: whatever it raises becomes its record. A
    category of which nothing can be pooled has no answer.
    """
    return [
        answer
        for family in families_of(outcomes)
        for answer in _answers(family, samples=samples, interval=interval)
    ]


def _answers(categories: Sequence[Category], **how: Any) -> list[CategoryAnswer | Skipped]:
    """Answer the categories of one model and metric, corrected over each other."""
    found = [_pooled(category, **how) for category in categories]
    asked = sum(isinstance(one, Pooled) for one in found)
    alpha = categories[0].results[0].verdict.alpha
    decided = {
        place: one.p.value
        for place, one in enumerate(found)
        if isinstance(one, Pooled) and significant(asked * one.p.smallest, alpha)
    }
    corrected = dict(zip(decided, holm(np.array([*decided.values()])).tolist(), strict=True))
    several = len({category.language for category in categories}) > 1
    return [
        one
        if isinstance(one, Skipped)
        else _answer(
            category,
            one,
            called=f"{category.title} ({category.language})" if several else category.title,
            p_holm=corrected.get(place),
            family=len(decided),
            asked=asked,
        )
        for place, (category, one) in enumerate(zip(categories, found, strict=True))
    ]


def _pooled(category: Category, **how: Any) -> Pooled | Skipped:
    """Return the figures of a category, or the record of why there are none."""
    try:
        return pooled(category.tests, **how)
    except FairvecError as error:
        return Skipped(**category.shared, cause="undefined", reason=str(error))
    except Exception as error:  # whatever it is, it is this category's trouble alone
        return Skipped(**category.shared, cause="error", reason=unexpected(error))


def _answer(
    category: Category, found: Pooled, *, called: str, p_holm: float | None, **of: Any
) -> CategoryAnswer:
    results = category.results
    verdict = category_verdict(
        called, found, results, left_out=len(category.left_out), p_holm=p_holm, **of
    )
    return CategoryAnswer(
        **category.shared,
        effect=found.effect,
        size=size_in_words(found.effect),
        interval=found.interval,
        between=found.between,
        inconsistency=found.inconsistency,
        prediction=found.prediction,
        p=found.p,
        p_holm=p_holm,
        family=of["family"],
        tests=tuple(
            PooledTest(
                test=one.test.id,
                title=one.test.title,
                effect=effect,
                weight=weight,
                verdict=one.verdict.kind,
            )
            for one, effect, weight in zip(results, found.effects, found.weights, strict=True)
        ),
        left_out=category.left_out,
        verdict=verdict,
    )
