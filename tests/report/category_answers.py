"""Answers by category for outcomes that have none: plain means of the tests' effects."""

from collections.abc import Iterable
from statistics import fmean, stdev

from fairvec.results import (
    CategoryAnswer,
    Interval,
    Outcome,
    PooledTest,
    Result,
    Verdict,
)
from fairvec.results.verdicts import effect_magnitude


def with_answers(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes, and after them one answer for each model, language and category of bias."""
    outcomes = list(outcomes)
    groups: dict[tuple[str, ...], list[Result]] = {}
    for one in outcomes:
        if isinstance(one, Result) and one.test.kind == "bias" and one.convention.standardised:
            key = (one.model.sha256, one.metric, one.similarity, one.convention.name)
            groups.setdefault((*key, one.test.language, one.test.category), []).append(one)
    return [*outcomes, *(answer(members) for members in groups.values())]


def answer(results: list[Result]) -> CategoryAnswer:
    """One answer; its effect is the mean, its certainty that of its surest test."""
    effects = [result.effect for result in results]
    effect = fmean(effects)
    half = 0.7 / len(effects) ** 0.5
    between = stdev(effects) if len(effects) > 1 else 0.0
    surest = min(results, key=lambda result: result.p.value)
    first = surest.test
    p_holm = min(1.0, 4 * surest.p.value)
    alone = sum(result.verdict.kind == "biased" for result in results)
    kind = "biased" if p_holm <= 0.05 else "mixed" if alone else "no-evidence"
    category = first.category.capitalize()
    lean = "as the stereotypes say" if effect > 0 else "against the stereotypes of its tests"
    ends = {"low": effect - half, "high": effect + half, "level": 0.95, "method": "made up"}
    wider = {**ends, "low": effect - half - 2 * between, "high": effect + half + 2 * between}
    return CategoryAnswer(
        test=first.model_copy(
            update={
                "suite": "category",
                "id": f"category/{first.category}",
                "title": f"All tests of {first.category}",
                "kind": "category",
                "sensitive": "",
                "also": (),
            }
        ),
        model=surest.model,
        metric=surest.metric,
        similarity=surest.similarity,
        convention=surest.convention,
        coverage=(),
        seed=surest.seed,
        versions=surest.versions,
        effect=effect,
        size=effect_magnitude(effect),
        interval=Interval.model_validate(ends),
        between=between,
        inconsistency=0.5,
        prediction=Interval.model_validate(wider) if len(effects) > 2 else None,
        p=surest.p,
        p_holm=p_holm,
        family=4,
        tests=tuple(
            PooledTest(
                test=result.test.id,
                title=result.test.title,
                effect=result.effect,
                weight=1 / len(results),
                verdict=result.verdict.kind,
            )
            for result in results
        ),
        verdict=Verdict(
            kind=kind,
            sentence=f"{category}: {kind.replace('-', ' ')}. Words lean {lean}, a "
            f"{effect_magnitude(effect)} effect (d {effect:+.2f}, 95 % {effect - half:+.2f} to "
            f"{effect + half:+.2f}; p = {surest.p.value:.4f}) over {len(results)} tests, {alone} "
            f"of them biased alone; the tests differ (tau {between:.1f}).",
            p=surest.p.value,
            p_holm=p_holm,
            alpha=0.05,
        ),
    )
