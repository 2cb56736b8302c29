"""What nobody foresaw, and what cannot be found: one sentence, no trace, every header."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairvec.web import app as home
from fairvec.web.schemas import Question
from fairvec.web.security import HEADERS
from tests.loops import loop_over
from tests.web.client import Reply, ask, explorer

Broken = Callable[..., Reply]


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder into which details are written."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Broken:
    """Ask a question whose answer is this error, or this."""

    def ask_broken(
        raised: BaseException | None, text: Any = None, path: str = "/api/broken"
    ) -> Reply:
        def answer(_: object) -> Any:
            if raised is not None:
                raise raised
            return text

        route = Question("broken", answer, "Fails.")
        monkeypatch.setattr(home, "ROUTES", (route,))
        return ask(explorer(), path)

    return ask_broken


@pytest.mark.parametrize(
    "error", [ValueError("secret\nlines"), KeyError("k"), ZeroDivisionError(), RecursionError("x")]
)
def test_a_fault_is_one_sentence_and_its_trace_goes_to_the_log(
    broken: Broken, error: Exception, caplog: pytest.LogCaptureFixture, logs: Path
) -> None:
    with caplog.at_level(logging.ERROR):
        reply = broken(error)
    assert reply.status == 500
    assert reply.error.startswith("This is a fault of fairvec and not of your input (")
    assert "\n" not in reply.error
    assert "Traceback" not in reply.body.decode()
    assert reply.header("content-security-policy") == HEADERS["content-security-policy"]
    log = Path(reply.error.rpartition("the details are in ")[2].removesuffix("."))
    assert log.parent == logs
    text = log.read_text(encoding="utf-8")
    assert "Traceback" in text
    assert "explore: /api/broken" in text
    assert [*logs.iterdir()] == [log]
    assert str(log) in caplog.text
    assert "Traceback" not in caplog.text


def test_figures_that_are_none_are_a_fault_and_no_wrong_json(broken: Broken) -> None:
    assert broken(None, {"value": float("nan")}).status == 500


def test_a_memory_that_runs_out_is_one_sentence(broken: Broken, logs: Path) -> None:
    reply = broken(MemoryError())
    (log,) = logs.iterdir()
    assert reply.error == f"The memory of this machine ran out; the details are in {log}."


def test_a_disk_that_fails_is_not_called_a_fault_of_fairvec(broken: Broken) -> None:
    reply = broken(OSError(5, "Input/output error", "model.npy"))
    assert reply.status == 503
    assert reply.error == "model.npy: Input/output error; mend it and ask again."


APP = explorer()


@loop_over(
    "path",
    [
        "/nothing",
        "/..%2f..%2fetc%2fpasswd",
        "/../app.py",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/pages/../../application.py",
        "//etc/passwd",
        "/etc/passwd",
        "/C:%5Cwindows%5Cwin.ini",
        "/app.js%00.html",
        "/APP.JS",
        "/app.js/",
        "/api/models/",
        "/api/",
        "/__init__.py",
        "/%0d%0aset-cookie:%20a=b",
        "/application.py",
        "/explore.html/..",
        "/openapi.json;x",
    ],
)
def test_an_address_is_never_made_a_path(path: str) -> None:
    reply = ask(APP, path)
    assert reply.status == 404
    assert reply.error == "There is nothing at this address; the questions are listed under /api."
    assert {name for name, _ in reply.headers} == {*HEADERS, "content-length", "content-type"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"[" * 100_000,
        b'{"model": "\\ud800"}',
        b"\xff\xfe",
        b'{"model": "toy", "x": [], "y": [], "a": [], "b": [], "evil": 1}',
        json.dumps({"k" * 500_000: 1}).encode(),
        json.dumps({"model": "toy", "x": ["w"] * 501, "y": [], "a": [], "b": []}).encode(),
        json.dumps({"model": "toy", "x": ["w" * 201], "y": [], "a": [], "b": []}).encode(),
    ],
    ids=range(12),
)
def test_a_malformed_question_names_its_first_fault(body: bytes) -> None:
    reply = ask(APP, "/api/ask", chunks=[body])
    assert reply.status == 422
    assert reply.error.endswith("; correct it and ask again.")
    assert len(reply.error) < 1000


@pytest.mark.parametrize(
    "query",
    ["", "model=toy", "model=toy&beginning=a&most=1000", "model=toy&beginning=a&most=x", "%ff=%ff"],
)
def test_a_malformed_query_string_is_refused(query: str) -> None:
    assert ask(APP, f"/api/words?{query}").status == 422


def test_a_model_that_was_not_named_is_not_opened() -> None:
    for name in ("glove-en-small", "/etc/passwd", "../toy", "toy.vec"):
        reply = ask(APP, "/api/words", {"model": name, "beginning": "a"})
        assert reply.status == 404
        assert f"no open model named {name!r}" in reply.error
