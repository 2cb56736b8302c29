"""The explorer as an application: its pages, its interface, and the guards around both."""

from functools import partial

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from fairvec.report.page import environment
from fairvec.web.answers import (
    Endpoint,
    answered,
    answering,
    asked_by_address,
    fault,
    not_there,
    telling,
)
from fairvec.web.guards.guarded import Application, Guarded
from fairvec.web.guards.headers import OWN_POLICY
from fairvec.web.guards.visitor import Visitor
from fairvec.web.openapi import openapi
from fairvec.web.opened import OpenModels
from fairvec.web.page_files import PageFile, page_files
from fairvec.web.route import AskedRoute
from fairvec.web.routes import ROUTES
from fairvec.web.routes.results_route import AskedRun

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
        *(Route(one.address, _asked(one, models), methods=[one.method]) for one in ROUTES),
    ]
    handlers = {404: not_there, 405: not_there, 500: fault}
    inner = Starlette(routes=routes, exception_handlers=handlers)
    inner.router.redirect_slashes = False
    return Guarded(inner, visitor)


def _asked(route: AskedRoute, models: OpenModels) -> Endpoint:
    answer = partial(route.answer, models)
    if route.question is None:
        return telling(answer)
    by = answering if route.method == "POST" else asked_by_address
    return by(route.question, answer)


def _run_page(models: OpenModels) -> Endpoint:
    """The report of a run, under its own policy."""

    def page(said: dict[str, str]) -> Response:
        run = models.results.run(AskedRun.model_validate(said).name)
        return HTMLResponse(run.page(), headers={OWN_POLICY: run.kind.policy})

    async def endpoint(request: Request) -> Response:
        said = dict(request.query_params)
        return await answered(lambda: page(said))

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
