"""An endpoint as an encoder: opening, batches, keys, the store, and servers that misbehave."""

import os
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.api.models import open_model
from fairvec.core.errors import EncoderError, SettingError, UnreadableError
from fairvec.encoders import Encoder
from fairvec.encoders.base import EncoderOptions
from fairvec.encoders.encoder import PROBE_TEXTS
from fairvec.encoders.endpoint import client
from tests.encoders import endpoint_server
from tests.encoders.endpoint_server import MODEL, Reply, error, serving, usual, vector
from tests.loading import loaded_after
from tests.loops import loop_over

Server = endpoint_server.Endpoint
TEXTS = [f"text {number}" for number in range(100)]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    monkeypatch.setattr(client, "PAUSES", (0.0, 0.0))
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    with serving() as running:
        yield running


def opened(server: Server, *, keep: bool = True, **settings: Any) -> Encoder:
    how: dict[str, Any] = {"model": MODEL, "timeout": 5.0} | settings
    return fairvec.open_encoder(fairvec.Endpoint(server.url, **how), language="en", keep=keep)


def expected(texts: list[str]) -> Any:
    return np.array([vector(text) for text in texts], np.float32)


def stored(home: Path) -> int:
    """How many vectors of TEXTS are stored in any file."""
    from fairvec.encoders import VectorStore
    from fairvec.languages.sentences import Sentence

    files = (home / "home" / "sentences").glob("*.sqlite")
    sentences = [Sentence.alone(text) for text in TEXTS]
    return sum(len(VectorStore(file).vectors(sentences)) for file in files)


# --- Opening, and what is sent ---


def test_rows_are_those_of_their_texts_in_whatever_order_they_come(server: Server) -> None:
    encoder = opened(server)
    assert np.array_equal(encoder.encode(TEXTS), expected(TEXTS))
    assert (encoder.name, encoder.dimensions) == (MODEL, 8)
    assert {body["model"] for body in server.bodies} == {MODEL, "fairvec-asks-for-no-such-model"}
    assert max(len(body["input"]) for body in server.bodies) == 32
    assert server.bodies[-1]["encoding_format"] == "base64"


def test_a_prefix_is_written_before_each_text_and_stands_in_the_record(server: Server) -> None:
    encoder = opened(server, prefix="query: ")
    assert np.array_equal(encoder.encode(["he"]), expected(["query: he"]))
    assert all(text.startswith("query: ") for text in server.texts)
    assert encoder.model.settings["prefix"] == "query: "
    assert encoder.content_hash != opened(server).content_hash


def test_dimensions_are_sent_and_checked(server: Server) -> None:
    server.make = lambda text: vector(text, 4)
    assert opened(server, dimensions=4).dimensions == 4
    assert {body["dimensions"] for body in server.bodies} == {4}
    with pytest.raises(EncoderError, match="4 numbers though 6 were asked"):
        opened(server, dimensions=6).encode(["he"])


def test_base64_is_not_used_where_it_is_refused_or_says_something_else(server: Server) -> None:
    def refuses(body: dict[str, Any], number: int) -> Reply | None:
        return error(400, "no base64") if body["encoding_format"] == "base64" else None

    def swaps_bytes(body: dict[str, Any], number: int) -> Reply | None:
        if body["encoding_format"] == "float":
            return None
        return usual(body, lambda text: [*np.array(vector(text), ">f4").view("<f4").tolist()])

    for number, behave in enumerate((refuses, swaps_bytes)):
        server.behave = behave
        encoder = opened(server, keep=False)
        assert np.array_equal(encoder.encode(["he"]), expected(["he"])), number
        assert (encoder.model.probes or {})["encoding"] == "float", number


def test_nothing_is_sent_and_requests_is_not_imported_before_it_is_needed(server: Server) -> None:
    assert "requests" not in loaded_after(
        f"import fairvec\nfairvec.open_encoder(fairvec.Endpoint({server.url!r}, model='m'))"
    )
    encoder = opened(server)
    encoder.pieces(["he"])
    assert not server.bodies


def test_an_endpoint_needs_the_name_of_its_model_and_has_no_layers(server: Server) -> None:
    with pytest.raises(SettingError, match="--model"):
        fairvec.open_encoder(server.url)
    with pytest.raises(SettingError, match="no layers"):
        fairvec.open_encoder(fairvec.Endpoint(server.url, model=MODEL), layer="0")


