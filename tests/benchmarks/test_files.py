from pathlib import Path

import pytest

from fairvec.benchmarks import (
    AnalogySet,
    SemBiasSet,
    SimilaritySet,
    benchmark,
    benchmarks_for_language,
    read_benchmark,
)
from fairvec.catalogue import Dataset, dataset, datasets
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError


def test_a_file_of_ones_own_is_called_after_itself(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b,1\r\n")
    ours = read_benchmark(path, "similarity", "en")
    assert isinstance(ours, SimilaritySet)
    assert (ours.name, ours.title, ours.language, ours.source) == ("ours", "ours", "en", str(path))
    assert ours.words == ("a", "b")
    assert len(ours) == 1


def test_what_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    path.write_bytes(b"a,b,1\n\xff,b,2\n")
    with pytest.raises(LexiconError, match=r"ours\.csv, line 2: this is not UTF-8"):
        read_benchmark(path, "similarity", "en")
    with pytest.raises(LexiconError, match="cannot be read"):
        read_benchmark(tmp_path / "absent", "similarity", "en")


def test_more_rows_than_there_are_cannot_be_held_out(tmp_path: Path) -> None:
    path = tmp_path / "ours.tsv"
    path.write_text("a:b\tc:d\te:f\tg:h\n", encoding="utf-8")
    assert len(read_benchmark(path, "sembias", "en", held_out=1)) == 1
    with pytest.raises(SettingError, match="2 rows cannot be held out of 1"):
        read_benchmark(path, "sembias", "en", held_out=2)


def test_an_unknown_benchmark_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean ws353"):
        benchmark("ws354")


def test_what_is_at_hand_is_told_from_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    assert benchmarks_for_language("hi", at_hand=True) == ()
    assert benchmarks_for_language("hi", at_hand=False) == ("hindi-ws",)
    file = tmp_path / dataset("hindi-ws").file
    file.parent.mkdir()
    file.touch()
    assert benchmarks_for_language("hi", at_hand=True) == ("hindi-ws",)


@pytest.mark.parametrize("known", datasets(), ids=lambda known: known.name)
def test_published_benchmarks_are_read_whole(
    known: Dataset, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    found = benchmark(known.name)
    assert len(found) == known.rows
    assert (found.kind, found.language, found.licence) == (
        known.kind,
        known.language,
        known.licence,
    )
    assert all(word == word.strip() != "" for word in found.words)
    if isinstance(found, AnalogySet):
        assert {section.name: section.kind for section in found.sections} == known.sections
    if isinstance(found, SemBiasSet):
        last = (shared_data / "sembias" / "SemBias_subset_last40.tsv").read_text(encoding="utf-8")
        rows = [
            "\t".join(":".join(pair) for pair in row.pairs) for row in found.rows[-found.held_out :]
        ]
        assert rows == last.splitlines()


def test_capitals_stay(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    assert "Jerusalem" in benchmark("ws353").words


def test_a_kind_that_does_not_exist_is_answered_with_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    path.write_text("a,b,1\n", encoding="utf-8")
    with pytest.raises(UnknownNameError, match="did you mean similarity"):
        read_benchmark(path, "similarities", "en")
