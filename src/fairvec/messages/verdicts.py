"""The sentence, label and style of one test's verdict, and which effects fit its data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from fairvec.core.format import (
    format_count,
    format_p,
    format_p_bound,
    format_p_bounds,
    format_p_relation,
    format_power_of_ten,
    format_signed,
    group_by,
    join_words,
    pluralize,
)
from fairvec.messages.figures import effect_symbol, format_plain_effect, is_difference
from fairvec.results import Interval, Outcome, PValue, Result, Skipped
from fairvec.results.identities import ModelIdentity, TestIdentity
from fairvec.results.records import CategoryAnswer
from fairvec.results.verdicts import BOUNDS, FrequencyControl, Robustness
from fairvec.stats.values import is_sampling_floor


@dataclass(frozen=True, eq=False)
class PageEntry:
    """One outcome and its address in the page."""

    address: str
    outcome: Outcome

    @property
    def result(self) -> Result | None:
        """The outcome if the test was measured, None if it was skipped."""
        return self.outcome if isinstance(self.outcome, Result) else None

    @property
    def skipped(self) -> Skipped | None:
        """The outcome if the test was skipped."""
        return self.outcome if isinstance(self.outcome, Skipped) else None


VERDICT_LABELS = {
    "biased": "Biased",
    "associated": "Associated",
    "mixed": "Mixed",
    "inconclusive": "Inconclusive",
    "no-evidence": "No evidence",
    "too-few-words": "Too few words",
    "no-verdict": "No verdict",
    "described": "Described",
    "skipped": "Skipped",
}

SHADE_BOUNDS = (*BOUNDS, 1.2, 1.6)
"""Where each deeper colour begins: Cohen's bounds, and two more, because d reaches 2."""

_UNDECIDED = ("skipped", "too-few-words", "no-verdict")
_GEOMETRIES = {"euclidean": "flat (Euclidean)", "poincare": "Poincaré ball"}

_OTHER_KINDS = {
    "baseline": "Sanity checks passed (harmless baseline associations)",
    "meaningful-encoding": "Meaningful encodings found",
}
_SIDES = {"two": "two-sided", "greater": "one-sided (greater)", "less": "one-sided (less)"}


def geometry_name(geometry: str) -> str:
    """Return a geometry in words; `poincare-x50` is a product of fifty balls."""
    base, _, balls = geometry.partition("-x")
    return f"{balls} Poincaré balls" if balls else _GEOMETRIES.get(base, base)


def model_noun(models: Sequence[ModelIdentity]) -> str:
    """Return the noun for these models: embedding, encoder, or model if they are of both kinds."""
    encoders = [model.encoder is not None for model in models]
    return "encoder" if all(encoders) else "model" if any(encoders) else "embedding"


def verdict_kind(outcome: Outcome) -> str:
    """Return the kind of answer: a key of VERDICTS."""
    return outcome.verdict.kind if isinstance(outcome, Result) else outcome.status


def is_evidence(result: Result) -> bool:
    """Return whether the verdict rests on evidence."""
    return result.verdict.is_claimed


def is_robust(result: Result) -> bool:
    """Return whether the evidence held with other words, as far as they were tried."""
    return result.robustness is None or result.robustness.holds in (None, "firm")


def test_style(test: TestIdentity) -> str:
    """Return the CSS class of a test: none for a bias test, else harmless."""
    return "" if test.kind == "bias" else "harmless"


def effect_shade(record: Result | CategoryAnswer) -> str:
    """Return the CSS class of a cell's shade; a difference of probabilities has no such bounds."""
    if is_difference(record):
        return f"step-{len(SHADE_BOUNDS) // 2 + 1}"
    return f"step-{1 + sum(abs(record.effect) >= bound for bound in SHADE_BOUNDS)}"


def direction(effect: float) -> str:
    """Return which way an effect points."""
    return "positive" if effect > 0 else "negative" if effect < 0 else "none"


