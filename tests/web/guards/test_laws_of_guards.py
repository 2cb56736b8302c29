"""Whatever a stranger sends, it is a refusal that comes back, with every header and no word."""

from hypothesis import example, given
from hypothesis import strategies as st

from fairvec.web.security import HEADERS, JSON, Visitor
from tests.web.asking import HOST, PORT, TOKEN, ask, explorer

APP = explorer()
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
    reply = ask(APP, path, method=method, headers=headers)
    assert reply.status in (400, 401, 403, 421)
    assert {name: reply.header(name) for name in HEADERS} == HEADERS
    assert reply.header("set-cookie") is None
    assert b"toy" not in reply.body
    assert TOKEN.encode() not in reply.body


@given(
    said=st.dictionaries(st.sampled_from(NAMES), VALUES),
    method=st.sampled_from(["GET", "HEAD", "POST"]),
)
def test_with_the_token_host_origin_and_kind_alone_decide(
    said: dict[str, str], method: str
) -> None:
    visitor = Visitor(TOKEN, PORT)
    headers = {**said, "cookie": f"fairvec-{PORT}={TOKEN}"}
    refusal = visitor.refused(method, headers)
    own = headers.get("host", "").lower() in (HOST, f"localhost:{PORT}")
    origins = (None, f"http://{HOST}", f"http://localhost:{PORT}")
    same = (headers["origin"].lower() if "origin" in headers else None) in origins
    same = same and headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    kind = headers.get("content-type", "").split(";")[0].strip().lower() == JSON
    expected = None if own and same and (kind or method != "POST") else "refused"
    assert (refusal is None) == (expected is None)
