"""fairvec audit of an endpoint in the shell."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import fairvec
from fairvec.encoders.endpoint import client
from tests.cli.conftest import Shell
from tests.encoders.endpoint_server import MODEL, Endpoint, error, serving, vector

TEST = ("--suite", "caliskan2017/weat-6", "--language", "en", "--samples", "100")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Endpoint]:
    monkeypatch.setattr(client, "PAUSES", (0.0, 0.0))
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    with serving() as running:
        yield running


def test_an_endpoint_is_audited_as_in_python(
    shell: Shell, server: Endpoint, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    done = shell("audit", server.url, "--model", MODEL, "--prefix", "query: ", *TEST, "-o", run)
    assert done.code == 0
    assert "texts to send" in done.err
    found = fairvec.audit(
        fairvec.Endpoint(server.url, model=MODEL, prefix="query: "),
        suites="caliskan2017/weat-6",
        language="en",
        samples=100,
    )
    assert [*fairvec.read_results(run)] == [*found]
    assert found[0].model.encoder == {
        "kind": "endpoint",
        "endpoint": MODEL,
        "url": server.url,
        "prefix": "query: ",
    }


def test_a_dry_run_says_what_would_be_sent_and_sends_nothing(
    shell: Shell, server: Endpoint, tmp_path: Path
) -> None:
    ask = ("audit", server.url, "--model", MODEL, *TEST, "--dry-run")
    done = shell(*ask, "--price-per-million", "0.5")
    assert (done.code, done.out) == (0, "")
    assert "254 texts to send with 4,077 characters" in done.err
    assert "for about 0.00051" in done.err
    assert not server.bodies
    assert not [*(tmp_path / "home").rglob("*.sqlite")]


def test_more_than_the_limit_needs_a_yes(shell: Shell, server: Endpoint) -> None:
    ask = ("audit", server.url, "--model", MODEL, *TEST, "--max-texts", "10")
    refused = shell(*ask)
    assert refused.code == 2
    assert "--yes" in refused.err
    assert not server.bodies
    assert shell(*ask, "--yes").code == 0


def test_an_endpoint_and_word_vectors_stand_side_by_side(shell: Shell, server: Endpoint) -> None:
    done = shell("audit", server.url, "glove-en-small", "--model", MODEL, *TEST, "--json")
    assert done.code == 0
    assert {f'"name":"{name}"' in done.out for name in (MODEL, "glove-en-small")} == {True}


def test_what_is_for_endpoints_is_refused_elsewhere(
    shell: Shell, server: Endpoint, tmp_path: Path
) -> None:
    for model in ("glove-en-small", tmp_path):
        refused = shell("audit", model, "--model", MODEL, *TEST)
        assert refused.code == 2, model
        assert "endpoint" in refused.err, model
    unnamed = shell("audit", server.url, *TEST)
    assert unnamed.code == 2
    assert "--model" in unnamed.err
    plain = shell("audit", "http://example.org/v1", "--model", MODEL, *TEST)
    assert plain.code == 2
    assert "https" in plain.err


def test_a_server_that_fails_is_one_sentence(shell: Shell, server: Endpoint) -> None:
    server.behave = lambda body, number: error(404, "model not found")
    failed = shell("audit", server.url, "--model", MODEL, *TEST)
    assert failed.code == 2
    assert "model not found" in failed.err


def test_runs_of_one_endpoint_say_whether_its_model_changed_and_a_gate_can_fail_on_it(
    shell: Shell, server: Endpoint, tmp_path: Path
) -> None:
    gate = ("--fail-if", "drift == 'changed'")
    for day in ("monday", "tuesday", "wednesday"):
        if day == "wednesday":
            server.make = lambda text: vector(f"new {text}")
        run = ("audit", server.url, "--model", MODEL, *TEST, "-o", tmp_path / day)
        done = shell(*run)
        assert done.code == 0, day
        assert ("generation 2" in done.err) is (day == "wednesday")
    same = shell("compare", tmp_path / "monday", tmp_path / "tuesday", *gate)
    assert same.code == 0
    assert "is the same in both runs" in same.err
    other = shell("compare", tmp_path / "tuesday", tmp_path / "wednesday", *gate)
    assert other.code == 1
    assert "has changed between the runs" in other.err
    (found,) = fairvec.compare(tmp_path / "monday", tmp_path / "wednesday").drifts
    assert found.changed