def p_label(result: Result) -> str:
    """Return the name of the p behind the verdict; "two-sided p" if the reported one differs."""
    return "p" if (result.p.sides, result.p.ties) == ("two", ">=") else "two-sided p"


def p_method(p: PValue, what: str = "regroupings") -> str:
    """Return how a p-value was obtained, by counting what."""
    count = (
        format_power_of_ten(p.log10_partitions)
        if p.partitions is None
        else format_count(p.partitions)
    )
    regroupings = f"{count} {what}"
    methods = {
        "exact": f"exact over {regroupings}",
        "certified": f"certified between {format_p_bounds(p.low, p.high)}, over {regroupings}",
        "sampled": f"sampled, {format_count(p.samples or 0)} draws from {regroupings}",
    }
    error = (
        f", Monte Carlo error {format_p(p.standard_error)}"
        if p.method == "sampled" and p.standard_error is not None
        else ""
    )
    return f"{_SIDES[p.sides]}, {methods[p.method]}{error}"


def smallest_p(p: PValue) -> str:
    """Return the smallest p that the lists can give, also where no float is as small."""
    too_small = p.smallest == 0 and p.ties == ">="
    return f"below {format_power_of_ten(-300)}" if too_small else format_p(p.smallest)


def model_summary(entries: Iterable[PageEntry]) -> list[str]:
    """Return one model's answers in a few sentences: bias first, then what was not found."""
    entries = list(entries)
    categories = group_by(
        (entry for entry in entries if entry.outcome.test.kind == "bias"),
        lambda entry: entry.outcome.test.category,
    )
    biased, inconclusive, no_evidence, unanswered = [], [], [], []
    for category, members in categories.items():
        kinds = [verdict_kind(member.outcome) for member in members]
        decided = len(kinds) - sum(map(_UNDECIDED.__contains__, kinds))
        if found := kinds.count("biased"):
            biased.append(f"{category} ({found} of {pluralize(decided, 'test')})")
        elif undecided := kinds.count("inconclusive"):
            inconclusive.append(f"{category} ({undecided} of {pluralize(decided, 'test')})")
        elif decided:
            no_evidence.append(f"{category} ({pluralize(decided, 'test')})")
        else:
            unanswered.append(category)
    others = group_by(
        (entry.outcome for entry in entries if entry.outcome.test.kind != "bias"),
        lambda outcome: outcome.test.kind,
    )
    sentences = [
        biased and f"Biased in {join_words(biased)}.",
        inconclusive and f"Inconclusive for {join_words(inconclusive)}.",
        no_evidence and f"No evidence of bias for {join_words(no_evidence)}.",
        unanswered
        and f"No answer for {join_words(unanswered)} (skipped, too few words or no verdict).",
        *(_other_kind_sentence(kind, members) for kind, members in others.items()),
    ]
    return [sentence for sentence in sentences if sentence]


def _other_kind_sentence(kind: str, outcomes: Sequence[Outcome]) -> str:
    """Return how many expected associations were found; without any, no evidence means little."""
    kinds = [verdict_kind(outcome) for outcome in outcomes]
    decided = len(kinds) - sum(map(_UNDECIDED.__contains__, kinds))
    found = kinds.count("associated")
    label = _OTHER_KINDS.get(kind, kind)
    if not decided:
        return f"{label}: no answer."
    if kind == "baseline" and not found:
        checks = {1: "its only sanity check", 2: "both sanity checks"}.get(
            decided, f"all {decided} sanity checks"
        )
        return (
            f"Failed {checks} (harmless baseline associations), so “no evidence” elsewhere means "
            "little."
        )
    return f"{label}: {found} of {decided}."


def tally(entries: Iterable[PageEntry]) -> str:
    """Return one category's answers in one line."""
    kinds = [verdict_kind(entry.outcome) for entry in entries]
    parts = [
        f"{kinds.count(kind)} {name.lower()}"
        for kind, name in VERDICT_LABELS.items()
        if kind in kinds
    ]
    return f"{pluralize(len(kinds), 'test')}: {', '.join(parts)}"


