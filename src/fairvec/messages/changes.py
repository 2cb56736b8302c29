"""Before and after a change, in one table: what it removed, what it kept and what it moved."""

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
from fairvec.messages.figures import effect_of, is_difference
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

KINDS = {
    "bias": "Bias",
    "bias-in-a-task": "Bias in a task (differences of probabilities)",
    "meaningful-encoding": "Meaningful encoding (information retention)",
    "baseline": "Harmless baselines",
}
"""The groups of suites' tests, in their order; those of benchmarks follow in theirs."""

_WORDS: dict[str, str] = {**{kind: kind.upper() for kind in HARMFUL}, "no-answer": "not measured"}
_OF_WHAT_IS_MEANT = {
    "removed": "lost",
    "reduced": "weakened",
    "unchanged": "kept",
    "increased": "strengthened",
    "introduced": "gained",
    "appeared": "newly evident",
}
_OF_WHAT_IS_UNWANTED = {"lost": "fewer", "gained": "more", "kept": "the same"}
_NEITHER = ("no-longer-evident", "reduced", "unchanged", "unclear", "increased")


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
        """What the two are called; two of one name are told apart by the change between them."""
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

    def called(self, change: Change) -> str:
        """The id of the test, and the metric where the same test was asked by several."""
        asked = {one.metric for one in self.groups[_group(change)] if one.test == change.test}
        return change.test.id + (f" by {change.metric}" if len(asked) > 1 else "")

    @property
    def has_effect_sizes(self) -> bool:
        """Whether anything in the table is drawn on the axis of effect sizes."""
        return any(kind in self.groups for kind in EFFECTS)

    @property
    def summary(self) -> str:
        """The whole table in one sentence."""
        said = [
            _about_bias(self.groups.get("bias", [])),
            _about_tasks(self.groups.get("bias-in-a-task", [])),
            _about_encoding(self.groups.get("meaningful-encoding", [])),
            *(_about_use(changes) for changes in self.groups.values()),
            *(_about_movement(one) for one in self.movement),
        ]
        sentence = "; ".join(part for part in said if part)
        return f"{capitalize_first(sentence)}."


def before_and_after(outcomes: Sequence[Outcome]) -> list[BeforeAfter]:
    """Return the changes among the outcomes, one table per pair of embeddings."""
    changes = [outcome for outcome in outcomes if isinstance(outcome, Change)]
    pairs = group_by(changes, lambda change: (*_identity(change.before), *_identity(change.model)))
    tables = []
    for (before, _, *after), members in pairs.items():
        kinds = group_by(members, _group)
        others = (kind for kind in kinds if kind not in KINDS)
        order = [*KINDS, *sorted(others, key=lambda kind: _place(kinds[kind][0]))]
        about = [
            one
            for one in outcomes
            if one.test.kind == "movement" and [*_identity(one.model)] == after
        ]
        tables.append(
            BeforeAfter(
                before,
                after[0],
                {kind: kinds[kind] for kind in order if kind in kinds},
                tuple(one for one in about if isinstance(one, Description)),
                tuple(one for one in about if isinstance(one, Skipped)),
                {
                    (one.metric, one.test.id): one.meaning
                    for one in outcomes
                    if isinstance(one, Description) and [*_identity(one.model)] == after
                },
                _steadiness(members[0]),
            )
        )
    return tables


def _group(change: Change) -> str:
    """Return the group of the table: what is no effect size needs an axis of its own."""
    return "bias-in-a-task" if is_difference(change) else change.test.kind


def over_trainings(table: BeforeAfter) -> bool:
    """Return whether a p of the table is over items and trainings."""
    every = (change for changes in table.groups.values() for change in changes)
    return any(change.paired is not None and change.paired.method == "two-way" for change in every)


def _place(change: Change) -> tuple[bool, int]:
    """Return where the group of a benchmark's figure stands; one that does not say so is last."""
    use = change.test.use
    return use is None, use.place if use else 0


def heading(kind: str, changes: Sequence[Change]) -> str:
    """Return what a group of the table is called."""
    use = changes[0].test.use
    return KINDS.get(kind) or (use.title if use else kind)


def _steadiness(change: Change) -> tuple[str, ...]:
    """Return what the methods that made a change say about how steady their directions are."""
    made = change.model.history[len(change.before.history) :]
    return tuple(said for step in made for said in step.get("steadiness", ()))


def _identity(model: ModelIdentity) -> tuple[str, str]:
    return model.name, model.sha256


def is_effect(change: Change) -> bool:
    """Return whether the figure is an effect, with a sign and a verdict."""
    return change.test.kind in EFFECTS


def in_words(change: Change) -> str:
    """Return what became of a figure; of what a model should know, removed means lost.

    Of a figure that should be small, lost means fewer.
    """
    own: dict[str, str] = {}
    if change.test.kind in ("meaningful-encoding", "baseline"):
        own = _OF_WHAT_IS_MEANT
    elif change.test.use and change.test.use.wanted != "more":
        own = _OF_WHAT_IS_UNWANTED
    return own.get(change.kind) or _WORDS.get(change.kind, change.kind.replace("-", " "))


