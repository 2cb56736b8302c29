"""The answers for categories as lines of a terminal: what stands above everything else."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from fairvec.cli.console import out
from fairvec.evaluation import CategoryComparison
from fairvec.evaluation.categories.poolable import poolable
from fairvec.report.words.numbers import counted, p_value, signed
from fairvec.results import (
    CATEGORY,
    HARMFUL,
    CategoryAnswer,
    Outcome,
    Result,
    Skipped,
    flat,
)

Way = tuple[str, str, str, str]


def lay_out_answers(outcomes: Sequence[Outcome]) -> None:
    """Print one sentence a category, under the model's name where there are several."""
    said: dict[Way, list[Text]] = {}
    for one in outcomes:
        if one.test.kind == CATEGORY:
            said.setdefault(_way(one), []).append(_sentence(one))
    for way, line in _unanswered(outcomes):
        said.setdefault(way, []).append(line)
    _lay_out({_called(way, [*said]): lines for way, lines in said.items()})


def lay_out_category_changes(changes: Sequence[CategoryComparison]) -> None:
    """Print one line a category: its pooled effect and p before and after, and what that means."""
    said: dict[str, list[Text]] = {}
    several = len({_models(one) for one in changes}) > 1
    for one in changes:
        said.setdefault(_models(one) if several else "", []).append(_changed(one))
    _lay_out(said)


def category_row(one: CategoryComparison) -> dict[str, object]:
    """Return a category before and after as the row that any test before and after is."""
    return {
        "test": one.after.test.id,
        "title": one.after.test.title,
        "model_before": one.before.model.name,
        "model_after": one.after.model.name,
        "effect_before": one.effect_before,
        "effect_after": one.effect_after,
        "p_holm_before": one.before.p_holm,
        "p_holm_after": one.after.p_holm,
        "same_words": one.same_words,
        "p_paired": one.paired.value if one.paired else None,
        "difference_low": one.difference.low if one.difference else None,
        "difference_high": one.difference.high if one.difference else None,
        "change": one.change,
    }


def _lay_out(said: dict[str, list[Text]]) -> None:
    """Print the lines under their headings, wrapped between words, and a blank line behind them."""
    for heading, lines in said.items():
        for line in [Text(heading, style="bold")] * bool(heading) + lines:
            out.print(line, soft_wrap=False)
        out.print()


def _sentence(one: Outcome) -> Text:
    if not isinstance(one, CategoryAnswer):
        return Text(f"{one.test.title}: no answer. {flat(one)['reason']}")
    line = Text(one.verdict.sentence)
    opening = one.verdict.sentence.partition(".")[0].partition("(")[0]
    line.stylize("bold red" if one.verdict.kind == "biased" else "bold", 0, len(opening))
    return line


def _unanswered(outcomes: Sequence[Outcome]) -> Iterator[tuple[Way, Text]]:
    """Yield the categories of which nothing could be pooled, and why."""
    answered = {(_way(one), *_name(one)) for one in outcomes if one.test.kind == CATEGORY}
    why: dict[tuple[Way, str, str], list[str]] = {}
    for one in outcomes:
        tested = isinstance(one, Result | Skipped) and one.convention is not None
        if one.test.kind == "bias" and tested and (_way(one), *_name(one)) not in answered:
            why.setdefault((_way(one), *_name(one)), []).append(str(poolable(one)))
    for (way, _, category), reasons in why.items():
        title = f"{category[:1].upper()}{category[1:]}"
        several = f"none of its {len(reasons)} tests" if len(reasons) > 1 else "its one test"
        verb = "can" if len(reasons) > 1 else "cannot"
        line = (
            f"{title}: no answer; {several} {verb} be pooled ({', '.join(dict.fromkeys(reasons))})."
        )
        yield way, Text(line)


def _changed(one: CategoryComparison) -> Text:
    effects = f"d {signed(one.effect_before)} → {signed(one.effect_after)}"
    p = [("none" if p is None else p_value(p)) for p in (one.before.p_holm, one.after.p_holm)]
    paired = f", paired p {p_value(one.paired.value)}" if one.paired else ""
    out = f"; {counted(len(one.left_out), 'more test')} not pooled" if one.left_out else ""
    opening = f"{one.after.test.title}: {one.change}"
    tests = counted(len(one.tests), "test")
    line = Text(f"{opening} ({effects}, Holm p {p[0]} → {p[1]}{paired}; {tests}{out}).")
    line.stylize("bold red" if one.change in HARMFUL else "bold", 0, len(opening))
    return line


def _models(one: CategoryComparison) -> str:
    return " → ".join(dict.fromkeys([one.before.model.name, one.after.model.name]))


def _name(outcome: Outcome) -> tuple[str, str]:
    return outcome.test.language, outcome.test.category


def _way(outcome: Outcome) -> Way:
    return outcome.model.name, outcome.model.sha256, outcome.metric, outcome.similarity


def _called(way: Way, ways: Sequence[Way]) -> str:
    """Return the model's name, with the metric where others were asked; nothing if it is alone."""
    if len(ways) == 1:
        return ""
    name, content, metric, similarity = way
    parts = [(metric, 2), (similarity, 3), (content[:8], 1)]
    same = [other for other in ways if other[0] == name]
    return ", ".join([name, *(part for part, at in parts if len({o[at] for o in same}) > 1)])
