"""The answer to a claim on one model, or on one model for each of its roles."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fairvec.papers.claims.claim import Claim
from fairvec.papers.claims.deciding.decision import ClaimGrade, Decision

UnitOfClaim = Literal["words", "tests", "pairs", "items", "figures"]
"""What a claim's answer was counted over."""


@dataclass(frozen=True)
class ClaimMethod:
    """The test behind an answer in words, and over how many of what it was."""

    how: str
    n: int
    unit: UnitOfClaim


@dataclass(frozen=True)
class ClaimAnswer:
    """A claim, the models that were asked, a grade and the sentence that says why.

    Without a model `models` is empty, the grade "not tried" and the sentence the reason. `figures`
    are the numbers behind the grade and `shown` is how a table shows them.
    """

    claim: Claim
    models: tuple[str, ...]
    grade: ClaimGrade
    sentence: str
    shown: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    p: float | None = None
    method: ClaimMethod | None = None
    is_the_papers: bool = False


def not_tried(claim: Claim, reason: str, models: tuple[str, ...] = ()) -> ClaimAnswer:
    """Return the answer that there is none, and why."""
    return ClaimAnswer(claim, models, "not tried", reason)


def as_answer(
    claim: Claim,
    models: tuple[str, ...],
    decision: Decision,
    method: ClaimMethod,
    *,
    is_the_papers: bool,
) -> ClaimAnswer:
    """Return what a test decided as the answer of these models."""
    return ClaimAnswer(
        claim,
        models,
        decision.grade,
        decision.sentence,
        decision.shown,
        decision.figures,
        decision.p,
        method,
        is_the_papers,
    )
