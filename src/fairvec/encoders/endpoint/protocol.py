"""The protocol of embedding endpoints, as pure functions: addresses, requests, replies, refusals.

    request   {"model": ..., "input": [text, ...], "encoding_format": "base64", "dimensions": n}
    reply     {"data": [{"index": 0, "embedding": [...] or base64}, ...], "model": ...}

Servers differ in all else: which field is honoured, how many texts they take, how they refuse.
"""

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any, Literal, NamedTuple, TypeGuard
from urllib.parse import urlsplit

import numpy as np

from fairvec.core.errors import SettingError, redact
from fairvec.core.parsing import parse_json
from fairvec.core.text import one_line, short_repr
from fairvec.geometry import FloatArray

Encoding = Literal["float", "base64"]
"""How a reply writes numbers: as JSON, or as the bytes of little-endian float32."""

MOST_DIMENSIONS = 65_536
LONGEST_MESSAGE = 200
"""Characters of a server's message that are repeated."""
_BYTES_PER_NUMBER = 32
_BYTES_BESIDE = 1 << 16

_SCHEMES = ("http://", "https://")
_ROUTE = "/embeddings"


class ReplyError(ValueError):
    """A reply is not what the protocol promises; the message completes "the server ..."."""


def is_address(source: object) -> TypeGuard[str]:
    """Return whether a text is an address of the web."""
    return isinstance(source, str) and source.lower().startswith(_SCHEMES)


