"""The page of a study: which factors the effects of its tests vary with."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from fairvec.core.errors import SettingError
from fairvec.core.format import capitalize_first, format_p_bound, format_signed
from fairvec.core.io.atomic_files import write_text
from fairvec.core.tables import Table, table_of
from fairvec.messages import studies as messages
from fairvec.messages.studies import level_label, share_text
from fairvec.report.page import render_page
from fairvec.report.plots.bar_plots import BarPart, share_bar
from fairvec.report.plots.rows import CellDot, forest_axis, level_dots
from fairvec.report.plots.svg import Scale, scale_of
from fairvec.results.derived import mean_interval
from fairvec.results.study import (
    CellEffect,
    CellKey,
    FailedCell,
    IncompleteAnswer,
    StudyAnswer,
    StudyCell,
    StudyHeader,
    StudyLine,
    VarianceTerm,
)

FACTOR_NAMES = {factor: capitalize_first(name) for factor, name in messages.FACTOR_NAMES.items()}
TONES = {"corpus": "tone-1", "model": "tone-2", "window": "tone-3", "dim": "tone-4"}
TOGETHER, SEEDS = "Factors together", "Seeds"


@dataclass(frozen=True)
class LevelRow:
    """One level of a factor, as a row of the page."""

    factor: str
    level: str
    mean: float
    drawing: Markup


def render_study(lines: Sequence[StudyLine]) -> str:
    """Return the page about one study; the same records give the same page."""
    heads = [line for line in lines if isinstance(line, StudyHeader)]
    cells = [line for line in lines if isinstance(line, StudyCell)]
    if len(heads) != 1:
        raise SettingError("A study has one head; run 'fairvec study PLAN.toml -o FOLDER'.")
    (head,) = heads
    answers = [line for line in lines if isinstance(line, StudyAnswer)]
    varied = [factor for factor, levels in head.factors.items() if len(levels) > 1]
    scale = _scale(answers, cells)
    seeds = head.plan.get("seeds")
    legend = [(FACTOR_NAMES[factor], TONES[factor]) for factor in varied]
    return render_page(
        "study.html",
        head=head,
        seeds=seeds if isinstance(seeds, list) else [],
        answers=answers,
        bars=[(answer, share_bar(variance_parts(answer))) for answer in answers],
        legend=[*legend, (TOGETHER, "tone-5"), (SEEDS, "tone-seeds")],
        rows=[(answer, _rows(answer, cells, scale)) for answer in answers],
        axis=forest_axis(scale),
        refused=[line for line in lines if isinstance(line, IncompleteAnswer)],
        failed=[line for line in lines if isinstance(line, FailedCell)],
        cells=cells,
        term_name=term_name,
        p_bound=format_p_bound,
        factor_names=FACTOR_NAMES,
    )


def write_study_report(lines: Sequence[StudyLine], path: Path | str) -> Path:
    """Write the page to `path` atomically."""
    write_text(Path(path), render_study(lines))
    return Path(path)


def variance_parts(answer: StudyAnswer) -> list[BarPart]:
    """Return the sources of a test's variance: each factor, factors together, and seeds."""
    single = [term for term in answer.explained if len(term.factors) == 1]
    together = sum(term.omega2 for term in answer.explained if len(term.factors) > 1)
    return [
        *(BarPart(term_name(term), TONES[term.factors[0]], term.omega2) for term in single),
        BarPart(TOGETHER, "tone-5", together),
        BarPart(SEEDS, "tone-seeds", answer.residual),
    ]


def term_name(term: VarianceTerm) -> str:
    """Return what explains, by name: Corpus × Window."""
    return " × ".join(FACTOR_NAMES[factor] for factor in term.factors)


def levels_table(answers: Sequence[StudyAnswer]) -> Table:
    """Return the mean effects: a line for each test, a column for each level."""
    names = dict.fromkeys((one.factor, one.level) for answer in answers for one in answer.levels)
    rows = []
    for one in answers:
        means = {(level.factor, level.level): format_signed(level.mean) for level in one.levels}
        words = "" if one.word_spread is None else f"±{one.word_spread:.2f}"
        cells = (means.get(name, "") for name in names)
        rows.append((one.test.id, *cells, f"{one.seed_spread:.2f}", words))
    headings = (f"{factor} {level}" for factor, level in names)
    return table_of(("mean effect", *headings, "seeds", "words"), rows)


def shares_table(answers: Sequence[StudyAnswer]) -> Table:
    """Return the shares of the variance: a line for each test, a column for each source."""
    names = dict.fromkeys(part.name for answer in answers for part in variance_parts(answer))
    rows = []
    for one in answers:
        terms = {term_name(term): term for term in one.explained}
        clipped = clipped_terms(one)
        shares = {
            part.name: share_text(part.share, terms.get(part.name), clipped=part.name in clipped)
            for part in variance_parts(one)
        }
        rows.append((one.test.id, *(shares.get(name, "") for name in names)))
    return table_of(("explained", *names), rows)


def clipped_terms(one: StudyAnswer) -> set[str]:
    """Return the columns of which a share came out below 0."""
    return {
        term_name(term) if len(term.factors) == 1 else TOGETHER
        for term in one.explained
        if term.share_was_negative
    }


def _effects(answer: StudyAnswer, cells: Sequence[StudyCell]) -> list[tuple[CellKey, CellEffect]]:
    return [
        (cell.place, effect)
        for cell in cells
        for effect in cell.effects
        if (effect.test, effect.metric) == (answer.test.id, answer.metric)
    ]


def _rows(answer: StudyAnswer, cells: Sequence[StudyCell], scale: Scale) -> list[LevelRow]:
    effects = _effects(answer, cells)
    rows = []
    for level in answer.levels:
        level_effects = [
            (place, effect) for place, effect in effects if place.level(level.factor) == level.level
        ]
        dots = [
            CellDot(effect.effect, f"{place} · {format_signed(effect.effect)}")
            for place, effect in level_effects
        ]
        title = level_label(level, FACTOR_NAMES[level.factor])
        drawing = level_dots(
            dots, level.mean, mean_interval([effect for _, effect in level_effects]), scale, title
        )
        rows.append(LevelRow(level.factor, level.level, level.mean, drawing))
    return rows


def _scale(answers: Sequence[StudyAnswer], cells: Sequence[StudyCell]) -> Scale:
    shown = [0.0]
    for answer in answers:
        effects = [effect for _, effect in _effects(answer, cells)]
        shown += [effect.effect for effect in effects]
        shown += mean_interval(effects) or ()
    return scale_of(shown, ticks=6)
