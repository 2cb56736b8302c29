"""What a change did to each figure: its label, its line, and the sentence of a table of changes."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from fairvec.core.format import (
    capitalize_first,
    format_number,
    format_p,
    format_p_bound,
    format_p_relation,
    format_percent,
    format_scientific,
    format_signed,
    group_by,
    is_significant,
    join_words,
    pluralize,
)
from fairvec.messages.figures import format_effect, is_difference
from fairvec.results import Interval, Outcome, PairedP, Skipped
from fairvec.results.identities import ModelIdentity
from fairvec.results.records import CATEGORY, EFFECTS, CategoryAnswer, Change, Description
from fairvec.results.verdicts import CHANGE_WORDS, HARMFUL, ChangeKind
from fairvec.stats.values import is_sampling_floor

GROUP_TITLES = {
    CATEGORY: "Categories of bias",
    "bias": "Bias",
    "bias-in-a-task": "Bias in a task (differences of probabilities)",
    "meaningful-encoding": "Meaningful encoding (information retention)",
    "baseline": "Harmless baselines",
}
"""The groups of suites' tests, in their order; those of benchmarks follow in theirs."""

_LABELS: dict[str, str] = {**{kind: kind.upper() for kind in HARMFUL}, **CHANGE_WORDS}
_LABELS_OF_ENCODINGS = {
    "removed": "lost",
    "reduced": "weakened",
    "unchanged": "kept",
    "increased": "strengthened",
    "introduced": "gained",
}
_LABELS_OF_UNWANTED = {"lost": "fewer", "gained": "more", "kept": "the same"}
_NEUTRAL_KINDS: tuple[ChangeKind, ...] = ("reduced", "unchanged", "not-shown", "increased")


@dataclass(frozen=True, eq=False)
class BeforeAfter:
    """One embedding before and after a change."""

    before: str
    after: str
    groups: dict[str, list[Change]]
    movement: tuple[Description, ...]
    unknown: tuple[Skipped, ...]
    meanings: dict[tuple[str, str], str]
    steadiness: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two models; two of one name are distinguished by the change."""
        if self.before != self.after:
            return self.before, self.after
        return f"{self.before} before the change", f"{self.after} after it"

    @property
    def title(self) -> str:
        """The two in one line."""
        same = self.before == self.after
        return f"{self.before}, before and after" if same else f"{self.before} → {self.after}"

    def meaning(self, change: Change) -> str:
        """What a figure of usefulness measures, with its settings."""
        return self.meanings.get((change.metric, change.test.id), "")

    def test_label(self, change: Change) -> str:
        """The id of the test, and the metric where several measured the same test."""
        metrics = {
            other.metric for other in self.groups[_group_of(change)] if other.test == change.test
        }
        return change.test.id + (f" by {change.metric}" if len(metrics) > 1 else "")

    @property
    def has_effect_sizes(self) -> bool:
        """Whether anything in the table is drawn on the axis of effect sizes."""
        return any(kind in self.groups for kind in EFFECTS)

    @property
    def headlines(self) -> tuple[tuple[str, str], ...]:
        """One sentence a category, its finding and what follows: see category_headline."""
        categories = self.groups.get(CATEGORY, [])
        languages = len({change.test.language for change in categories}) > 1
        metrics = len({change.metric for change in categories}) > 1
        lines = []
        for change in categories:
            details = [change.test.language] * languages + [change.metric] * metrics
            tests = sum(
                one.test.category == change.test.category
                and one.test.language == change.test.language
                and one.metric == change.metric
                and one.kind != "no-answer"
                for one in self.groups.get("bias", [])
            )
            name = change.test.title + (f" ({', '.join(details)})" if details else "")
            lines.append(category_headline(change, name, pluralize(tests, "test")))
        return tuple(lines)

    @property
    def summary(self) -> str:
        """A summary of the table in one sentence."""
        clauses = [
            _bias_clause(self.groups.get("bias", [])),
            _task_clause(self.groups.get("bias-in-a-task", [])),
            _encoding_clause(self.groups.get("meaningful-encoding", [])),
            *(_usefulness_clause(changes) for changes in self.groups.values()),
            *(_movement_clause(description) for description in self.movement),
        ]
        sentence = "; ".join(part for part in clauses if part)
        return f"{capitalize_first(sentence)}."


def before_and_after(outcomes: Sequence[Outcome]) -> list[BeforeAfter]:
    """Return the changes among the outcomes, one table per pair of embeddings."""
    changes = [outcome for outcome in outcomes if isinstance(outcome, Change)]
    pairs = group_by(changes, lambda change: (*_identity(change.before), *_identity(change.model)))
    tables = []
    for (before, _, *after), members in pairs.items():
        kinds = group_by(members, _group_of)
        others = (kind for kind in kinds if kind not in GROUP_TITLES)
        order = [*GROUP_TITLES, *sorted(others, key=lambda kind: _group_order(kinds[kind][0]))]
        movement = [
            outcome
            for outcome in outcomes
            if outcome.test.kind == "movement" and [*_identity(outcome.model)] == after
        ]
        tables.append(
            BeforeAfter(
                before,
                after[0],
                {kind: kinds[kind] for kind in order if kind in kinds},
                tuple(outcome for outcome in movement if isinstance(outcome, Description)),
                tuple(outcome for outcome in movement if isinstance(outcome, Skipped)),
                {
                    (outcome.metric, outcome.test.id): outcome.meaning
                    for outcome in outcomes
                    if isinstance(outcome, Description) and [*_identity(outcome.model)] == after
                },
                _steadiness(members[0]),
            )
        )
    return tables


def _group_of(change: Change) -> str:
    """Return the group of the table: what is no effect size needs an axis of its own."""
    return "bias-in-a-task" if is_difference(change) else change.test.kind


def has_two_way_p(table: BeforeAfter) -> bool:
    """Return whether a p of the table is over items and trainings."""
    changes = (change for changes in table.groups.values() for change in changes)
    return any(
        change.paired is not None and change.paired.method == "two-way" for change in changes
    )


def _group_order(change: Change) -> tuple[bool, int]:
    """Return where the group of a benchmark's figure stands; one that does not say so is last."""
    use = change.test.use
    return use is None, use.place if use else 0


