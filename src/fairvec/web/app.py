"""The explorer as an application: pages, JSON in and out, and the guards around both."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
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
from fairvec.web.questions.lists import AskedRun
from fairvec.web.routes import ROUTES
from fairvec.web.schemas import AskedRoute, WireQuestion
from fairvec.web.security import FAULT, OWN_POLICY, Application, SecurityMiddleware, Visitor
from fairvec.web.server import run_in_thread

Asked = TypeVar("Asked", bound=WireQuestion)
Endpoint = Callable[[Request], Awaitable[Response]]

LONGEST_PART = 60
"""A question's own words are repeated as far as that."""


class SafeJSONResponse(JSONResponse):
    """JSON of whole characters; a byte of a file's name that is none is shown by its number."""

    def render(self, content: Any) -> bytes:
        """Return the bytes to send."""
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return super().render(escape_surrogates(content))


def json_body(kind: type[Asked], answer: Callable[[Asked], Any]) -> Endpoint:
    """Return an endpoint that reads a question from the body, and answers beside other work."""

    async def endpoint(request: Request) -> Response:
        body = await request.body()
        return await respond(lambda: SafeJSONResponse(answer(kind.model_validate_json(body))))

    return endpoint


def query_string(kind: type[Asked], answer: Callable[[Asked], Any]) -> Endpoint:
    """Return an endpoint that reads a question from the address."""

    async def endpoint(request: Request) -> Response:
        parameters = dict(request.query_params)
        return await respond(lambda: SafeJSONResponse(answer(kind.model_validate(parameters))))

    return endpoint


def no_body(answer: Callable[[], Any]) -> Endpoint:
    """Return an endpoint that is asked nothing."""

    async def endpoint(_: Request) -> Response:
        return await respond(lambda: SafeJSONResponse(answer()))

    return endpoint


async def respond(answer: Callable[[], Response]) -> Response:
    """Return an answer that is made beside other work, or one sentence about what was wrong."""
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
    """Return one sentence with its status."""
    return SafeJSONResponse({"error": reason}, status)


async def fault(request: Request, error: Exception) -> Response:
    """Say that fairvec itself failed and where the details are; the guards say it to the log."""
    request.scope[FAULT] = sentence = report_fault(error, f"explore: {request.url.path}")
    return refusal_response(500, sentence)


async def no_such_address(request: Request, error: Exception) -> Response:
    """Say that an address has nothing, or answers to another method."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    reasons = {
        404: "There is nothing at this address; the questions are listed under /api.",
        405: f"This address is not asked with {request.method}; see /api.",
    }
    reason = reasons.get(status, "This cannot be answered; the questions are listed under /api.")
    return SafeJSONResponse({"error": reason}, status, headers)


def validation_sentence(error: ValidationError) -> str:
    """Name the first fault of a question: where and what."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = " ".join(str(part)[:LONGEST_PART] for part in first["loc"]) or "the question"
    return f"{where}: {first['msg']}; correct it and ask again."


KINDS = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
}
PAGES = files("fairvec.web") / "pages"


@dataclass(frozen=True)
class PageFile:
    """A file of this package, and what a browser is told that it is."""

    file: Traversable
    kind: str


def page_files() -> dict[str, PageFile]:
    """Return all files of the page by their paths below its folder; other kinds are no pages."""
    return dict(_files_below(PAGES, ""))


def _files_below(folder: Traversable, path: str) -> Iterator[tuple[str, PageFile]]:
    for file in folder.iterdir():
        kind = KINDS.get(file.name.rpartition(".")[2])
        if file.is_dir():
            yield from _files_below(file, f"{path}{file.name}/")
        elif kind is not None:
            yield f"{path}{file.name}", PageFile(file, kind)


PLAIN_ADDRESSES = {
    "/": "explore.html",
    "/api": "api.html",
    "/results": "results.html",
    "/favicon.ico": "favicon.svg",  # what browsers ask for beside a page that names no picture
}
"""Pages whose file is not in their address."""


def application(models: OpenModels, visitor: Visitor) -> Application:
    """Return what answers; nothing is read but these models and the pages of this package."""
    pages = page_files()
    routes = [
        *(Route(address, _file(pages[name])) for address, name in PLAIN_ADDRESSES.items()),
        *(Route(f"/{name}", _file(page)) for name, page in pages.items()),
        Route("/style.css", _style),
        Route("/openapi.json", _document),
        Route("/run", _run_page(models)),
        *(Route(one.address, _endpoint(one, models), methods=[one.method]) for one in ROUTES),
    ]
    handlers = {404: no_such_address, 405: no_such_address, 500: fault}
    inner = Starlette(routes=routes, exception_handlers=handlers)
    inner.router.redirect_slashes = False
    return SecurityMiddleware(inner, visitor)


def _endpoint(route: AskedRoute, models: OpenModels) -> Endpoint:
    answer = partial(route.answer, models)
    if route.question is None:
        return no_body(answer)
    by = json_body if route.method == "POST" else query_string
    return by(route.question, answer)


def _run_page(models: OpenModels) -> Endpoint:
    """The report of a run, under its own policy."""

    def page(parameters: dict[str, str]) -> Response:
        run = models.results.run(AskedRun.model_validate(parameters).name)
        return HTMLResponse(run.page(), headers={OWN_POLICY: run.kind.policy})

    async def endpoint(request: Request) -> Response:
        parameters = dict(request.query_params)
        return await respond(lambda: page(parameters))

    return endpoint


async def _style(_: Request) -> Response:
    """The report's own style sheet, so that both look alike."""
    sheets = (environment().get_template(name).render() for name in ("style.css", "summary.css"))
    return Response("\n".join(sheets), media_type="text/css")


async def _document(_: Request) -> Response:
    return JSONResponse(openapi())


def _file(page: PageFile) -> Endpoint:
    async def endpoint(_: Request) -> Response:
        return Response(page.file.read_bytes(), media_type=page.kind)

    return endpoint
