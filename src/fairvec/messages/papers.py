"""What became of a paper's claims and figures: decisions, grades, notes, models and conventions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from fairvec.core.format import (
    MINUS,
    MOST_DIGITS,
    capitalize_first,
    format_duration,
    format_p,
    format_p_relation,
    format_signed,
    format_signed_digits,
    join_words,
    pluralize,
)
from fairvec.core.text import escape_control
from fairvec.messages.verdicts import excluded_effects
from fairvec.results import Interval
from fairvec.results.identities import ModelIdentity
from fairvec.results.reproduction import ClaimGrade, ClaimLine, Grade, ReproductionRecords

CLAIM_GRADES: dict[ClaimGrade, str] = {
    "holds": "our figures show what the paper finds",
    "fails": "our figures show that it is not so on this model",
    "undecided": "our figures allow both",
    "not tried": "there are no figures; the reason is given",
}
"""Every grade of a claim, and what it says."""

GRADES: tuple[Grade, ...] = get_args(Grade)

GRADE_MEANINGS: dict[Grade, str] = {
    "matched": "the paper's own model under the paper's convention gives the printed figure",
    "differs by convention": "the paper's own model gives it under another convention, named",
    "differs": "the paper's own model gives another figure under every named convention",
    "inconsistent in the paper": "the paper contradicts itself here",
    "in words": "the paper prints no number: read ours beside its words",
    "different model": "computed, but on a model that is not the paper's",
    "your model": "computed, but nothing published tells whether the model is the paper's",
    "skipped": "the model does not know enough of the words",
    "no model": "no model at hand; the note has the command that gets one",
    "no data": "the benchmark is not at hand; the note has the command that gets it",
}


# Why a claim holds, fails or is undecided: a sentence, and the figure as a table shows it.


def join_names(names: Sequence[str]) -> str:
    """Join names with commas; a name that contains a comma is quoted."""
    names = [name.removesuffix(".") for name in names]
    return ", ".join(quote(name) if "," in name else name for name in names)


def quote(name: str) -> str:
    """Return a name in quotation marks."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{name}\N{RIGHT DOUBLE QUOTATION MARK}"


def count_of(names: Sequence[str], of: int) -> str:
    """Return `2 of 5 (E1, E3)`, the names left out where they are all, or none."""
    some = f" ({join_names(names)})" if 0 < len(names) < of else ""
    return f"{len(names)} of {of}{some}"


def leaning_sentence(
    effect: float,
    interval: Interval | None,
    p: float,
    *,
    tests: int,
    as_claimed: bool | None,
    at_most: bool,
    alpha: float,
) -> str:
    """Return which way the words of one test lean, or those of several; None: not clearly."""
    interval_text = (
        f" (95 %: {format_signed(interval.low)} to {format_signed(interval.high)})"
        if interval
        else ""
    )
    p_text = format_p_relation(p, at_most, level=alpha)
    summary = f"{effect_label(effect)}{interval_text}, p {p_text}"
    subject = "The words" if tests == 1 else "Together the tests"
    if as_claimed is None:
        excluded = excluded_effects(interval)
        sentence = f"{subject} do not clearly lean either way: {summary}"
        return f"{sentence}{f'; {excluded}' if excluded else ''}."
    return f"{subject} lean {'as claimed' if as_claimed else 'the other way'}: {summary}."


def effect_label(*effects: float) -> str:
    """Return d +0.50, or d -0.10 to +0.50."""
    return f"d {' to '.join(format_signed(end) for end in dict.fromkeys(effects))}"


def each_sentence(
    along: Sequence[str],
    against: Sequence[str],
    ruled_out: Sequence[str],
    missing: Sequence[str],
    *,
    tests: int,
    effects: tuple[float, float],
    p: float,
    small: float,
    alpha: float,
) -> str:
    """Return how many tests are significant as claimed, and what speaks against the claim."""
    total = tests + len(missing)
    correction = ", corrected over the claim" if tests > 1 else ""
    own_p = f" (p = {format_p(p, level=alpha)})" if total == 1 else ""
    count = f"{count_of(along, total)} significant as claimed{correction}"
    return _sentence(
        capitalize_first(count) + own_p,
        effect_label(*effects),
        f"the other way: {join_names(against)}" if against else "",
        f"an effect of {small} or more is ruled out in {join_names(ruled_out)}"
        if ruled_out
        else "",
        _not_asked(missing),
    )


