"""The answer in words."""

from fairvec.evaluation.finding import Evidence
from fairvec.lexicon import Groups
from fairvec.results import Verdict, VerdictKind

_OPENING = {"bias": "Biased", "meaningful-encoding": "Encoded", "baseline": "Associated"}


def verdict(
    effect: float,
    evidence: Evidence,
    groups: Groups,
    *,
    p_holm: float,
    alpha: float,
    family: int,
    detectable: float | None,
    doubt: str = "",
) -> Verdict:
    """Say what an effect means: always two-sided and corrected over the tests of the model.

    No evidence is not evidence of no bias: the sentence then names the smallest effect that
    these lists would have shown.
    """
    p, smallest = evidence.p_two_sided.value, evidence.p_two_sided.smallest
    kind: VerdictKind
    if doubt:
        kind, sentence = "no-verdict", f"No verdict: {doubt}"
    elif p_holm < alpha and smallest <= alpha:
        kind = "biased" if groups.test.kind == "bias" else "associated"
        sentence = _meaning(effect, evidence, groups)
    elif smallest > alpha / family:
        kind, sentence = "too-few-words", _too_few(smallest, alpha, family)
    else:
        kind, sentence = "no-evidence", _no_evidence(detectable, alone=p < alpha)
    return Verdict(kind=kind, sentence=sentence, p=p, p_holm=p_holm, alpha=alpha)


def _meaning(effect: float, evidence: Evidence, groups: Groups) -> str:
    """Return which list leans where; an effect is relative, so both may lean to one side."""
    test = groups.test
    meaning = test.positive_means if effect > 0 else test.negative_means
    x, y = evidence.means
    side = "a" if x > 0 and y > 0 else "b" if x < 0 and y < 0 else ""
    both = f" (both lean to {test.sets[side].title})" if side else ""
    return f"{_OPENING[test.kind]}: {meaning}{both}."


def _too_few(smallest: float, alpha: float, family: int) -> str:
    limit = f"above {alpha:g}" if family == 1 else f"too much for {family} tests at {alpha:g}"
    return (
        f"Too few words: even the strongest association these lists can show has "
        f"p = {smallest:.2g}, {limit}."
    )


def _no_evidence(detectable: float | None, *, alone: bool) -> str:
    weak = ", significant alone but not after correction over all tests of this model"
    limit = f"; these lists reliably show only effects of {detectable:.2f} or more"
    return f"No evidence{weak if alone else ''}{'' if detectable is None else limit}."
