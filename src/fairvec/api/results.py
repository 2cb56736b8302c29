"""`Results`: a list of records with tables, conditions, a gate and plots."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self, SupportsIndex, TypeVar, get_args, overload

from fairvec.core.errors import (
    ExpressionError,
    FairvecError,
    SettingError,
    UnknownNameError,
    os_reason,
)
from fairvec.core.io.read_files import as_path
from fairvec.core.text import one_line, short_repr
from fairvec.messages.figures import MOST_ROWS
from fairvec.messages.gates import figure_line, gate_headline, gate_remarks, why_undecided
from fairvec.messages.reports import results_lines
from fairvec.results import Outcome, Result, Skipped, read_results, write_results
from fairvec.results.conditions.expression import Condition
from fairvec.results.conditions.gate import results_gate
from fairvec.results.records import CategoryAnswer, Description, WordScore
from fairvec.results.rows import COLUMNS, Plain, to_row
from fairvec.results.store import PAGE, as_jsonl

if TYPE_CHECKING:
    from fairvec.report.pictures import Picture


NUMBER, COUNT, TEXT = "Float64", "Int64", "string"
"""Types of columns in which a missing value is missing, and no nan, None or empty text."""


class RowList(list[dict[str, Plain]]):
    """Rows that all have the same columns; a missing value is None, and NA in a frame."""

    def __init__(self, rows: Iterable[dict[str, Plain]] = (), columns: Mapping[str, str] = {}):
        super().__init__(rows)
        self.columns = dict(columns)

    def to_frame(self) -> Any:
        """Return the rows as a pandas DataFrame, also of no rows with all its columns.

        Numbers are `Float64`, counts `Int64` and text `string`, all of which know NA.
        """
        pandas = _pandas()
        return pandas.DataFrame(
            {
                name: pandas.array(column, dtype=kind if _fits_int64(column) else NUMBER)
                for name, kind in self.columns.items()
                for column in [[row[name] for row in self]]
            }
        )


def _fits_int64(column: Iterable[Plain]) -> bool:
    """Return whether the integers of a column fit into 64 bits, as no record's need to."""
    return all(abs(value) < 2**63 for value in column if isinstance(value, int))


def _pandas() -> Any:
    try:
        return import_module("pandas")
    except ImportError as absent:
        raise SettingError(
            f"A frame needs pandas, which cannot be imported here ({absent}); run 'pip install "
            "pandas', or take the rows as a list of dicts with .rows() or .words()."
        ) from absent


_COUNTS = {"family", "words_found", "words_wanted"}
_NUMBERS = {
    "effect",
    "interval_low",
    "interval_high",
    "statistic",
    "p",
    "p_low",
    "p_high",
    "p_smallest",
    "p_holm",
    "p_bh",
    "detectable",
    "coverage",
    "effect_before",
    "effect_after",
    "p_paired",
    "difference_low",
    "difference_high",
}
COLUMN_TYPES = {
    name: COUNT if name in _COUNTS else NUMBER if name in _NUMBERS else TEXT for name in COLUMNS
}
"""The type of each column of a record's row."""

WORD_COLUMN_TYPES = {
    "test": TEXT,
    "model": TEXT,
    "metric": TEXT,
    "word": TEXT,
    "key": TEXT,
    "role": TEXT,
    "score": NUMBER,
    "effect": NUMBER,
    "without": NUMBER,
    "to_a": NUMBER,
    "to_b": NUMBER,
    "transliteration": TEXT,
    "gloss": TEXT,
}
"""The columns of a word's row, and the type of each."""


def rows_of(outcomes: Iterable[Outcome]) -> RowList:
    """Return one row a record, with every column of results.COLUMNS."""
    return RowList([to_row(outcome) for outcome in outcomes], COLUMN_TYPES)


def words_of(outcomes: Iterable[Outcome]) -> RowList:
    """Return one row a target word of each measured or described test."""
    return RowList(
        [
            {
                "test": outcome.test.id,
                "model": outcome.model.name,
                "metric": outcome.metric,
                **_row(word),
            }
            for outcome in outcomes
            if isinstance(outcome, Result | Description)
            for word in outcome.words
        ],
        WORD_COLUMN_TYPES,
    )


def _row(word: WordScore) -> dict[str, Plain]:
    row = word.model_dump()
    # Off the Latin script only; an empty text would look like one that was given.
    return row | {name: row[name] or None for name in ("transliteration", "gloss")}


MOST_LISTED = 20


