"""How much may be brought, how long it may take, how many may ask."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.web.security import (
    LONGEST_ADDRESS,
    Application,
    BodyLimits,
    ConcurrencyLimit,
    RateLimit,
    Refusal,
    SecurityMiddleware,
    Visitor,
)
from tests.web.asking import OURS, PORT, TOKEN, ask, explorer

APP = explorer()


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that says how much it was sent."""
    got = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(len(got["body"])).encode()})


def guarded(inner: Application = echo, **settings: Any) -> SecurityMiddleware:
    return SecurityMiddleware(inner, Visitor(TOKEN, PORT), **settings)


def test_a_body_up_to_the_limit_arrives_whole() -> None:
    small = guarded(limits=BodyLimits(largest=100, drained=200))
    assert ask(small, "/", chunks=[b"x" * 60, b"x" * 40]).body == b"100"


@pytest.mark.parametrize("chunks", [[b"x" * 101], [b"x"] * 101, [b"x" * 150] * 9], ids=[1, 2, 3])
def test_a_larger_one_does_not(chunks: list[bytes]) -> None:
    reply = ask(guarded(limits=BodyLimits(largest=100, drained=200)), "/", chunks=chunks)
    assert reply.status == 413
    assert reply.error == "A question has at most 100 bytes; ask with less."


@pytest.mark.parametrize("said", ["99999999999", "9" * 5000, "-1", "x", "1e3", "٣", "+1"])
def test_a_length_that_is_none_or_too_large_is_refused_unread(said: str) -> None:
    headers = [*OURS.items(), ("content-type", "application/json")]
    raw = [*headers, ("content-length", said.encode().decode("latin-1"))]
    assert ask(guarded(), "/", chunks=[b"x"], headers=raw).status == 413


def test_a_body_that_never_ends_is_given_up() -> None:
    slow = guarded(limits=BodyLimits(seconds=0.05))
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    raw = [
        (k.encode(), v.encode()) for k, v in {**OURS, "content-type": "application/json"}.items()
    ]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "query_string": b"",
        "headers": raw,
    }
    asyncio.run(slow(scope, receive, send))
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]
    assert slow.room.refused() is None


@pytest.mark.parametrize("path", ["/" + "a" * LONGEST_ADDRESS, "/?" + "a" * LONGEST_ADDRESS])
def test_an_address_without_an_end_is_refused(path: str) -> None:
    assert ask(APP, path).status == 414
    assert ask(APP, path[:200]).status in (200, 404)


@given(
    steps=st.lists(st.floats(0, 3), max_size=200),
    a_second=st.floats(0.5, 50),
    at_once=st.integers(1, 20),
)
def test_in_any_time_no_more_come_than_the_pace_allows(
    steps: list[float], a_second: float, at_once: int
) -> None:
    now = [0.0]
    pace = RateLimit(a_second, at_once, clock=lambda: now[0])
    let_in = []
    for step in steps:
        now[0] += step
        if pace.refused() is None:
            let_in.append(now[0])
    for place, start in enumerate(let_in):
        for count, end in enumerate(let_in[place:], 1):
            assert count <= at_once + (end - start) * a_second + 1e-6


def test_who_comes_too_fast_waits_and_then_is_answered() -> None:
    now = [0.0]
    quick = guarded(pace=RateLimit(1, 2, clock=lambda: now[0]))
    assert [ask(quick, "/").status for _ in range(3)] == [200, 200, 429]
    assert ask(quick, "/").header("retry-after") == "1"
    now[0] = 1.0
    assert ask(quick, "/").status == 200


def test_a_stranger_takes_nothing_from_the_visitor() -> None:
    quick = guarded(pace=RateLimit(1, 1, clock=lambda: 0.0))
    for headers in ({"cookie": None}, {"host": "evil.example"}, {"origin": "null"}):
        assert ask(quick, "/", headers=headers).status in (401, 403, 421)
    assert ask(quick, "/").status == 200


def test_so_many_are_answered_at_once_and_places_come_free_however_it_ends() -> None:
    room = ConcurrencyLimit(2)
    with room.place(), room.place():
        assert ask(guarded(room=room), "/").status == 503
    assert ask(guarded(room=room), "/").status == 200

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise ValueError("no")

    for _ in range(3):
        assert ask(guarded(broken, room=room), "/").status == 500
    refusal = room.refused()
    assert not isinstance(refusal, Refusal)


def test_a_socket_of_another_kind_is_closed() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    asyncio.run(guarded()({"type": "websocket", "headers": []}, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]