# --- The key ---


def test_the_key_is_sent_to_the_server_and_stands_nowhere_else(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    key = "sk-quite-secret-123"
    monkeypatch.setenv("SOME_KEY", key)
    (tmp_path / "netrc").write_text("default login user password other")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    encoder = opened(server, key_variable="SOME_KEY")
    found = fairvec.audit(encoder, suites="caliskan2017/weat-6", samples=100)
    found.save(tmp_path / "run")
    assert {*server.keys} == {f"Bearer {key}"}
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or key.encode() not in file.read_bytes(), file
    server.behave = lambda body, number: error(401, f"Incorrect key: {key}")
    with pytest.raises(EncoderError) as refused:
        opened(server, keep=False, key_variable="SOME_KEY").encode(["he"])
    told = "".join(traceback.format_exception(refused.value))
    assert "SOME_KEY" in str(refused.value)
    assert key not in told + repr(encoder) + repr(vars(encoder.model))


@loop_over("variable", ["NOT_SET_ANYWHERE", "sk-a-key-by-mistake", "A B"])
def test_a_variable_that_is_not_set_is_not_repeated(variable: str) -> None:
    with pytest.raises(SettingError, match="variable") as refused:
        client.key_of(variable)
    assert variable not in str(refused.value)


def test_a_key_with_a_line_break_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "abc\r\nX-Other: 1")
    with pytest.raises(SettingError) as refused:
        client.key_of("SOME_KEY")
    assert "abc" not in str(refused.value)


def test_a_redirect_is_not_followed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-quite-secret-123")
    with serving() as other:
        for status in (301, 302, 307, 308):
            server.behave = lambda body, number, status=status: Reply(  # type: ignore[misc]
                b"", status, {"Location": f"{other.url}/embeddings"}
            )
            with pytest.raises(EncoderError, match="not followed"):
                opened(server, key_variable="SOME_KEY").encode(["he"])
        assert not other.bodies


def test_this_machine_is_not_asked_through_a_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert opened(server).encode(["he"]).shape == (1, 8)


# --- Batches ---


@loop_over("limit", [10, 20, 32])
def test_a_batch_is_halved_where_it_is_refused_and_the_size_remembered(limit: int) -> None:
    with serving() as server:
        server.behave = lambda body, number: (
            error(422, f"at most {limit}") if len(body["input"]) > limit else None
        )
        encoder = opened(server, keep=False, at_once=1)
        assert np.array_equal(encoder.encode(TEXTS), expected(TEXTS))
        sizes = [len(body["input"]) for body in server.bodies]
        assert sum(size > limit for size in sizes) <= 2
        assert sizes[-1] <= limit
        assert (encoder.model.probes or {})["batch"] <= limit


def test_a_text_that_is_not_taken_is_named_and_the_others_are_kept(
    server: Server, tmp_path: Path
) -> None:
    bad = "text 17"
    for status in (400, 413, 422, 500, 424):
        server.behave = lambda body, number, status=status: (  # type: ignore[misc]
            error(status, "input is too large") if bad in body["input"] else None
        )
        encoder = opened(server, model=f"m{status}")
        with pytest.raises(UnreadableError, match="text 17") as refused:
            encoder.encode(TEXTS)
        assert refused.value.text == bad
        assert stored(tmp_path) % (len(TEXTS) - 1) == 0
        assert (encoder.model.probes or {})["batch"] == 32, "it was no matter of size"
        sent = len(server.bodies)
        with pytest.raises(UnreadableError):
            encoder.encode([bad])
        assert len(server.bodies) == sent, "it was not sent again"


def test_an_audit_skips_what_a_text_is_missing_for_and_goes_on(server: Server) -> None:
    server.behave = lambda body, number: (
        error(400, "too long") if any("algebra" in text for text in body["input"]) else None
    )
    suites = ["caliskan2017/weat-6", "caliskan2017/weat-7"]
    found = fairvec.audit(opened(server), suites=suites, samples=100, categories=False)
    by_test = {record.test.id: record for record in found}
    assert isinstance(by_test["caliskan2017/weat-6"], fairvec.Result)
    skipped = by_test["caliskan2017/weat-7"]
    assert isinstance(skipped, fairvec.Skipped)
    assert "algebra" in skipped.reason


