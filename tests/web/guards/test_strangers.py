"""Who is not answered: other names, other sites, no token, other methods and kinds of text."""

import json
from typing import Any

import pytest

from fairvec.web.security import HEADERS, OneTimeTokens, Visitor
from tests.web.asking import HOST, OURS, PORT, TOKEN, Reply, ask, explorer

APP = explorer()
LISTS = {"model": "toy", "x": ["x1"], "y": ["y1"], "a": ["a1"], "b": ["b1"]}


def test_the_page_itself_is_answered() -> None:
    assert ask(APP, "/").status == 200
    assert ask(APP, "/api/models").json["models"][0]["name"] == "toy"
    browser = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    assert ask(APP, "/api/models", headers=browser).status == 200
    assert ask(APP, "/api/models", headers={"host": f"localhost:{PORT}"}).status == 200


@pytest.mark.parametrize(
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
@pytest.mark.parametrize("path", ["/", "/api/models", f"/welcome?token={TOKEN}", "/nothing"])
def test_a_name_that_was_bound_to_this_machine_reads_nothing(host: str | None, path: str) -> None:
    reply = ask(APP, path, headers={"host": host})
    assert reply.status == 421
    assert reply.header("set-cookie") is None


@pytest.mark.parametrize(
    "said",
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
    ids=str,
)
@pytest.mark.parametrize("question", [None, LISTS], ids=["get", "post"])
def test_a_page_of_another_site_or_port_is_refused(said: dict[str, str], question: Any) -> None:
    path = "/api/models" if question is None else "/api/ask"
    reply = ask(APP, path, question=question, headers=said)
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


@pytest.mark.parametrize("sent", WITHOUT.values(), ids=WITHOUT)
@pytest.mark.parametrize("path", ["/", "/api/models", "/app.js", "/run?name=x", "/welcome"])
def test_without_the_token_nothing_is_told(sent: dict[str, str | None], path: str) -> None:
    reply = ask(APP, path, headers=sent)
    assert reply.status == 401
    assert reply.header("www-authenticate") == "Bearer"
    assert reply.header("set-cookie") is None


WITH = {
    "header": {"cookie": None, "authorization": f"Bearer {TOKEN}"},
    "among others": {"cookie": f'a={{"b": 1}}; _xsrf=2|x; fairvec-{PORT}={TOKEN}; z'},
    "beside another of its name": {"cookie": f"fairvec-{PORT}=old; fairvec-{PORT}={TOKEN}"},
    "wrong header, right cookie": {"authorization": "Bearer wrong"},
}


@pytest.mark.parametrize("sent", WITH.values(), ids=WITH)
def test_cookies_of_other_ports_do_not_hide_ours(sent: dict[str, str | None]) -> None:
    assert ask(APP, "/api/models", headers=sent).status == 200


def welcomed(token: str, **headers: str) -> Reply:
    return ask(APP, f"/welcome?token={token}", headers={"cookie": None, **headers})


def test_the_printed_address_gives_the_cookie_and_leads_on() -> None:
    reply = welcomed(TOKEN, **{"sec-fetch-site": "cross-site"})
    assert reply.status == 200
    cookie, *kept = str(reply.header("set-cookie")).split("; ")
    assert kept == ["HttpOnly", "SameSite=Strict", "Path=/"]
    assert TOKEN.encode() not in reply.body
    assert b'content="0; url=/"' in reply.body
    assert ask(APP, "/", headers={"cookie": cookie}).status == 200


@pytest.mark.parametrize("token", ["", "wrong", "%00", "%ff%fe", f"{TOKEN}%0d%0aset-cookie:a=b"])
def test_a_wrong_address_gives_no_cookie(token: str) -> None:
    reply = welcomed(token)
    assert reply.status == 401
    assert reply.header("set-cookie") is None


def test_a_pass_opens_once_and_for_a_minute() -> None:
    now = [0.0]
    visitor = Visitor(TOKEN, PORT, passes=OneTimeTokens(clock=lambda: now[0]))
    first, late = visitor.passes.issued(), visitor.passes.issued()
    assert first != late
    assert visitor.welcomes(first)
    assert not visitor.welcomes(first)
    now[0] = 60.5
    assert not visitor.welcomes(late)
    assert visitor.welcomes(TOKEN)
    assert visitor.welcomes(TOKEN)


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
    said = {**OURS, "content-type": "application/json", "origin": f"http://{HOST}"}
    said["authorization"] = f"Bearer {TOKEN}"
    twice = [*said.items(), (name, "evil.example")]
    assert ask(APP, "/api/ask", question=LISTS, headers=list(said.items())).status == 200
    assert ask(APP, "/api/ask", question=LISTS, headers=twice).status == 400


def test_a_person_reads_words_and_a_program_json() -> None:
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