def greater_sentence(
    larger: int,
    pairs: int,
    difference: float,
    p: float,
    *,
    of_sizes: bool,
    as_claimed: bool | None,
    too_few: str,
    alpha: float,
) -> str:
    """Return in how many pairs a figure is larger as claimed; None: not clearly."""
    noun = "size" if of_sizes else "figure"
    summary = (
        f"the {noun} claimed to be larger is so in {larger} of {pairs} pairs, by "
        f"{format_signed(difference)} on average, p = {format_p(p, level=alpha)}"
    )
    if as_claimed is None:
        return f"Not clear: {summary}{too_few}."
    return f"{'It is so' if as_claimed else 'It is the other way'}: {summary}."


def too_few_pairs(*, differing: bool) -> str:
    """Return that so few pairs, or so few of them that differ, cannot decide."""
    return f"; so few pairs{' that differ' if differing else ''} cannot decide"


def greater_label(larger: int, pairs: int, difference: float) -> str:
    """Return +0.10 (3 of 5)."""
    return f"{format_signed(difference)} ({larger} of {pairs})"


BEFORE_AND_AFTER = ("before", "after")
"""What the two figures are called where they are those of one model and a change of it."""


def change_sentence(
    lead: str,
    before: float,
    after: float,
    difference: Interval | None,
    p: float | None,
    *,
    sides: tuple[str, str],
    is_share: bool,
    at_most: bool,
    alpha: float,
) -> str:
    """Return what became of a figure, after the finding that leads."""
    interval_text = (
        f" (95 %: {format_signed(difference.low)} to {format_signed(difference.high)})"
        if difference
        else ""
    )
    p_text = f", p {format_p_relation(p, at_most, level=alpha)}" if p is not None else ""
    change = f"a {_change_noun(sides)} of {format_signed(after - before)}"
    return (
        f"{lead}: {_figure(before, is_share)} {sides[0]}, {_figure(after, is_share)} {sides[1]}, "
        f"{change}{interval_text}{p_text}."
    )


def change_label(before: float, after: float, *, is_share: bool) -> str:
    """Return +0.50 to +0.10."""
    return f"{_figure(before, is_share)} to {_figure(after, is_share)}"


def _figure(value: float, is_share: bool) -> str:
    return f"{value:.3g}" if is_share else format_signed(value)


def _change_noun(sides: tuple[str, str]) -> str:
    return "change" if sides == BEFORE_AND_AFTER else "difference"


NOT_CLEAR = "Not clear"
TURNED = "It turned around and stayed about as large"


def nothing_lead(sides: tuple[str, str]) -> str:
    """Return that neither figure is worth a word."""
    where = "before and after" if sides == BEFORE_AND_AFTER else "in both"
    return f"Next to nothing {where}"


def nothing_to_change_lead(claimed: str) -> str:
    """Return that there was nothing to be lowered, or raised."""
    return f"Next to nothing to be {claimed}"


def no_change_lead(sides: tuple[str, str], margin: float) -> str:
    """Return that every change that is allowed is within the margin."""
    return f"No {_change_noun(sides)} worth a word (none above {margin:g} is allowed)"


def changed_lead(*, smaller: bool) -> str:
    """Return that a figure is smaller, or larger."""
    return f"It is {'smaller' if smaller else 'larger'}"


def unchanged_sentence(
    within: Sequence[str],
    moved: Sequence[str],
    undecided: Sequence[str],
    missing: Sequence[str],
    *,
    total: int,
    margin: float,
    largest: tuple[str, float, Interval | None],
) -> str:
    """Return how many figures are kept within a margin, and the largest change: name, by, ends."""
    name, change, ends = largest
    span = f", {_format_change(ends.low)} to {_format_change(ends.high)}" if ends else ""
    return _sentence(
        f"{count_of(within, total)} kept within {margin:g}",
        f"moved further: {join_names(moved)}" if moved else "",
        f"open: {join_names(undecided)}" if undecided and len(undecided) < total else "",
        _not_asked(missing),
        f"the {'largest ' if total > 1 else ''}change is {_format_change(change)} ({name}{span})",
    )