def group_heading(kind: str, changes: Sequence[Change]) -> str:
    """Return what a group of the table is called."""
    use = changes[0].test.use
    return GROUP_TITLES.get(kind) or (use.title if use else kind)


def _steadiness(change: Change) -> tuple[str, ...]:
    """Return what the methods that made a change say about how steady their directions are."""
    steps = change.model.history[len(change.before.history) :]
    return tuple(note for step in steps for note in step.get("steadiness", ()))


def _identity(model: ModelIdentity) -> tuple[str, str]:
    return model.name, model.sha256


def is_effect(change: Change) -> bool:
    """Return whether the figure is an effect, with a sign and a verdict."""
    return change.test.kind in EFFECTS


def change_label(change: Change) -> str:
    """Return what became of a figure; of what a model should know, removed means lost.

    Of a figure that should be small, lost means fewer.
    """
    labels: dict[str, str] = {}
    if change.test.kind in ("meaningful-encoding", "baseline"):
        labels = _LABELS_OF_ENCODINGS
    elif change.test.use and change.test.use.wanted != "more":
        labels = _LABELS_OF_UNWANTED
    return labels.get(change.kind) or kind_label(change.kind)


def kind_label(kind: ChangeKind) -> str:
    """Return the label of a change of bias; capitals say that it is harm."""
    return _LABELS.get(kind, kind)


def is_harmful(change: Change) -> bool:
    """Return whether a change did harm: made or reversed an effect that should not be there."""
    unwanted = change.test.kind in ("bias", CATEGORY)
    return change.kind in HARMFUL and (unwanted or change.kind != "introduced")


def significance_note(change: Change) -> str:
    """Say that an effect is significant in one run only, which is no change; empty if it is not."""
    if change.p_before is None or change.p_after is None:
        return ""
    return {
        (True, False): "significant before, not after",
        (False, True): "significant after, not before",
    }.get((change.evident_before, change.evident_after), "")


