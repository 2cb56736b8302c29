import numpy as np
import pytest

from fairvec.embedding.formats.fasttext import Subwords, ngram_hashes


def fnv(text: str) -> int:
    """FNV-1a over signed bytes, as fastText computes it."""
    hashed = np.uint32(2166136261)
    with np.errstate(over="ignore"):
        for byte in np.frombuffer(text.encode(), np.int8):
            hashed = (hashed ^ byte.astype(np.uint32)) * np.uint32(16777619)
    return int(hashed)


@pytest.mark.parametrize("word", ["where", "кот", "शब्द", "a", ""])
@pytest.mark.parametrize(("shortest", "longest"), [(3, 6), (1, 2), (2, 2), (0, 0)])
def test_ngrams_are_all_stretches_of_the_bracketed_word(
    word: str, shortest: int, longest: int
) -> None:
    bracketed = f"<{word}>"
    stretches = [
        bracketed[start : start + length]
        for start in range(len(bracketed))
        for length in range(max(shortest, 1), longest + 1)
        if start + length <= len(bracketed)
    ]
    without_lone_brackets = [s for s in stretches if s not in ("<", ">")]
    assert sorted(ngram_hashes(word, shortest, longest)) == sorted(map(fnv, without_lone_brackets))


def test_hashes_agree_with_gensim() -> None:
    inner = pytest.importorskip("gensim.models.fasttext", reason="the extra gensim is absent")
    for word in ("where", "кот", "शब्द", "naïve", "𝄞"):
        ours = [hashed % 1000 for hashed in ngram_hashes(word, 3, 6)]
        assert sorted(ours) == sorted(inner.ft_ngram_hashes(word, 3, 6, 1000))


def test_a_vector_is_the_mean_of_all_parts() -> None:
    buckets = np.arange(20, dtype=np.float32).reshape(10, 2)
    subwords = Subwords(buckets, 3, 3)
    parts = [buckets[fnv(ngram) % 10] for ngram in ("<ab", "ab>")]
    unseen, seen = subwords.vector("ab"), subwords.vector("ab", np.array([5.0, 7.0]))
    assert unseen is not None
    assert seen is not None
    np.testing.assert_allclose(unseen, np.mean(parts, axis=0))
    np.testing.assert_allclose(seen, np.mean([[5, 7], *parts], axis=0))


def test_a_word_too_short_for_any_ngram_has_no_vector() -> None:
    assert Subwords(np.ones((4, 2), dtype=np.float32), 5, 6).vector("ab") is None