def unchanged_label(kept: int, total: int, change: float) -> str:
    """Return 2 of 3 kept, largest change -0.1."""
    return f"{kept} of {total} kept, largest change {_format_change(change)}"


def _format_change(value: float) -> str:
    """Format a change with two digits, and with more where two would show zero."""
    return (
        format_signed(value) if abs(value) >= 0.095 or value == 0 else format_signed_digits(value)
    )


def threshold_sentence(
    passing: Sequence[str],
    failing: Sequence[str],
    without_interval: Sequence[str],
    missing: Sequence[str],
    *,
    total: int,
    limit: float,
    is_minimum: bool,
    nearest: tuple[str, float, Interval | None],
) -> str:
    """Return how many figures are on the right side of a limit, and the one nearest to it."""
    name, value, interval = nearest
    side = "at least" if is_minimum else "at most"
    ends = (interval.low, interval.high) if interval else ()
    span = f" ({' to '.join(near_limit(end, limit) for end in ends)})" if ends else ""
    text = near_limit(value, limit)
    several = (
        f"{count_of(passing, total)} {side} {limit:g}",
        f"the {'smallest' if is_minimum else 'largest'} is {text}{span} ({name})",
        f"on the wrong side: {join_names(failing)}" if failing else "",
    )
    return _sentence(
        *((f"{text}{span}, against {side} {limit:g}",) if total == 1 else several),
        _not_asked(missing),
        _unknown_uncertainty(without_interval, total),
    )


def near_limit(value: float, limit: float, digits: int = 3) -> str:
    """Format a number with three digits, and with more where three cross the limit."""
    text = f"{value:.{digits}g}"
    crosses = _sign(float(text) - limit) != _sign(value - limit)
    if digits < MOST_DIGITS and crosses:
        return near_limit(value, limit, digits + 1)
    return text.replace("-", MINUS)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _unknown_uncertainty(without_interval: Sequence[str], total: int) -> str:
    if not without_interval:
        return ""
    if len(without_interval) == total:
        return "by the number alone, no uncertainty is known"
    return f"no uncertainty is known of {join_names(without_interval)}"


def _not_asked(missing: Sequence[str]) -> str:
    return f"not asked: {join_names(missing)}" if missing else ""


def _sentence(*parts: str) -> str:
    return f"{'; '.join(part for part in parts if part)}."


# By the paper's own rule.

OUR_RULE: dict[str, str] = {
    "leans": "ours is two-sided, and pools several tests over all their words",
    "each": "ours is two-sided and corrected over the tests of the claim",
    "greater": "ours asks whether so many pairs could differ so by chance",
    "lowered": "ours asks whether chance could change as much, and if there was a bias to lower",
    "raised": "ours asks whether chance could change as much",
    "kept": "ours asks that the intervals of the changes are within the margin",
    "threshold": "ours asks for the interval of each figure",
}
"""In what our rule differs from a paper's, by the kind of test."""

LARGER_AS_CLAIMED = "larger as claimed"


def moved_at_most(margin: float) -> str:
    """Return how far figures may have moved."""
    return f"moved by {margin:g} at the most"


def all_of_sentence(names: Sequence[str], total: int, what: str) -> str:
    """Return of how many figures something is so."""
    return f"{count_of(names, total)} {what}."


def with_missing(sentence: str, missing: Sequence[str]) -> str:
    """Return a sentence with the names of what was not asked."""
    return f"{sentence.removesuffix('.')}; {_not_asked(missing)}."


def paper_p_sentence(
    significant: Sequence[str],
    tests: int,
    effects: tuple[float, float],
    p: float | None,
    alpha: float,
) -> str:
    """Return how many tests are below the paper's level; where it prints no p, as claimed."""
    label = effect_label(*effects)
    if tests > 1:
        what = f"below {alpha:g}" if p is not None else "with the sign claimed"
        return f"{count_of(significant, tests)} {what}, {label}."
    return f"{label}." if p is None else f"{label}, p = {format_p(p, level=alpha)}."


