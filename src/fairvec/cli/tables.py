"""Changes and answers for categories as lines of a terminal."""

from collections.abc import Collection, Iterator, Sequence

from rich.table import Table
from rich.text import Text

from fairvec.cli.console import out, print_note, print_table
from fairvec.core.format import capitalize_first, format_p, format_signed, pluralize
from fairvec.core.text import escape_control
from fairvec.experiments.audit.categories import as_poolable
from fairvec.experiments.comparison.compare import CategoryComparison, RunComparison, compare
from fairvec.messages.changes import (
    BeforeAfter,
    before_and_after,
    change_label,
    format_movement,
    format_value,
    group_heading,
    is_harmful,
)
from fairvec.results import (
    CATEGORY,
    HARMFUL,
    CategoryAnswer,
    Change,
    Outcome,
    Result,
    Skipped,
    to_row,
)
from fairvec.results.records import ACROSS

# The answers for categories as lines of a terminal: what stands above everything else.


MeasurementKey = tuple[str, str, str, str]


def print_categories(outcomes: Sequence[Outcome]) -> None:
    """Print one sentence a category, under the model's name where there are several."""
    said: dict[MeasurementKey, list[Text]] = {}
    for one in outcomes:
        if one.test.kind == CATEGORY:
            said.setdefault(_measurement_key(one), []).append(_sentence(one))
    for way, line in _unanswered(outcomes):
        said.setdefault(way, []).append(line)
    _print_lines({_model_label(way, [*said]): lines for way, lines in said.items()})


def print_category_changes(comparison: RunComparison) -> None:
    """Print one line a category: its pooled effect and p before and after, and what that means.

    One that only one run can answer has a line too.
    """
    changes, (vanished, new) = comparison.categories, comparison.lone_categories
    every = [*(one.after for one in changes), *vanished, *new]
    metrics, languages = ({one.metric for one in every}, {one.test.language for one in every})
    models = {_models(one.before, one.after) for one in changes}
    models |= {_models(one) for one in (*vanished, *new)} if comparison.by_model else set()
    said: dict[str, list[Text]] = {}

    def add(line: Text, *outcomes: Outcome) -> None:
        parts = [_models(*outcomes)] * (len(models) > 1) + [outcomes[0].metric] * (len(metrics) > 1)
        said.setdefault(", ".join(parts), []).append(line)

    for one in changes:
        alone = tuple(
            sum(
                each.test.kind == "bias"
                and comparison.category(each) == comparison.category(one.after)
                for each in run
            )
            for run in (comparison.vanished, comparison.new)
        )
        called = _category_label(one.after, languages)
        add(_change_line(one, called, alone, across=comparison.across), one.before, one.after)
    for answer in vanished:
        add(_lone_line(answer, "vanished", "before and none now", languages), answer)
    for answer in new:
        add(_lone_line(answer, "new", "now and none before", languages), answer)
    _print_lines(said)


def _print_lines(said: dict[str, list[Text]]) -> None:
    """Print the lines under their headings, wrapped between words, and a blank line behind them."""
    for title, lines in said.items():
        for line in [Text(escape_control(title, but=""), style="bold")] * bool(title) + lines:
            out.print(line, soft_wrap=False)
        out.print()


def _sentence(one: Outcome) -> Text:
    if not isinstance(one, CategoryAnswer):
        return Text(f"{one.test.title}: no answer. {to_row(one)['reason']}")
    line = Text(one.verdict.sentence)
    opening = one.verdict.sentence.partition(".")[0].partition("(")[0]
    line.stylize("bold red" if one.verdict.kind == "biased" else "bold", 0, len(opening))
    return line


def _unanswered(outcomes: Sequence[Outcome]) -> Iterator[tuple[MeasurementKey, Text]]:
    """Yield the categories of which nothing could be pooled, and why."""
    answered = {
        (_measurement_key(one), *_name(one)) for one in outcomes if one.test.kind == CATEGORY
    }
    why: dict[tuple[MeasurementKey, str, str], list[str]] = {}
    for one in outcomes:
        tested = isinstance(one, Result | Skipped) and one.convention is not None
        if (
            one.test.kind == "bias"
            and tested
            and (_measurement_key(one), *_name(one)) not in answered
        ):
            why.setdefault((_measurement_key(one), *_name(one)), []).append(str(as_poolable(one)))
    named = len({one.test.language for one in outcomes if one.test.kind in ("bias", CATEGORY)}) > 1
    for (way, language, category), reasons in why.items():
        title = capitalize_first(category) + (f" ({language})" if named else "")
        several = f"none of its {len(reasons)} tests" if len(reasons) > 1 else "its one test"
        verb = "can" if len(reasons) > 1 else "cannot"
        line = (
            f"{title}: no answer; {several} {verb} be pooled ({', '.join(dict.fromkeys(reasons))})."
        )
        yield way, Text(line)


