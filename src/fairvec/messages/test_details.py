"""One test or concept in detail: its words, their influence, robustness, drawings, live figures."""

from collections.abc import Callable, Mapping
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
    effect_symbol,
    format_effect,
    format_effect_interval,
    format_plain_effect,
    is_difference,
    keep_together,
    shorten_list,
)
from fairvec.messages.verdicts import format_own_p, is_evidence, p_method, smallest_p
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.derived import Agreement
from fairvec.results.identities import ModelIdentity
from fairvec.results.records import (
    ConceptView,
    Description,
    GroupCoverage,
    ProjectedWord,
    WordScore,
)
from fairvec.results.verdicts import (
    FrequencyControl,
    ListSwap,
    Robustness,
    RobustnessKind,
    effect_magnitude,
)


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
        else f"leaving out any one of {format_count(len(turning))} {noun}s reverses it"
    )
    return f"With any one {noun} left out, {what} lies between {low} and {high}; {tail}."


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
    listed = shorten_list(outcome.fitted_words)
    return f"{sentence}, so the test is no independent evidence about them: {listed}"


def short_held_out_note(outcome: Outcome) -> str:
    """Return the remark of a line in a table; empty if no word of the test was seen."""
    if not outcome.fitted_words:
        return ""
    words = join_up_to(outcome.fitted_words, MOST_NAMED)
    return f"{EXPOSURE_NOTES[exposure_of(outcome.model)]} (no independent evidence): {words}"


def fitted_words_note(record: Outcome) -> str:
    """Return how many words of a test a method was fitted on, for after its name."""
    fitted = len(record.fitted_words)
    return f" (fitted on {fitted} of its words)" if fitted else ""


MOST_NAMED = 3

