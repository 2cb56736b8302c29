"""The figures of one measure and document, corrected for asking them all."""

import numpy as np

from fairvec.results import DocumentFigure
from fairvec.stats import holm


def holm_corrected(figures: tuple[DocumentFigure, ...]) -> tuple[DocumentFigure, ...]:
    """Return the figures with Holm's correction over those that have a p."""
    asked = [figure.p for figure in figures if figure.p is not None]
    corrected = iter(holm(np.array(asked, np.float64)).tolist())
    return tuple(
        figure if figure.p is None else figure.model_copy(update={"p_holm": next(corrected)})
        for figure in figures
    )
