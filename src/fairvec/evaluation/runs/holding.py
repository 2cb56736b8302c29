"""Whether a claimed effect holds with other words: what robustness adds to a verdict.

Kind and p stay what the test says, whatever else is asked; the sentence gets a clause, and the
record of robustness a word for it, which a condition may ask for.
"""

from fairvec.ground.level import significant
from fairvec.ground.numbers import counted, p_value
from fairvec.results import FrequencyControl, Holds, Robustness, Verdict

SIGN_KEPT = 0.95
"""Fewer shorter lists with the same sign make an effect fragile."""

SHORT_OF_EXPECTED = 0.25
"""So does a share of significant ones that is so much less than lists so short would show anyway.

By chance it is in about 1 of 100 tests of 7 + 7 words, and less often of more."""

MOSTLY_SHOWN = 0.8
"""If a smaller share of shorter lists is significant the evidence is thin."""

OTHERS_AGREE = 0.5
"""If a smaller share of other published lists has the same sign the effect is fragile."""


def tempered(
    verdict: Verdict, effect: float, tried: Robustness | None
) -> tuple[Verdict, Robustness | None]:
    """Return a verdict that claims an effect with how it holds, and the record with the word.

        evidence is lost at equal word frequency                          frequency
        else: it turns round with shorter lists or with other ones, or
        far fewer shorter lists show it than lists so short should        fragile
        else: many shorter lists do not show it, as is to be expected     thin
        else                                                              firm

    All doubts are told, the word is the first of them. In 600 made-up embeddings with 8 words a
    list and a weak planted effect, all words alike but for noise, 2 of the 352 effects that were
    found are fragile and 184 thin; of 300 without an effect 4 show one, all thin (the script
    `holding`).
    """
    if tried is None or verdict.kind not in ("biased", "associated"):
        return verdict, tried
    doubts = _doubts(effect, tried, verdict.alpha)
    holds = next(iter(doubts), "firm")
    clause = f"but {', and '.join(doubts.values())}" if doubts else _firmly(effect, tried)
    sentence = f"{verdict.sentence.removesuffix('.')}; {clause}."
    return (
        verdict.model_copy(update={"sentence": sentence}),
        tried.model_copy(update={"holds": holds}),
    )


def _doubts(effect: float, tried: Robustness, alpha: float) -> dict[Holds, str]:
    """Return why the effect may not hold, the gravest doubt first."""
    doubts: dict[Holds, str] = {}
    if tried.frequency and tried.frequency.explains:
        doubts["frequency"] = _by_frequency(effect, tried.frequency)
    if fragile := _fragile(effect, tried, alpha):
        doubts["fragile"] = f"it is fragile: {fragile}"
    elif tried.significant < MOSTLY_SHOWN:
        doubts["thin"] = f"the evidence is thin: {_shown(tried)}"
    return doubts


def _fragile(effect: float, tried: Robustness, alpha: float) -> str:
    against = [swap for swap in tried.swaps if swap.effect * effect < 0]
    turned = list(dict.fromkeys(swap.source for swap in against if significant(swap.p, alpha)))
    alike = sum(swap.effect * effect > 0 for swap in tried.swaps)
    if turned:
        return f"it turns round with the lists of {', '.join(turned)}"
    if alike < OTHERS_AGREE * len(tried.swaps):
        return f"only {alike} of {_others(tried)} in sign"
    if tried.same_sign < SIGN_KEPT:
        return f"shorter lists keep its sign in {_percent(tried.same_sign)}"
    if tried.expected is not None and tried.significant < tried.expected - SHORT_OF_EXPECTED:
        return _shown(tried)
    return ""


def _others(tried: Robustness) -> str:
    return counted(len(tried.swaps), "other list agrees", "other lists agree")


def _shown(tried: Robustness) -> str:
    """Return how many shorter lists show it, beside how many lists so short would anyway."""
    share = f"significant in {_percent(tried.significant)} of shorter lists"
    if tried.expected is None:
        return f"{share}, which are too short to show much"
    expected = _percent(round(tried.expected, 2))
    return f"{share}, where about {expected} would be if every word counted alike"


def _by_frequency(effect: float, control: FrequencyControl) -> str:
    left = round(control.effect / effect, 2) if effect else 0.0
    if control.accounts_for(effect):
        rest = f"{_percent(left)} of the effect is left" if left > 0 else "nothing of it is left"
        return f"word frequency may explain it (at equal frequency {rest})"
    return (
        f"at equal word frequency the evidence is lost (p = {p_value(control.p)}), while "
        f"{_percent(left)} of the effect is left"
    )


def _firmly(effect: float, tried: Robustness) -> str:
    alike = sum(swap.effect * effect > 0 for swap in tried.swaps)
    others = f", and {alike} of {_others(tried)} in sign" * bool(tried.swaps)
    return f"it holds with shorter lists (significant in {_percent(tried.significant)}){others}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
