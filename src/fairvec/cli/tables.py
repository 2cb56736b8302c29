"""Answers for categories, and changes before and after, as lines and tables of the terminal."""

from collections.abc import Collection, Iterator, Sequence

from rich.text import Text

from fairvec.cli.console import out, print_note, print_table
from fairvec.core.format import capitalize_first, pluralize
from fairvec.core.text import escape_control
from fairvec.experiments.audit.categories import unpooled_categories
from fairvec.experiments.comparison.compare import CategoryComparison, RunComparison, change_of
from fairvec.messages.categories import category_parts, failed_answer_sentence, no_answer_sentence
from fairvec.messages.changes import (
    before_and_after,
    category_headline,
    is_harmful,
    lone_headline,
    unpaired_details,
)
from fairvec.report.tables import change_table
from fairvec.results import Outcome, Skipped
from fairvec.results.records import ACROSS, CATEGORY, CategoryAnswer

MeasurementKey = tuple[str, str, str, str]


def print_categories(outcomes: Sequence[Outcome]) -> None:
    """Print one sentence per category, under the model's name if there are several."""
    lines_by_key: dict[MeasurementKey, list[Text]] = {}
    for one in outcomes:
        if one.test.kind == CATEGORY and isinstance(one, CategoryAnswer | Skipped):
            lines_by_key.setdefault(_measurement_key(one), []).append(_sentence(one))
    for way, line in _unanswered(outcomes):
        lines_by_key.setdefault(way, []).append(line)
    _print_lines({_model_label(way, [*lines_by_key]): lines for way, lines in lines_by_key.items()})


def print_category_changes(comparison: RunComparison) -> None:
    """Print one line per category: pooled effect and p before and after, and the kind of change.

    A category that only one run can answer has a line too.
    """
    changes, (vanished, new) = comparison.categories, comparison.lone_categories
    every = [*(one.after for one in changes), *vanished, *new]
    metrics, languages = ({one.metric for one in every}, {one.test.language for one in every})
    models = {_models(one.before, one.after) for one in changes}
    models |= {_models(one) for one in (*vanished, *new)} if comparison.by_model else set()
    lines_by_heading: dict[str, list[Text]] = {}

    def add(line: Text, *outcomes: Outcome) -> None:
        parts = [_models(*outcomes)] * (len(models) > 1) + [outcomes[0].metric] * (len(metrics) > 1)
        lines_by_heading.setdefault(", ".join(parts), []).append(line)

    for one in changes:
        vanished_tests, new_tests = (
            sum(
                each.test.kind == "bias"
                and comparison.category(each) == comparison.category(one.after)
                for each in run
            )
            for run in (comparison.vanished, comparison.new)
        )
        label = _category_label(one.after, languages)
        details = unpaired_details(len(one.left_out), vanished_tests, new_tests)
        add(_change_line(one, label, details, across=comparison.across), one.before, one.after)
    for answer in vanished:
        add(_lone_line(answer, languages, vanished=True), answer)
    for answer in new:
        add(_lone_line(answer, languages, vanished=False), answer)
    _print_lines(lines_by_heading)


def _print_lines(lines_by_heading: dict[str, list[Text]]) -> None:
    """Print lines under their headings, wrapped between words, and a blank line after each."""
    for title, lines in lines_by_heading.items():
        for line in [Text(escape_control(title, but=""), style="bold")] * bool(title) + lines:
            out.print(line, soft_wrap=False)
        out.print()


def _sentence(one: CategoryAnswer | Skipped) -> Text:
    if isinstance(one, Skipped):
        return Text(failed_answer_sentence(one))
    opening, rest = category_parts(one)
    return Text.assemble((opening, "bold red" if one.verdict.kind == "biased" else "bold"), rest)


def _unanswered(outcomes: Sequence[Outcome]) -> Iterator[tuple[MeasurementKey, Text]]:
    """Yield a line for each category of which nothing could be pooled, with the reasons."""
    several_languages = (
        len({one.test.language for one in outcomes if one.test.kind in ("bias", CATEGORY)}) > 1
    )
    for category in unpooled_categories(outcomes):
        first = category.tests[0]
        language = f" ({first.test.language})" if several_languages else ""
        title = f"{capitalize_first(first.test.category)}{language}"
        yield _measurement_key(first), Text(no_answer_sentence(title, category.reasons))


def _change_line(
    one: CategoryComparison, label: str, details: Sequence[str], *, across: str
) -> Text:
    name = f"{label}{f' {ACROSS[across]}' if across else ''}"
    change = change_of(one)
    return _headline(
        category_headline(change, name, pluralize(len(one.tests), "test"), *details),
        harmful=is_harmful(change),
    )


def _headline(parts: tuple[str, str], *, harmful: bool) -> Text:
    finding, rest = parts
    return Text.assemble((finding, "bold red" if harmful else "bold"), rest)


def _lone_line(one: CategoryAnswer, languages: Collection[str], *, vanished: bool) -> Text:
    name = _category_label(one, languages)
    return _headline(lone_headline(one, name, vanished=vanished), harmful=False)


def _category_label(outcome: Outcome, languages: Collection[str]) -> str:
    """Return the category's title, with its language if there are several."""
    return outcome.test.title + (f" ({outcome.test.language})" if len(languages) > 1 else "")


def _models(*outcomes: Outcome) -> str:
    return " → ".join(dict.fromkeys(one.model.name for one in outcomes))


def _measurement_key(outcome: Outcome) -> MeasurementKey:
    return outcome.model.name, outcome.model.sha256, outcome.metric, outcome.similarity


def _model_label(key: MeasurementKey, keys: Sequence[MeasurementKey]) -> str:
    """Return the model's name and what tells its measurements apart; empty if it is alone."""
    if len(keys) == 1:
        return ""
    name, content, metric, similarity = key
    parts = [(metric, 2), (similarity, 3), (content[:8], 1)]
    same = [other for other in keys if other[0] == name]
    return ", ".join([name, *(part for part, at in parts if len({o[at] for o in same}) > 1)])


def print_changes(outcomes: Sequence[Outcome]) -> None:
    """Print the change of each category and figure, what was skipped, and a summary."""
    for changed in before_and_after(outcomes):
        harms = [is_harmful(change) for change in changed.groups.get(CATEGORY, [])]
        lines = zip(changed.headlines, harms, strict=True)
        _print_lines({"": [_headline(said, harmful=harmful) for said, harmful in lines]})
        print_table(change_table(changed))
        for reason in dict.fromkeys(gap.reason for gap in changed.unknown):
            print_note(f"Skipped: {reason}")
        print_note(changed.summary)
