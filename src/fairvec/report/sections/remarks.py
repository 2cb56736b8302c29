"""What a reader of one line should know: words that are missing or shared, and how steady it is."""

from fairvec.ground.level import significant
from fairvec.ground.numbers import counted, percent
from fairvec.ground.text.enumerations import listed_up_to
from fairvec.report.words.fitting import not_held_out_briefly
from fairvec.results import FrequencyControl, Holds, Outcome, Result, Robustness

MOST_NAMED = 3

HOLDING: dict[Holds | None, str] = {
    None: "",
    "firm": "firm: ",
    "thin": "thin evidence: ",
    "fragile": "fragile: ",
    "frequency": "perhaps frequency: ",
}


def remarks(outcome: Outcome) -> list[str]:
    """Return the remarks that belong under one line of a table."""
    if outcome.status == "skipped":
        return []
    found = sum(group.found for group in outcome.coverage)
    wanted = sum(group.wanted for group in outcome.coverage)
    missing = [word for group in outcome.coverage for word in group.missing]
    merged = [word for group in outcome.coverage for word in group.merged]
    shared = dict.fromkeys(word for group in outcome.coverage for word in group.shared)
    parts = [
        f"missing {listed_up_to(missing, MOST_NAMED)}" * bool(missing),
        f"counted once with another entry {listed_up_to(merged, MOST_NAMED)}" * bool(merged),
        f"in two lists {listed_up_to(list(shared), MOST_NAMED)}" * bool(shared),
    ]
    said = [part for part in parts if part]
    noun = "pairs" if {group.role for group in outcome.coverage} == {"pair"} else "words"
    lines = [f"{found} of {wanted} {noun}: {'; '.join(said)}"] if said else []
    if seen := not_held_out_briefly(outcome):
        lines.append(seen)
    if isinstance(outcome, Result) and outcome.robustness:
        lines.append(_steadiness(outcome, outcome.robustness))
    return lines


def _others(tried: Robustness) -> str:
    return counted(len(tried.swaps), "other list agrees", "other lists agree")


def _steadiness(result: Result, tried: Robustness) -> str:
    agree = sum(swap.effect * result.effect > 0 for swap in tried.swaps)
    others = f"; {agree} of {_others(tried)} in sign" * bool(tried.swaps)
    explained = _frequency(tried.frequency, result.effect) if tried.frequency else ""
    evident = tried.expected is not None and significant(result.verdict.p, result.verdict.alpha)
    about = f" (about {percent(round(tried.expected or 0.0, 2))} expected)" * evident
    return (
        f"{HOLDING[tried.holds]}with {percent(tried.kept)} of the words: sign kept in "
        f"{percent(tried.same_sign)}, significant alone in "
        f"{percent(tried.significant)}{about}{others}{explained}"
    )


def _frequency(control: FrequencyControl, effect: float) -> str:
    if not control.explains:
        return ""
    explained = control.accounts_for(effect)
    return "; frequency may explain it" if explained else "; not significant at equal frequency"
