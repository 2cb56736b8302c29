"""The figures of one measure and document, corrected for asking them all."""

import numpy as np

from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value
from fairvec.results import DocumentFigure
from fairvec.stats import holm
from fairvec.tasks.documents.measures.texts import ALPHA


def holm_corrected(figures: tuple[DocumentFigure, ...], among: str) -> tuple[DocumentFigure, ...]:
    """Return the figures with Holm's correction over those that have a p.

    What is significant alone and not `among` all that was asked (words, roles) says so.
    """
    asked = [figure.p for figure in figures if figure.p is not None]
    corrected = iter(holm(np.array(asked, np.float64)).tolist())
    return tuple(
        figure if figure.p is None else _with(figure, figure.p, next(corrected), among)
        for figure in figures
    )


def _with(figure: DocumentFigure, p: float, p_holm: float, among: str) -> DocumentFigure:
    said = figure.sentence
    if significant(p, ALPHA) and not significant(p_holm, ALPHA):
        among_all = f"but not among all {among} asked (p = {p_value(p_holm, level=ALPHA)})"
        said = f"{said.removesuffix('.')}, {among_all}."
    return figure.model_copy(update={"p_holm": p_holm, "sentence": said})
