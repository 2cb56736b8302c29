"""Who is answered by the explorer, and how much."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairvec.web.security import (
    HEADERS,
    JSON,
    LONGEST_ADDRESS,
    Application,
    BodyLimits,
    ConcurrencyLimit,
    OneTimeTokens,
    RateLimit,
    Refusal,
    SecurityMiddleware,
    Visitor,
)
from tests.loops import loop_over
from tests.web.client import HOST, OURS, PORT, TOKEN, Reply, ask, explorer

# --- Who is not answered: other names, other sites, no token, other methods and kinds of text ---


APP = explorer()
LISTS = {"model": "toy", "x": ["x1"], "y": ["y1"], "a": ["a1"], "b": ["b1"]}


def test_the_page_itself_is_answered() -> None:
    assert ask(APP, "/").status == 200
    assert ask(APP, "/api/models").json["models"][0]["name"] == "toy"
    browser = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    assert ask(APP, "/api/models", headers=browser).status == 200
    assert ask(APP, "/api/models", headers={"host": f"localhost:{PORT}"}).status == 200


@loop_over(
    "host",
    [
        None,
        "",
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        f"127.0.0.1:{PORT + 1}",
        f"127.0.0.1:{PORT}.evil.example",
        f"127.0.0.1.evil.example:{PORT}",
        f"evil@127.0.0.1:{PORT}",
        f"0.0.0.0:{PORT}",
        f"[::1]:{PORT}",
    ],
)
@loop_over("path", ["/", "/api/models", f"/welcome?token={TOKEN}", "/nothing"])
def test_a_name_that_was_bound_to_this_machine_reads_nothing(host: str | None, path: str) -> None:
    reply = ask(APP, path, headers={"host": host})
    assert reply.status == 421
    assert reply.header("set-cookie") is None


@loop_over(
    "headers_sent",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": f"https://{HOST}"},
        {"origin": f"http://127.0.0.1:{PORT + 1}"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": f"http://{HOST}", "sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "anything"},
    ],
)
@loop_over("question", [None, LISTS])
def test_a_page_of_another_site_or_port_is_refused(
    headers_sent: dict[str, str], question: Any
) -> None:
    path = "/api/models" if question is None else "/api/ask"
    reply = ask(APP, path, question=question, headers=headers_sent)
    assert reply.status == 403
    assert not [name for name, _ in reply.headers if name.startswith("access-control")]


def test_a_browser_that_asks_before_it_sends_is_given_no_leave() -> None:
    asking = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    reply = ask(APP, "/api/ask", method="OPTIONS", headers={**asking, "cookie": None})
    assert reply.status == 403
    assert not [name for name, _ in reply.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "kind",
    [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
)
def test_what_a_form_can_send_is_no_question(kind: str | None) -> None:
    reply = ask(APP, "/api/ask", question=LISTS, headers={"content-type": kind})
    assert reply.status == 415
    assert ask(APP, "/api/ask", question=LISTS, headers=json_with("; charset=utf-8")).status == 200


def json_with(more: str) -> dict[str, str]:
    return {"content-type": f"Application/JSON{more}"}


WITHOUT = {
    "nothing": {"cookie": None},
    "wrong cookie": {"cookie": f"fairvec-{PORT}=wrong"},
    "empty cookie": {"cookie": f"fairvec-{PORT}="},
    "beginning": {"cookie": f"fairvec-{PORT}={TOKEN[:-1]}"},
    "other port's cookie": {"cookie": f"fairvec-{PORT + 1}={TOKEN}"},
    "wrong header": {"cookie": None, "authorization": "Bearer wrong"},
    "no scheme": {"cookie": None, "authorization": TOKEN},
    "basic": {"cookie": None, "authorization": f"Basic {TOKEN}"},
    "not ASCII": {"cookie": None, "authorization": "Bearer \xe9\xff"},
}


@loop_over("credentials", WITHOUT.values())
@loop_over("path", ["/", "/api/models", "/app.js", "/run?name=x", "/welcome"])
def test_without_the_token_nothing_is_answered(
    credentials: dict[str, str | None], path: str
) -> None:
    reply = ask(APP, path, headers=credentials)
    assert reply.status == 401
    assert reply.header("www-authenticate") == "Bearer"
    assert reply.header("set-cookie") is None


WITH = {
    "header": {"cookie": None, "authorization": f"Bearer {TOKEN}"},
    "among others": {"cookie": f'a={{"b": 1}}; _xsrf=2|x; fairvec-{PORT}={TOKEN}; z'},
    "beside another of its name": {"cookie": f"fairvec-{PORT}=old; fairvec-{PORT}={TOKEN}"},
    "wrong header, right cookie": {"authorization": "Bearer wrong"},
}


@pytest.mark.parametrize("credentials", WITH.values(), ids=WITH)
def test_cookies_of_other_ports_do_not_hide_ours(credentials: dict[str, str | None]) -> None:
    assert ask(APP, "/api/models", headers=credentials).status == 200


def open_welcome(token: str, **headers: str) -> Reply:
    return ask(APP, f"/welcome?token={token}", headers={"cookie": None, **headers})


def test_the_printed_address_gives_the_cookie_and_leads_on() -> None:
    reply = open_welcome(TOKEN, **{"sec-fetch-site": "cross-site"})
    assert reply.status == 200
    cookie, *flags = str(reply.header("set-cookie")).split("; ")
    assert flags == ["HttpOnly", "SameSite=Strict", "Path=/"]
    assert TOKEN.encode() not in reply.body
    assert b'content="0; url=/"' in reply.body
    assert ask(APP, "/", headers={"cookie": cookie}).status == 200


@pytest.mark.parametrize("token", ["", "wrong", "%00", "%ff%fe", f"{TOKEN}%0d%0aset-cookie:a=b"])
def test_a_wrong_address_gives_no_cookie(token: str) -> None:
    reply = open_welcome(token)
    assert reply.status == 401
    assert reply.header("set-cookie") is None


def test_a_pass_opens_once_and_for_a_minute() -> None:
    now = [0.0]
    visitor = Visitor(TOKEN, PORT, passes=OneTimeTokens(clock=lambda: now[0]))
    first, late = visitor.passes.issue(), visitor.passes.issue()
    assert first != late
    assert visitor.admits(first)
    assert not visitor.admits(first)
    now[0] = 60.5
    assert not visitor.admits(late)
    assert visitor.admits(TOKEN)
    assert visitor.admits(TOKEN)


def test_the_token_is_in_no_answer_and_in_no_representation() -> None:
    paths = ["/", "/app.js", "/api", "/api/models", "/openapi.json", "/api/words", "/nothing"]
    for path in paths:
        reply = ask(APP, path)
        assert TOKEN not in reply.body.decode() + repr(reply.headers)
    assert TOKEN not in repr(Visitor(TOKEN, PORT))


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "X"])
def test_other_methods_are_refused(method: str) -> None:
    reply = ask(APP, "/api/models", method=method)
    assert reply.status == 405
    assert reply.header("allow") == "GET, HEAD, POST"


def test_an_address_that_answers_to_another_method_says_so() -> None:
    reply = ask(APP, "/api/ask")
    assert reply.status == 405
    assert reply.header("allow") == "POST"
    assert reply.error.startswith("This address is not asked with GET")
    assert ask(APP, "/api/models", question={}).status == 405
    assert ask(APP, "/api/models", method="HEAD").status == 200


@pytest.mark.parametrize("name", ["host", "origin", "content-type", "authorization"])
def test_a_header_that_is_there_twice_is_refused(name: str) -> None:
    headers_sent = {**OURS, "content-type": "application/json", "origin": f"http://{HOST}"}
    headers_sent["authorization"] = f"Bearer {TOKEN}"
    twice = [*headers_sent.items(), (name, "evil.example")]
    assert ask(APP, "/api/ask", question=LISTS, headers=list(headers_sent.items())).status == 200
    assert ask(APP, "/api/ask", question=LISTS, headers=twice).status == 400


def test_a_browser_gets_text_and_a_program_json() -> None:
    nobody = {"cookie": None}
    page = ask(APP, "/", headers={**nobody, "accept": "text/html,*/*"})
    assert page.header("content-type") == "text/plain; charset=utf-8"
    assert page.body.decode() == json.loads(ask(APP, "/", headers=nobody).body)["error"]


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/app.js", {}),
        ("/nothing", {}),
        ("/api/ask", {}),
        ("/api/words?model=none&beginning=a", {}),
        ("/api/words", {}),
        ("/", {"cookie": None}),
        ("/", {"host": "evil.example"}),
        ("/", {"origin": "null"}),
        (f"/welcome?token={TOKEN}", {"cookie": None}),
    ],
)
def test_every_answer_carries_every_header_once(path: str, headers: dict[str, Any]) -> None:
    reply = ask(APP, path, headers=headers)
    for name, value in HEADERS.items():
        assert reply.header(name) == value
    policy = str(reply.header("content-security-policy"))
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


# --- How much may be brought, how long it may take, how many may ask ---


APP_LIMITS = explorer()


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that says how much it was sent."""
    got = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(len(got["body"])).encode()})