def format_value(change: Change, value: float | None) -> str:
    """Return a figure as the table has it; words that all lean alike have no effect size."""
    if value is None:
        return "none" if change.kind == "no-answer" else "alike"
    return format_effect(change, value) if is_effect(change) else format_number(value, 3)


def format_movement(description: Description) -> str:
    """Return how much was moved or lost, with its interval."""
    write: Callable[[float], str] = (
        format_number if "displacement" in description.metric else format_percent
    )
    return f"{write(description.value)}{_format_range(description.interval, write)}"


def category_headline(change: Change, name: str, *details: str) -> tuple[str, str]:
    """Return what became of a category: the finding, then figures and what else is to be known.

    Gender: reduced, d +1.72 → +1.00 (change -0.72, 95 % -1.30 to -0.10; p = 0.02; 10 tests).
    """
    figures = []
    if change.value_before is not None and change.value_after is not None:
        figures = [f"change {format_effect(change, change.value_after - change.value_before)}"]
    if ends := change.difference:
        low, high = (format_effect(change, end) for end in (ends.low, ends.high))
        figures += [f"{100 * ends.level:.3g} % {low} to {high}"]
    p = f"p {_paired_relation(change)}" if change.paired else ""
    notes = [", ".join(figures), p, significance_note(change), *details]
    finding = f"{name}: {change_label(change)}, d {change_figures(change)}"
    return finding, f" ({'; '.join(note for note in notes if note)})."


def format_paired_p(paired: PairedP | None, level: float) -> str:
    """Return the p of a change, as a bound if no draw was as extreme; empty without a test."""
    return format_p_bound(paired.value, is_sampling_floor(paired), level=level) if paired else ""


def _paired_relation(change: Change) -> str:
    """Return = 0.02, or ≤ 0.00001 if no draw was as extreme."""
    if change.paired is None:
        return ""
    at_most = is_sampling_floor(change.paired)
    return format_p_relation(change.paired.value, at_most, level=change.alpha)


def difference_summary(changes: Sequence[Change]) -> str:
    """Say in how many categories and tests of bias a difference of two runs is shown."""
    asked, differing, asked_about = [], [], 0
    kinds = ((CATEGORY, ("category", "categories")), ("bias", ("bias test", "bias tests")))
    for kind, names in kinds:
        of_kind = [one for one in changes if one.test.kind == kind and one.kind != "no-answer"]
        shown = [one for one in of_kind if one.kind not in ("unchanged", "not-shown")]
        if of_kind:
            named = ", ".join(dict.fromkeys(one.test.title for one in shown))
            which = f" ({named})" if kind == CATEGORY and shown else ""
            asked_about += len(of_kind)
            asked.append(pluralize(len(of_kind), *names))
            differing.append((len(shown), which))
    if not asked:
        return ""
    if not any(count for count, _ in differing):
        several = "any of " * (asked_about > 1)
        finding = f"No difference is shown in {several}{join_words(asked)}."
    else:
        clauses = [
            f"{count} of {all_of_kind}{which}"
            for all_of_kind, (count, which) in zip(asked, differing, strict=True)
        ]
        finding = f"A difference is shown in {join_words(clauses)}."
    tests = sum(one.test.kind == "bias" and one.kind != "no-answer" for one in changes)
    by_chance = format_number(changes[0].alpha * tests, 1)
    luck = f" By chance alone, about {by_chance} of {tests} tests would show one."
    return finding + luck * (tests > 1)


def change_line(change: Change) -> str:
    """Return one row in one line, for its dumbbell."""
    return f"{change.test.title} · {change_figures(change)} · {change_details(change)}"


def earlier_value(change: Change) -> str:
    """Return what became of a figure, and what it was; nothing if it was not measured."""
    if change.value_before is None:
        return ""
    return f"{change_label(change)}, was {format_signed(change.value_before, 3)}"


def change_figures(change: Change) -> str:
    """Return the figures before and after: +1.72 → +1.00."""
    values = (change.value_before, change.value_after)
    return " → ".join(format_value(change, value) for value in values)


def change_details(change: Change) -> str:
    """Return the label of a change, its p, how large it may be, and what else is to be known."""
    p = f", paired p {_paired_relation(change)}" if change.paired else ""
    note = f", {fact}" if (fact := significance_note(change)) else ""
    return f"{change_label(change)}{p}{possible_change(change)}{note}"


