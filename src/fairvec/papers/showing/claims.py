"""Answers to a paper's claims, for reading: a table of grades, then a sentence each."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fairvec.ground.numbers import p_value
from fairvec.ground.text.capitals import titled
from fairvec.ground.text.visible_text import visible
from fairvec.papers.claims.answer import ClaimAnswer
from fairvec.papers.claims.deciding.decision import ALPHA, CLAIM_GRADES
from fairvec.papers.showing.lines import Reproduction

CLAIM_TITLE = "Does what the paper finds hold here?"
CLAIM_HEAD = ("no.", "claim", "model", "grade", "figure", "p")
OWN = " (the paper's own)"
CLAIM_CONVENTION = (
    "Claims are answered by fairvec's default convention: caliskan effect size, p two-sided, exact "
    "wherever the lists allow, whole models debiased. A stand-in answers for itself and not for "
    "the paper's model. Each claim is decided alone, at 0.05."
)


def claim_rows(reproduction: Reproduction) -> list[tuple[str, ...]]:
    """Return a row of text for each claim and model: what is claimed, and what became of it."""
    return [
        (
            str(number),
            answer.claim.says,
            visible(models_of(answer), but=""),
            answer.grade,
            answer.shown,
            _chance(answer),
        )
        for number, answer in enumerate(reproduction.claims, 1)
    ]


def claim_sentences(reproduction: Reproduction, *, quoting: bool = False) -> Iterator[str]:
    """Yield a sentence on each answer: the grade, why, by which test and over how many of what.

    With `quoting` also where the paper says so, in its own words, and how that became a test.
    """
    for answer in reproduction.claims:
        claim = answer.claim
        said = f"{titled(answer.grade)} on {models_of(answer)}. {answer.sentence}{_test(answer)}"
        if answer.grade == "not tried":
            said = f"Not tried. {answer.sentence}"
        words = f": \N{LEFT DOUBLE QUOTATION MARK}{claim.quote}\N{RIGHT DOUBLE QUOTATION MARK}"
        source = f" ({claim.where}{words if claim.quote else ''})"
        yield visible(f"{said}{source} {claim.reading}".strip() if quoting else said, but="")


def claim_summary(reproduction: Reproduction) -> str:
    """Count the answers by grade."""
    found = Counter(answer.grade for answer in reproduction.claims)
    return ", ".join(f"{found[grade]} {grade}" for grade in CLAIM_GRADES if found[grade])


def claim_records(reproduction: Reproduction) -> Iterator[dict[str, Any]]:
    """Yield each answer as a plain record."""
    for answer in reproduction.claims:
        claim, method = answer.claim, answer.method
        yield {
            "kind": "claim",
            "paper": reproduction.paper.id,
            "claim": claim.id,
            "says": claim.says,
            "where": claim.where,
            "quote": claim.quote,
            "roles": list(claim.asked),
            "models": list(answer.models),
            "papers_own_model": answer.is_the_papers,
            "grade": answer.grade,
            "sentence": answer.sentence,
            "test": claim.test.kind,
            "figures": dict(answer.figures),
            "p": answer.p,
            "how": method.how if method else "",
            "n": method.n if method else None,
            "unit": method.unit if method else "",
            "reading": claim.reading,
        }


def models_of(answer: ClaimAnswer) -> str:
    """Name the models that were asked, and say whether the paper measured them."""
    if not answer.models:
        return "no model"
    return f"{', '.join(answer.models)}{OWN if answer.is_the_papers else ''}"


def _chance(answer: ClaimAnswer) -> str:
    return "" if answer.p is None else p_value(answer.p, level=ALPHA)


def _test(answer: ClaimAnswer) -> str:
    method = answer.method
    if method is None:
        return ""
    unit = method.unit if method.n != 1 else method.unit.removesuffix("s")
    return f" Test: {method.how}; {method.n:,} {unit}."
