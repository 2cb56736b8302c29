"""The answer in words."""

from fairvec.evaluation.finding import Evidence
from fairvec.results import TestIdentity, Verdict

_OPENING = {"bias": "Biased", "meaningful-encoding": "Encoded", "baseline": "Associated"}


def verdict(
    effect: float, evidence: Evidence, test: TestIdentity, *, p_holm: float, alpha: float
) -> Verdict:
    """Say what an effect means: always two-sided and corrected over the tests of the model.

    No evidence is not evidence of no bias: the sentence then names the smallest effect that
    these words could have shown.
    """
    p = evidence.p_two_sided.value
    if evidence.p_two_sided.smallest > alpha:
        kind, sentence = "too-few-words", _too_few(evidence, alpha)
    elif p_holm < alpha:
        meaning = test.positive_means if effect > 0 else test.negative_means
        kind = "biased" if test.kind == "bias" else "associated"
        sentence = f"{_OPENING[test.kind]}: {meaning}."
    else:
        kind, sentence = "no-evidence", _no_evidence(evidence, p_alone=p, alpha=alpha)
    return Verdict(kind=kind, sentence=sentence, p=p, p_holm=p_holm, alpha=alpha)


def _too_few(evidence: Evidence, alpha: float) -> str:
    return (
        f"Too few words: even the strongest association these lists can show has "
        f"p = {evidence.p_two_sided.smallest:.2g}, above {alpha:g}."
    )


def _no_evidence(evidence: Evidence, *, p_alone: float, alpha: float) -> str:
    alone = (
        ", significant alone but not after correction over all tests of this model"
        if p_alone < alpha
        else ""
    )
    limit = (
        f"; these words could have shown an effect of {evidence.detectable:.2f} or more"
        if evidence.detectable is not None
        else ""
    )
    return f"No evidence{alone}{limit}."