def test_no_more_requests_are_under_way_than_allowed() -> None:
    for at_once in (1, 3):
        under_way, most = 0, 0
        with serving() as server:

            def behave(body: dict[str, Any], number: int) -> None:
                nonlocal under_way, most
                under_way += 1
                most = max(most, under_way)
                time.sleep(0.02)
                under_way -= 1

            server.behave = behave
            opened(server, keep=False, at_once=at_once, batch=2).encode(TEXTS)
        assert most <= at_once
        assert at_once == 1 or most > 1


# --- Waiting ---


def test_a_busy_server_is_asked_again_when_it_says(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PAUSES", (60.0, 60.0))
    busy = iter([429, 503, 429])
    server.behave = lambda body, number: (
        error(next(busy), "slow down", Retry_After="0") if number in (2, 5, 12) else None
    )
    assert np.array_equal(opened(server).encode(TEXTS), expected(TEXTS))
    assert next(busy, None) is None


def test_a_server_that_stays_busy_is_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PATIENCE", 5.0)
    server.behave = lambda body, number: error(429, "quota", Retry_After="86400")
    with pytest.raises(EncoderError, match=r"busy .*quota"):
        opened(server).encode(["he"])
    assert len(server.bodies) == 1


def test_a_fault_that_passes_is_no_news(server: Server) -> None:
    server.behave = lambda body, number: error(500, "hiccup") if number % 7 == 0 else None
    assert np.array_equal(opened(server, at_once=1).encode(TEXTS), expected(TEXTS))


# --- Bad servers: one sentence each, and nothing wrong is kept ---


def drip(stream: Any) -> None:
    for _ in range(200):
        stream.write(b" ")
        stream.flush()
        time.sleep(0.02)


def endless(stream: Any) -> None:
    for _ in range(2000):
        stream.write(b" " * 65536)


def with_items(change: Any) -> Any:
    def behave(body: dict[str, Any], number: int) -> Reply:
        found = usual(body)
        change(found.body["data"])
        return found

    return behave


def of_two_widths(body: dict[str, Any], number: int) -> Reply:
    return usual(body, lambda text: vector(text, 7 - number % 2))


BAD = {
    "one vector too few": with_items(lambda data: data.pop()),
    "one too many": with_items(lambda data: data.append(data[0])),
    "no index": with_items(lambda data: data[0].pop("index")),
    "repeated index": with_items(lambda data: data[0].update(index=data[-1]["index"])),
    "zeros": with_items(lambda data: data[0].update(embedding=[0.0] * 8)),
    "null": with_items(lambda data: data[0].update(embedding=[None] * 8)),
    "other dimensions": of_two_widths,
    "a page": lambda body, number: Reply(b"<html>login</html>", 200, {"Content-Type": "text/html"}),
    "not JSON": lambda body, number: Reply(b"{'data': 1}"),
    "NaN": lambda body, number: Reply(b'{"data": [{"index": 0, "embedding": [NaN]}]}'),
    "compressed": lambda body, number: Reply(b"\x1f\x8b", 200, {"Content-Encoding": "gzip"}),
    "cut": lambda body, number: Reply(b'{"data": [', length=1000),
    "endless": lambda body, number: Reply(b"", write=endless),
    "drip": lambda body, number: Reply(b"", write=drip),
    "401": lambda body, number: error(401, "no key"),
    "403": lambda body, number: error(403, "no key"),
    "402": lambda body, number: error(402, "pay first"),
    "404": lambda body, number: error(404, "no such model"),
    "400 always": lambda body, number: error(400, "no"),
    "413 always": lambda body, number: error(413, "no"),
    "422 always": lambda body, number: Reply({"detail": [{"msg": "no"}]}, 422),
    "424 always": lambda body, number: error(424, "backend"),
    "500 always": lambda body, number: error(500, "broken"),
    "502 always": lambda body, number: Reply(b"<html>Bad gateway</html>", 502),
    "302": lambda body, number: Reply(b"", 302, {"Location": "https://example.org/"}),
    "204": lambda body, number: Reply(b"", 204),
}


@loop_over(("name", "bad"), BAD.items())
def test_a_bad_server_is_one_sentence_and_nothing_of_it_is_kept(name: str, bad: Any) -> None:
    from tempfile import TemporaryDirectory

    with (
        pytest.MonkeyPatch.context() as patch,
        TemporaryDirectory() as folder,
        serving() as server,
    ):
        patch.setattr(client, "PAUSES", (0.0, 0.0))
        patch.setenv("FAIRVEC_HOME", str(Path(folder) / "home"))
        for before in (0, 15):  # from the first request on, and in the middle of the texts
            server.bodies.clear()
            server.behave = lambda body, number, before=before: (  # type: ignore[misc]
                bad(body, number) if number > before else None
            )
            encoder = opened(server, timeout=0.4, at_once=1, batch=19, dimensions=None)
            with pytest.raises(EncoderError) as failed:
                encoder.encode(TEXTS)
            sentence = str(failed.value)
            assert sentence.endswith(".")
            assert "\n" not in sentence
            assert f"127.0.0.1:{server.server_port}" in sentence
            assert len(server.bodies) < 60, name
        server.behave = lambda body, number: None
        encoder = opened(server)
        assert np.array_equal(encoder.encode(TEXTS), expected(TEXTS))


def test_a_server_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "PAUSES", (0.0, 0.0))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        endpoint = fairvec.Endpoint(f"http://127.0.0.1:{unused.getsockname()[1]}/v1", model="m")
        with pytest.raises(EncoderError, match="cannot be reached"):
            fairvec.open_encoder(endpoint, keep=False).encode(["he"])