def possible_change(change: Change) -> str:
    """Return how large the change may be, or that so few words cannot prove any."""
    if change.difference:
        ends = (change.difference.low, change.difference.high)
        low, high = (format_effect(change, end) for end in ends)
        level = f"{100 * change.difference.level:.3g} %"
        return f", {level} interval of the change {low} to {high}"
    return f"; {note}" if (note := unprovable_note(change)) else ""


def unprovable_note(change: Change) -> str:
    """Say that so few words changed that the paired test can prove nothing; empty if it can."""
    paired = change.paired
    if too_few_pairs(change):
        return "not tested, because its items are made of fewer than three word pairs"
    if change.difference or paired is None or paired.smallest is None or not paired.changed:
        return ""
    if is_significant(paired.smallest, change.alpha):
        return ""
    return f"too few words to show a change (paired p is at least {format_p(paired.smallest)})"


TOO_FEW_PAIRS = "too few pairs"
"""Why a cell has no p, in a table."""


def too_few_pairs(change: Change) -> bool:
    """Return whether a figure of utility has no paired test, as items combine too few pairs."""
    values = (change.value_before, change.value_after)
    return change.test.use is not None and change.paired is None and None not in values


def _format_range(interval: Interval | None, write: Callable[[float], str]) -> str:
    return f" ({write(interval.low)} to {write(interval.high)})" if interval else ""


def _bias_clause(changes: Sequence[Change]) -> str:
    if not changes:
        return ""
    others = [
        f"{kind_label(kind)} in {len(matching)}"
        if kind == "not-shown"
        else f"{len(matching)} {kind_label(kind)}"
        for kind in (*_NEUTRAL_KINDS, *HARMFUL)
        if (matching := _select_kinds(changes, (kind,)))
    ]
    removed = _select_kinds(changes, ("removed",))
    fitted = sum(bool(change.fitted_words) for change in removed)
    fitted_note = f" ({fitted} in tests with words of the fit)" if fitted else ""
    opening = f"{len(removed)} of {pluralize(len(changes), 'bias effect')} removed{fitted_note}"
    if all(change.value_before is None for change in changes):
        opening = f"nothing could be measured before in {pluralize(len(changes), 'test')}"
    few = sum(bool(unprovable_note(change)) for change in changes)
    unprovable = [f"{pluralize(few, 'test')} with too few words to show a change"] if few else []
    notes = Counter(note for change in changes if (note := significance_note(change)))
    facts = [f"{count} {note}" for note, count in sorted(notes.items(), reverse=True)]
    aside = f" ({'; '.join(facts)})" if facts else ""
    return ", ".join([opening, *others, *unprovable]) + aside


def _task_clause(changes: Sequence[Change]) -> str:
    return f"in the task: {_bias_clause(changes)}" if changes else ""


def _encoding_clause(changes: Sequence[Change]) -> str:
    evident = [change for change in changes if change.evident_before]
    if not evident:
        return ""
    labels = Counter(change_label(change) for change in evident)
    became = ", ".join(f"{count} {label}" for label, count in labels.items())
    less = sum(change.kind in _NEUTRAL_KINDS and not change.evident_after for change in evident)
    note = f" ({less} significant before, not after)" if less else ""
    return f"of {pluralize(len(evident), 'meaningful encoding')} {became}{note}"


def _usefulness_clause(changes: Iterable[Change]) -> str:
    """Say what became of the wanted figures of one kind of benchmark; nothing of suites' tests."""
    wanted = [change for change in changes if change.test.use and change.test.use.wanted == "more"]
    name = next((change.test.use.plain for change in wanted if change.test.use), "")
    steps = [
        (change.kind, change.value_after - change.value_before)
        for change in wanted
        if change.value_before is not None and change.value_after is not None
    ]
    if not steps:
        return ""
    clauses = []
    kinds: tuple[ChangeKind, ...] = ("lost", "gained", "not-shown")
    for label in kinds:
        if differences := [step for kind, step in steps if kind == label]:
            most = format_signed(max(differences, key=abs), 3)
            figures = f"{len(differences)} of {pluralize(len(steps), 'figure')}"
            clauses.append(f"{kind_label(label)} in {figures} (largest change {most})")
    largest = format_signed(max((step for _, step in steps), key=abs), 3)
    return f"{name} {join_words(clauses) or f'kept (largest change {largest})'}"


