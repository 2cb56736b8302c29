"""The explorer as an application: its pages, its interface, and the guards around both."""

from functools import partial
from importlib.resources import files

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairvec.report.page import environment
from fairvec.web.answers import Endpoint, answering, asked_by_address, telling
from fairvec.web.guards.guarded import Application, Guarded
from fairvec.web.guards.limits import Pace
from fairvec.web.guards.visitor import Visitor
from fairvec.web.opened import OpenModels
from fairvec.web.route import AskedRoute
from fairvec.web.routes import ROUTES

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
PAGES = files("fairvec.web") / "pages"


def application(models: OpenModels, visitor: Visitor, pace: Pace | None = None) -> Application:
    """Return what answers; nothing is read but these models and the pages of this package."""
    routes = [
        Route("/", _file("explore.html")),
        Route("/style.css", _style),
        *(Route(f"/{page.name}", _file(page.name)) for page in PAGES.iterdir()),
        *(Route(one.address, _asked(one, models), methods=[one.method]) for one in ROUTES),
    ]
    return Guarded(Starlette(routes=routes), visitor, pace)


def _asked(route: AskedRoute, models: OpenModels) -> Endpoint:
    answer = partial(route.answer, models)
    if route.question is None:
        return telling(answer)
    by = answering if route.method == "POST" else asked_by_address
    return by(route.question, answer)


async def _style(_: Request) -> Response:
    """The report's own style sheet, so that both look alike."""
    sheets = (environment().get_template(name).render() for name in ("style.css", "summary.css"))
    return Response("\n".join(sheets), media_type="text/css")


def _file(name: str) -> Endpoint:
    async def endpoint(_: Request) -> Response:
        kind = KINDS["." + name.rpartition(".")[2]]
        return Response((PAGES / name).read_bytes(), media_type=kind)

    return endpoint
