from pathlib import Path

import pytest

import fairvec
from fairvec import catalogue
from tests.cli.conftest import Shell


def test_list_names_every_model(shell: Shell) -> None:
    answer = shell("models", "list")
    assert answer.code == 0
    assert all(name in answer.out for name in catalogue.names())


def test_list_can_be_narrowed_to_a_language(shell: Shell) -> None:
    answer = shell("models", "list", "--language", "hi")
    assert "glove-hi-small" in answer.out
    assert "glove-en-small" not in answer.out


def test_a_shipped_model_is_here_already(shell: Shell) -> None:
    answer = shell("models", "path", "glove-hi-small")
    assert answer.code == 0
    assert fairvec.load(answer.out.strip()).name == "glove-hi-small"
    assert shell("models", "get", "glove-hi-small").out == answer.out


def test_path_of_what_is_not_here_says_how_to_get_it(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    answer = shell("models", "path", "google-news-26k")
    assert answer.code == 2
    assert "fairvec models get" in answer.err


def test_a_misspelt_name_gets_an_offer(shell: Shell) -> None:
    answer = shell("models", "get", "glove-hi-smal")
    assert answer.code == 2
    assert "did you mean glove-hi-small" in answer.err


def test_show_tells_origin_size_and_checksum(shell: Shell) -> None:
    answer = shell("models", "show", "ruscorpora")
    assert "sha256: not known" in answer.out
    assert "origin: " in answer.out