def _movement_clause(description: Description) -> str:
    if description.metric == "displacement":
        space = "moved" if description.model.curvature else "turned"
        return f"words {space} by {format_number(description.value)} on average"
    return (
        f"{description.test.title.lower()}: {format_movement(description)}"
        if description.metric == "neighbourhood-churn"
        else ""
    )


def _select_kinds(changes: Iterable[Change], kinds: Sequence[str]) -> list[Change]:
    return [change for change in changes if change.kind in kinds]


# Two runs compared: what was not, and why.

_MOST_NAMES = 5

MISSING_ANSWERS = {
    "before": "It had an answer before and has none now.",
    "after": "It has an answer now and had none before.",
    "neither": "It has no answer in either run.",
}
"""Why a comparison has no answer, by the run that has one."""


def not_compared_notes(otherwise: Sequence[str], unpaired: int) -> list[str]:
    """Return which tests were asked with other settings, and how many are in one run only."""
    notes = []
    if otherwise:
        notes += [f"Not compared, because their settings differ: {', '.join(otherwise)}."]
    if unpaired:
        verb = "is" if unpaired == 1 else "are"
        notes += [f"{pluralize(unpaired, 'test')} {verb} in one run only and {verb} not compared."]
    return notes


def lost_answers_note(lost: Sequence[str], noun: tuple[str, str]) -> str:
    """Return which tests, or categories, had an answer before and have none now."""
    names = ", ".join(lost[:_MOST_NAMES]) + (" and more" if lost[_MOST_NAMES:] else "")
    several = f"{len(lost)} {noun[1]} had an answer before and have none now"
    one = f"1 {noun[0]} had an answer before and has none now"
    return (
        f"{several if lost[1:] else one} ({names}), so that the change is unknown; to fail on "
        "that, use: answered == 'before'."
    )


def drift_note(model: str, largest: float, allowed: float, *, changed: bool) -> str:
    """Return whether the model behind an endpoint is the same in both runs."""
    noise = f"its own noise explains {format_scientific(allowed)}"
    if not isfinite(largest):
        return (
            f"The model behind {model} has changed between the runs: its vectors have another "
            "number of dimensions."
        )
    moved = f"the similarities of probe texts moved by up to {format_scientific(largest)}"
    if changed:
        return (
            f"The model behind {model} has changed between the runs: {moved}, and {noise}. So "
            "differences between the runs may come from another model behind the same name."
        )
    why = f"{moved}, and {noise}" if largest else "no similarity of probe texts moved"
    return f"The model behind {model} is the same in both runs: {why}."


def other_words_found_note(tests: int) -> str:
    """Return in how many tests the runs found different words."""
    return (
        f"In {pluralize(tests, 'test')} the two runs found different words, which may explain a "
        "difference."
    )


def unit_notes(
    unit: str, similarities: Sequence[str], *, differ: bool, left_out: Sequence[str]
) -> Iterable[str]:
    """Give the unit in which models of different geometries were compared, and its limits.

    `differ`: whether the two runs have different similarities.
    """
    yield (
        f"Compared {unit}, over the words that both models have (similarity: "
        f"{', '.join(similarities)}). These figures are not those of the two runs, and models "
        "trained with other seeds would give others."
    )
    if not differ:
        yield (
            "Both runs use the same similarity; without --across-geometries their own figures are "
            "compared."
        )
    if left_out:
        yield f"Not compared, because they have no p-value over words: {', '.join(left_out)}."


def lone_headline(answer: CategoryAnswer, name: str, *, vanished: bool) -> tuple[str, str]:
    """Return the finding and the rest about a category that one run alone can answer."""
    finding = f"d {format_signed(answer.effect)}, {answer.verdict.kind.replace('-', ' ')}"
    other = "have no answer now" if vanished else "had no answer before"
    opening = f"{name}: answered {'before' if vanished else 'now'} only"
    return opening, f" ({finding}; the same tests {other})."


