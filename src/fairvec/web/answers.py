"""Questions and answers as JSON: a wrong question is one sentence with a status, never a trace."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from fairvec.ground.errors import FairvecError, UnknownNameError
from fairvec.web.questions import WireQuestion

Asked = TypeVar("Asked", bound=WireQuestion)
Endpoint = Callable[[Request], Awaitable[Response]]


def answering(kind: type[Asked], answer: Callable[[Asked], Any]) -> Endpoint:
    """Return an endpoint that reads a question from the body, and answers beside other work."""

    async def endpoint(request: Request) -> Response:
        body = await request.body()
        return await _answered(lambda: answer(kind.model_validate_json(body)))

    return endpoint


def asked_by_address(kind: type[Asked], answer: Callable[[Asked], Any]) -> Endpoint:
    """Return an endpoint that reads a question from the address."""

    async def endpoint(request: Request) -> Response:
        said = dict(request.query_params)
        return await _answered(lambda: answer(kind.model_validate(said)))

    return endpoint


def telling(answer: Callable[[], Any]) -> Endpoint:
    """Return an endpoint that is asked nothing."""

    async def endpoint(_: Request) -> Response:
        return await _answered(answer)

    return endpoint


async def _answered(answer: Callable[[], Any]) -> Response:
    try:
        return JSONResponse(await run_in_threadpool(answer))
    except ValidationError as error:
        return refused(422, in_a_sentence(error))
    except UnknownNameError as error:
        return refused(404, str(error))
    except FairvecError as error:
        return refused(422, str(error))


def refused(status: int, reason: str) -> Response:
    """Return one sentence with its status."""
    return JSONResponse({"error": reason}, status)


def in_a_sentence(error: ValidationError) -> str:
    """Name the first fault of a question: where and what."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = " ".join(str(part) for part in first["loc"]) or "the question"
    return f"{where}: {first['msg']}; correct it and ask again."