def outcome_line(outcome: Result | Skipped) -> str:
    """Return one outcome in one line, the tooltip of its dot."""
    parts = [f"{outcome.model.name}, {outcome.test.title}"]
    if isinstance(outcome, Skipped):
        return " · ".join([*parts, f"Skipped: {outcome.reason}"])
    verdict = outcome.verdict
    parts += [
        f"{effect_symbol(outcome)} = {format_plain_effect(outcome, outcome.effect)}",
        p_figures(outcome),
        verdict.sentence,
    ]
    return " · ".join(parts)


def p_figures(result: Result) -> str:
    """Return p = 0.031, corrected 0.062: the p behind a verdict, alone and corrected."""
    verdict, floor = result.verdict, is_sampling_floor(result.p, result.verdict.p)
    corrected = verdict.p_holm
    holm = "" if corrected is None else f", corrected {format_p_bound(corrected, floor)}"
    return f"{p_label(result)} {format_p_relation(verdict.p, floor)}{holm}"


def format_own_p(outcome: Result | CategoryAnswer) -> str:
    """Return a p as a number, with ≤ before it where it is the smallest that draws give."""
    return format_p_bound(outcome.p.value, is_sampling_floor(outcome.p))


def format_corrected_p(outcome: Result | CategoryAnswer, p: float | None) -> str:
    """Return a corrected p, a bound where the p alone is one; nothing where there is none."""
    return "" if p is None else format_p_bound(p, is_sampling_floor(outcome.p))


# The sentence of one test.

_OPENING = {"bias": "Biased", "meaningful-encoding": "Encoded", "baseline": "Associated"}


def claim_sentence(
    test_kind: str, meaning: str, *, size: str = "", both_lean_to: str = "", shared: int = 0
) -> str:
    """Return what a significant effect says of a test.

    `size` is the size of a standardised effect in a word. An effect is relative, so both lists may
    lean to one side (`both_lean_to`), and `shared` target words may be attributes of the side that
    they are claimed to lean to.
    """
    both = f" (both lists lean to {both_lean_to})" if both_lean_to else ""
    of_size = f", a {size} effect" if size else ""
    return f"{_OPENING[test_kind]}{of_size}: {meaning}{both}{_shared_clause(shared)}."


def _shared_clause(shared: int) -> str:
    if not shared:
        return ""
    words = "1 target word is" if shared == 1 else f"{shared} target words are"
    return (
        f"; but {words} also in the list of attributes on that side, which inflates the effect, "
        "because a word is most similar to itself"
    )


def doubt_sentence(doubt: str) -> str:
    """Return why a test has no verdict."""
    return f"No verdict: {doubt}"


def inconclusive_sentence(
    p: PValue, alpha: float, family: str, interval: Interval | None, detectable: float | None
) -> str:
    """Return that a test is significant on its own, and not after correction over its family."""
    p_text = format_p_relation(p.value, is_sampling_floor(p), level=alpha)
    fitting = f"; {fitting_effects(interval)}{_of_interval(interval)}" if interval else ""
    return (
        f"Inconclusive: significant on its own (p {p_text}), not after correcting for the "
        f"{family}{fitting}{_power_clause(detectable)}."
    )


SAME_WORDS = (
    "No evidence: both lists were found as the same words, so that they cannot differ in any model."
)


def no_evidence_sentence(
    interval: Interval | None, detectable: float | None, *, standardised: bool
) -> str:
    """Return that there is no evidence, which effects fit the data, and what would be found."""
    power = _power_clause(detectable)
    if interval is None:
        return f"No evidence{power}."
    if standardised and is_wide(interval):
        fits = f"but too few words to tell: {any_effect_fits(interval)}"
        return f"No evidence, {fits}{_of_interval(interval)}{power}."
    return f"No evidence: {fitting_effects(interval)}{_of_interval(interval)}{power}."


