"""One test in detail: its words and their influence, held-out words, robustness, live figures."""

from collections.abc import Callable
from typing import Literal

from fairvec.core.format import (
    capitalize_first,
    format_count,
    format_percent,
    format_signed,
    group_by,
    is_significant,
    join_up_to,
    join_words,
    pluralize,
)
from fairvec.messages.figures import (
    format_effect,
    format_effect_interval,
    format_plain_effect,
    is_difference,
    keep_together,
    shorten_list,
)
from fairvec.messages.verdicts import format_own_p, is_evidence, p_method, smallest_p
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.identities import ModelIdentity
from fairvec.results.records import GroupCoverage, WordScore
from fairvec.results.verdicts import FrequencyControl, Robustness, RobustnessKind, effect_magnitude


def word_labels(result: Result) -> Callable[[WordScore], str]:
    """Return what gives all that is known of one word of a result, for its dot."""
    effect = "the difference is" if is_difference(result) else "d ="

    def label(word: WordScore) -> str:
        without = "" if word.without is None else format_plain_effect(result, word.without)
        facts = [
            word.word,
            word.transliteration,
            f"“{word.gloss}”" * bool(word.gloss),
            f"found as {word.key}" * (word.key != word.word),
            f"leans {format_signed(word.score, 3)}",
            f"without it {effect} {without}" * bool(without),
        ]
        return " · ".join(part for part in facts if part)

    return label


def is_of_pairs(result: Result) -> bool:
    """Return whether a result is over pairs, each with one number, and not over words."""
    return {word.role for word in result.words} == {"pair"}


def regrouping(result: Result) -> str:
    """Return what its p counts."""
    if not is_of_pairs(result):
        return "regroupings"
    return f"swaps of the two {'persons' if is_difference(result) else 'sides'} of a pair"


def influence_sentence(result: Result) -> str:
    """Return how much the effect hangs on single words."""
    without = [word.without for word in result.words if word.without is not None]
    if not without:
        return ""
    turning = [w.word for w in result.words if (w.without or 0.0) * result.effect < 0]
    noun, what = (
        "pair" if is_of_pairs(result) else "word",
        "the difference" if is_difference(result) else "d",
    )
    low, high = (format_plain_effect(result, end) for end in (min(without), max(without)))
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


def missing_words(group: GroupCoverage) -> list[str]:
    """Return the entries that do not count, by the reason why."""
    by_reason = group_by(group.missing, lambda word: group.missing[word] or "missing")
    return [
        f"{capitalize_first(reason)}: {shorten_list(words)}" for reason, words in by_reason.items()
    ]


def spelling_notes(group: GroupCoverage) -> dict[str, list[str]]:
    """Return the entries found under another spelling by the rule that found them."""
    rules = dict.fromkeys(group.matched, "") | group.how
    return {
        rule.replace("+", " and ") or "other spelling": [
            f"{word} → {group.matched.get(word, word)}" for word in words
        ]
        for rule, words in group_by(rules, lambda word: rules[word]).items()
    }


Exposure = Literal["debiased", "augmented", "both"]

TRAINED = "trained"
"""The step of a training, which has words it was fitted on if it swapped them in its text."""

EXPOSURE_SENTENCES: dict[Exposure, str] = {
    "debiased": "The debiasing was fitted on {words} of this test",
    "augmented": "The training text was augmented by swapping {words} of this test",
    "both": "The training text was augmented and the debiasing fitted with {words} of this test",
}
EXPOSURE_NOTES: dict[Exposure, str] = {
    "debiased": "fitted on tested words",
    "augmented": "text augmented with tested words",
    "both": "text augmented and debiasing fitted with tested words",
}


def exposure_of(model: ModelIdentity) -> Exposure:
    """Return which step saw words; a history that names none is that of a debiasing."""
    actions = [step.get("action") for step in model.history if step.get("fitted_on")]
    if TRAINED not in actions:
        return "debiased"
    return "augmented" if {*actions} == {TRAINED} else "both"


