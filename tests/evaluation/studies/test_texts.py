from pathlib import Path

import pytest

from fairvec.core.errors import FairvecError
from fairvec.experiments.study.texts import prepare_text, shared_words, vocabulary
from fairvec.training.encode import Cut, encode_files
from fairvec.training.train import TrainingText


def text_in(folder: Path, content: str) -> TrainingText:
    (folder / "corpus.txt").write_text(content, encoding="utf-8")
    return TrainingText((folder / "corpus.txt",), "en")


def test_words_stand_apart_and_empty_lines_are_gone(tmp_path: Path) -> None:
    found = prepare_text(
        text_in(tmp_path, "The cat, the DOG!\n\n...\nA cat\n"), None, tmp_path / "t"
    )
    assert found.path.read_text() == "the cat the dog\na cat\n"
    assert (found.tokens, found.tokens_in_all) == (6, 6)


def test_a_long_text_is_thinned_evenly_and_never_beyond_the_number(tmp_path: Path) -> None:
    lines = [f"w{number} " * (1 + number % 7) for number in range(1000)]
    text = text_in(tmp_path, "\n".join(lines) + "\n")
    found = prepare_text(text, 1000, tmp_path / "t")
    kept = found.path.read_text().splitlines()
    assert 990 <= found.tokens <= 1000 < found.tokens_in_all
    assert found.tokens == sum(len(line.split()) for line in kept)
    numbers = [int(line.split()[0][1:]) for line in kept]
    assert numbers == sorted(numbers)
    first = sum(len(line.split()) for line, n in zip(kept, numbers, strict=True) if n < 500)
    assert abs(first - 500) < 15


@pytest.mark.parametrize("lines", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("tokens", [1, 10, 997, 2999])
def test_about_so_many_words_are_kept_however_long_the_lines_are(
    lines: int, tokens: int, tmp_path: Path
) -> None:
    words = [f"w{number}" for number in range(3000)]
    each = -(-len(words) // lines)
    cut = [" ".join(words[start : start + each]) for start in range(0, len(words), each)]
    found = prepare_text(text_in(tmp_path, "\n".join(cut)), tokens, tmp_path / "t")
    kept = found.path.read_text().splitlines()
    assert 0.95 * tokens <= found.tokens <= tokens
    assert found.tokens == sum(len(line.split()) for line in kept)
    numbers = [int(word[1:]) for line in kept for word in line.split()]
    assert numbers == sorted(numbers)
    assert all(any(whole.startswith(line) for whole in cut) for line in kept)


RHYTHMS = {
    "by a rule": [5 + 45 * (number * number % 7 < 3) for number in range(4000)],
    "in turn": [5, 50] * 2000,
    "headings": [3, 40, 60, 20] * 1000,
    "in two parts": [8] * 2000 + [30] * 2000,
}


@pytest.mark.parametrize("rhythm", RHYTHMS)
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_short_lines_are_kept_no_more_often_than_long_ones(
    rhythm: str, share: float, tmp_path: Path
) -> None:
    lengths = RHYTHMS[rhythm]
    text = text_in(tmp_path, "\n".join("w " * length for length in lengths))
    found = prepare_text(text, round(share * sum(lengths)), tmp_path / "t")
    kept = [len(line.split()) for line in found.path.read_text().splitlines()]
    assert found.tokens == sum(kept) <= share * sum(lengths) + 1
    for length in set(lengths):
        assert kept.count(length) == pytest.approx(share * lengths.count(length), rel=0.05)


def test_a_text_is_prepared_once_and_anew_when_a_file_changes(tmp_path: Path) -> None:
    text = text_in(tmp_path, "one two three\n")
    first = prepare_text(text, None, tmp_path / "t")
    first.path.write_text("kept as it is\n")
    assert prepare_text(text, None, tmp_path / "t").path.read_text() == "kept as it is\n"
    changed = prepare_text(text_in(tmp_path, "one two four\n"), None, tmp_path / "t")
    assert changed.path.read_text() == "one two four\n"


def test_a_text_without_its_sizes_was_interrupted_and_is_prepared_again(tmp_path: Path) -> None:
    text = text_in(tmp_path, "one two three\n")
    first = prepare_text(text, None, tmp_path / "t")
    first.path.with_suffix(".json").unlink()
    first.path.write_text("half\n")
    assert prepare_text(text, None, tmp_path / "t").path.read_text() == "one two three\n"


def test_the_vocabulary_is_what_training_keeps(tmp_path: Path) -> None:
    found = prepare_text(text_in(tmp_path, "b a c a\nb a d c\ne\n"), None, tmp_path / "t")
    for cut in (Cut(1), Cut(2), Cut(1, 3)):
        text = TrainingText((found.path,), "en", "separated", cut)
        trained = encode_files(text.files, text.words_of, cut, tmp_path)
        counts = dict(zip(trained.words, map(int, trained.counts), strict=True))
        assert vocabulary(found.path, cut) == counts


def test_shared_words_are_those_of_all() -> None:
    assert shared_words([{"a": 3, "b": 2, "c": 1}, {"c": 9, "a": 1}]) == ("a", "c")


@pytest.mark.parametrize("content", ["", "...\n!!\n"], ids=["empty", "no word"])
def test_a_corpus_without_words_is_refused_and_nothing_is_left(
    content: str, tmp_path: Path
) -> None:
    with pytest.raises(FairvecError, match="corpus"):
        prepare_text(text_in(tmp_path, content), None, tmp_path / "t")
    assert not [*(tmp_path / "t").glob("*")]


def test_damaged_sizes_are_named(tmp_path: Path) -> None:
    text = text_in(tmp_path, "one two\n")
    first = prepare_text(text, None, tmp_path / "t")
    first.path.with_suffix(".json").write_text("{}")
    with pytest.raises(FairvecError, match="remove it"):
        prepare_text(text, None, tmp_path / "t")
