"""The most frequent words may be dropped here and there."""

from pathlib import Path

import numpy as np
import pytest

from fairvec.training import encode as module
from fairvec.training.encode import END, EncodedCorpus, subsample_frequent


def corpus_of(tokens: np.ndarray) -> EncodedCorpus:
    counts = np.bincount(tokens[tokens >= 0])
    words = tuple(f"w{n}" for n in range(len(counts)))
    return EncodedCorpus(words, counts, tokens.astype(np.int32), int(counts.sum()))


def test_a_word_stays_as_often_as_the_formula_says(tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    shares = np.array([0.9, 0.09, 0.01])
    tokens = generator.choice(3, 200_000, p=shares)
    tokens[::100] = END
    corpus = corpus_of(tokens)
    left = subsample_frequent(corpus, 0.04, 0, tmp_path)
    share = corpus.counts / corpus.counts.sum()
    wanted = np.minimum(1, np.sqrt(0.04 / share) + 0.04 / share)
    found = np.bincount(left[left >= 0]) / corpus.counts
    assert found == pytest.approx(wanted, abs=0.012)
    assert found[2] == 1  # rarer than the threshold: never dropped
    assert (left == END).sum() == (tokens == END).sum()


def test_blocks_change_nothing_and_a_seed_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corpus_of(np.random.default_rng(1).integers(-1, 4, 5_000))
    whole = subsample_frequent(corpus, 0.05, 7, tmp_path / "a").tolist()
    monkeypatch.setattr(module, "AT_A_TIME", 13)
    assert subsample_frequent(corpus, 0.05, 7, tmp_path / "b").tolist() == whole
    assert subsample_frequent(corpus, 0.05, 8, tmp_path / "c").tolist() != whole


def test_what_is_left_keeps_its_order(tmp_path: Path) -> None:
    corpus = corpus_of(np.arange(50))
    assert subsample_frequent(corpus, 1.0, 0, tmp_path).tolist() == list(range(50))
