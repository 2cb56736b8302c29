"""`Results`: a list of records with rows, gates and figures of its own."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self, SupportsIndex, get_args, overload

from fairvec.core.errors import (
    ExpressionError,
    FairvecError,
    SettingError,
    UnknownNameError,
    os_reason,
)
from fairvec.core.io.read_files import as_path
from fairvec.core.text import one_line, short_repr
from fairvec.messages.reports import results_lines
from fairvec.results import (
    COLUMNS,
    PAGE,
    CategoryAnswer,
    Condition,
    Description,
    Outcome,
    Result,
    Skipped,
    WordScore,
    as_jsonl,
    read_results,
    to_row,
    write_results,
)
from fairvec.results.conditions.gate import results_gate
from fairvec.results.rows import Plain

if TYPE_CHECKING:
    from fairvec.report.pictures import Picture


# Rows of plain values: a list of dicts, and a table of pandas where that is installed.


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
                name: pandas.array(column, dtype=kind if _fit(column) else NUMBER)
                for name, kind in self.columns.items()
                for column in [[row[name] for row in self]]
            }
        )


def _fit(column: Iterable[Plain]) -> bool:
    """Say whether the whole numbers of a column fit into 64 bits, as no record's need to."""
    return all(abs(one) < 2**63 for one in column if isinstance(one, int))


def _pandas() -> Any:
    try:
        return import_module("pandas")
    except ImportError as absent:
        raise SettingError(
            f"A frame needs pandas, which cannot be imported here ({absent}); run 'pip install "
            "pandas', or take the rows as a list of dicts with .rows() or .words()."
        ) from absent


# Results as rows: one a record, or one a target word.


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
KINDS = {
    name: COUNT if name in _COUNTS else NUMBER if name in _NUMBERS else TEXT for name in COLUMNS
}
"""The type of each column of a record's row."""

