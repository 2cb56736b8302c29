"""Printed pairs of d and p that cannot belong together.

Under the permutation test the difference of means is nearly normal, so with n words in X and m in Y

    z = d sqrt(n m / (n + m)),  times sqrt((n + m - 1) / (n + m)) for the population deviation
    p = 1 - Phi(z),             one-sided

This is an approximation: a pair is doubted only if its p, with its rounding and sampling error and
0.01 besides, is outside the p of all z from two thirds of the words found to all found, widened by
0.1 + z^2 / 10 (for equal lists the error vanishes at z = 0 and is largest in the tails). SEAT is
read by words and by sentences. Leanings are taken to be bell-shaped: very skewed ones may be
doubted wrongly. Only one-sided p and spreads of leanings are read: `raw-similarity`
says nothing about p.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import erfc, sqrt

from fairvec.ground.numbers import p_value
from fairvec.lexicon import Test, WordSet, select
from fairvec.lexicon.sentence_templates import templates
from fairvec.metrics import effect_size
from fairvec.papers.measuring.choices import choices_of
from fairvec.papers.printed.figure import PaperFigure
from fairvec.papers.printed.paper import Cell, Paper

_FEWEST_FOUND = 2 / 3
_BAND, _GROWTH, _SLACK = 0.1, 0.1, 0.01
_READABLE = ("caliskan", "population")


@dataclass(frozen=True)
class Doubt:
    """What is odd about a printed pair; `is_clear` if no reading explains it."""

    text: str
    is_clear: bool


def doubts(paper: Paper) -> dict[Cell, Doubt]:
    """Return the cells whose d and p do not belong together under the paper's convention."""
    return {cell: doubt for cell in paper.cells() for doubt in _doubts(paper, cell)}


def _doubts(paper: Paper, cell: Cell) -> Iterator[Doubt]:
    printed = {figure.quantity: figure for figure in cell.figures}
    convention = paper.convention
    readable = convention.effect_size in _READABLE and convention.sides == "greater"
    if not (readable and cell.settings.metric in ("weat", "seat") and {"d", "p"} <= printed.keys()):
        return
    d, p = printed["d"], printed["p"]
    if d.value is None or p.value is None:
        return
    ddof = effect_size(convention.effect_size).convention.ddof
    near = {unit: _z(d.value, *sizes, ddof) for unit, sizes in _sizes(cell).items()}
    fitting = [unit for unit, z in near.items() if _fits(p, z, convention.samples)]
    papers = choices_of(convention, cell.settings).permute if len(near) > 1 else "words"
    if papers in fitting:
        return
    if fitting:
        text = f"{d.text} and p = {p.text} belong together if {fitting[0]} were permuted"
        yield Doubt(f"d = {text}, not if {papers} were (normal approximation).", is_clear=False)
        return
    said = " or ".join(
        f"{p_value(_p(z))}{f' by {unit}' if len(near) > 1 else ''}" for unit, z in near.items()
    )
    text = f"d = {d.text} goes with p near {said} (normal approximation), not with {p.text}."
    yield Doubt(text, is_clear=True)


def _z(d: float, n: float, m: float, ddof: int) -> float:
    total = n + m
    return d * sqrt(n * m / total * (1 if ddof else (total - 1) / total))


def _p(z: float) -> float:
    return erfc(z / sqrt(2)) / 2


def _fits(p: PaperFigure, z: float, samples: int | None) -> bool:
    """Say whether a printed p may go with z, or with what z is where fewer words are found."""
    ends = sorted((z, z * sqrt(_FEWEST_FOUND)))
    highest, lowest = (
        _p(end + side * (_BAND + _GROWTH * end**2)) for end, side in zip(ends, (-1, 1), strict=True)
    )
    least = lowest - p.tolerance(lowest, samples) - _SLACK
    most = highest + p.tolerance(highest, samples) + _SLACK
    return p.value is not None and least <= p.value <= most


def _sizes(cell: Cell) -> dict[str, tuple[int, int]]:
    """Return how many words, and in SEAT how many sentences, the two targets have."""
    (chosen,) = select([cell.test])
    test = chosen.test
    x, y = test.sets["x"], test.sets["y"]
    sizes = {"words": (len(x.words), len(y.words))}
    if cell.settings.metric == "seat":
        sizes["sentences"] = (_sentences(test, x), _sentences(test, y))
    return sizes


def _sentences(test: Test, words: WordSet) -> int:
    known = templates(test.language)
    return sum(len(known.sentences(w.word, known.pos_of(w, words))) for w in words.words)