def _change_line(
    one: CategoryComparison, called: str, alone: tuple[int, ...], *, across: str
) -> Text:
    effects = f"d {format_signed(one.effect_before)} → {format_signed(one.effect_after)}"
    p = [("none" if p is None else format_p(p)) for p in (one.before.p_holm, one.after.p_holm)]
    paired = f", paired p {format_p(one.paired.value)}" if one.paired else ""
    out = f"; {pluralize(len(one.left_out), 'more test')} not pooled" if one.left_out else ""
    for more, run in zip(alone, ("before", "after"), strict=True):
        out += f"; {pluralize(more, 'more test')} only in the run {run}" if more else ""
    opening = f"{called}{f' {ACROSS[across]}' if across else ''}: {one.change.replace('-', ' ')}"
    tests = pluralize(len(one.tests), "test")
    line = Text(f"{opening} ({effects}, Holm p {p[0]} → {p[1]}{paired}; {tests}{out}).")
    line.stylize("bold red" if one.change in HARMFUL else "bold", 0, len(opening))
    return line


def _lone_line(one: CategoryAnswer, opening: str, when: str, languages: Collection[str]) -> Text:
    opening = f"{_category_label(one, languages)}: {opening}"
    found = f"d {format_signed(one.effect)}, {one.verdict.kind.replace('-', ' ')}"
    line = Text(f"{opening} (an answer {when} by the same tests: {found}).")
    line.stylize("bold", 0, len(opening))
    return line


def _category_label(outcome: Outcome, languages: Collection[str]) -> str:
    """Return the category's title, with its language where there are several."""
    return outcome.test.title + (f" ({outcome.test.language})" if len(languages) > 1 else "")


def _models(*outcomes: Outcome) -> str:
    return " → ".join(dict.fromkeys(one.model.name for one in outcomes))


def _name(outcome: Outcome) -> tuple[str, str]:
    return outcome.test.language, outcome.test.category


def _measurement_key(outcome: Outcome) -> MeasurementKey:
    return outcome.model.name, outcome.model.sha256, outcome.metric, outcome.similarity


def _model_label(way: MeasurementKey, ways: Sequence[MeasurementKey]) -> str:
    """Return the model's name, with the metric where others were asked; nothing if it is alone."""
    if len(ways) == 1:
        return ""
    name, content, metric, similarity = way
    parts = [(metric, 2), (similarity, 3), (content[:8], 1)]
    same = [other for other in ways if other[0] == name]
    return ", ".join([name, *(part for part, at in parts if len({o[at] for o in same}) > 1)])


def print_changes(outcomes: Sequence[Outcome]) -> None:
    """Print what became of each category and figure, what has none, and all of it in a sentence."""
    if comparison := _compare_runs(outcomes):
        print_category_changes(comparison)
    for changed in before_and_after(outcomes):
        print_table(_table(changed))
        for reason in dict.fromkeys(gap.reason for gap in changed.unknown):
            print_note(f"Skipped: {reason}")
        print_note(changed.summary)


def _compare_runs(outcomes: Sequence[Outcome]) -> RunComparison | None:
    """Return the tests before and after, for what became of their categories."""
    changed = next((one for one in outcomes if isinstance(one, Change)), None)
    if changed is None:
        return None
    before, after = (
        [one for one in outcomes if one.model == model] for model in (changed.before, changed.model)
    )
    return compare(before, after)


def _table(changed: BeforeAfter) -> Table:
    """Return one line per figure: before and after, what became of it and how sure that is."""
    table = Table("test", "before → after", "change", "paired p", box=None, header_style="bold")
    table.title = Text(changed.title)
    table.title_justify = "left"
    for kind, changes in changed.groups.items():
        table.add_row(Text(group_heading(kind, changes), style="bold"))
        for one in changes:
            fitted = len(one.fitted_words)
            note = f" (fitted on {fitted} of its words)" if fitted else ""
            values = (format_value(one, value) for value in (one.value_before, one.value_after))
            table.add_row(
                f"{changed.test_label(one)}{note}",
                " → ".join(values),
                Text(change_label(one), style="bold red" if is_harmful(one) else ""),
                format_p(one.paired.value) if one.paired else "",
            )
    if changed.movement or changed.unknown:
        table.add_row(Text("Neighbourhoods and movement", style="bold"))
    for figure in changed.movement:
        most = ", ".join(word.word for word in figure.words[:3])
        table.add_row(
            figure.test.title, format_movement(figure), Text(f"most: {most}" if most else "")
        )
    for gap in changed.unknown:
        table.add_row(gap.test.title, "skipped")
    return table
