"""A list of records that a notebook shows."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any, Self, SupportsIndex, get_args, overload

from fairvec.api.checked import Checked, checked, condition_of
from fairvec.api.plots import Plots
from fairvec.api.row_list import RowList
from fairvec.api.showing import as_lines
from fairvec.api.tables import rows_of, words_of
from fairvec.ground.disk.places import named_path
from fairvec.ground.errors import SettingError, refusal_of
from fairvec.ground.text.shown_values import shown
from fairvec.results import (
    PAGE,
    CategoryAnswer,
    Outcome,
    as_jsonl,
    flat,
    read_results,
    write_results,
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
                f"Results hold records of fairvec, not {shown(outcomes)}; give a list of them, or "
                "read those of a folder with Results.read('runs/mine')."
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

        place = named_path(folder, "say results.save('runs/mine')")
        # First, so that what cannot be shown leaves nothing behind.
        page = render(self, title=title)
        try:
            write_results(self, place, {PAGE: page})
        except OSError as error:
            raise SettingError(
                f"{folder}: the folder cannot be written to ({refusal_of(error)}); name another "
                "one."
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
        return type(self)(one for one in self if meets(flat(one)))

    def check(self, fail_if: str) -> Checked:
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
        return as_lines(self)

    def _repr_html_(self) -> str:
        from fairvec.report.notebook import as_html

        return as_html(self)