# --- The store ---


def test_a_text_is_sent_once(server: Server) -> None:
    opened(server).encode(TEXTS)
    before = len(server.bodies)
    estimates: list[Any] = []
    again = opened(server, on_estimate=estimates.append)
    assert np.array_equal(again.encode(TEXTS), expected(TEXTS))
    assert len(server.bodies) == before + 10, "only the probes are sent again"
    assert (estimates[0].texts, estimates[0].stored) == (0, len(TEXTS))
    assert str(estimates[0]).startswith("Nothing new to send: 100 texts are stored already")
    opened(server, model="other").encode(TEXTS[:1])
    assert server.texts.count(TEXTS[0]) == 2


def test_what_was_answered_before_a_server_fails_is_kept(server: Server, tmp_path: Path) -> None:
    server.behave = lambda body, number: error(403, "quota") if number > 14 else None
    with pytest.raises(EncoderError, match="quota"):
        opened(server, at_once=1, batch=10).encode(TEXTS)
    assert 0 < stored(tmp_path) < len(TEXTS)
    server.behave = lambda body, number: None
    opened(server).encode(TEXTS)
    assert all(server.texts.count(text) <= 2 for text in TEXTS)
    assert stored(tmp_path) == len(TEXTS)


def test_an_interruption_keeps_what_was_answered(server: Server, tmp_path: Path) -> None:
    def behave(body: dict[str, Any], number: int) -> None:
        if number == 24:
            os.kill(os.getpid(), signal.SIGINT)
        if number > 23:
            time.sleep(0.3)

    server.behave = behave
    with pytest.raises(KeyboardInterrupt, match="kept"):
        opened(server, at_once=2, batch=5).encode(TEXTS)
    answered = {text for body in server.bodies for text in body["input"]} & {*TEXTS}
    assert stored(tmp_path) == len(answered)
    assert 0 < len(answered) < len(TEXTS)


