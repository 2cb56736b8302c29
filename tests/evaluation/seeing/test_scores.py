import numpy as np
import pytest

from fairvec.core.errors import UnknownNameError
from fairvec.experiments.projections.axes import axis_of_own_lists
from fairvec.experiments.projections.layouts import concept_scores, plotted_words
from tests import toys

MODEL = toys.embedding(1.0)
WORDS = plotted_words(MODEL, 1000)
AXIS = axis_of_own_lists(toys.WORDS["a"], toys.WORDS["b"], MODEL)


def test_z_has_mean_zero_and_deviation_one_and_the_order_of_the_leanings() -> None:
    (raw,) = concept_scores(WORDS, [AXIS], "raw")
    (z,) = concept_scores(WORDS, [AXIS])
    assert raw == pytest.approx(AXIS.leaning(WORDS.points), abs=0)
    assert z.mean() == pytest.approx(0, abs=1e-12)
    assert z.std(ddof=1) == pytest.approx(1, abs=1e-12)
    assert (np.argsort(z) == np.argsort(raw)).all()


def test_a_rank_is_the_share_of_words_that_lean_less() -> None:
    (raw,) = concept_scores(WORDS, [AXIS], "raw")
    (rank,) = concept_scores(WORDS, [AXIS], "rank")
    expected = [((raw < one).sum() + (raw == one).sum() / 2) / len(raw) for one in raw]
    assert rank == pytest.approx(expected, abs=1e-15)


def test_one_word_leans_no_more_than_others() -> None:
    alone = plotted_words(MODEL, 0, [toys.WORDS["x"][0]])
    assert concept_scores(alone, [AXIS])[0].tolist() == [0.0]
    assert concept_scores(alone, [AXIS], "rank")[0].tolist() == [0.5]


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="scale"):
        concept_scores(WORDS, [AXIS], "log")  # type: ignore[arg-type]