def alarming(change: Change) -> bool:
    """Return whether a change made something that was not there; better is not what that is."""
    gained = change.kind in ("introduced", "appeared")
    return change.kind in HARMFUL and (change.test.kind == "bias" or not gained)


def shown(change: Change, value: float | None) -> str:
    """Return a figure as the table has it; words that all lean alike have no effect size."""
    if value is None:
        return "alike" if change.kind in ("removed", "no-evidence") else "none"
    return effect_of(change, value) if is_effect(change) else format_number(value, 3)


def moved(one: Description) -> str:
    """Return how much was moved or lost, with its interval."""
    write: Callable[[float], str] = (
        format_number if "displacement" in one.metric else format_percent
    )
    return f"{write(one.value)}{_between(one.interval, write)}"


def about(change: Change) -> str:
    """Return one row in one line, for its dumbbell."""
    p = "" if change.paired is None else f", paired p = {format_p(change.paired.value)}"
    values = [shown(change, value) for value in (change.value_before, change.value_after)]
    return f"{change.test.title} · {' → '.join(values)} · {in_words(change)}{p}{could_be(change)}"


def could_be(change: Change) -> str:
    """Return how large the change may be, or that so few words cannot prove any."""
    if change.difference:
        what = "it" if not is_effect(change) or is_difference(change) else "d"
        ends = (change.difference.low, change.difference.high)
        low, high = (effect_of(change, end) for end in ends)
        return f", {what} changed by {low} to {high}"
    return f"; {told}" if (told := what_cannot_be_proven(change)) else ""


def what_cannot_be_proven(change: Change) -> str:
    """Say that so few words changed that the paired test can prove nothing; empty if it can."""
    paired = change.paired
    if change.difference or paired is None or paired.smallest is None or not paired.changed:
        return ""
    if is_significant(paired.smallest, change.alpha):
        return ""
    return f"so few words prove no change (paired p at least {format_p(paired.smallest)})"


def _between(interval: Interval | None, write: Callable[[float], str]) -> str:
    return f" ({write(interval.low)} to {write(interval.high)})" if interval else ""


def _about_bias(changes: Sequence[Change]) -> str:
    if not changes:
        return ""
    evident = [change for change in changes if change.evident_before]
    others = [
        f"{len(some)} {_WORDS.get(kind, kind.replace('-', ' '))}"
        for kind in (*_NEITHER, *HARMFUL)
        if (some := _of_kind(changes, (kind,)))
    ]
    removed = _of_kind(changes, ("removed",))
    fitted = sum(bool(change.fitted_words) for change in removed)
    unsure = f" ({fitted} by tests it was fitted on)" if fitted else ""
    opening = (
        f"{len(removed)} of {pluralize(len(evident), 'significant bias effect')} removed{unsure}"
        if evident
        else f"no significant bias effect before, in {pluralize(len(changes), 'test')}"
    )
    if all(change.value_before is None for change in changes):
        opening = f"nothing could be measured before, in {pluralize(len(changes), 'test')}"
    few = sum(bool(what_cannot_be_proven(change)) for change in changes)
    unable = [f"{pluralize(few, 'test')} with too few words to prove a change"] if few else []
    return ", ".join([opening, *others, *unable])


def _about_tasks(changes: Sequence[Change]) -> str:
    return f"in the task: {_about_bias(changes)}" if changes else ""


def _about_encoding(changes: Sequence[Change]) -> str:
    evident = [change for change in changes if change.evident_before]
    if not evident:
        return ""
    kept = len(_of_kind(evident, ("reduced", "unchanged", "unclear", "increased")))
    return f"{kept} of {pluralize(len(evident), 'meaningful encoding')} kept"


def _about_use(changes: Iterable[Change]) -> str:
    """Say what became of the wanted figures of one kind of benchmark; nothing of suites' tests."""
    wanted = [one for one in changes if one.test.use and one.test.use.wanted == "more"]
    name = next((one.test.use.plain for one in wanted if one.test.use), "")
    steps = [
        (change.kind, change.value_after - change.value_before)
        for change in wanted
        if change.value_before is not None and change.value_after is not None
    ]
    if not steps:
        return ""
    told = []
    for word in ("lost", "gained", "unclear"):
        if some := [step for kind, step in steps if kind == word]:
            most = format_signed(max(some, key=abs), 3)
            told.append(
                f"{word} in {len(some)} of {pluralize(len(steps), 'figure')} (up to {most})"
            )
    largest = format_signed(max((step for _, step in steps), key=abs), 3)
    return f"{name} {join_words(told) or f'kept (largest change {largest})'}"


def _about_movement(one: Description) -> str:
    if one.metric == "displacement":
        space = "moved" if one.model.curvature else "turned"
        return f"a word {space} by {format_number(one.value)} on average"
    return f"{one.test.title.lower()}: {moved(one)}" if one.metric == "neighbourhood-churn" else ""


def _of_kind(changes: Iterable[Change], kinds: Sequence[str]) -> list[Change]:
    return [change for change in changes if change.kind in kinds]
