"""fastText's binary files and subwords."""

import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError, MissingExtraError
from fairvec.embedding.formats.base import FileContent, ReadOptions
from fairvec.embedding.formats.fasttext import FastText, Subwords, ngram_hashes
from tests.loops import loop_over

# --- binary ---


WORDS = ["кот", "dog", "शब्द"]
BUCKETS = 5
RANDOM = np.random.default_rng(4)
MATRIX = RANDOM.standard_normal((len(WORDS) + BUCKETS, 3)).astype(np.float32)


def binary(
    *,
    words: list[bytes] | None = None,
    version: int = 12,
    dimensions: int = 3,
    buckets: int = BUCKETS,
    entries: int | None = None,
    labels: int = 0,
    quantised: bool = False,
    shape: tuple[int, int] = (len(WORDS) + BUCKETS, 3),
    longest: int = 6,
) -> bytes:
    """A fastText model file, written by hand."""
    words = [word.encode() for word in WORDS] if words is None else words
    count = len(words) if entries is None else entries
    settings = (dimensions, 5, 5, 1, 5, 1, 2, 2, buckets, 3, longest, 100)
    dictionary = struct.pack("<3i2q", count, count, labels, 100, -1)
    for place, word in enumerate(words):
        dictionary += word + b"\0" + struct.pack("<qb", 50 - place, 0)
    return (
        struct.pack("<2i12id", 793712314, version, *settings, 1e-4)
        + dictionary
        + struct.pack("<?2q", quantised, *shape)
        + MATRIX.tobytes()
        + struct.pack("<?2q", False, 0, 3)
    )


def read(path: Path, words: list[str] | None = None, **options: Any) -> FileContent:
    assert FastText().recognises(path, path.read_bytes()[:16])
    chosen = None if words is None else frozenset(words)
    return FastText().read(path, ReadOptions(chosen, **options))


def expected(word: str) -> Any:
    rows = [len(WORDS) + hashed % BUCKETS for hashed in ngram_hashes(word, 3, 6)]
    if word in WORDS:
        rows.insert(0, WORDS.index(word))
    return MATRIX[rows].astype(np.float64).mean(axis=0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    pytest.importorskip("gensim", reason="the extra gensim is not installed")
    path = tmp_path / "model.bin"
    path.write_bytes(binary())
    return path


def test_words_are_means_of_their_parts(file: Path) -> None:
    raw = read(file)
    assert raw.keys == WORDS
    np.testing.assert_allclose(raw.vectors, [expected(word) for word in WORDS], atol=1e-6)


def test_unseen_words_are_built_from_subwords_and_counted(file: Path) -> None:
    raw = read(file, ["dog", "собака", "doggy"])
    assert raw.keys == ["dog", "doggy", "собака"]
    assert raw.notes == {"from_subwords": 2}
    np.testing.assert_allclose(raw.vectors, [expected(word) for word in raw.keys], atol=1e-6)


def test_a_word_without_a_single_ngram_stays_missing(file: Path) -> None:
    assert read(file, ["", "dog"]).keys == ["dog"]


def test_gensim_reads_the_same(file: Path) -> None:
    from gensim.models.fasttext import load_facebook_vectors

    theirs = load_facebook_vectors(str(file))
    raw = read(file, ["dog", "собака"])
    np.testing.assert_allclose(raw.vectors, [theirs[key] for key in raw.keys], atol=1e-6)


def test_a_model_without_subwords_builds_none(file: Path) -> None:
    data = binary(buckets=0, shape=(3, 3), longest=0)
    file.write_bytes(data)
    raw = read(file, ["dog", "собака"])
    assert raw.keys == ["dog"]
    assert raw.notes == {}
    np.testing.assert_array_equal(raw.vectors, MATRIX[1:2])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 11}, "version 11"),
        ({"labels": 2}, "classifier"),
        ({"quantised": True}, "quantised"),
        ({"dimensions": 0}, "of 0 dimensions"),
        ({"dimensions": 2**31 - 1}, "bytes are too few"),
        ({"buckets": 2_000_000}, "bytes are too few"),
        ({"buckets": -1}, "-1 buckets"),
        ({"entries": 2**31 - 1}, "bytes are too few"),
        ({"entries": 9}, "not a whole fastText"),
        ({"entries": 0}, "0 words"),
        ({"shape": (2**40, 2**20)}, "a matrix of"),
        ({"shape": (7, 3)}, "a matrix of 7 x 3"),
    ],
)
def test_sizes_are_checked_before_gensim_sees_them(
    file: Path, changes: dict[str, Any], message: str
) -> None:
    file.write_bytes(binary(**changes))
    with pytest.raises(FileFormatError, match=message) as error:
        read(file)
    assert "model.bin" in str(error.value)


def test_every_cut_is_one_clear_error(file: Path) -> None:
    data = binary()[:-17]
    for length in range(4, len(data), 5):
        file.write_bytes(data[:length])
        with pytest.raises(FileFormatError, match=r"model\.bin"):
            read(file)


def test_invalid_utf_8_is_refused_or_counted(file: Path) -> None:
    file.write_bytes(binary(words=[b"\xff", b"dog", b"cat"]))
    with pytest.raises(FileFormatError, match=r"key 1: .* not valid UTF-8"):
        read(file)
    assert read(file, invalid_utf8="replace").notes == {"bytes_replaced": 1}


def test_what_gensim_refuses_is_one_clear_error(file: Path) -> None:
    file.write_bytes(binary(words=[b"dog", b"dog", b"cat"]))
    with pytest.raises(FileFormatError, match="not a fastText model that gensim can read"):
        read(file)


def test_without_the_extra_the_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(binary())
    monkeypatch.setitem(sys.modules, "gensim.models.fasttext", None)
    with pytest.raises(MissingExtraError, match=r'pip install "fairvec\[gensim\]"'):
        read(path)


# --- subwords ---


def fnv(text: str) -> int:
    """FNV-1a over signed bytes, as fastText computes it."""
    hashed = np.uint32(2166136261)
    with np.errstate(over="ignore"):
        for byte in np.frombuffer(text.encode(), np.int8):
            hashed = (hashed ^ byte.astype(np.uint32)) * np.uint32(16777619)
    return int(hashed)


@loop_over("word", ["where", "кот", "शब्द", "a", ""])
@loop_over(("shortest", "longest"), [(3, 6), (1, 2), (2, 2), (0, 0)])
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
