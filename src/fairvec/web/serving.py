"""A server on this machine alone, until it is stopped."""

import os
import socket
from dataclasses import dataclass
from importlib.util import find_spec
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from fairvec.ground.errors import MissingExtraError, SettingError, refusal_of
from fairvec.web.guards.visitor import WELCOME, Visitor
from fairvec.web.opened import OpenModels

if TYPE_CHECKING:
    import uvicorn

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class OpenPort:
    """A port that is ours already, and the secret that opens it."""

    listener: socket.socket
    visitor: Visitor

    @property
    def address(self) -> str:
        """What to open in a browser; whoever has it may ask."""
        return self._with(self.visitor.token)

    def address_once(self) -> str:
        """Return an address that opens the page one time, for a browser that is started by it."""
        return self._with(self.visitor.passes.issued())

    def _with(self, secret: str) -> str:
        return f"http://{LOOPBACK}:{self.visitor.port}{WELCOME}?token={secret}"


def require_server() -> None:
    """Refuse to go on without the packages of the extra, before anything slow is done."""
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise MissingExtraError("The explorer", "web")


def open_port(port: int = 0) -> OpenPort:
    """Take a port on loopback, any free one for 0, and make a secret."""
    # asyncio sends small answers at once only where the protocol is named; else they wait 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        # A port whose last connections are still dying may be had again; elsewhere this would let
        # two servers share one.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise SettingError(
            f"Port {port} cannot be had ({refusal_of(error)}); name another with --port, or none."
        ) from None
    return OpenPort(listener, Visitor(token_urlsafe(32), listener.getsockname()[1]))


def server(models: OpenModels, place: OpenPort) -> "uvicorn.Server":
    """Return what answers on a port as soon as it is run."""
    require_server()
    # Here and not above: they stand behind an extra.
    import uvicorn

    from fairvec.web.application import application
    from fairvec.web.guards.connection import GuardedConnection

    config = uvicorn.Config(
        application(models, place.visitor),
        http=GuardedConnection,
        ws="none",
        loop="asyncio",
        log_level="critical",  # what fails is said by the guards
        access_log=False,
        lifespan="off",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=2**15,
        server_header=False,
        proxy_headers=False,
    )
    return uvicorn.Server(config)


def serve(ready: "uvicorn.Server", models: OpenModels, place: OpenPort) -> None:
    """Answer until interrupted."""
    # Here and not above: it imports what measures.
    from fairvec.web.warming import warming

    soon = warming(models)
    soon.start()
    try:
        ready.run(sockets=[place.listener])
    finally:
        soon.cancel()