WORD_KINDS = {
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
    return RowList([to_row(outcome) for outcome in outcomes], KINDS)


def words_of(outcomes: Iterable[Outcome]) -> RowList:
    """Return one row a target word of each measured or described test."""
    return RowList(
        [
            {"test": one.test.id, "model": one.model.name, "metric": one.metric, **_row(word)}
            for one in outcomes
            if isinstance(one, Result | Description)
            for word in one.words
        ],
        WORD_KINDS,
    )


def _row(word: WordScore) -> dict[str, Plain]:
    told = word.model_dump()
    # Off the Latin script only; an empty text would look like one that was given.
    return told | {name: told[name] or None for name in ("transliteration", "gloss")}


# What a condition says of results: the gate of `fairvec check`, as an object.


MOST_SHOWN = 20


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
        rest = len(self.offending) - MOST_SHOWN
        lines = [
            f"{lead}. {self.problem or one_line(self.headline)}",
            *(f"  {one_line(figure)}" for figure in self.figures),
            *(f"  {one}" for one in self.offending[:MOST_SHOWN]),
            f"  ... and {rest} more" if rest > 0 else "",
            *self.remarks,
        ]
        return "\n".join(line for line in lines if line)


def condition_of(text: str) -> Condition:
    """Return a condition on rows of results; refuse what is no text."""
    if not isinstance(text, str):
        raise ExpressionError(
            f"A condition is text, and this is a {type(text).__name__}; write for example "
            '"p_holm < 0.05 and abs(effect) > 0.5".'
        )
    return Condition(text)


def checked(results: "Results", fail_if: str) -> GateAnswer:
    """Ask the gate, and raise nothing that a condition or a run may be to blame for."""
    none = results[:0]
    try:
        gate = results_gate(results, condition_of(fail_if))
        ruling = gate.ruling
    except FairvecError as error:
        return GateAnswer(str(fail_if), none, problem=one_line(str(error)))
    return GateAnswer(
        fail_if,
        none if ruling.over_rows else none + [results[at] for at in ruling.met],
        gate.headline,
        tuple(gate.told(figure) for figure in ruling.figures),
        gate.remarks,
        gate.undecided,
        gate.is_met,
    )


# The figures of the report, drawn from results one by one.


MOST = 200
"""Rows that one plot draws unless more are asked for."""


@dataclass(frozen=True, eq=False)
class Plots:
    """What can be drawn of some results; each answer shows itself, and saves itself as SVG."""

    results: "Results"

    def forest(self, *, most: int = MOST) -> "Picture":
        """Draw every measured test with its interval, and each category's tests together."""
        from fairvec.report.pictures import forest_picture

        return forest_picture(self.results, most=most)

    def categories(self, *, most: int = MOST) -> "Picture":
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
        for said, name in (("test", test), ("model", model), ("metric", metric)):
            if not isinstance(name, str):
                raise SettingError(
                    f"{said} is a {type(name).__name__}; name it by text, as in test='weat-6'."
                )
        measured = [one for one in self.results if isinstance(one, Result)]
        named = [one for one in measured if _is(one.test.id, test)]
        if not named:
            self._refuse(test, [one.test.id for one in measured])
        found = [
            one for one in named if model in ("", one.model.name) and metric in ("", one.metric)
        ]
        if not found:
            told, known = (
                (model, {one.model.name for one in named})
                if model and model not in {one.model.name for one in named}
                else (metric, {one.metric for one in named})
            )
            raise UnknownNameError("model or metric of this test", told, known)
        if len(found) > 1:
            raise SettingError(
                f"{len(found)} records are meant ({_listed(found)}); name one by test=, model= and "
                "metric=, or choose with .where(...) first."
            )
        return found[0]

    def _refuse(self, test: str, known: list[str]) -> NoReturn:
        """Say why no record is meant."""
        skipped = (one for one in self.results if isinstance(one, Skipped))
        for one in skipped:
            if test and _is(one.test.id, test):
                raise SettingError(
                    f"{one.test.id} was skipped, so there is nothing to draw: {one.reason}"
                )
        if not known:
            raise SettingError(
                "There is no measured test among these results, so there are no words to draw; "
                "look at the reasons of what was skipped."
            )
        raise UnknownNameError("measured test", test, set(known))


def _is(full: str, asked: str) -> bool:
    return asked in ("", full, full.partition("/")[2])


def _listed(some: list[Result], most: int = 4) -> str:
    names = [f"{one.test.id} on {one.model.name} by {one.metric}" for one in some]
    return ", ".join(names[:most]) + (" and more" if len(names) > most else "")


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
        for place, one in enumerate(self):
            if not isinstance(one, RECORDS):
                raise SettingError(
                    f"Results hold records of fairvec, and number {place} is a "
                    f"{type(one).__name__}; give a list of records, as audit and read_results "
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

        place = as_path(folder, "say results.save('runs/mine')")
        # First, so that what cannot be shown leaves nothing behind.
        page = render(self, title=title)
        try:
            write_results(self, place, {PAGE: page})
        except OSError as error:
            raise SettingError(
                f"{folder}: the folder cannot be written to ({os_reason(error)}); name another one."
            ) from error
        return place

    def to_jsonl(self) -> str:
        """Return the records as JSON lines, as results.jsonl has them."""
        return as_jsonl(self)

    def rows(self) -> RowList:
        """Return one dict a record, with every column of `fairvec.results.COLUMNS`."""
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
        """Return the answers of whole categories, each of all its tests together."""
        return type(self)(one for one in self if isinstance(one, CategoryAnswer))

    def where(self, condition: str) -> Self:
        """Return the records that meet a condition, as in `where("verdict == 'biased'")`.

        Conditions are those of `fairvec check`; a record that lacks what is asked about is left
        out.
        """
        meets = condition_of(condition)
        return type(self)(one for one in self if meets(to_row(one)))

    def check(self, fail_if: str) -> GateAnswer:
        """Return whether a gate lets these results pass, as `fairvec check --fail-if` decides.

        The answer is true if no record meets the condition, or if all together do not; it raises
        nothing, and is false where the condition cannot be decided.
        """
        return checked(self, fail_if)

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