def mean_size_sentence(before: float, after: float, figures: int) -> str:
    """Return the mean size before and after."""
    return f"{'mean ' if figures > 1 else ''}size {before:.3g} before, {after:.3g} after."


# The claims of a page.

CLAIM_TITLE = "Does what the paper finds hold here?"
CLAIM_CONVENTION = (
    "Claims are answered by fairvec's default convention: caliskan effect size, p two-sided, exact "
    "wherever the lists allow, whole models debiased. A stand-in answers for itself and not for "
    "the paper's model. Each claim is decided alone, at 0.05. The paper's own rule is its own "
    "convention without correction or interval: signs, its p, and figures as they are."
)
PAPERS_OWN = " (the paper's own)"
_VERBS = {"holds": "holds", "fails": "fails", "undecided": "is undecided"}


def claim_sentences(records: ReproductionRecords, *, quoting: bool = False) -> Iterator[str]:
    """Yield a sentence on each answer: the grade, why, by which test and over how many of what.

    With `quoting` also where the paper says so, in its own words, and how that became a test.
    """
    for claim in records.claims:
        sentence = (
            f"{capitalize_first(claim.grade)} on {format_models(claim)}. "
            f"{claim.sentence}{_method_sentence(claim)}{_paper_rule_sentence(claim)}"
        )
        if claim.grade == "not tried":
            sentence = f"Not tried. {claim.sentence}"
        source = f" ({claim.where}{f': {quote(claim.quote)}' if claim.quote else ''})"
        yield escape_control(
            f"{sentence}{source} {claim.reading}".strip() if quoting else sentence, but=""
        )


def _paper_rule_sentence(claim: ClaimLine) -> str:
    """Say what the paper's rule makes of it, and, where the two differ, why."""
    by_paper = claim.by_paper
    if by_paper.grade == "not tried":
        return f" By the paper's rule: not tried. {by_paper.sentence}"
    rule = OUR_RULE.get(claim.test, "") if by_paper.grade != claim.grade else ""
    reason = f"; {rule}" if rule else ""
    sentence = f" By the paper's rule it {_VERBS[by_paper.grade]}{reason}: {by_paper.sentence}"
    if claim.printed and claim.printed.grade == "fails":
        sentence += f" The printed figures do not show it: {claim.printed.sentence}"
    return sentence


def _method_sentence(claim: ClaimLine) -> str:
    if claim.n is None:
        return ""
    unit = claim.unit if claim.n != 1 else claim.unit.removesuffix("s")
    return f" Test: {claim.how}; {claim.n:,} {unit}."


def format_models(claim: ClaimLine) -> str:
    """Name the models that answer, and say whether the paper measured them."""
    if not claim.models:
        return "no model"
    return f"{', '.join(claim.models)}{PAPERS_OWN if claim.papers_own_model else ''}"


def claim_summary(records: ReproductionRecords) -> str:
    """Count the answers by grade."""
    ours, papers = (
        ", ".join(f"{counts[grade]} {grade}" for grade in CLAIM_GRADES if counts[grade])
        for counts in (
            Counter(claim.grade for claim in records.claims),
            Counter(claim.by_paper.grade for claim in records.claims),
        )
    )
    return f"{ours}; by the paper's own rule {papers}"


def grade_counts(records: ReproductionRecords) -> str:
    """Count the figures by grade."""
    counts = Counter(figure.grade for figure in records.figures)
    return ", ".join(f"{counts[grade]} {grade}" for grade in GRADES if counts[grade])


# The models.

TRAINING_SETTINGS = ("words", "window", "min_count", "most_words", "epochs", "seed")
"""Settings of a training that are shown beside its kind and its text."""


def model_lines(records: ReproductionRecords) -> list[str]:
    """Name the models measured and their roles."""
    pairs = dict.fromkeys((figure.role, figure.model) for figure in records.figures)
    # Figures that are no test (readings of a table, completed analogies) leave no identity.
    described = {model.name: f" ({_describe_model(model)})" for model in records.head.models}
    lines = (f"{role}: {model}{described.get(model, '')}" for role, model in pairs if model)
    return [escape_control(line, but="") for line in lines]