def base_address(url: str) -> str:
    """Return the address before /embeddings; refuse what is neither https nor this machine.

    User, password and query are refused: an address stands in every record.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not is_address(url) or not host or any(sign.isspace() for sign in url):
        raise SettingError(
            "The address of an endpoint is not one of the web; write it as https://host/v1."
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise SettingError(
            f"The address of the endpoint at {host} holds a user, a query or a fragment; leave "
            "them out, and name the environment variable that holds the key (--key-variable)."
        )
    if parts.scheme == "http" and not is_loopback(host):
        raise SettingError(
            f"The address of the endpoint at {host} is not encrypted, so that anybody on the way "
            "could read the key and the texts; write https://, or use a server on this machine."
        )
    return parts.geturl().rstrip("/").removesuffix(_ROUTE)


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def route(base: str) -> str:
    """Return where requests for embeddings go."""
    return base + _ROUTE


def request_body(
    texts: Sequence[str], model: str, encoding: Encoding, dimensions: int | None = None
) -> dict[str, Any]:
    """Return the body of a request."""
    body: dict[str, Any] = {"model": model, "input": [*texts], "encoding_format": encoding}
    return body if dimensions is None else body | {"dimensions": dimensions}


def most_bytes(texts: int, dimensions: int | None) -> int:
    """Return the most bytes that a reply to so many texts may have."""
    return _BYTES_BESIDE + texts * (dimensions or MOST_DIMENSIONS) * _BYTES_PER_NUMBER


class Embeddings(NamedTuple):
    """The vectors of a reply in the order of the texts, and what the server calls its model."""

    rows: FloatArray
    model: str


def read_embeddings(content: bytes, texts: int, dimensions: int | None = None) -> Embeddings:
    """Return the vectors of a reply by their `index`, in float32; raise if one is not usable."""
    reply = _parse(content)
    items = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(items, list):
        raise ReplyError("answers without the list `data`")
    if len(items) != texts:
        raise ReplyError(f"gave {len(items)} vectors for {texts} texts")
    rows: list[FloatArray | None] = [None] * texts
    for item in items:
        index = item.get("index") if isinstance(item, dict) else None
        if type(index) is not int or not 0 <= index < texts:
            raise ReplyError(
                f"gave a vector with the index {short_repr(index)} for {texts} texts, so that "
                "nobody can tell whose it is"
            )
        if rows[index] is not None:
            raise ReplyError(f"gave two vectors with the index {index}")
        rows[index] = _read_vector(item.get("embedding"))
    widths = sorted({len(row) for row in rows if row is not None})
    if len(widths) > 1:
        raise ReplyError(f"gave vectors of {widths[0]} and of {widths[-1]} numbers in one reply")
    if dimensions is not None and widths != [dimensions]:
        raise ReplyError(f"gave vectors of {widths[0]} numbers where {dimensions} were expected")
    matrix: Any = np.array(rows, dtype=np.float32)
    if not np.isfinite(matrix).all():
        raise ReplyError("gave NaN, infinity or a number beyond float32")
    if not matrix.any(axis=1).all():
        raise ReplyError("gave a vector of zeros")
    name = reply.get("model")
    return Embeddings(matrix, one_line(name)[:LONGEST_MESSAGE] if isinstance(name, str) else "")


def _parse(content: bytes) -> Any:
    start = content[:512].lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        raise ReplyError("answers with a web page")
    try:
        return parse_json(content)
    except ValueError as error:
        raise ReplyError(f"answers with what is not valid JSON ({error})") from None


def _read_vector(embedding: object) -> FloatArray:
    if isinstance(embedding, str):
        return _from_base64(embedding)
    if not isinstance(embedding, list) or not embedding:
        raise ReplyError("gave no list of numbers as an embedding")
    if isinstance(embedding[0], list):
        raise ReplyError("gave a vector for each token where one for each text was expected")
    if not all(type(number) in (int, float) for number in embedding):
        raise ReplyError("gave an embedding with something in it that is no number")
    if len(embedding) > MOST_DIMENSIONS:
        raise ReplyError(f"gave a vector of {len(embedding):,} numbers")
    with np.errstate(over="ignore"):
        return np.array(embedding, dtype=np.float64).astype(np.float32)


def _from_base64(text: str) -> FloatArray:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not data or len(data) % 4:
        raise ReplyError("gave an embedding that is not the base64 of float32 numbers")
    return np.frombuffer(data, "<f4")


def error_message(content: bytes, secret: str = "") -> str:
    """Return what the body of a refusal says, on one line and without the key; "" if nothing.

    Bodies are {"error": {"message"}}, flat {"message"} or {"error"}, and FastAPI's {"detail"},
    which is a text or a list of {"msg"}.
    """
    try:
        body = parse_json(content, lenient=True)
    except ValueError:
        return ""
    message = _message_in(body)
    if secret:
        message = message.replace(secret, "***")
    return redact(one_line(message))[:LONGEST_MESSAGE].rstrip(" .")


def _message_in(body: object) -> str:
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return "; ".join(filter(None, map(_message_in, body[:3])))
    if not isinstance(body, dict):
        return ""
    parts = (body.get(name) for name in ("error", "message", "detail", "msg"))
    return next((text for part in parts if (text := _message_in(part))), "")


Kind = Literal["answer", "busy", "input", "fault", "redirect", "key", "other"]
_KINDS: dict[int, Kind] = {
    **dict.fromkeys((400, 413, 422), "input"),
    **dict.fromkeys((401, 403), "key"),
    **dict.fromkeys((429, 503), "busy"),
    **dict.fromkeys((408, 424, 500, 502, 504), "fault"),
}


def kind_of_status(status: int) -> Kind:
    """Return what a status means for the request.

    An `input` may be too much or too long, and asking again does not help; with `busy` waiting
    does, and after a `fault` one more attempt may. llama.cpp answers a text that is too long with
    500, TEI a fault of its backend with 424.
    """
    if status == 200:
        return "answer"
    return "redirect" if 300 <= status < 400 else _KINDS.get(status, "other")


_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that a server asks to wait, said as a number or a date; None if not."""
    text = headers.get("Retry-After", "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    from email.utils import parsedate_to_datetime  # here, because few servers say a date

    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - (now or datetime.now(UTC))).total_seconds())
