"""The figures of the report, drawn from results one by one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.results import Result, Skipped

if TYPE_CHECKING:
    from fairvec.api.results_list import Results
    from fairvec.report.figures import Picture

MOST = 200
"""Rows that one plot draws unless more are asked for."""


@dataclass(frozen=True, eq=False)
class Plots:
    """What can be drawn of some results; each answer shows itself, and saves itself as SVG."""

    results: "Results"

    def forest(self, *, most: int = MOST) -> "Picture":
        """Draw every measured test with its interval, and each category's tests together."""
        from fairvec.report.figures import forest_picture

        return forest_picture(self.results, most=most)

    def categories(self, *, most: int = MOST) -> "Picture":
        """Draw one row a model and category: its tests as dots, their answer as a diamond."""
        from fairvec.report.figures import categories_picture

        return categories_picture(self.results, most=most)

    def strip(self, test: str = "", *, model: str = "", metric: str = "") -> "Picture":
        """Draw where each target word of one test leans.

        `test` is its id, with or without its suite; it, `model` and `metric` may be left out where
        one record is all that is left.
        """
        from fairvec.report.figures import strip_picture

        return strip_picture(self._one(test, model, metric))

    def heat(self, test: str = "", *, model: str = "", metric: str = "") -> "Picture":
        """Draw how similar each target word of one test is to each attribute, named as by strip."""
        from fairvec.report.figures import heat_picture

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