def held_out_note(outcome: Outcome) -> str:
    """Return the sentence of the page; empty if no word of the test was seen."""
    if not outcome.fitted_words:
        return ""
    words = pluralize(len(outcome.fitted_words), "word")
    sentence = EXPOSURE_SENTENCES[exposure_of(outcome.model)].format(words=words)
    return f"{sentence}, which is no evidence about them: {shorten_list(outcome.fitted_words)}"


def short_held_out_note(outcome: Outcome) -> str:
    """Return the remark of a line in a table; empty if no word of the test was seen."""
    if not outcome.fitted_words:
        return ""
    words = join_up_to(outcome.fitted_words, MOST_NAMED)
    return f"{EXPOSURE_NOTES[exposure_of(outcome.model)]}, no evidence about these: {words}"


MOST_NAMED = 3

ROBUSTNESS_PREFIXES: dict[RobustnessKind | None, str] = {
    None: "",
    "firm": "firm: ",
    "thin": "thin evidence: ",
    "fragile": "fragile: ",
    "frequency": "perhaps frequency: ",
}


def row_notes(outcome: Outcome) -> list[str]:
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
    remarks = [part for part in parts if part]
    noun = "pairs" if {group.role for group in outcome.coverage} == {"pair"} else "words"
    lines = [f"{found} of {wanted} {noun}: {'; '.join(remarks)}"] if remarks else []
    if note := short_held_out_note(outcome):
        lines.append(note)
    if isinstance(outcome, Result) and outcome.robustness:
        lines.append(_robustness_note(outcome, outcome.robustness))
    return lines


def _other_lists(robustness: Robustness) -> str:
    return pluralize(len(robustness.swaps), "other list agrees", "other lists agree")


def _robustness_note(result: Result, robustness: Robustness) -> str:
    agree = sum(swap.effect * result.effect > 0 for swap in robustness.swaps)
    others = f"; {agree} of {_other_lists(robustness)} in sign" * bool(robustness.swaps)
    explained = _frequency_note(robustness.frequency, result.effect) if robustness.frequency else ""
    significant = robustness.expected is not None and is_significant(
        result.verdict.p, result.verdict.alpha
    )
    expected_note = (
        f" (about {format_percent(round(robustness.expected or 0.0, 2))} expected)" * significant
    )
    return (
        f"{ROBUSTNESS_PREFIXES[robustness.holds]}with {format_percent(robustness.kept)} of the "
        "words: sign kept in "
        f"{format_percent(robustness.same_sign)}, significant alone in "
        f"{format_percent(robustness.significant)}{expected_note}{others}{explained}"
    )


def _frequency_note(control: FrequencyControl, effect: float) -> str:
    if not control.explains:
        return ""
    explained = control.accounts_for(effect)
    return "; frequency may explain it" if explained else "; not significant at equal frequency"


def readings(outcome: Outcome) -> dict[str, str]:
    """Return what a positive and a negative effect would say, and why words are sensitive."""
    return {
        "positive": outcome.test.positive_means,
        "negative": outcome.test.negative_means,
        "sensitive": outcome.test.sensitive,
        "language": outcome.test.language,
    }


def live_figures(outcome: Outcome) -> dict[str, str]:
    """Return sentences and figures by what they are of; a test that was skipped has its reason."""
    figures = readings(outcome)
    if isinstance(outcome, Skipped):
        return {**figures, "sentence": outcome.reason}
    if not isinstance(outcome, Result):
        return figures
    interval = outcome.interval
    return {
        **figures,
        "sentence": keep_together(outcome.verdict.sentence),
        "effect": format_effect(outcome, outcome.effect),
        # A size in words sounds like a claim, so it needs one.
        "size": effect_magnitude(outcome.effect) if is_evidence(outcome) else "",
        "interval": format_effect_interval(outcome, interval) if interval else "",
        "level": format_percent(interval.level) if interval else "",
        "how_interval": interval.method if interval else "",
        "p": format_own_p(outcome),
        "how_p": p_method(outcome.p),
        "smallest_p": smallest_p(outcome.p),
        "detectable": ""
        if outcome.detectable is None
        else format_plain_effect(outcome, outcome.detectable),
        "influence": influence_sentence(outcome),
    }