@dataclass(frozen=True, repr=False)
class GateAnswer:
    """The answer of a gate: true if it lets pass, false if not, and false if it cannot decide.

    `offending` are the records that meet a condition on single rows, `figures` the figures over all
    rows that decided another one, in words. `problem` is the one sentence why a condition could not
    be read or decided: a gate that decides nothing lets nothing pass.
    """

    condition: str
    offending: "Results"
    headline: str = ""
    figures: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    problem: str = ""
    met: bool = False

    def __bool__(self) -> bool:
        """Return whether the gate lets pass."""
        return not (self.met or self.problem)

    @property
    def exit_code(self) -> int:
        """The code with which `fairvec check` ends: 0 passed, 1 met, 2 not decided."""
        return 2 if self.problem else int(self.met)

    def __repr__(self) -> str:
        """Return the answer in a few readable lines."""
        lead = "Not decided" if self.problem else "Not passed" if self.met else "Passed"
        rest = len(self.offending) - MOST_LISTED
        lines = [
            f"{lead}. {self.problem or one_line(self.headline)}",
            *(f"  {one_line(figure)}" for figure in self.figures),
            *(f"  {one}" for one in self.offending[:MOST_LISTED]),
            f"  ... and {rest} more" if rest > 0 else "",
            *self.remarks,
        ]
        return "\n".join(line for line in lines if line)


def parse_condition(text: str) -> Condition:
    """Return a condition on rows of results; refuse what is no text."""
    if not isinstance(text, str):
        raise ExpressionError(
            f"A condition is text, and this is a {type(text).__name__}; write for example "
            '"p_holm < 0.05 and abs(effect) > 0.5".'
        )
    return Condition(text)


def ask_gate(results: "Results", fail_if: str) -> GateAnswer:
    """Ask the gate, and raise nothing that a condition or a run may be to blame for."""
    empty = results[:0]
    try:
        gate = results_gate(results, parse_condition(fail_if))
        ruling = gate.ruling
    except FairvecError as error:
        return GateAnswer(str(fail_if), empty, problem=one_line(str(error)))
    return GateAnswer(
        fail_if,
        empty if ruling.over_rows else empty + [results[index] for index in ruling.met],
        gate_headline(gate),
        tuple(figure_line(gate, figure) for figure in ruling.figures),
        gate_remarks(gate),
        why_undecided(gate),
        gate.is_met,
    )


@dataclass(frozen=True, eq=False)
class Plots:
    """What can be drawn of some results; each answer shows itself, and saves itself as SVG."""

    results: "Results"

    def forest(self, *, most: int = MOST_ROWS) -> "Picture":
        """Draw every measured test with its interval, and each category's tests together."""
        from fairvec.report.pictures import forest_picture

        return forest_picture(self.results, most=most)

    def categories(self, *, most: int = MOST_ROWS) -> "Picture":
        """Draw one row a model and category: its tests as dots, their answer as a diamond."""
        from fairvec.report.pictures import categories_picture

        return categories_picture(self.results, most=most)

    def strip(self, test: str = "", *, model: str = "", metric: str = "") -> "Picture":
        """Draw where each target word of one test leans.

        `test` is its id, with or without its suite; it, `model` and `metric` may be left out where
        one record is all that is left.
        """
        from fairvec.report.pictures import strip_picture

        return strip_picture(self._one(test, model, metric))

    def heat(self, test: str = "", *, model: str = "", metric: str = "") -> "Picture":
        """Draw how similar each target word of one test is to each attribute, named as by strip."""
        from fairvec.report.pictures import heat_picture

        return heat_picture(self._one(test, model, metric))

    def _one(self, test: str, model: str, metric: str) -> Result:
        """Return the one measured test that is meant, or say why it is none or several."""
        for parameter, name in (("test", test), ("model", model), ("metric", metric)):
            if not isinstance(name, str):
                raise SettingError(
                    f"{parameter} is a {type(name).__name__}; name it by text, as in test='weat-6'."
                )
        measured = [result for result in self.results if isinstance(result, Result)]
        named = [result for result in measured if _matches(result.test.id, test)]
        if not named:
            self._refuse(test, [result.test.id for result in measured])
        found = [
            result
            for result in named
            if model in ("", result.model.name) and metric in ("", result.metric)
        ]
        if not found:
            models, metrics = {one.model.name for one in named}, {one.metric for one in named}
            if model and model not in models:
                raise UnknownNameError("model of this test", model, models)
            if metric not in metrics:
                raise UnknownNameError("metric of this test", metric, metrics)
            raise SettingError(
                f"{test} was not measured in {model} by {metric}, but as {_name_records(named)}; "
                "name one of these."
            )
        if len(found) > 1:
            raise SettingError(
                f"{len(found)} records are meant ({_name_records(found)}); name one by test=, "
                "model= and metric=, or choose with .where(...) first."
            )
        return found[0]

    def _refuse(self, test: str, known: list[str]) -> NoReturn:
        """Say why no record is meant."""
        skipped = (outcome for outcome in self.results if isinstance(outcome, Skipped))
        for outcome in skipped:
            if test and _matches(outcome.test.id, test):
                raise SettingError(
                    f"{outcome.test.id} was skipped, so there is nothing to draw: {outcome.reason}"
                )
        if not known:
            raise SettingError(
                "There is no measured test among these results, so there are no words to draw; "
                "look at the reasons of what was skipped."
            )
        raise UnknownNameError("measured test", test, set(known))


def _matches(full: str, reference: str) -> bool:
    return reference in ("", full, full.partition("/")[2])


def _name_records(results: list[Result], most: int = 4) -> str:
    names = [f"{result.test.id} on {result.model.name} by {result.metric}" for result in results]
    return ", ".join(names[:most]) + (" and more" if len(names) > most else "")


