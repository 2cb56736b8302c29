"""What a page does not answer: tests skipped, categories not asked about, words not found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairvec.ground.numbers import counted, percent, whole
from fairvec.ground.text.capitals import titled
from fairvec.ground.text.enumerations import listed, listed_up_to
from fairvec.report.sections.arrange import grouped
from fairvec.report.words.languages import language_name
from fairvec.results import CATEGORY, CategoryAnswer, Outcome, Result, Skipped

CATEGORIES = (
    "gender",
    "race",
    "religion",
    "caste",
    "age",
    "health",
    "occupation",
    "nationality",
    "sexual orientation",
)
"""What people ask about; a page names those of them that it is silent on."""

_NO_TESTS = ("movement", CATEGORY)

MOST_NAMED = 6

_BEYOND = (
    "Each test sees its own words alone. No answer here rules out a bias in other words, in whole "
    "sentences or in what a system makes of the model; nor is an association in it a harm by "
    "itself."
)


@dataclass(frozen=True)
class Gap:
    """One thing that was not measured, and where the page says more of it."""

    title: str
    text: str
    target: str = ""


def gaps(outcomes: Sequence[Outcome]) -> list[Gap]:
    """Return what was not measured, and at last what such tests cannot show."""
    found = [
        Gap("Skipped", _skipped(outcomes), "skipped"),
        Gap("Not pooled", _left_out(outcomes), "answer"),
        Gap("Not asked", _not_asked(outcomes)),
        Gap("Words not found", _missing(outcomes), "tests"),
        Gap("Beyond such tests", _BEYOND),
    ]
    return [gap for gap in found if gap.text]


def _skipped(outcomes: Iterable[Outcome]) -> str:
    skipped = [
        one for one in outcomes if isinstance(one, Skipped) and one.test.kind not in _NO_TESTS
    ]
    models = {one.model.name for one in skipped}
    named = list(dict.fromkeys(one.test.title for one in skipped))
    if not skipped:
        return ""
    where = f" in {next(iter(models))}" if len(models) == 1 else f", in {len(models)} models"
    return f"{counted(len(skipped), 'test has', 'tests have')} no answer{where}: {_some(named)}."


def _left_out(outcomes: Iterable[Outcome]) -> str:
    """Name the measured tests that no answer of a category could take in; others were skipped."""
    outcomes = list(outcomes)
    skipped = {(one.model.sha256, one.test.id) for one in outcomes if isinstance(one, Skipped)}
    named = dict.fromkeys(
        test
        for one in outcomes
        if isinstance(one, CategoryAnswer)
        for test in one.left_out
        if (one.model.sha256, test.partition(" (")[0]) not in skipped
    )
    return f"Not part of their category's answer: {_some(list(named))}." if named else ""


def _not_asked(outcomes: Iterable[Outcome]) -> str:
    bias = [one.test for one in outcomes if one.test.kind == "bias"]
    sentences = []
    for language, tests in grouped(bias, lambda test: test.language).items():
        asked = {test.category.lower() for test in tests}
        if silent := [category for category in CATEGORIES if category not in asked]:
            sentences.append(f"in {language_name(language)} nothing about {listed(silent, 'or')}")
    said = "; ".join(sentences)
    return f"{titled(said)}." if said else ""


def _missing(outcomes: Iterable[Outcome]) -> str:
    results = [one for one in outcomes if isinstance(one, Result)]
    sentences = []
    for model, members in grouped(results, lambda one: one.model.name).items():
        groups = [group for one in members for group in one.coverage]
        wanted = sum(group.wanted for group in groups)
        lost = sum(len(group.missing) for group in groups)
        words = list(dict.fromkeys(word for group in groups for word in group.missing))
        if lost:
            share = percent(lost / wanted)
            sentences.append(
                f"{model} lacks {whole(lost)} of {whole(wanted)} entries ({share}): {_some(words)}"
            )
    return "; ".join(sentences) + "." if sentences else ""


def _some(names: Sequence[str]) -> str:
    return listed_up_to(names, MOST_NAMED)