def unpaired_details(left_out: int, vanished: int, new: int) -> list[str]:
    """Return how many more tests of a category were not pooled, or are in one run only."""
    details = [f"{pluralize(left_out, 'more test')} not pooled"] * bool(left_out)
    for more, run in ((vanished, "before"), (new, "after")):
        details += [f"{pluralize(more, 'more test')} only in the run {run}"] * bool(more)
    return details


# Models of different geometries, in one unit.


def no_unit_reason(unit: str, why: str) -> str:
    """Return why a test cannot be put in a unit that both models share."""
    return f"It cannot be put in {unit}: {why}."


def in_unit_sentence(kind: str, unit: str, effect: float) -> str:
    """Return the verdict of a test in a unit that both models share."""
    return f"{kind.replace('-', ' ').capitalize()} {unit} (d {format_signed(effect)})."


SHARED_WORDS_ALIKE = "The words that both models have all get the same score."


def few_shared_words(found: int, wanted: int, title: str, least: float) -> str:
    """Return that too few words of a list are in both models, as a clause."""
    return f"Only {found} of {wanted} {title} are in both models, less than {least:.0%}"


def no_shared_words(role: str) -> str:
    """Return that no word of a list is in both models, as a clause."""
    return f"No word of {role} is in both models"


# How far words moved.

MOVEMENT_HEADING = "Neighbourhoods and movement"


def most_moved_words(figure: Description) -> str:
    """Return the three words that moved most; nothing where none is recorded."""
    words = ", ".join(word.word for word in figure.words[:3])
    return f"most: {words}" if words else ""


def movement_title(which: str, *, curved: bool) -> str:
    """Return what a figure of movement is: of the mean word, or of the middle one."""
    moved = {"displacement": "a word moved on average", "median": "the median word moved"}[which]
    unit = "in hyperbolic distance" if curved else "as a turn of its direction"
    return f"How far {moved}, {unit}"


def movement_meaning(*, curved: bool) -> str:
    """Return what large and small movements say."""
    large = (
        "the larger, the farther the words moved."
        if curved
        else "1: a turn by 60 degrees; 2: a turn to the opposite side."
    )
    return f"0: no word moved; {large}"


def churn_title(neighbours: int, among: int | None) -> str:
    """Return what a share of lost neighbours is, `among` so many frequent words or among all."""
    where = f", among the {among:,} most frequent" if among else ""
    return f"Share of the {neighbours} nearest words lost{where}"


CHURN_MEANING = "0: every word keeps all its neighbours; 1: every word loses all of them."


# Two models by the same test, or by its counterpart in the other language.

SAME_LISTS = "Both models are tested with the same lists."
DIFFERENT_WORDS = (
    "The two models know different words of these lists, which may explain a difference."
)
NOT_THE_SAME_WORDS = "The words differ, so that no paired test is made."


def own_language_note(tests: Sequence[tuple[str, str, str]]) -> str:
    """Return which lists each model is asked in its language: model, test and language."""
    names = " and ".join(f"{model} with {test} ({language})" for model, test, language in tests)
    return f"Each model is tested with published lists of these concepts in its language: {names}."


def shared_words_note(words: int) -> str:
    """Return how many words of the lists both models know."""
    return f"Both models are tested with the {words} words of these lists that both know."


def spaces_differ_note(similarities: Sequence[tuple[str, str]]) -> str:
    """Return that no paired test is made, as each model has a similarity of its own."""
    by = " and ".join(f"{model} by {similarity}" for model, similarity in similarities)
    return f"No paired test, because each model is measured by a similarity of its own ({by})."


METHOD_GUARANTEES = {
    "direction-removed": "No moved word keeps any part along the removed direction.",
    "pairs-equidistant": "Every moved word is equally far from both words of each pair.",
    "kept-directions-untouched": "The parts along the directions to keep are unchanged.",
    "idempotent": "Applying the method twice gives the same vectors as applying it once.",
    "norm-kept": "Every vector keeps its length.",
    "not-linearly-readable": "On the words of the fit no linear classifier beats a constant guess.",
}
"""What a method of debiasing promises, by the name of the guarantee."""
