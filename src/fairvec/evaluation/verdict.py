"""The answer in words."""

from fairvec.evaluation.finding import Evidence
from fairvec.results import TestIdentity, Verdict, VerdictKind

_OPENING = {"bias": "Biased", "meaningful-encoding": "Encoded", "baseline": "Associated"}


def verdict(
    effect: float,
    evidence: Evidence,
    test: TestIdentity,
    *,
    p_holm: float,
    alpha: float,
    detectable: float | None,
) -> Verdict:
    """Say what an effect means: always two-sided and corrected over the tests of the model.

    No evidence is not evidence of no bias: the sentence then names the smallest effect that
    these words could have shown.
    """
    p = evidence.p_two_sided.value
    kind: VerdictKind
    if evidence.p_two_sided.smallest > alpha:
        kind, sentence = "too-few-words", _too_few(evidence, alpha)
    elif p_holm < alpha:
        meaning = test.positive_means if effect > 0 else test.negative_means
        kind = "biased" if test.kind == "bias" else "associated"
        sentence = f"{_OPENING[test.kind]}: {meaning}."
    else:
        kind, sentence = "no-evidence", _no_evidence(detectable, alone=p < alpha)
    return Verdict(kind=kind, sentence=sentence, p=p, p_holm=p_holm, alpha=alpha)


def _too_few(evidence: Evidence, alpha: float) -> str:
    return (
        f"Too few words: even the strongest association these lists can show has "
        f"p = {evidence.p_two_sided.smallest:.2g}, above {alpha:g}."
    )


def _no_evidence(detectable: float | None, *, alone: bool) -> str:
    weak = ", significant alone but not after correction over all tests of this model"
    limit = (
        "these words are too few to show any effect after that correction"
        if detectable is None
        else f"these words show an effect of {detectable:.2f} or more with 80 % power"
    )
    return f"No evidence{weak if alone else ''}; {limit}."
