from pathlib import Path

import pytest

from fairvec import catalogue
from tests.cli.conftest import Shell


@pytest.fixture(autouse=True)
def nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    monkeypatch.delenv("FAIRVEC_DATA", raising=False)


def test_list_names_every_benchmark_and_what_is_here(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    file = tmp_path / catalogue.dataset("mc30").file
    file.parent.mkdir()
    file.touch()
    rows = [line.split() for line in shell("benchmarks", "list").out.splitlines()[1:]]
    assert [row[0] for row in rows] == [known.name for known in catalogue.datasets()]
    assert [row[0] for row in rows if row[4] == "yes"] == ["mc30"]


def test_list_can_be_narrowed_to_a_language(shell: Shell) -> None:
    answer = shell("benchmarks", "list", "--language", "hi")
    assert "hindi-ws" in answer.out
    assert "simlex999" not in answer.out


def test_path_of_what_is_not_here_says_how_to_get_it(shell: Shell) -> None:
    answer = shell("benchmarks", "path", "ws353")
    assert answer.code == 2
    assert "fairvec benchmarks get ws353" in answer.err


def test_what_is_here_need_not_be_fetched(
    shell: Shell, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    answer = shell("benchmarks", "get", "sembias")
    assert answer.out.strip() == str(shared_data / "sembias" / "SemBias.tsv")
    assert "Apache-2.0" in answer.err
    assert shell("benchmarks", "path", "sembias").out == answer.out


def test_show_tells_origin_and_checksum(shell: Shell) -> None:
    answer = shell("benchmarks", "show", "rw")
    assert "origin: Luong" in answer.out
    assert f"sha256: {catalogue.dataset('rw').sha256}" in answer.out
    assert "source: https://" in answer.out
    assert "{" not in answer.out


@pytest.mark.parametrize("name", [known.name for known in catalogue.datasets()])
def test_every_one_can_be_shown_and_only_what_is_published_is_to_be_fetched(
    name: str, shell: Shell
) -> None:
    known = catalogue.dataset(name)
    shown, path = shell("benchmarks", "show", name), shell("benchmarks", "path", name)
    assert (shown.code, path.code) == (0, 2)
    if known.source:
        assert f"source: {known.source.url}\n" in shown.out
        assert f"fairvec benchmarks get {name}" in path.err
    else:
        assert "source: nobody publishes this file; FAIRVEC_DATA" in shown.out
        assert f"file: {known.file}\n" in shown.out
        assert "benchmarks get" not in path.err
        assert known.file in path.err.replace("\n", " ")
