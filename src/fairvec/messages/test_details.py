"""One test in detail: its words, their influence, and what qualifies its answer."""

from typing import Literal

from fairvec.core.format import (
    capitalize_first,
    format_count,
    format_number,
    format_p,
    format_percent,
    format_signed,
    group_by,
    is_significant,
    join_up_to,
    join_words,
    pluralize,
)
from fairvec.messages.figures import (
    effect_of,
    is_difference,
    plain_effect_of,
    some,
    span_of,
    unbroken,
)
from fairvec.messages.verdicts import how_p, smallest_p
from fairvec.messages.verdicts import significant as verdicts_significant
from fairvec.results import (
    FrequencyControl,
    GroupCoverage,
    Holds,
    ModelIdentity,
    Outcome,
    Result,
    Robustness,
    Skipped,
    WordScore,
)
from fairvec.results.verdicts import effect_magnitude


def about_word(word: WordScore) -> str:
    """Return all that is known of one word, for its dot."""
    known = [
        word.word,
        word.transliteration,
        f"“{word.gloss}”" * bool(word.gloss),
        f"found as {word.key}" * (word.key != word.word),
        f"leans {format_signed(word.score, 3)}",
        f"without it d = {format_number(word.without)}" if word.without is not None else "",
    ]
    return " · ".join(part for part in known if part)


def about_influence(result: Result) -> str:
    """Return how much the effect hangs on single words."""
    without = [word.without for word in result.words if word.without is not None]
    if not without:
        return ""
    turning = [w.word for w in result.words if (w.without or 0.0) * result.effect < 0]
    noun, what = ("pair", "the difference") if is_difference(result) else ("word", "d")
    low, high = (plain_effect_of(result, end) for end in (min(without), max(without)))
    tail = (
        f"no single {noun} reverses it"
        if not turning
        else f"leaving out {join_words(turning, 'or')} reverses it"
        if len(turning) <= 3
        else f"each of {format_count(len(turning))} {noun}s alone reverses it"
    )
    return f"With any one {noun} left out {what} stays between {low} and {high}; {tail}."


def most_influential(result: Result, count: int = 5) -> list[WordScore]:
    """Return the words whose absence moves the effect most."""
    known = [word for word in result.words if word.without is not None]
    return sorted(known, key=lambda word: -abs((word.without or 0.0) - result.effect))[:count]


def list_titles(result: Result) -> dict[str, str]:
    """Return the names of the lists by their roles."""
    return {group.role: group.title for group in result.coverage}


def about_missing(group: GroupCoverage) -> list[str]:
    """Return the entries that do not count, by the reason why."""
    by_reason = group_by(group.missing, lambda word: group.missing[word] or "missing")
    return [f"{capitalize_first(reason)}: {some(words)}" for reason, words in by_reason.items()]


def about_spellings(group: GroupCoverage) -> dict[str, list[str]]:
    """Return the entries found under another spelling by the rule that found them."""
    rules = dict.fromkeys(group.matched, "") | group.how
    return {
        rule.replace("+", " and ") or "other spelling": [
            f"{word} → {group.matched.get(word, word)}" for word in words
        ]
        for rule, words in group_by(rules, lambda word: rules[word]).items()
    }


# Which words of a test the making of a model saw, and how: a test is no evidence about these.


Seen = Literal["debiased", "augmented", "both"]

TRAINED = "trained"
"""The step of a training, which has words it was fitted on if it swapped them in its text."""

SENTENCES: dict[Seen, str] = {
    "debiased": "The debiasing was fitted on {words} of this test",
    "augmented": "The training text was augmented by swapping {words} of this test",
    "both": "The training text was augmented and the debiasing fitted with {words} of this test",
}
REMARKS: dict[Seen, str] = {
    "debiased": "fitted on tested words",
    "augmented": "text augmented with tested words",
    "both": "text augmented and debiasing fitted with tested words",
}