def middleware(inner: Application = echo, **settings: Any) -> SecurityMiddleware:
    return SecurityMiddleware(inner, Visitor(TOKEN, PORT), **settings)


def test_a_body_up_to_the_limit_arrives() -> None:
    small = middleware(limits=BodyLimits(largest=100, drained=200))
    assert ask(small, "/", chunks=[b"x" * 60, b"x" * 40]).body == b"100"


@pytest.mark.parametrize("chunks", [[b"x" * 101], [b"x"] * 101, [b"x" * 150] * 9], ids=[1, 2, 3])
def test_a_larger_body_does_not(chunks: list[bytes]) -> None:
    reply = ask(middleware(limits=BodyLimits(largest=100, drained=200)), "/", chunks=chunks)
    assert reply.status == 413
    assert reply.error == "A question has at most 100 bytes; ask with less."


@pytest.mark.parametrize("length", ["99999999999", "9" * 5000, "-1", "x", "1e3", "٣", "+1"])
def test_a_length_that_is_none_or_too_large_is_refused_unread(length: str) -> None:
    headers = [*OURS.items(), ("content-type", "application/json")]
    raw = [*headers, ("content-length", length.encode().decode("latin-1"))]
    assert ask(middleware(), "/", chunks=[b"x"], headers=raw).status == 413