Lines = TypeVar("Lines")
Written = TypeVar("Written")


def with_page(render: Callable[[], str], write: Callable[[str], Written]) -> Written:
    """Write results with the page about them, and return what `write` returns.

    Results of hours of work are not lost by a page that cannot be made: then they are written
    without it (the page is an empty text), and the error is raised.
    """
    try:
        page = render()
    except Exception:  # raised again, after the results are written
        write("")
        raise
    return write(page)


def write_with_page(
    write: Callable[[Lines, Path, Mapping[str, str]], Path],
    lines: Lines,
    folder: Path,
    render: Callable[[Lines], str],
) -> Path:
    """Write the records of a run and the page about them together; return the records' path."""
    return with_page(
        lambda: render(lines), lambda page: write(lines, folder, {PAGE: page} if page else {})
    )


RECORDS = get_args(Outcome)


class Results(list[Outcome]):
    """What was found, one record a test; a plain list, and more.

    Slices, sums, copies and choices are `Results` too. A notebook shows the answer of each
    category, the tests as a table and their effects as a plot; `plot` draws more.
    """

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        if isinstance(outcomes, str | PathLike) or not isinstance(outcomes, Iterable):
            raise SettingError(
                f"Results hold records of fairvec, not {short_repr(outcomes)}; give a list of "
                "them, or read those of a folder with Results.read('runs/mine')."
            )
        super().__init__(outcomes)
        for position, outcome in enumerate(self):
            if not isinstance(outcome, RECORDS):
                raise SettingError(
                    f"Results hold records of fairvec, and number {position} is a "
                    f"{type(outcome).__name__}; give a list of records, as audit and read_results "
                    "return it."
                )

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Read the records of a results.jsonl, or of the folder that holds one."""
        return cls(read_results(path))

    def save(self, folder: Path | str, *, title: str = "") -> Path:
        """Write results.jsonl and report.html into a folder, as `fairvec audit -o` does.

        `read` of that folder gives these records back.
        """
        from fairvec.report import render

        path = as_path(folder, "say results.save('runs/mine')")
        # First, so that what cannot be shown leaves nothing behind.
        page = render(self, title=title)
        try:
            write_results(self, path, {PAGE: page})
        except OSError as error:
            raise SettingError(
                f"{folder}: the folder cannot be written to ({os_reason(error)}); name another one."
            ) from error
        return path

    def to_jsonl(self) -> str:
        """Return the records as JSON lines, as results.jsonl has them."""
        return as_jsonl(self)

    def rows(self) -> RowList:
        """Return one dict a record, with every column of `fairvec.results.rows.COLUMNS`."""
        return rows_of(self)

    def words(self) -> RowList:
        """Return one dict a target word: what it scores, and the effect without it.

        The same list whether pandas is installed or not; `.words().to_frame()` is a DataFrame.
        """
        return words_of(self)

    def to_frame(self) -> Any:
        """Return one row a record as a pandas DataFrame; what a record lacks is NA."""
        return self.rows().to_frame()

    def categories(self) -> Self:
        """Return the answers for categories, each pooled over all its tests."""
        return type(self)(outcome for outcome in self if isinstance(outcome, CategoryAnswer))

    def where(self, condition: str) -> Self:
        """Return the records that meet a condition, as in `where("verdict == 'biased'")`.

        Conditions are those of `fairvec check`; a record without a field of the condition is left
        out.
        """
        condition_met = parse_condition(condition)
        return type(self)(outcome for outcome in self if condition_met(to_row(outcome)))

    def check(self, fail_if: str) -> GateAnswer:
        """Return whether a gate lets these results pass, as `fairvec check --fail-if` decides.

        The answer is true if no record meets the condition, or if all together do not; it raises
        nothing, and is false where the condition cannot be decided.
        """
        return ask_gate(self, fail_if)

    @property
    def plot(self) -> Plots:
        """The figures of the report: forest, categories, strip and heat."""
        return Plots(self)

    @overload
    def __getitem__(self, place: SupportsIndex, /) -> Outcome: ...
    @overload
    def __getitem__(self, place: slice, /) -> Self: ...
    def __getitem__(self, place: SupportsIndex | slice, /) -> Outcome | Self:
        """Return one record, or Results of some."""
        found = super().__getitem__(place)
        return type(self)(found) if isinstance(found, list) else found

    def __add__(self, others: Iterable[Outcome], /) -> Self:  # type: ignore[override]
        """Return these records and after them those of another list."""
        return type(self)([*self, *others]) if isinstance(others, list) else NotImplemented

    def __radd__(self, others: Iterable[Outcome], /) -> Self:
        """Return the records of another list and after them these."""
        return type(self)([*others, *self]) if isinstance(others, list) else NotImplemented

    def copy(self) -> Self:
        """Return Results of the same records."""
        return type(self)(self)

    def __repr__(self) -> str:
        """Return a few readable lines; `list(results)` shows every field."""
        return results_lines(self)

    def _repr_html_(self) -> str:
        from fairvec.report.notebook import to_html

        return to_html(self)
