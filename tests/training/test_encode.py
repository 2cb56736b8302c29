"""A corpus becomes the numbers of its words, within the limits of the vocabulary."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.training import encode as module
from fairvec.training.encode import (
    END,
    EncodedCorpus,
    VocabularyLimits,
    encode_lines,
    subsample_frequent,
)
from fairvec.training.text import corpus_files, plain_words

# --- A corpus in numbers says what the text says, without its rare words ---


LINES = st.lists(st.lists(st.sampled_from("abcdef"), max_size=8).map(" ".join), max_size=15)


@given(LINES, st.integers(1, 4), st.one_of(st.none(), st.integers(2, 6)), st.integers(1, 9))
def test_the_frequent_words_of_each_line_are_kept_in_their_order(
    lines: list[str], least: int, most: int | None, at_a_time: int
) -> None:
    counts = Counter(word for line in lines for word in line.split())
    listed = [word for word, count in counts.most_common() if count >= least][:most]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "AT_A_TIME", at_a_time)
        cut = VocabularyLimits(least, most)
        if len(listed) < 2:
            with pytest.raises(SettingError):
                encode_lines(lines, plain_words(), cut, Path(folder))
            return
        found = encode_lines(lines, plain_words(), cut, Path(folder))
        assert list(found.words) == listed
        assert found.counts.tolist() == [counts[word] for word in listed]
        assert found.seen == counts.total()
        read = "".join("\n" if token < 0 else found.words[token] for token in found.tokens)
        kept = ["".join(w for w in line.split() if w in listed) for line in lines if line.split()]
        assert read == "".join(f"{line}\n" for line in kept)


def test_devanagari_keeps_its_marks_and_case_may_be_kept() -> None:
    assert plain_words()("लड़की ने किताब पढ़ी। Dr. Rao") == ["लड़की", "ने", "किताब", "पढ़ी", "dr", "rao"]
    assert plain_words("keep")("Dr. Rao's") == ["Dr", "Rao's"]


def test_a_text_without_words_or_frequent_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="holds no word"):
        encode_lines(["...", ""], plain_words(), VocabularyLimits(), tmp_path)
    with pytest.raises(SettingError, match="occurs 2 times: give more text, or lower"):
        encode_lines(["a b a"], plain_words(), VocabularyLimits(3), tmp_path)


@pytest.mark.parametrize(
    ("line", "cut", "remedy"),
    [
        ("a b a b", VocabularyLimits(1, 1), "raise --max-words of 1, or leave it out."),
        (
            "a b a",
            VocabularyLimits(2, 1),
            "the most frequent one occurs 2 times: give more text, or lower",
        ),
        ("a a a", VocabularyLimits(2), "give a text of more different words."),
    ],
    ids=["too few asked for", "too rare", "one word"],
)
def test_the_error_suggests_a_remedy_that_helps(
    line: str, cut: VocabularyLimits, remedy: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingError) as caught:
        encode_lines([line], plain_words(), cut, tmp_path)
    assert remedy in str(caught.value)
    assert ("lower" in str(caught.value)) == ("lower" in remedy)


@pytest.mark.skipif(not Path("/proc/self/maps").is_file(), reason="no list of mapped files here")
def test_no_file_is_removed_that_is_still_mapped(tmp_path: Path) -> None:
    """Windows removes no such file."""
    mapped: list[bool] = []

    class Watched(type(tmp_path)):  # type: ignore[misc]
        def unlink(self, missing_ok: bool = False) -> None:
            mapped.append(str(self) in Path("/proc/self/maps").read_text())
            super().unlink(missing_ok)

    encode_lines(["a b a\n", "b a\n"], str.split, VocabularyLimits(1), Watched(tmp_path))
    assert mapped == [False]


# --- The most frequent words may be dropped here and there ---


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
    expected = np.minimum(1, np.sqrt(0.04 / share) + 0.04 / share)
    found = np.bincount(left[left >= 0]) / corpus.counts
    assert found == pytest.approx(expected, abs=0.012)
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


def test_subsampling_keeps_the_order(tmp_path: Path) -> None:
    corpus = corpus_of(np.arange(50))
    assert subsample_frequent(corpus, 1.0, 0, tmp_path).tolist() == list(range(50))


# --- Which files a corpus is made of: folders however they are named, and each file once ---


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for place in ("texts", "texts/.git", ".kept"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "en.txt").write_text("a text\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "texts")
    return tmp_path


@pytest.mark.parametrize("named", ["../texts", "../.kept", ".", "{folder}/.kept"])
def test_hidden_is_what_is_hidden_below_the_folder_that_is_named(folder: Path, named: str) -> None:
    place = Path(named.format(folder=folder))
    assert corpus_files([place]) == (place / "en.txt",)


def test_a_folder_with_nothing_but_hidden_text_holds_none(folder: Path) -> None:
    (folder / "texts" / "en.txt").unlink()
    with pytest.raises(FileFormatError, match="holds no text"):
        corpus_files([folder / "texts"])


def test_a_file_is_there_once_by_whatever_names(folder: Path) -> None:
    link = folder / "texts" / "link.txt"
    link.symlink_to("en.txt")
    names: list[str | Path] = ["en.txt", folder / "texts" / "en.txt", "../texts", "*.txt", link]
    assert corpus_files(names) == (Path("en.txt"),)