def test_a_killed_process_leaves_what_was_answered(server: Server, tmp_path: Path) -> None:
    server.behave = lambda body, number: time.sleep(0.1 if number > 20 else 0)
    code = (
        "import fairvec\n"
        f"endpoint = fairvec.Endpoint({server.url!r}, model={MODEL!r}, at_once=1, batch=4)\n"
        f"fairvec.open_encoder(endpoint, language='en').encode({TEXTS!r})\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    while len(server.bodies) < 26 and process.poll() is None:
        time.sleep(0.02)
    process.kill()
    process.wait()
    kept = stored(tmp_path)
    assert 8 <= kept < len(TEXTS)
    server.behave = lambda body, number: None
    server.bodies.clear()
    assert np.array_equal(opened(server).encode(TEXTS), expected(TEXTS))
    assert len({*server.texts} & {*TEXTS}) == len(TEXTS) - kept


# --- Before anything is sent ---


def test_what_will_be_sent_is_counted_before_anything_is(server: Server) -> None:
    seen: list[tuple[Any, int]] = []
    endpoint = fairvec.Endpoint(
        server.url,
        model=MODEL,
        price_per_million=0.02,
        on_estimate=lambda estimate: seen.append((estimate, len(server.bodies))),
    )
    fairvec.audit(
        endpoint, suites="caliskan2017/weat-6", language="en", samples=100, categories=False
    )
    ((estimate, sent_before),) = seen
    sent = [text for body in server.bodies[10:] for text in body["input"]]
    assert sent_before == 0
    assert estimate.texts == len({*sent}) == len(sent)
    assert not {*sent} & {*PROBE_TEXTS}
    assert estimate.characters == sum(map(len, sent))
    assert estimate.price == pytest.approx(0.02 * estimate.tokens / 1e6)


def test_more_than_allowed_is_not_sent_unless_agreed(server: Server) -> None:
    with pytest.raises(SettingError, match=r"100 texts .* 99 are allowed"):
        opened(server, max_texts=99).encode(TEXTS)
    assert not server.bodies
    agreed = opened(server, max_texts=99, on_estimate=lambda estimate: True)
    assert len(agreed.encode(TEXTS)) == len(TEXTS)


def test_the_limit_is_over_all_calls(server: Server) -> None:
    encoder = opened(server, max_texts=60)
    encoder.encode(TEXTS[:50])
    with pytest.raises(SettingError, match="60 are allowed"):
        encoder.encode(TEXTS[50:])
    assert len(encoder.encode(TEXTS[:60])) == 60


# --- Probes, noise and generations ---


def probes_of(server: Server, **settings: Any) -> dict[str, Any]:
    found = opened(server, **settings).model.probes
    assert found is not None
    return dict(found)


def test_probes_of_a_plain_server(server: Server) -> None:
    found = probes_of(server)
    del found["similarities"], found["shortest"], found["longest"]
    assert found == {
        "encoding": "base64",
        "served_as": "small-v1",
        "repeat": 0.0,
        "in_batch": 0.0,
        "cut_within_words": None,
        "refused_words": None,
        "whole_words": 2048,
        "model_matters": False,
        "tolerance": 1e-5,
        "generation": 1,
        "batch": 32,
        "same_as": (),
    }
    assert len(server.bodies) == 10


def test_a_silent_cut_is_found_within_the_length_at_which_it_happens(server: Server) -> None:
    for most, within, whole in ((50, 64, 0), (200, 256, 128), (1000, 1024, 512)):
        server.make = lambda text, most=most: vector(" ".join(text.split()[:most]))  # type: ignore[misc]
        found = probes_of(server, keep=False)
        assert (found["cut_within_words"], found["whole_words"]) == (within, whole)


def test_a_long_text_that_is_refused_is_told_from_a_cut(server: Server) -> None:
    server.behave = lambda body, number: (
        error(500, "input is too large") if max(map(len, body["input"])) > 2000 else None
    )
    found = probes_of(server)
    assert (found["cut_within_words"], found["refused_words"], found["whole_words"]) == (
        None,
        512,
        128,
    )


def test_a_server_that_knows_its_models_refuses_a_nonsense_name(server: Server) -> None:
    server.behave = lambda body, number: (
        None if body["model"] == MODEL else error(404, "no such model")
    )
    assert probes_of(server)["model_matters"] is True
    server.behave = lambda body, number: (
        None if body["model"] == MODEL else error(503, "loading another model")
    )
    assert probes_of(server, keep=False)["model_matters"] is None


def noisy(server: Server, size: float) -> None:
    generator = np.random.default_rng(7)

    def make(text: str) -> list[float]:
        moved = np.array(vector(text)) + size * generator.normal(size=8)
        return [float(each) for each in moved]

    server.make = make


def test_noise_is_measured_and_is_no_other_model(server: Server) -> None:
    noisy(server, 1e-3)
    encoder = opened(server)
    encoder.encode(TEXTS)
    found = encoder.model.probes or {}
    assert 1e-3 < max(found["repeat"], found["in_batch"]) < 2e-2
    assert encoder.precision > 1e-4
    again = opened(server)
    sent = len(server.texts)
    again.encode(TEXTS)
    assert not {*server.texts[sent:]} & {*TEXTS}
    assert again.content_hash == encoder.content_hash


def test_another_model_is_said_and_begins_a_new_generation(server: Server) -> None:
    first = opened(server)
    first.encode(TEXTS)
    server.make = lambda text: vector(f"new {text}")
    second = opened(server)
    with pytest.warns(fairvec.FairvecWarning, match="generation 2"):
        rows = second.encode(TEXTS)
    assert np.array_equal(rows, expected([f"new {text}" for text in TEXTS]))
    assert second.content_hash != first.content_hash
    server.make = vector  # the first model is back, and so are its vectors
    sent = len(server.texts)
    third = opened(server)
    assert np.array_equal(third.encode(TEXTS), expected(TEXTS))
    assert third.content_hash == first.content_hash
    assert (third.model.probes or {})["generation"] == 1
    assert not {*server.texts[sent:]} & {*TEXTS}


# --- The same model on this machine ---


def same_here(server: Server, monkeypatch: pytest.MonkeyPatch, make: Any, **settings: Any) -> Any:
    """What an audit says of the endpoint and of a function that stands for the local folder."""
    from fairvec.experiments.audit import read_ahead

    def local(folder: str) -> Encoder:
        assert folder == "path/to/model"
        return fairvec.open_encoder(
            lambda texts: np.array([make(text) for text in texts]), name="local"
        )

    monkeypatch.setattr(read_ahead, "open_encoder", local)
    endpoint = fairvec.Endpoint(server.url, model=MODEL, same_as="path/to/model", **settings)
    tests = ["caliskan2017/weat-6", "malik2022/maths-arts"]
    found = fairvec.audit(endpoint, suites=tests, samples=100, categories=False)
    probes = found[0].model.endpoint
    assert probes is not None
    return {one.language: one for one in probes.same_as}


def test_an_endpoint_is_compared_with_the_same_model_by_language(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def otherwise(text: str) -> list[float]:
        return vector(text if text.isascii() else f"{text}.")

    found = same_here(server, monkeypatch, otherwise)
    assert found["en"].least == pytest.approx(1, abs=1e-6)
    assert found["en"].sentences == 256
    assert found["hi"].least < 0.5
    assert not found["hi"].farthest.isascii()
    assert found["hi"].model == "local"


def test_a_prefix_is_read_by_the_local_model_too(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = same_here(server, monkeypatch, vector, prefix="query: ")
    assert found["hi"].least == pytest.approx(1, abs=1e-6)


def test_a_local_model_of_other_dimensions_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingError, match="4 dimensions and the endpoint 8"):
        same_here(server, monkeypatch, lambda text: vector(text, 4))


def test_the_texts_of_a_new_generation_are_counted_before_they_are_sent(server: Server) -> None:
    opened(server).encode(TEXTS)
    server.make = lambda text: vector(f"new {text}")
    estimates: list[Any] = []
    with (
        pytest.warns(fairvec.FairvecWarning, match="generation 2"),
        pytest.raises(SettingError, match="100 texts"),
    ):
        opened(server, max_texts=99, on_estimate=estimates.append).encode(TEXTS)
    assert [(each.texts, each.stored) for each in estimates] == [(0, 100), (100, 0)]
    assert all(server.texts.count(text) == 1 for text in TEXTS)


# --- What works on any encoder works on an endpoint ---


def test_an_endpoint_is_distilled_and_debiased_and_opened_again(
    server: Server, tmp_path: Path
) -> None:
    endpoint = fairvec.Endpoint(server.url, model=MODEL)
    words = ["he", "she", "man", "woman", "doctor"]
    made = fairvec.distil(endpoint, words, language="en")
    assert np.allclose(made.vectors, expected(words))
    done = fairvec.debias(
        endpoint,
        "en/gender",
        "linear-projection",
        suites="caliskan2017/weat-6",
        benchmarks=[],
        language="en",
    )
    fair = str(tmp_path / "fair")
    done.write(fair)
    sent = len(server.bodies)
    with pytest.raises(SettingError, match="only if you name it"):  # the folder may be a stranger's
        fairvec.as_model(fair)
    assert len(server.bodies) == sent
    again = open_model(fair, encoding=EncoderOptions(model=MODEL))
    assert isinstance(again, Encoder)
    assert isinstance(done.model, Encoder)
    assert np.allclose(again.encode(words), done.model.encode(words))
    assert not np.allclose(again.encode(words), expected(words))
    server.make = lambda text: vector(f"new {text}")
    with (
        pytest.warns(fairvec.FairvecWarning, match="generation 2"),
        pytest.raises(fairvec.FairvecError, match="has changed"),
    ):
        open_model(fair, encoding=EncoderOptions(model=MODEL))
