"""Sentences about categories."""

from collections.abc import Iterator
from typing import get_args

from fairvec.messages import categories as m
from fairvec.results import Interval, Result
from fairvec.results.verdicts import VerdictKind
from tests.messages.cases.verdicts import SAMPLED
from tests.messages.snapshot_files import Case
from tests.report.outcomes import with_robustness
from tests.results.toys import measured, pooled, skipped

INTERVAL = Interval(low=-0.41, high=1.63, level=0.95, kind="inverted", method="toy")
ONE = measured().model_copy(update={"family_of": "bias tests of toy"})
OTHER = measured(effect=-0.5, p_holm=0.2, test="toy/two")
AGAINST = with_robustness(measured(effect=-0.7, test="toy/three"), "thin")


def said(kind: VerdictKind, *tests: Result, **changes: object) -> str:
    """Return the sentence of a category of these tests."""
    facts: dict[str, object] = {
        "effect": 0.61,
        "interval": INTERVAL,
        "p": tests[0].p,
        "between": 0.05,
        "left_out": 0,
        "p_holm": 0.02,
        "family": 3,
        "candidates": 4,
    }
    effects = [test.effect for test in tests]
    return m.category_sentence("Gender", kind, tests, effects, **(facts | changes))  # type: ignore[arg-type]


def sentences() -> Iterator[Case]:
    """Give every sentence about categories."""
    for kind in ("biased", "inconclusive", "mixed", "no-evidence", "too-few-words"):
        name = "category_sentence"
        p_holm = None if kind == "too-few-words" else 0.02
        yield name, f"{kind}, one test", said(kind, ONE, p_holm=p_holm)
        yield name, f"{kind}, three tests", said(kind, ONE, OTHER, AGAINST, p_holm=p_holm)
    turned = AGAINST.test.model_copy(update={"positive_means": "other words"})
    mixed = AGAINST.model_copy(update={"test": turned})
    against = said("biased", ONE, mixed, effect=-0.61, between=0.4, left_out=1)
    yield "category_sentence", "biased against, they differ, one left out", against
    bound = said("biased", ONE, OTHER, p=SAMPLED, family=1, left_out=2, interval=None)
    yield "category_sentence", "biased, sampled, alone, two left out", bound
    for holds in ("firm", "thin", "fragile", "frequency"):
        sentence = said("biased", with_robustness(ONE, holds))
        yield "category_sentence", f"biased, one test that is {holds}", sentence
    yield "effect_meanings", "one meaning", m.effect_meanings([ONE, OTHER])
    yield "effect_meanings", "two meanings", m.effect_meanings([ONE, mixed])
    for cause, reason in m.NOT_POOLED.items():
        yield "NOT_POOLED", cause, reason
    failed = skipped().model_copy(update={"reason": "It broke."})
    yield "failed_answer_sentence", "a fault", m.failed_answer_sentence(failed)
    yield "no_answer_sentence", "one test", m.no_answer_sentence("Gender", ["skipped"])
    yield (
        "no_answer_sentence",
        "several tests",
        m.no_answer_sentence("Gender", ["skipped", "no test", "skipped"]),
    )
    for verdict in get_args(VerdictKind):
        yield "verdict_label", verdict, m.verdict_label(verdict)
    answer = pooled(1.0)
    sentence = "Gender: biased. X are closer to a: a large effect (d +1.00; p 0.01)."
    verdict = answer.verdict.model_copy(update={"sentence": sentence})
    answer = answer.model_copy(update={"verdict": verdict, "heading": "Gender"})
    yield "category_parts", "biased", m.category_parts(answer)
    yield "category_parts", "another sentence", m.category_parts(pooled(1.0))
    yield "diamond_label", "exact", m.diamond_label(answer)
    yield "diamond_label", "sampled", m.diamond_label(answer.model_copy(update={"p": SAMPLED}))
    yield "pooled_label", "one test", m.pooled_label(answer)
    three = answer.model_copy(update={"tests": answer.tests * 3})
    yield "pooled_label", "three tests", m.pooled_label(three)
    yield "join_names", "three", m.join_names(["age", "caste", "gender"])
    yield "join_names", "many", m.join_names([f"category {place}" for place in range(15)])
