"""A table of vectors is data for programs: words that look like formulas come back as they were."""

from pathlib import Path

import numpy as np
import pytest

from fairvec.embedding import Embedding, load, save
from fairvec.geometry import Euclidean


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_words_that_look_like_formulas_come_back_as_they_were(tmp_path: Path, suffix: str) -> None:
    words = ["=1+1", "+x", "-x", "@x", "'=x", "-", '="a"', "=a,b"]
    vectors = -np.arange(1.0, 17.0).reshape(8, 2)
    path = tmp_path / f"model{suffix}"
    save(Embedding(words, vectors, Euclidean(), "m"), path)
    back = load(path)
    assert list(back.keys) == words
    assert np.array_equal(back.vectors, vectors)
