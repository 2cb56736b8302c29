"""fairvec explore: what it opens, what it prints, and what it hands to a browser."""

import webbrowser
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from fairvec.results import write_results
from fairvec.web import server as serving
from fairvec.web.open_models import OpenModels
from fairvec.web.server import OpenPort
from tests.cli.conftest import Shell
from tests.report.outcomes import a_run

Served = list[tuple[OpenModels, OpenPort]]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Served:
    """What would be served; nothing is."""
    found: Served = []

    def serve(ready: Any, models: OpenModels, place: OpenPort) -> None:
        place.listener.close()
        found.append((models, place))

    monkeypatch.setattr(serving, "serve", serve)
    return found


@pytest.fixture
def browsed(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], Event]:
    found: list[str] = []
    request = Event()

    def opened(address: str) -> bool:
        found.append(address)
        request.set()
        return True

    monkeypatch.setattr(webbrowser, "open", opened)
    return found, request


def test_the_address_is_the_answer_and_the_rest_a_note(
    shell: Shell, served: Served, model_file: Path, browsed: tuple[list[str], Event]
) -> None:
    answer = shell("explore", model_file, "--no-browser")
    ((models, place),) = served
    assert answer.code == 0
    assert answer.out == f"{place.address}\n"
    assert answer.err.splitlines()[-1] == "Stopped."
    assert place.visitor.token not in answer.err
    assert list(models) == ["biased"]
    assert browsed[0] == []


def test_a_browser_is_started_with_an_address_that_is_good_once(
    shell: Shell, served: Served, model_file: Path, browsed: tuple[list[str], Event]
) -> None:
    """Every user of a machine can read with what a program was started."""
    shell("explore", model_file)
    assert browsed[1].wait(10)
    ((_, place),) = served
    (address,) = browsed[0]
    assert place.visitor.token not in address
    secret = address.partition("token=")[2]
    assert place.visitor.admits(secret)
    assert not place.visitor.admits(secret)


def test_results_open_beside_models_or_alone(
    shell: Shell, served: Served, model_file: Path, tmp_path: Path
) -> None:
    runs = write_results(a_run(), tmp_path / "runs/one").parents[1]
    assert shell("explore", model_file, "--results", runs, "--no-browser").code == 0
    assert shell("explore", "--results", runs, "--no-browser").code == 0
    (both, _), (alone, _) = served
    assert (len(both), len(alone)) == (1, 0)
    assert list(alone.results.runs()) == ["runs/one/results.jsonl"]


def test_it_writes_into_one_folder_or_nowhere(
    shell: Shell, served: Served, model_file: Path, tmp_path: Path
) -> None:
    shell("explore", model_file, "--no-browser")
    shell("explore", model_file, "--no-browser", "--write-to", tmp_path)
    assert [models.write_to for models, _ in served] == [None, tmp_path]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "No model was given; name one, as in: fairvec explore MODEL."),
        (["FILE", "FILE"], "A model is named twice; name each once."),
        (["no-such-model"], "no-such-model"),
        (["--results", "EMPTY"], "holds no results; make some with 'fairvec audit MODEL -o"),
        (["--results", "ABSENT"], "does not exist"),
        (["FILE", "--port", "65536"], "--port"),
        (["FILE", "--write-to", "ABSENT"], "does not exist"),
        (["FILE", "--write-to", "FILE"], "is a file"),
    ],
    ids=["nothing", "twice", "unknown", "empty", "absent", "port", "nowhere", "no-folder"],
)
def test_what_cannot_be_opened_is_refused(
    shell: Shell,
    served: Served,
    model_file: Path,
    tmp_path: Path,
    arguments: list[str],
    message: str,
) -> None:
    (tmp_path / "empty").mkdir()
    places = {"FILE": model_file, "EMPTY": tmp_path / "empty", "ABSENT": tmp_path / "absent"}
    answer = shell("explore", *(places.get(one, one) for one in arguments), "--no-browser")
    assert answer.code == 2
    assert message in " ".join(answer.err.split())
    assert answer.out == ""
    assert served == []


def test_without_the_extra_nothing_is_read(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, served: Served
) -> None:
    monkeypatch.setattr(serving, "find_spec", lambda name: None)
    answer = shell("explore", "no-such-model")
    assert answer.code == 2
    assert answer.err == 'error: The explorer needs an extra: pip install "fairvec[web]"\n'


def test_no_option_opens_it_to_others(shell: Shell) -> None:
    assert "--host" not in shell("explore", "--help").out
    assert shell("explore", "x", "--host", "0.0.0.0").code == 2