def _of_interval(interval: Interval) -> str:
    return f" ({interval_level(interval)} interval)"


def _power_clause(detectable: float | None) -> str:
    if detectable is None:
        return ""
    return f"; these lists have 80 % power only for effects of {detectable:.2f} or more"


def too_few_words_sentence(smallest: float, alpha: float, candidates: int, family: str) -> str:
    """Return why lists so short cannot be significant, alone or among the tests of their family."""
    limit = (
        f"above {alpha:g}"
        if candidates == 1
        else f"too large to be significant at {alpha:g} among the {candidates} {family}"
    )
    return (
        f"Too few words: the smallest p that these lists can give is "
        f"{format_p(smallest, level=alpha)}, {limit}."
    )


EQUALISED = (
    "That follows from the method: equalising placed all words of both attribute lists, so that in "
    "any model a neutral word is equally far from both words of an equality pair. It says nothing "
    "about the bias that is left; hold out the words of the tests, or fit on a variant that shares "
    "no word with them."
)
"""Why a test of words that a method made equally near has no effect, behind that it has none."""


# The verdict over pairs, whose sides might as well be swapped; `note` says what else bears on it.


def too_few_pairs_sentence(
    pairs: int, alpha: float, candidates: int, family: str, note: str = "", what: str = "pairs"
) -> str:
    """Return why so few pairs cannot be significant, alone or among the tests of their family."""
    limit = (
        f"above {alpha:g}"
        if candidates == 1
        else f"too large to be significant at {alpha:g} among {candidates} {family}"
    )
    return (
        f"Too few {what}: even if all {pairs} pointed the same way, p would be "
        f"{format_p(2 / 2**pairs, level=alpha)}, {limit}{note}."
    )


def biased_pairs_sentence(meaning: str, note: str = "") -> str:
    """Return what a significant difference says."""
    return f"Biased: {meaning}{note}."


def inconclusive_pairs_sentence(
    p: float, alpha: float, family: str, detectable: str, note: str = "", what: str = "pairs"
) -> str:
    """Return that a difference is significant on its own, and not after correction."""
    return (
        f"Inconclusive: significant on its own (p = {format_p(p, level=alpha)}), not after "
        f"correcting for the {family}{_detectable_by_pairs(detectable, what)}{note}."
    )


def no_difference_sentence(detectable: str, note: str = "", what: str = "pairs") -> str:
    """Return that there is no evidence of a difference."""
    return f"No evidence{_detectable_by_pairs(detectable, what)}{note}."


def _detectable_by_pairs(detectable: str, what: str) -> str:
    return f"; these {what} have 80 % power only for {detectable} or more" * bool(detectable)


# Whether it holds with other words: clauses that end the sentence of a claimed effect.


def with_clause(sentence: str, clause: str) -> str:
    """Return the sentence of a claimed effect with a clause at its end."""
    return f"{sentence.removesuffix('.')}; {clause}."


def doubts_clause(doubts: Iterable[str]) -> str:
    """Return all reasons to doubt an effect."""
    return f"but {', and '.join(doubts)}"


def firm_clause(effect: float, robustness: Robustness) -> str:
    """Return that an effect holds with shorter lists, and how many other lists agree."""
    agreeing = sum(swap.effect * effect > 0 for swap in robustness.swaps)
    others = f", and {agreeing} of {_other_lists_agree(robustness)}"
    share = _percent(robustness.significant)
    return (
        f"with shorter lists it is significant in {share} of draws{others * bool(robustness.swaps)}"
    )


def fragile_doubt(why: str) -> str:
    """Return that an effect depends on the words taken, and how that shows."""
    return f"it depends on the choice of words: {why}"