def seen_by(model: ModelIdentity) -> Seen:
    """Return which step saw words; a history that names none is that of a debiasing."""
    actions = [step.get("action") for step in model.history if step.get("fitted_on")]
    if TRAINED not in actions:
        return "debiased"
    return "augmented" if {*actions} == {TRAINED} else "both"


def not_held_out(outcome: Outcome) -> str:
    """Return the sentence of the page; empty if no word of the test was seen."""
    if not outcome.fitted_words:
        return ""
    words = pluralize(len(outcome.fitted_words), "word")
    said = SENTENCES[seen_by(outcome.model)].format(words=words)
    return f"{said}, which is no evidence about them: {some(outcome.fitted_words)}"


def not_held_out_briefly(outcome: Outcome) -> str:
    """Return the remark of a line in a table; empty if no word of the test was seen."""
    if not outcome.fitted_words:
        return ""
    words = join_up_to(outcome.fitted_words, MOST_NAMED)
    return f"{REMARKS[seen_by(outcome.model)]}, no evidence about these: {words}"


# What a reader of one line should know: words that are missing or shared, and how steady it is.


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
        f"missing {join_up_to(missing, MOST_NAMED)}" * bool(missing),
        f"counted once with another entry {join_up_to(merged, MOST_NAMED)}" * bool(merged),
        f"in two lists {join_up_to(list(shared), MOST_NAMED)}" * bool(shared),
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
    return pluralize(len(tried.swaps), "other list agrees", "other lists agree")


def _steadiness(result: Result, tried: Robustness) -> str:
    agree = sum(swap.effect * result.effect > 0 for swap in tried.swaps)
    others = f"; {agree} of {_others(tried)} in sign" * bool(tried.swaps)
    explained = _frequency(tried.frequency, result.effect) if tried.frequency else ""
    evident = tried.expected is not None and is_significant(result.verdict.p, result.verdict.alpha)
    about = f" (about {format_percent(round(tried.expected or 0.0, 2))} expected)" * evident
    return (
        f"{HOLDING[tried.holds]}with {format_percent(tried.kept)} of the words: sign kept in "
        f"{format_percent(tried.same_sign)}, significant alone in "
        f"{format_percent(tried.significant)}{about}{others}{explained}"
    )


def _frequency(control: FrequencyControl, effect: float) -> str:
    if not control.explains:
        return ""
    explained = control.accounts_for(effect)
    return "; frequency may explain it" if explained else "; not significant at equal frequency"


# The figures of a record as the report writes them.


def readings(outcome: Outcome) -> dict[str, str]:
    """Return what a positive and a negative effect would say, and why words are sensitive."""
    return {
        "positive": outcome.test.positive_means,
        "negative": outcome.test.negative_means,
        "sensitive": outcome.test.sensitive,
        "language": outcome.test.language,
    }


def told(outcome: Outcome) -> dict[str, str]:
    """Return sentences and figures by what they are of; a test that was skipped has its reason."""
    said = readings(outcome)
    if isinstance(outcome, Skipped):
        return {**said, "sentence": outcome.reason}
    if not isinstance(outcome, Result):
        return said
    interval = outcome.interval
    return {
        **said,
        "sentence": unbroken(outcome.verdict.sentence),
        "effect": effect_of(outcome, outcome.effect),
        # A size in words sounds like a claim, and is said where there is one.
        "size": effect_magnitude(outcome.effect) if verdicts_significant(outcome) else "",
        "interval": span_of(outcome, interval) if interval else "",
        "level": format_percent(interval.level) if interval else "",
        "how_interval": interval.method if interval else "",
        "p": format_p(outcome.p.value),
        "how_p": how_p(outcome.p),
        "smallest_p": smallest_p(outcome.p),
        "detectable": ""
        if outcome.detectable is None
        else plain_effect_of(outcome, outcome.detectable),
        "influence": about_influence(outcome),
    }
