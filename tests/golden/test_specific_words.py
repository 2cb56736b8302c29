"""Specific words learnt from the published seed, beside the list its authors learnt from it."""

import json
from pathlib import Path

import pytest

from fairvec.embedding import Embedding
from fairvec.lexicon import concept
from fairvec.mitigation.specific_words import SpecificWords, learn_specific

pytestmark = pytest.mark.packages


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