def reversing_lists(sources: Iterable[str]) -> str:
    """Return the tests whose lists turn the effect round."""
    return f"its sign changes with the lists of {', '.join(sources)}"


def few_lists_agree(agreeing: int, robustness: Robustness) -> str:
    """Return how few other lists agree in sign."""
    return f"only {agreeing} of {_other_lists_agree(robustness)}"


def sign_kept_share(robustness: Robustness) -> str:
    """Return in how few shorter lists the sign is kept."""
    return f"only {_percent(robustness.same_sign)} of shorter lists give the same sign"


def thin_doubt(robustness: Robustness) -> str:
    """Return that few shorter lists show the effect."""
    return f"the evidence is thin: {significant_share(robustness)}"


def significant_share(robustness: Robustness) -> str:
    """Return the share of shorter lists that is significant, and the share to be expected."""
    share = f"it is significant in only {_percent(robustness.significant)} of shorter lists"
    if robustness.expected is None:
        return f"{share}, but lists so short cannot show much"
    expected = _percent(round(robustness.expected, 2))
    return f"{share}; about {expected} would be expected if every word contributed equally"


def frequency_doubt(effect: float, control: FrequencyControl) -> str:
    """Return that word frequency may explain the effect."""
    share_left = _share_left(effect, control)
    remainder = (
        f"{_percent(share_left)} of the effect is left"
        if share_left > 0
        else "it has the other sign"
        if share_left < 0
        else "none of the effect is left"
    )
    return f"word frequency may explain it (at equal frequency {remainder})"


def lost_evidence(effect: float, control: FrequencyControl) -> str:
    """Return that at equal frequency the evidence is lost and the effect is not."""
    return (
        f"at equal word frequency it is no longer significant (p = {format_p(control.p)}), "
        f"although {_percent(_share_left(effect, control))} of the effect is left"
    )


def _other_lists_agree(robustness: Robustness) -> str:
    noun = ("other published list gives", "other published lists give")
    return f"{pluralize(len(robustness.swaps), *noun)} the same sign"


def _share_left(effect: float, control: FrequencyControl) -> float:
    return round(control.effect / effect, 2) if effect else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


WIDE = BOUNDS[-1]
"""An interval that reaches a large effect is so wide that it leaves the question open."""


def is_wide(interval: Interval) -> bool:
    """Return whether an interval of effect sizes reaches a large effect in either direction."""
    return interval.low <= -WIDE or interval.high >= WIDE


def fitting_effects(interval: Interval) -> str:
    """Return "effects from −0.41 to +0.63 fit the data"."""
    return f"effects {_range_of(interval)} fit the data"


def any_effect_fits(interval: Interval) -> str:
    """Return "anything from −0.7 to +1.6 fits the data", of an interval that is wide."""
    return f"anything {_range_of(interval)} fits the data"


def _range_of(interval: Interval) -> str:
    digits = 2 if max(abs(interval.low), abs(interval.high)) >= _LEAST_WITH_TWO_DIGITS else 3
    low, high = (format_signed(end, digits) for end in (interval.low, interval.high))
    return f"from {low} to {high}"


def interval_level(interval: Interval) -> str:
    """Return 95 %."""
    return f"{100 * interval.level:.4g} %"


_LEAST_WITH_TWO_DIGITS = 0.1
MINUS = "\N{MINUS SIGN}"


def excluded_effects(interval: Interval | None, reach: tuple[float, float] = (-inf, inf)) -> str:
    """Return "effects above +0.63 and below −0.41 are ruled out (95 %)"; nothing if none is.

    `Interval.rules_out` says which they are.
    """
    if interval is None:
        return ""
    below, above = interval.rules_out(reach)
    sides = [
        "" if above is None else f"above +{above:.2f}",
        "" if below is None else f"below {MINUS}{-below:.2f}",
    ]
    named = " and ".join(side for side in sides if side)
    return f"effects {named} are ruled out ({100 * interval.level:.4g} %)" if named else ""