ROBUSTNESS_PREFIXES: dict[RobustnessKind | None, str] = {
    None: "",
    "firm": "firm: ",
    "thin": "thin evidence: ",
    "fragile": "fragile: ",
    "frequency": "possibly word frequency: ",
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
        f"same key as another entry, counted once: {join_up_to(merged, MOST_NAMED)}" * bool(merged),
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
    return pluralize(len(robustness.swaps), "other list gives", "other lists give")


def _robustness_note(result: Result, robustness: Robustness) -> str:
    agree = sum(swap.effect * result.effect > 0 for swap in robustness.swaps)
    others = f"; {agree} of {_other_lists(robustness)} the same sign" * bool(robustness.swaps)
    explained = _frequency_note(robustness.frequency, result.effect) if robustness.frequency else ""
    significant = robustness.expected is not None and is_significant(
        result.verdict.p, result.verdict.alpha
    )
    expected_note = (
        f" (about {format_percent(round(robustness.expected or 0.0, 2))} expected)" * significant
    )
    return (
        f"{ROBUSTNESS_PREFIXES[robustness.holds]}with {format_percent(robustness.kept)} of the "
        f"words, {format_percent(robustness.same_sign)} of draws have the same sign and "
        f"{format_percent(robustness.significant)} are significant{expected_note}{others}"
        f"{explained}"
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


# The effect with other words: a line for each row that is drawn, and the same as sentences.

ALL_WORDS = "With all words"
SHORTER_LISTS = "Shorter lists"
EQUAL_FREQUENCY = "At equal word frequency"


def all_words_line(result: Result) -> str:
    """Return the effect with all words, with its interval."""
    interval = result.interval
    between = (
        f", {format_percent(interval.level)} interval {format_effect_interval(result, interval)}"
        if interval
        else ""
    )
    return f"{ALL_WORDS}: {_effect_and_p(result, result.effect, result.verdict.p)}{between}"


def shorter_lists_note(result: Result, robustness: Robustness) -> str:
    """Return in how many shorter lists the effect is significant."""
    return f"{format_percent(robustness.significant)} significant{_expected_note(result)}"


def shorter_lists_line(result: Result, robustness: Robustness) -> str:
    """Return where the effect of shorter lists lies, and in how many it is significant."""
    between = f"{format_effect(result, robustness.low)} to {format_effect(result, robustness.high)}"
    return (
        f"{SHORTER_LISTS}: 95 % of {effect_symbol(result)} from {between}, "
        f"{shorter_lists_note(result, robustness)}"
    )


def swapped_lists(result: Result, swap: ListSwap) -> str:
    """Return the names of the lists that are another test's."""
    return join_words([list_titles(result).get(role, role) for role in swap.lists])


def other_lists_line(result: Result, swap: ListSwap) -> str:
    """Return the effect with lists of another test."""
    return (
        f"{swapped_lists(result, swap)} of {swap.source}: "
        f"{_effect_and_p(result, swap.effect, swap.p)}"
    )


def equal_frequency_line(result: Result, control: FrequencyControl) -> str:
    """Return the effect at equal word frequency."""
    return f"{EQUAL_FREQUENCY}: {_effect_and_p(result, control.effect, control.p)}"


def robustness_notes(result: Result) -> list[str]:
    """Return what was seen with shorter lists, other lists and at equal frequency."""
    robustness = result.robustness
    if robustness is None:
        return []
    swaps = [
        f"With the {swapped_lists(result, swap)} of {swap.source}: "
        f"{_effect_and_p(result, swap.effect, swap.p)}."
        for swap in robustness.swaps
    ]
    if robustness.untried:
        swaps.append(
            "Not tried, because too few of their words were found: "
            f"{', '.join(robustness.untried)}."
        )
    if robustness.frequency:
        evident = is_significant(result.verdict.p, result.verdict.alpha)
        frequency = _frequency_sentence(robustness.frequency, result, evident)
    else:
        frequency = (
            "Not compared at equal word frequency: the counts are missing or leave nothing to "
            "compare."
        )
    return [_draws_sentence(robustness, result), *swaps, frequency]


def _effect_and_p(result: Result, effect: float, p: float) -> str:
    return f"{effect_symbol(result)} = {format_effect(result, effect)}, p = {format_p(p)}"


def _expected_note(result: Result) -> str:
    """Return what lists so short would show of it anyway, if there is something and it is known."""
    share = result.robustness.expected if result.robustness else None
    if share is None or not is_significant(result.verdict.p, result.verdict.alpha):
        return ""
    return f" (about {format_percent(round(share, 2))} expected of lists so short)"


def _draws_sentence(robustness: Robustness, result: Result) -> str:
    low, high = (format_plain_effect(result, end) for end in (robustness.low, robustness.high))
    name = "the difference" if is_difference(result) else "d"
    return (
        f"In {robustness.draws} random draws of {format_percent(robustness.kept)} of the words, "
        f"{format_percent(0.95)} of the values of {name} lie between {low} and {high}, "
        f"{format_percent(robustness.same_sign)} have the same sign, and "
        f"{format_percent(robustness.significant)} are significant{_expected_note(result)}."
    )


def _frequency_sentence(frequency: FrequencyControl, result: Result, evident: bool) -> str:
    explains = (
        ": word frequency may explain the effect"
        if frequency.accounts_for(result.effect)
        else ": it is no longer significant, but half of it or more is left"
        if frequency.explains
        else ": it stays significant"
        if is_significant(frequency.p, result.verdict.alpha)
        else ""
    )
    return (
        f"At equal word frequency {_effect_and_p(result, frequency.effect, frequency.p)}"
        f"{explains * evident} (word scores and log frequency correlate at "
        f"{format_number(frequency.correlation)})."
    )


# The words of a test, a description or a concept, as they are drawn.

Cell = tuple[str, str, float]
"""A word, an attribute and how similar they are."""


def similarity_sentences(
    titles: Mapping[str, str], means: Mapping[tuple[str, str], float], closest: Cell, farthest: Cell
) -> str:
    """Return the mean of each quarter of a table, and the pairs at its ends."""
    quarters = [
        f"{titles.get(target, target.upper())} to {titles.get(to, to.upper())} "
        f"{format_number(mean, 3)}"
        for (target, to), mean in means.items()
    ]
    near, far = (
        f"{word} and {other} ({format_number(at, 3)})" for word, other, at in (closest, farthest)
    )
    return f"Mean similarity: {', '.join(quarters)}. Closest: {near}; farthest: {far}."


def ranked_word_label(word: WordScore) -> str:
    """Return what is known of one word of a description, for its dot."""
    facts = (word.word, word.transliteration, f"“{word.gloss}”" * bool(word.gloss))
    return " · ".join([*(part for part in facts if part), format_number(word.score, 3)])


def ranking_titles(description: Description, *, centred: bool) -> tuple[str, str]:
    """Return what the low and the high end are called: by the lists to which the signs lean.

    A measure that does not declare to which list a sign leans has no names for its ends.
    """
    side = description.described.positive_words if description.described else ""
    if not (centred and side):
        return "Smallest", "Largest"
    lists = {group.role: group.title for group in description.coverage}
    low, high = (lists.get(role, role.upper()) for role in ("ba" if side == "a" else "ab"))
    return f"Lean most to {low}", f"Lean most to {high}"


WORD_KINDS = {
    "listed": "listed as specific",
    "learnt": "classified as specific",
    "neutral": "neutral",
}


def components_sentence(view: ConceptView) -> str:
    """Return what the first component says, in one sentence."""
    first = view.components[0]
    most = format_percent(first.by_chance_high)
    return (
        f"One direction explains {format_percent(first.share)} of the differences within "
        f"{len(view.pairs)} pairs. Within as many random pairs of words it explains "
        f"{format_percent(first.by_chance)} on average, and at most {most} in "
        f"{format_percent(0.975)} of {format_count(view.draws)} draws."
    )


def plane_sentence(view: ConceptView) -> str:
    """Return how well the plane parts specific words from the others."""
    recognised, taught = view.recognised
    return f"The plane: {view.plane}, and {recognised} of the {taught} specific words lie below."


def projected_word_label(word: ProjectedWord, axis: tuple[str, str]) -> str:
    """Return all that is known of one word of a concept, for its dot."""
    facts = [
        word.word,
        word.transliteration,
        f"“{word.gloss}”" * bool(word.gloss),
        f"found as {word.key}" * (word.key != word.word),
        WORD_KINDS[word.kind],
        f"{format_signed(word.x, 3)} towards {axis[0] if word.x > 0 else axis[1]}",
        f"after the change {format_signed(word.x_after, 3)}" if word.x_after is not None else "",
        f"{format_number(abs(word.y))} {'above' if word.y > 0 else 'below'} the plane",
    ]
    return " · ".join(part for part in facts if part)


def correlation_sentence(agreement: Agreement) -> str:
    """Return how far a flat and a curved model agree about the same words."""
    low, high = agreement.interval
    return (
        f"Pearson’s ρ = {format_number(agreement.rho, 3)} ({format_number(low, 3)} to "
        f"{format_number(high, 3)}) over {pluralize(len(agreement.words), 'word')}: "
        f"{agreement.flat_model.name} and {agreement.ball.name}."
    )


def agreeing_word_label(word: WordScore, flat: float, curved: float) -> str:
    """Return how a word leans in flat space and in the ball, for its dot."""
    return f"{word.word} · {format_signed(curved, 3)} in the ball · {format_signed(flat, 3)} flat"
