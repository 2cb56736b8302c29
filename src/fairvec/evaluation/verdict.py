"""The answer in words."""

from fairvec.evaluation.finding import Finding
from fairvec.results import TestIdentity, Verdict

_OPENING = {"bias": "Biased", "meaningful-encoding": "Encoded", "baseline": "Associated"}


def verdict(finding: Finding, test: TestIdentity, *, p_holm: float, alpha: float) -> Verdict:
    """Say what the finding means: always two-sided and corrected over the tests of the model.

    No evidence is not evidence of no bias: the sentence then names the smallest effect that
    these words could have shown.
    """
    p = finding.p_two_sided.value
    if finding.p_two_sided.smallest > alpha:
        kind, sentence = "too-few-words", _too_few(finding, alpha)
    elif p_holm < alpha:
        meaning = test.positive_means if finding.score.value > 0 else test.negative_means
        kind = "biased" if test.kind == "bias" else "associated"
        sentence = f"{_OPENING[test.kind]}: {meaning}."
    else:
        kind, sentence = "no-evidence", _no_evidence(finding, p_alone=p, alpha=alpha)
    return Verdict(kind=kind, sentence=sentence, p=p, p_holm=p_holm, alpha=alpha)


def _too_few(finding: Finding, alpha: float) -> str:
    return (
        f"Too few words: even the strongest association these lists can show has "
        f"p = {finding.p_two_sided.smallest:.2g}, above {alpha:g}."
    )


def _no_evidence(finding: Finding, *, p_alone: float, alpha: float) -> str:
    alone = (
        ", significant alone but not after correction over all tests of this model"
        if p_alone < alpha
        else ""
    )
    limit = (
        f"; these words could have shown an effect of {finding.detectable:.2f} or more"
        if finding.detectable is not None
        else ""
    )
    return f"No evidence{alone}{limit}."
