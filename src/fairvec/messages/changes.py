"""What a change did to each figure: its label, its line, and the sentence of a table of changes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fairvec.core.format import (
    capitalize_first,
    format_number,
    format_p,
    format_percent,
    format_signed,
    group_by,
    is_significant,
    join_words,
    pluralize,
)
from fairvec.messages.figures import format_effect, is_difference
from fairvec.results import (
    HARMFUL,
    Change,
    Description,
    Interval,
    ModelIdentity,
    Outcome,
    Skipped,
)
from fairvec.results.records import EFFECTS

GROUP_TITLES = {
    "bias": "Bias",
    "bias-in-a-task": "Bias in a task (differences of probabilities)",
    "meaningful-encoding": "Meaningful encoding (information retention)",
    "baseline": "Harmless baselines",
}
"""The groups of suites' tests, in their order; those of benchmarks follow in theirs."""

_LABELS: dict[str, str] = {**{kind: kind.upper() for kind in HARMFUL}, "no-answer": "not measured"}
_LABELS_OF_ENCODINGS = {
    "removed": "lost",
    "reduced": "weakened",
    "unchanged": "kept",
    "increased": "strengthened",
    "introduced": "gained",
    "appeared": "newly evident",
}
_LABELS_OF_UNWANTED = {"lost": "fewer", "gained": "more", "kept": "the same"}
_NEUTRAL_KINDS = ("no-longer-evident", "reduced", "unchanged", "unclear", "increased")


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
        """What a figure of usefulness says, with the settings by which it was asked."""
        return self.meanings.get((change.metric, change.test.id), "")

    def test_label(self, change: Change) -> str:
        """The id of the test, and the metric where the same test was asked by several."""
        metrics = {
            other.metric for other in self.groups[_group_of(change)] if other.test == change.test
        }
        return change.test.id + (f" by {change.metric}" if len(metrics) > 1 else "")

    @property
    def has_effect_sizes(self) -> bool:
        """Whether anything in the table is drawn on the axis of effect sizes."""
        return any(kind in self.groups for kind in EFFECTS)

    @property
    def summary(self) -> str:
        """The whole table in one sentence."""
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
    return labels.get(change.kind) or _LABELS.get(change.kind, change.kind.replace("-", " "))


def is_harmful(change: Change) -> bool:
    """Return whether a change did harm: made or reversed an effect that should not be there."""
    gained = change.kind in ("introduced", "appeared")
    return change.kind in HARMFUL and (change.test.kind == "bias" or not gained)


def format_value(change: Change, value: float | None) -> str:
    """Return a figure as the table has it; words that all lean alike have no effect size."""
    if value is None:
        return "alike" if change.kind in ("removed", "no-evidence") else "none"
    return format_effect(change, value) if is_effect(change) else format_number(value, 3)


def format_movement(description: Description) -> str:
    """Return how much was moved or lost, with its interval."""
    write: Callable[[float], str] = (
        format_number if "displacement" in description.metric else format_percent
    )
    return f"{write(description.value)}{_format_range(description.interval, write)}"


def change_line(change: Change) -> str:
    """Return one row in one line, for its dumbbell."""
    p = "" if change.paired is None else f", paired p = {format_p(change.paired.value)}"
    values = [format_value(change, value) for value in (change.value_before, change.value_after)]
    label = f"{change_label(change)}{p}{possible_change(change)}"
    return f"{change.test.title} · {' → '.join(values)} · {label}"


def possible_change(change: Change) -> str:
    """Return how large the change may be, or that so few words cannot prove any."""
    if change.difference:
        what = "it" if not is_effect(change) or is_difference(change) else "d"
        ends = (change.difference.low, change.difference.high)
        low, high = (format_effect(change, end) for end in ends)
        return f", {what} changed by {low} to {high}"
    return f"; {note}" if (note := unprovable_note(change)) else ""


def unprovable_note(change: Change) -> str:
    """Say that so few words changed that the paired test can prove nothing; empty if it can."""
    paired = change.paired
    if change.difference or paired is None or paired.smallest is None or not paired.changed:
        return ""
    if is_significant(paired.smallest, change.alpha):
        return ""
    return f"so few words prove no change (paired p at least {format_p(paired.smallest)})"


def _format_range(interval: Interval | None, write: Callable[[float], str]) -> str:
    return f" ({write(interval.low)} to {write(interval.high)})" if interval else ""


def _bias_clause(changes: Sequence[Change]) -> str:
    if not changes:
        return ""
    evident = [change for change in changes if change.evident_before]
    others = [
        f"{len(matching)} {_LABELS.get(kind, kind.replace('-', ' '))}"
        for kind in (*_NEUTRAL_KINDS, *HARMFUL)
        if (matching := _select_kinds(changes, (kind,)))
    ]
    removed = _select_kinds(changes, ("removed",))
    fitted = sum(bool(change.fitted_words) for change in removed)
    fitted_note = f" ({fitted} by tests it was fitted on)" if fitted else ""
    opening = (
        f"{len(removed)} of {pluralize(len(evident), 'significant bias effect')} removed"
        f"{fitted_note}"
        if evident
        else f"no significant bias effect before, in {pluralize(len(changes), 'test')}"
    )
    if all(change.value_before is None for change in changes):
        opening = f"nothing could be measured before, in {pluralize(len(changes), 'test')}"
    few = sum(bool(unprovable_note(change)) for change in changes)
    unprovable = [f"{pluralize(few, 'test')} with too few words to prove a change"] if few else []
    return ", ".join([opening, *others, *unprovable])


def _task_clause(changes: Sequence[Change]) -> str:
    return f"in the task: {_bias_clause(changes)}" if changes else ""


def _encoding_clause(changes: Sequence[Change]) -> str:
    evident = [change for change in changes if change.evident_before]
    if not evident:
        return ""
    retained = len(_select_kinds(evident, ("reduced", "unchanged", "unclear", "increased")))
    return f"{retained} of {pluralize(len(evident), 'meaningful encoding')} kept"


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
    for word in ("lost", "gained", "unclear"):
        if differences := [step for kind, step in steps if kind == word]:
            most = format_signed(max(differences, key=abs), 3)
            clauses.append(
                f"{word} in {len(differences)} of {pluralize(len(steps), 'figure')} (up to {most})"
            )
    largest = format_signed(max((step for _, step in steps), key=abs), 3)
    return f"{name} {join_words(clauses) or f'kept (largest change {largest})'}"


def _movement_clause(description: Description) -> str:
    if description.metric == "displacement":
        space = "moved" if description.model.curvature else "turned"
        return f"a word {space} by {format_number(description.value)} on average"
    return (
        f"{description.test.title.lower()}: {format_movement(description)}"
        if description.metric == "neighbourhood-churn"
        else ""
    )


def _select_kinds(changes: Iterable[Change], kinds: Sequence[str]) -> list[Change]:
    return [change for change in changes if change.kind in kinds]