def _describe_model(model: ModelIdentity) -> str:
    """Say how large a model is, where its vectors live and how it was trained, if that is known.

    Of an encoder: how it is read.
    """
    dimensions = f"{model.dimensions} dimensions"
    if model.encoder is not None:
        return f"encoder, {dimensions}: {', '.join(f'{k} {v}' for k, v in model.encoder.items())}"
    space = f"{model.words:,} words, {dimensions}, {model.geometry}"
    return "; ".join(filter(None, (space, describe_training(model))))


def describe_training(model: ModelIdentity) -> str:
    """Describe how fairvec trained a model and on what text, with its hash; empty if it did not.

    A history is read from a file, which may have been written by anything: what it does not say is
    left out.
    """
    step = next((step for step in model.history if step.get("action") == "trained"), None)
    if step is None:
        return ""
    known = {name: step[name] for name in TRAINING_SETTINGS if step.get(name) is not None}
    settings = [f"{name.replace('_', ' ')} {value}" for name, value in known.items()]
    hashed = f" (SHA-256 {step['corpus_sha256']})" if step.get("corpus_sha256") else ""
    text = f" on {_format_corpus(step['corpus'])}{hashed}" if step.get("corpus") else ""
    return ", ".join([f"trained with fairvec as {step.get('by', 'another kind')}{text}", *settings])


def _format_corpus(corpus: Any) -> str:
    return " + ".join(map(str, corpus)) if isinstance(corpus, list | tuple) else str(corpus)


# Notes on printed figures.


def other_unit_note(d: str, p: str, fitting: str, unit: str) -> str:
    """Return that a printed d and p fit if other things had been permuted."""
    return (
        f"d = {d} and p = {p} belong together if {fitting} were permuted, not if {unit} were "
        "(normal approximation)."
    )


def mismatch_note(d: str, p: str, expected: dict[str, float]) -> str:
    """Return which p would go with a printed d, by what is permuted."""
    texts = " or ".join(
        f"{format_p(value)}{f' by {unit}' if len(expected) > 1 else ''}"
        for unit, value in expected.items()
    )
    return f"d = {d} goes with p near {texts} (normal approximation), not with {p}."


def printed_note(quantity: str, printed: Sequence[tuple[str, str]]) -> str:
    """Return the texts that a paper prints of one figure, each with its place."""
    places = ", ".join(f"{text} in {label}" for label, text in printed)
    return f"The paper prints {quantity} = {places}."


def made_of_note(first: str, second: str) -> str:
    """Return which two figures a third is made of."""
    return f"Made of {first} and of {second}."


def matched_under_note(subject: str, conventions: str) -> str:
    """Return the convention under which a figure is matched."""
    return f"{subject} is matched under: {conventions}."


# Whose place a model takes, and what it lacks.

FROM_HISTORY = {
    "trained": "it was trained with fairvec",
    "subset": "it was cut to some words",
    "distil": "it was distilled from an encoder",
    "debias": "it was debiased with fairvec",
}
"""What in a model's history shows that it is not the paper's own, by the step."""


def unverified_reason(title: str) -> str:
    """Return that nothing published tells whether a model is the paper's own."""
    return (
        f"is your model in the place of {title}: nothing that is published tells whether it "
        "is the paper's own, so that its figures neither confirm the paper's nor contradict them."
    )


def identified_note(model: str, by: str) -> str:
    """Return by what a model is known as the paper's own."""
    return f"{model} is taken for the paper's own by {by}."


def found_words_note(model: str, found: int, wanted: int, test: str) -> str:
    """Return how many words of a test a model has."""
    return f"{model} has {found} of the {wanted} words of {test}."


def benchmark_items_note(model: str, found: int, wanted: int, title: str) -> str:
    """Return how many items of a benchmark a model was asked."""
    return f"{model} was asked {found:,} of the {wanted:,} {title}."


def inexact_p_note(model: str, *, certified: bool) -> str:
    """Return how a p is known that is not exact."""
    how = "a proven upper bound" if certified else "sampled"
    return f"p on {model} is {how}, not exact."


def absent_model_note(title: str, remedies: Sequence[str]) -> str:
    """Return that no model plays a role, and what helps; empty remedies are none."""
    return f"{title}: not at hand; {'; or '.join(filter(None, remedies))}"


