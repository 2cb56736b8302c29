"""The answer in words."""

from fairvec.evaluation.runs.finding import Evidence
from fairvec.evaluation.runs.ruled_out import ruled_out
from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value
from fairvec.ground.sizes import size_in_words
from fairvec.lexicon import Groups
from fairvec.results import Convention, Interval, Verdict, VerdictKind

_OPENING = {"bias": "Biased", "meaningful-encoding": "Encoded", "baseline": "Associated"}


def verdict(
    effect: float,
    evidence: Evidence,
    groups: Groups,
    *,
    p_holm: float | None,
    alpha: float,
    family: str,
    asked: int,
    detectable: float | None,
    interval: Interval | None = None,
    convention: Convention | None = None,
    doubt: str = "",
) -> Verdict:
    """Say what an effect means: always two-sided and corrected over the family of the test.

    `p_holm` is None where so few words cannot decide it among the tests `asked` of its family, or
    where there is a `doubt` that they may be regrouped at all. No evidence is not evidence of no
    bias: the sentence then says which effects the interval rules out, and names the smallest effect
    that these lists would have shown. An effect that is claimed has its size beside it, in words,
    where the convention makes it a standardised one.
    """
    p = evidence.p_two_sided.value
    kind: VerdictKind
    if doubt:
        kind, sentence = "no-verdict", f"No verdict: {doubt}"
    elif p_holm is None:
        kind = "too-few-words"
        sentence = _too_few(evidence.p_two_sided.smallest, alpha, asked, family)
    elif significant(p_holm, alpha):
        kind = "biased" if groups.test.kind == "bias" else "associated"
        sized = convention is not None and convention.standardised
        sentence = _meaning(effect, evidence, groups, sized=sized)
    elif significant(p, alpha):
        kind = "inconclusive"
        sentence = (
            f"Inconclusive: significant alone (p = {p_value(p, level=alpha)}), not among the "
            f"{family}{_limits(interval, evidence, detectable)}."
        )
    elif _the_same_words(groups):
        # They have no effect in any model: nothing is ruled out, and nothing could be shown.
        kind = "no-evidence"
        sentence = "No evidence: both lists reach the same words, so that nothing can differ."
    else:
        kind = "no-evidence"
        sentence = f"No evidence{_limits(interval, evidence, detectable)}."
    return Verdict(kind=kind, sentence=sentence, p=p, p_holm=p_holm, alpha=alpha)


def _the_same_words(groups: Groups) -> bool:
    x, y = (sorted(groups[role].keys) for role in ("x", "y"))
    return x == y


def _meaning(effect: float, evidence: Evidence, groups: Groups, *, sized: bool) -> str:
    """Return which list leans where; an effect is relative, so both may lean to one side."""
    test = groups.test
    meaning = test.positive_means if effect > 0 else test.negative_means
    x, y = evidence.means
    side = "a" if x > 0 and y > 0 else "b" if x < 0 and y < 0 else ""
    both = f" (both lean to {test.sets[side].title})" if side else ""
    size = f", a {size_in_words(effect)} effect" if sized else ""
    return f"{_OPENING[test.kind]}{size}: {meaning}{both}{_to_themselves(effect, groups)}."


def _to_themselves(effect: float, groups: Groups) -> str:
    """Say how many targets lean as is claimed because they are attributes of that side too.

    A word is as near to itself as can be. Where nothing leans, two such words in each of two lists
    of eight make 27 % of tests significant at 5 %, and four make 91 %.
    """
    sides = (("x", "a"), ("y", "b")) if effect > 0 else (("x", "b"), ("y", "a"))
    alike = sum(
        len({*groups[target].keys} & {*groups[attribute].keys})
        for target, attribute in sides
        if attribute in groups
    )
    if not alike:
        return ""
    they = "1 target word is an attribute" if alike == 1 else f"{alike} target words are attributes"
    return f"; but {they} of that side too, and nothing is nearer to a word than itself"


def _too_few(smallest: float, alpha: float, asked: int, family: str) -> str:
    limit = f"above {alpha:g}" if asked == 1 else f"too much for the {asked} {family} at {alpha:g}"
    return (
        f"Too few words: even the strongest association these lists can show has "
        f"p = {p_value(smallest, level=alpha)}, {limit}."
    )


def _limits(interval: Interval | None, evidence: Evidence, detectable: float | None) -> str:
    said = [ruled_out(interval, evidence.reach)]
    if detectable is not None:
        said.append(f"these lists reliably show only effects of {detectable:.2f} or more")
    return "".join(f"; {part}" for part in said if part)
