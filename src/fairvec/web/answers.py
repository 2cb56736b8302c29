"""Questions and answers as JSON: a wrong question is one sentence with a status, never a trace."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from fairvec.ground.errors import FairvecError, UnknownNameError
from fairvec.ground.fault_log import unexpected_and_logged
from fairvec.ground.text.whole_characters import whole
from fairvec.web.beside import beside
from fairvec.web.guards.guarded import FAULT
from fairvec.web.opened import ChangedModelError
from fairvec.web.questions import WireQuestion

Asked = TypeVar("Asked", bound=WireQuestion)
Endpoint = Callable[[Request], Awaitable[Response]]

LONGEST_PART = 60
"""A question's own words are repeated as far as that."""


class WholeJson(JSONResponse):
    """JSON of whole characters; a byte of a file's name that is none is shown by its number."""

    def render(self, content: Any) -> bytes:
        """Return the bytes to send."""
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return super().render(whole(content))


def answering(kind: type[Asked], answer: Callable[[Asked], Any]) -> Endpoint:
    """Return an endpoint that reads a question from the body, and answers beside other work."""

    async def endpoint(request: Request) -> Response:
        body = await request.body()
        return await answered(lambda: WholeJson(answer(kind.model_validate_json(body))))

    return endpoint


def asked_by_address(kind: type[Asked], answer: Callable[[Asked], Any]) -> Endpoint:
    """Return an endpoint that reads a question from the address."""

    async def endpoint(request: Request) -> Response:
        said = dict(request.query_params)
        return await answered(lambda: WholeJson(answer(kind.model_validate(said))))

    return endpoint


def telling(answer: Callable[[], Any]) -> Endpoint:
    """Return an endpoint that is asked nothing."""

    async def endpoint(_: Request) -> Response:
        return await answered(lambda: WholeJson(answer()))

    return endpoint


async def answered(answer: Callable[[], Response]) -> Response:
    """Return an answer that is made beside other work, or one sentence about what was wrong."""
    try:
        return await beside(answer)
    except ValidationError as error:
        return refused(422, in_a_sentence(error))
    except UnknownNameError as error:
        return refused(404, str(error))
    except ChangedModelError as error:
        return refused(409, str(error))
    except FairvecError as error:
        return refused(422, str(error))
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return refused(503, f"{place}{error.strerror or error}; mend it and ask again.")


def refused(status: int, reason: str) -> Response:
    """Return one sentence with its status."""
    return WholeJson({"error": reason}, status)


async def fault(request: Request, error: Exception) -> Response:
    """Say that fairvec itself failed and where the details are; the guards say it to the log."""
    request.scope[FAULT] = told = unexpected_and_logged(error, f"explore: {request.url.path}")
    return refused(500, told)


async def not_there(request: Request, error: Exception) -> Response:
    """Say that an address has nothing, or answers to another method."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    reasons = {
        404: "There is nothing at this address; the questions are listed under /api.",
        405: f"This address is not asked with {request.method}; see /api.",
    }
    reason = reasons.get(status, "This cannot be answered; the questions are listed under /api.")
    return WholeJson({"error": reason}, status, headers)


def in_a_sentence(error: ValidationError) -> str:
    """Name the first fault of a question: where and what."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = " ".join(str(part)[:LONGEST_PART] for part in first["loc"]) or "the question"
    return f"{where}: {first['msg']}; correct it and ask again."