def test_a_body_that_never_ends_is_given_up() -> None:
    slow = middleware(limits=BodyLimits(seconds=0.05))
    messages: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message: Any) -> None:
        messages.append(message)

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
    assert messages[0]["status"] == 408
    assert (b"connection", b"close") in messages[0]["headers"]
    assert slow.room.refusal() is None


@pytest.mark.parametrize("path", ["/" + "a" * LONGEST_ADDRESS, "/?" + "a" * LONGEST_ADDRESS])
def test_an_address_without_an_end_is_refused(path: str) -> None:
    assert ask(APP_LIMITS, path).status == 414
    assert ask(APP_LIMITS, path[:200]).status in (200, 404)


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
        if pace.refusal() is None:
            let_in.append(now[0])
    for place, start in enumerate(let_in):
        for count, end in enumerate(let_in[place:], 1):
            assert count <= at_once + (end - start) * a_second + 1e-6


def test_who_comes_too_fast_waits_and_then_is_answered() -> None:
    now = [0.0]
    quick = middleware(pace=RateLimit(1, 2, clock=lambda: now[0]))
    assert [ask(quick, "/").status for _ in range(3)] == [200, 200, 429]
    assert ask(quick, "/").header("retry-after") == "1"
    now[0] = 1.0
    assert ask(quick, "/").status == 200


def test_a_stranger_takes_nothing_from_the_visitor() -> None:
    quick = middleware(pace=RateLimit(1, 1, clock=lambda: 0.0))
    for headers in ({"cookie": None}, {"host": "evil.example"}, {"origin": "null"}):
        assert ask(quick, "/", headers=headers).status in (401, 403, 421)
    assert ask(quick, "/").status == 200


def test_so_many_are_answered_at_once_and_places_come_free_however_it_ends() -> None:
    room = ConcurrencyLimit(2)
    with room.slot(), room.slot():
        assert ask(middleware(room=room), "/").status == 503
    assert ask(middleware(room=room), "/").status == 200

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise ValueError("no")

    for _ in range(3):
        assert ask(middleware(broken, room=room), "/").status == 500
    refusal = room.refusal()
    assert not isinstance(refusal, Refusal)


def test_a_socket_of_another_kind_is_closed() -> None:
    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    asyncio.run(middleware()({"type": "websocket", "headers": []}, receive, send))
    assert messages == [{"type": "websocket.close", "code": 1008}]


# --- Whatever a stranger sends, it is a refusal that comes back, with every header and no word


APP_LAWS = explorer()
NAMES = ["host", "origin", "sec-fetch-site", "cookie", "authorization", "content-type", "accept"]
VALUES = st.one_of(
    st.sampled_from(
        [
            HOST,
            f"http://{HOST}",
            "same-origin",
            "none",
            JSON,
            "null",
            "Bearer",
            "Bearer ",
            f"fairvec-{PORT}",
            f"fairvec-{PORT}=",
            f'fairvec-{PORT}="',
            "text/html",
        ]
    ),
    st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=40),
)
PATHS = ["/", "/api/models", "/api/ask", "/api/words?model=toy&beginning=a", "/welcome?token="]


@given(
    path=st.sampled_from(PATHS),
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "OPTIONS"]),
    headers=st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=8),
)
@example(path="/", method="GET", headers=[("host", HOST), ("cookie", f"fairvec-{PORT}=")])
def test_without_the_token_there_is_only_a_refusal(
    path: str, method: str, headers: list[tuple[str, str]]
) -> None:
    reply = ask(APP_LAWS, path, method=method, headers=headers)
    assert reply.status in (400, 401, 403, 421)
    assert {name: reply.header(name) for name in HEADERS} == HEADERS
    assert reply.header("set-cookie") is None
    assert b"toy" not in reply.body
    assert TOKEN.encode() not in reply.body


@given(
    headers_sent=st.dictionaries(st.sampled_from(NAMES), VALUES),
    method=st.sampled_from(["GET", "HEAD", "POST"]),
)
def test_with_the_token_host_origin_and_kind_alone_decide(
    headers_sent: dict[str, str], method: str
) -> None:
    visitor = Visitor(TOKEN, PORT)
    headers = {**headers_sent, "cookie": f"fairvec-{PORT}={TOKEN}"}
    refusal = visitor.refusal(method, headers)
    own = headers.get("host", "").lower() in (HOST, f"localhost:{PORT}")
    origins = (None, f"http://{HOST}", f"http://localhost:{PORT}")
    same = (headers["origin"].lower() if "origin" in headers else None) in origins
    same = same and headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    kind = headers.get("content-type", "").split(";")[0].strip().lower() == JSON
    expected = None if own and same and (kind or method != "POST") else "refused"
    assert (refusal is None) == (expected is None)
