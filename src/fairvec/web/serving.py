"""A server on this machine alone, until it is stopped."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_urlsafe

from fairvec.ground.errors import MissingExtraError, SettingError
from fairvec.web.guards.guarded import WELCOME
from fairvec.web.guards.visitor import Visitor
from fairvec.web.opened import OpenModels

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class OpenPort:
    """A port that is ours already, and the secret that opens it."""

    listener: socket.socket
    visitor: Visitor

    @property
    def address(self) -> str:
        """What to open in a browser; whoever has it may ask."""
        return f"http://{LOOPBACK}:{self.visitor.port}{WELCOME}?token={self.visitor.token}"


def open_port(port: int = 0) -> OpenPort:
    """Take a port on loopback, any free one for 0, and make a secret."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind((LOOPBACK, port))
    except OSError as error:
        listener.close()
        raise SettingError(
            f"Port {port} cannot be had ({error.strerror}); name another, or none."
        ) from None
    return OpenPort(listener, Visitor(token_urlsafe(32), listener.getsockname()[1]))


def serve(models: OpenModels, place: OpenPort, ready: Callable[[], None] | None = None) -> None:
    """Answer until interrupted; `ready` is called once the server listens."""
    try:
        import uvicorn

        from fairvec.web.application import application
    except ImportError:
        raise MissingExtraError("The explorer", "web") from None
    config = uvicorn.Config(
        application(models, place.visitor),
        log_level="error",
        access_log=False,
        lifespan="off",
        limit_concurrency=64,
        timeout_keep_alive=30,
        server_header=False,
    )
    if ready:
        ready()
    uvicorn.Server(config).run(sockets=[place.listener])
