"""Figures that Bolukbasi et al. (2016), arXiv:1607.06520, print for word2vec on Google News."""

import numpy as np
import pytest

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean
from fairvec.geometry.norms import normalize_rows
from fairvec.lexicon import Groups, resolve, select_tests
from fairvec.metrics.bias.direction import DirectBias, SignedDirectBias, bias_direction
from fairvec.metrics.bias.indirect import indirect_bias

pytestmark = pytest.mark.packages


@pytest.fixture(scope="module")
def professions(google_news: Embedding) -> Groups:
    test = select_tests(["bolukbasi2016/professions"])[0].test
    return resolve(test, google_news)


def test_direct_bias_of_the_professions(professions: Groups) -> None:
    """Section 5.2: direct bias .08 with c = 1."""
    score = DirectBias().measure(professions, Euclidean())
    assert round(score.value, 2) == 0.08


def test_the_extreme_professions_are_the_papers(professions: Groups) -> None:
    """Figure 1 of the paper ranks them on she - he; homemaker, nurse and maestro head its lists."""
    score = SignedDirectBias().measure(professions, Euclidean())
    ranked = [share.found.word.word for share in sorted(score.words, key=lambda s: s.leaning)]
    assert {"homemaker", "nurse"} < set(ranked[:10])
    assert "maestro" in ranked[-3:]


def test_one_component_holds_most_of_what_the_pairs_differ_in(professions: Groups) -> None:
    """Section 5.1: the first eigenvalue is significantly larger than the rest."""
    pairs = normalize_rows(professions["a"].vectors) - normalize_rows(professions["b"].vectors)
    eigenvalues = np.linalg.svd(pairs, compute_uv=False) ** 2
    assert eigenvalues[0] > 4 * eigenvalues[1]
    assert eigenvalues[0] > eigenvalues[1:].sum()


@pytest.mark.parametrize(
    ("word", "published"),
    [
        (
            "softball",
            {
                "pitcher": -0.01,
                "bookkeeper": 0.20,
                "receptionist": 0.67,
                "registered_nurse": 0.29,
            },
        ),
        ("football", {"footballer": 0.02, "pundit": 0.10, "maestro": 0.42, "cleric": 0.02}),
    ],
)
def test_indirect_bias_of_the_sports(
    google_news: Embedding, professions: Groups, word: str, published: dict[str, float]
) -> None:
    """Figure 3's words nearest to each sport.

    Two cells of the figure differ: waitress has 35 % and businessman 31 % there, and .32 and .17
    here, as in the package responsibly.
    """
    beta = indirect_bias(
        google_news.rows([word]), google_news.rows(list(published)), bias_direction(professions)
    )
    assert beta[0] == pytest.approx(list(published.values()), abs=0.0051)