def how_to_train(paper: str) -> str:
    """Return the command that trains a stand-in."""
    return f"train a stand-in: fairvec reproduce {paper} --train-stand-ins FOLDER"


def absent_benchmark_note(name: str, *, published: bool) -> str:
    """Return that a benchmark is not on this machine, and how to get it."""
    if published:
        return (
            f"The benchmark {name} is not at hand; run: fairvec benchmarks get {name}, or point "
            "FAIRVEC_DATA to a folder that has it."
        )
    return (
        f"The benchmark {name} is not at hand, and nobody publishes its file; point "
        "FAIRVEC_DATA to a folder that has it."
    )


def moved_words_note(model: str, words: int, default: str, published: str) -> str:
    """Return how many words a debiasing moves, by default and as published."""
    return (
        f"Of the {words:,} words of {model} there move, by default, {default}; as published, "
        f"{published}."
    )


def best_answers_note(model: str, answers: Sequence[str]) -> str:
    """Return the best answers of a model to an analogy."""
    return f"The best answers of {model}: {', '.join(answers)}."


def training_sentences(
    trainings: Sequence[tuple[str, str, str, int, float]], kept: Sequence[str], folder: str
) -> list[str]:
    """Return what is trained before it is, and about how long that takes on one core.

    A training is a name, what it is, the model whose place it takes, its words and seconds.
    """
    lines = []
    if trainings:
        seconds = sum(training[-1] for training in trainings)
        lines.append(
            f"{pluralize(len(trainings), 'stand-in')} will be trained and kept in {folder}, which "
            f"takes about {format_duration(seconds)} on one core:"
        )
    lines += [
        f"  {name} ({what}; {words / 1e6:.1f} million words) for {title}: about "
        f"{format_duration(seconds)}"
        for name, what, title, words, seconds in trainings
    ]
    if kept:
        are = "is" if len(kept) == 1 else "are"
        lines.append(f"{join_words(kept)} {are} kept in {folder} and not trained again.")
    return lines or ["Every role has a model; nothing is trained."]


def recipe_description(model: str, dimensions: int, window: int, words: str) -> str:
    """Return a kind of model and its settings, as in `cbow, 300 dimensions, window 20, lemmas`."""
    of_words = "" if words == "plain" else f", {words}"
    return f"{model}, {dimensions} dimensions, window {window}{of_words}"


def no_text_note(models: Sequence[str], roles: Sequence[str]) -> str:
    """Return which stand-ins are not trained for want of their text."""
    return (
        f"The text of {join_words(models)} is not at hand: point FAIRVEC_DATA to a folder that has "
        f"it, or name another with --corpus {roles[0]}=FILE."
    )


def training_label(model: str, count: int, reviews: str) -> str:
    """Return what progress says while networks are trained on reviews."""
    return f"{model}: training {pluralize(count, 'LSTM')} side by side on {reviews}"


def chosen_t_note(t: float, model: str, similarity: str, published: float) -> str:
    """Return how t was chosen, beside the paper's."""
    by = f" by {similarity}" if similarity else ""
    return (
        f"t = {t:g} on {model}{by}, chosen by two-fold cross-validation on "
        f"the definition pairs of SemBias; the paper has {published:g}."
    )


def published_t_note(t: float, reason: str) -> str:
    """Return why t is the paper's."""
    return f"t = {t:g}, as published: {reason}"


def conventions_sentence(
    effect_size: str, sides: str, ties: str, splits: tuple[int | None, int | None], note: str
) -> str:
    """Return how a paper computed its figures, and how fairvec does.

    `splits` are those that the paper draws at random, and those of its code where they differ.
    """
    drawn, in_code = splits
    text = f" (the paper drew {drawn:,} random splits)" if drawn else ""
    if drawn and in_code:
        text = (
            f" (the paper's text says {drawn:,} random splits, its authors' code draws {in_code:,})"
        )
    of_sides = "two-sided" if sides == "two" else f"one-sided ({sides})"
    return (
        f"Ours is computed the paper's way: {effect_size} effect size, p {of_sides}, ties "
        f"counted by {ties}{text}. The default is fairvec's: caliskan effect size, p "
        "two-sided, ties counted by >=. Both p are exact wherever the lists allow. "
        f"{note}"
    )
