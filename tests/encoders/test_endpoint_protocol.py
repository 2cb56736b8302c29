"""The protocol of endpoints: addresses, replies, refusals, times to wait."""

import base64
import json
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairvec.core.errors import SettingError
from fairvec.encoders.endpoint import protocol
from fairvec.encoders.endpoint.protocol import (
    ReplyError,
    base_address,
    error_message,
    is_loopback,
    kind_of_status,
    read_embeddings,
    retry_after,
)
from tests.loops import loop_over

ADDRESSES = {
    "https://host/v1": "https://host/v1",
    "https://host/v1/": "https://host/v1",
    "https://host/v1/embeddings": "https://host/v1",
    "http://localhost:8080/v1": "http://localhost:8080/v1",
    "http://127.0.0.2/v1": "http://127.0.0.2/v1",
    "http://[::1]:80": "http://[::1]:80",
}
NOT_ADDRESSES = (
    *("http://host/v1", "http://10.0.0.1/v1", "http://127.0.0.1.example.org/v1", "ftp://host"),
    *("https://", "https://user:secret@host/v1", "https://host/v1?key=secret", "https://host:x/"),
    *("https://host/v1#secret", "https://ho st/v1", "http://localhost@example.org/v1"),
)


@loop_over(("url", "base"), list(ADDRESSES.items()))
def test_an_address_is_that_before_embeddings(url: str, base: str) -> None:
    assert base_address(url) == base


@loop_over("url", NOT_ADDRESSES)
def test_an_address_that_is_not_safe_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(SettingError) as refused:
        base_address(url)
    assert "secret" not in str(refused.value)


def test_this_machine_is_told_from_others() -> None:
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.9.9.9", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "localhost.example.org", "192.168.0.1", "a")))


def reply(*items: Any, **more: Any) -> bytes:
    return json.dumps({"data": items, **more}).encode()


def item(index: Any, embedding: Any) -> dict[str, Any]:
    return {"index": index, "embedding": embedding}


def packed(*numbers: float) -> str:
    return base64.b64encode(np.array(numbers, "<f4").tobytes()).decode()


@given(arrays(np.float32, (3, 4), elements=st.floats(1, 100, width=32)), st.permutations(range(3)))
def test_floats_and_base64_give_the_same_rows_in_any_order(rows: Any, order: list[int]) -> None:
    floats = reply(*(item(at, rows[at].tolist()) for at in order), model="m")
    packed_rows = reply(*(item(at, packed(*rows[at])) for at in order), model="m")
    for content in (floats, packed_rows):
        found = read_embeddings(content, 3, 4)
        assert found.model == "m"
        assert found.rows.dtype == np.float32
        assert np.array_equal(found.rows, rows)


BAD_REPLIES = {
    "fewer": (reply(item(0, [1, 2])), "1 vectors for 2 texts"),
    "more": (reply(*(item(at, [1, 2]) for at in range(3))), "3 vectors for 2"),
    "repeated index": (reply(item(0, [1, 2]), item(0, [1, 2])), "two vectors with the index 0"),
    "no index": (reply({"embedding": [1, 2]}, item(1, [1, 2])), "index None"),
    "index beyond": (reply(item(0, [1, 2]), item(2, [1, 2])), "index 2"),
    "index true": (reply(item(0, [1, 2]), item(True, [1, 2])), "index True"),
    "two widths": (reply(item(0, [1, 2]), item(1, [1])), "of 1 and of 2 numbers"),
    "other width": (reply(item(0, [1]), item(1, [1])), "1 numbers where 2"),
    "NaN": (b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}', "not valid JSON"),
    "NaN in base64": (reply(item(0, packed(1, 2)), item(1, packed(np.nan, 1))), "NaN"),
    "beyond float32": (reply(item(0, [1, 2]), item(1, [1e300, 1])), "NaN, infinity"),
    "zeros": (reply(item(0, [1, 2]), item(1, [0, 0])), "zeros"),
    "text": (reply(item(0, [1, 2]), item(1, ["1", 2])), "no number"),
    "null": (reply(item(0, [1, 2]), item(1, None)), "no list of numbers"),
    "empty": (reply(item(0, [1, 2]), item(1, [])), "no list of numbers"),
    "tokens": (reply(item(0, [1, 2]), item(1, [[1, 2], [1, 2]])), "each token"),
    "not base64": (reply(item(0, [1, 2]), item(1, "!!")), "base64"),
    "half a number": (reply(item(0, [1, 2]), item(1, base64.b64encode(b"abc").decode())), "base64"),
    "a page": (b"<!DOCTYPE html><html></html>", "web page"),
    "cut": (b'{"data": [{"index": 0,', "not valid JSON"),
    "no data": (b'{"object": "list"}', "without the list"),
    "a list": (b"[]", "without the list"),
    "not UTF-8": (b'{"data": "\xff"}', "not valid JSON"),
}


@loop_over(("content", "finding"), BAD_REPLIES.values())
def test_a_reply_that_is_not_right_is_refused_whole(content: bytes, finding: str) -> None:
    with pytest.raises(ReplyError, match=finding):
        read_embeddings(content, 2, 2)


BODIES = {
    "OpenAI": {"error": {"message": "too long", "type": "x", "code": 400}},
    "flat": {"message": "too long", "code": 413, "type": "Validation"},
    "TEI's own": {"error": "too long", "error_type": "Validation"},
    "FastAPI's text": {"detail": "too long"},
    "FastAPI's list": {"detail": [{"loc": ["body", "input"], "msg": "too long", "type": "x"}]},
}


@loop_over("body", BODIES.values())
def test_what_a_refusal_says_is_found_in_each_shape(body: Any) -> None:
    assert error_message(json.dumps(body).encode()) == "too long"


def test_a_message_is_one_short_line_without_the_key() -> None:
    body = json.dumps({"error": {"message": "bad key sk-123\nline " + "x" * 999}}).encode()
    message = error_message(body, "sk-123")
    assert "sk-123" not in message
    assert "\n" not in message
    assert len(message) <= protocol.LONGEST_MESSAGE
    assert error_message(b"<html>") == error_message(b"{}") == error_message(b'{"error": 1}') == ""


def test_a_status_says_whether_waiting_or_smaller_batches_help() -> None:
    kinds = {status: kind_of_status(status) for status in (200, 302, 400, 401, 404, 413, 418)}
    assert kinds == {
        200: "answer",
        302: "redirect",
        400: "input",
        401: "key",
        404: "other",
        413: "input",
        418: "other",
    }
    assert {kind_of_status(status) for status in (429, 503)} == {"busy"}
    assert {kind_of_status(status) for status in (424, 500, 502, 504)} == {"fault"}


def test_the_time_to_wait_is_said_in_seconds_or_as_a_date() -> None:
    now = datetime(2026, 11, 18, 12, 0, 0, tzinfo=UTC)
    dated = {"Retry-After": "Wed, 18 Nov 2026 12:00:30 GMT"}
    assert retry_after({"Retry-After": "7"}) == 7
    assert retry_after({"Retry-After": "0.5"}) == 0.5
    assert retry_after(dated, now) == 30
    assert retry_after(dated, now.replace(hour=13)) == 0
    for text in ("", "soon", "-1", "1e9"):
        assert retry_after({"Retry-After": text}) is None, text
