"""The explorer as a web application: its pages, JSON requests and answers, and errors."""

from collections.abc import Awaitable, Callable
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from fairvec.core.errors import FairvecError, UnknownNameError, report_fault
from fairvec.core.text import escape_surrogates
from fairvec.report.page import environment
from fairvec.web.open_models import ChangedModelError, OpenModels
from fairvec.web.openapi import openapi
from fairvec.web.routes import ROUTES
from fairvec.web.schemas import Question, RequestModel, RunRequest
from fairvec.web.security import FAULT, OWN_POLICY, Application, SecurityMiddleware, Visitor
from fairvec.web.server import run_in_thread

Model = TypeVar("Model", bound=RequestModel)
Endpoint = Callable[[Request], Awaitable[Response]]

LONGEST_PART = 60
"""Most characters of a request's own text that an error repeats."""


class SafeJSONResponse(JSONResponse):
    """JSON in UTF-8; a byte of a file's name that is not UTF-8 is escaped."""

    def render(self, content: Any) -> bytes:
        """Return the bytes to send."""
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return super().render(escape_surrogates(content))


def json_body(model: type[Model], answer: Callable[[Model], Any]) -> Endpoint:
    """Return an endpoint that reads a question from the body and answers it in a thread."""

    async def endpoint(request: Request) -> Response:
        body = await request.body()
        return await respond(lambda: SafeJSONResponse(answer(model.model_validate_json(body))))

    return endpoint


def query_string(model: type[Model], answer: Callable[[Model], Any]) -> Endpoint:
    """Return an endpoint that reads a question from the query string."""

    async def endpoint(request: Request) -> Response:
        parameters = dict(request.query_params)
        return await respond(lambda: SafeJSONResponse(answer(model.model_validate(parameters))))

    return endpoint


def no_body(answer: Callable[[], Any]) -> Endpoint:
    """Return an endpoint without a question."""

    async def endpoint(_: Request) -> Response:
        return await respond(lambda: SafeJSONResponse(answer()))

    return endpoint


async def respond(answer: Callable[[], Response]) -> Response:
    """Run `answer` in a thread and return it, or an error in one sentence."""
    try:
        return await run_in_thread(answer)
    except ValidationError as error:
        return refusal_response(422, validation_sentence(error))
    except UnknownNameError as error:
        return refusal_response(404, str(error))
    except ChangedModelError as error:
        return refusal_response(409, str(error))
    except FairvecError as error:
        return refusal_response(422, str(error))
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return refusal_response(503, f"{place}{error.strerror or error}; mend it and ask again.")


def refusal_response(status: int, reason: str) -> Response:
    """Return an error of one sentence with its status."""
    return SafeJSONResponse({"error": reason}, status)


async def fault(request: Request, error: Exception) -> Response:
    """Answer a fault of fairvec with where its details are; the middleware logs it."""
    request.scope[FAULT] = sentence = report_fault(error, f"explore: {request.url.path}")
    return refusal_response(500, sentence)


async def no_such_address(request: Request, error: Exception) -> Response:
    """Answer an unknown address, or one that takes another method."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    reasons = {
        404: "There is nothing at this address; the questions are listed under /api.",
        405: f"This address is not asked with {request.method}; see /api.",
    }
    reason = reasons.get(status, "This cannot be answered; the questions are listed under /api.")
    return SafeJSONResponse({"error": reason}, status, headers)


def validation_sentence(error: ValidationError) -> str:
    """Return the first error of a question: where and what."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = " ".join(str(part)[:LONGEST_PART] for part in first["loc"]) or "the question"
    return f"{where}: {first['msg']}; correct it and ask again."


MEDIA_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
}
PAGES = files("fairvec.web") / "pages"


PLAIN_ADDRESSES = {
    "/": "explore.html",
    "/api": "api.html",
    "/results": "results.html",
    "/favicon.ico": "favicon.svg",  # browsers request it for a page that names no icon
}
"""Pages whose file is not in their address."""


def application(models: OpenModels, visitor: Visitor) -> Application:
    """Return the application; it reads these models and the pages of this package alone."""
    pages = {f"/{file.name}": file for file in PAGES.iterdir() if _media_type(file)}
    pages |= {address: PAGES / name for address, name in PLAIN_ADDRESSES.items()}
    routes = [
        *(Route(address, _page(file)) for address, file in pages.items()),
        Route("/style.css", _style),
        Route("/openapi.json", _document),
        Route("/run", _run_page(models)),
        *(Route(each.address, _endpoint(each, models), methods=[each.method]) for each in ROUTES),
    ]
    handlers = {404: no_such_address, 405: no_such_address, 500: fault}
    inner = Starlette(routes=routes, exception_handlers=handlers)
    inner.router.redirect_slashes = False
    return SecurityMiddleware(inner, visitor)


def _endpoint(question: Question, models: OpenModels) -> Endpoint:
    answer = partial(question.answer, models)
    if question.request is None:
        return no_body(answer)
    by = json_body if question.method == "POST" else query_string
    return by(question.request, answer)


def _run_page(models: OpenModels) -> Endpoint:
    """The report of a run, under its own policy."""

    def page(parameters: dict[str, str]) -> Response:
        run = models.results.run(RunRequest.model_validate(parameters).name)
        return HTMLResponse(run.page(), headers={OWN_POLICY: run.kind.policy})

    async def endpoint(request: Request) -> Response:
        parameters = dict(request.query_params)
        return await respond(lambda: page(parameters))

    return endpoint


def _media_type(file: Traversable) -> str | None:
    """Return the media type of a file of the page; None of what is not served."""
    return MEDIA_TYPES.get(file.name.rpartition(".")[2])


async def _style(_: Request) -> Response:
    """The report's own style sheet, so that both look alike."""
    sheets = (environment().get_template(name).render() for name in ("style.css", "summary.css"))
    return Response("\n".join(sheets), media_type="text/css")


async def _document(_: Request) -> Response:
    return JSONResponse(openapi())


def _page(file: Traversable) -> Endpoint:
    async def endpoint(_: Request) -> Response:
        return Response(file.read_bytes(), media_type=_media_type(file))

    return endpoint
