"""A server on this machine alone: started, warmed, guarded and stopped."""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from secrets import token_urlsafe
from threading import Thread, Timer
from typing import TYPE_CHECKING, TypeVar

from fairvec.core.errors import (
    FairvecError,
    MissingExtraError,
    SettingError,
    os_reason,
    report_fault,
)
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.questions.ask import rehearse_answer
from fairvec.web.security import FAULTS, WELCOME, Visitor

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
        return self._with(self.visitor.passes.issue())

    def _with(self, secret: str) -> str:
        return f"http://{LOOPBACK}:{self.visitor.port}{WELCOME}?token={secret}"


def require_server() -> None:
    """Refuse to go on without the packages of the extra, before anything slow is done."""
    if any(find_spec(package) is None for package in ("starlette", "uvicorn", "h11")):
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
            f"Port {port} cannot be had ({os_reason(error)}); name another with --port, or none."
        ) from None
    return OpenPort(listener, Visitor(token_urlsafe(32), listener.getsockname()[1]))


def server(models: OpenModels, place: OpenPort) -> "uvicorn.Server":
    """Return what answers on a port as soon as it is run."""
    require_server()
    # Here and not above: they stand behind an extra.
    import uvicorn

    from fairvec.web.app import application
    from fairvec.web.connection import GuardedConnection

    config = uvicorn.Config(
        application(models, place.visitor),
        http=GuardedConnection,
        ws="none",
        loop="asyncio",
        log_level="critical",  # the middleware logs what fails
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
    timer = warm_up_timer(models)
    timer.start()
    try:
        ready.run(sockets=[place.listener])
    finally:
        timer.cancel()


Value = TypeVar("Value")


async def run_in_thread(work: Callable[[], Value]) -> Value:
    """Return what some work finds, or raise what it raises; others are answered meanwhile.

    A pool of threads would be waited for when the program ends, however long its work takes.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Value] = loop.create_future()

    def deliver(settle: Callable[[], None]) -> None:
        def deliver_if_awaited() -> None:
            if not future.done():
                settle()

        with suppress(RuntimeError):  # the server has stopped, and nobody waits
            loop.call_soon_threadsafe(deliver_if_awaited)

    def run() -> None:
        try:
            value = work()
        except StopIteration as end:  # which a future does not take
            fault = RuntimeError(f"an iteration ended too early: {end}")
            deliver(lambda: future.set_exception(fault))
        except BaseException as error:  # whatever it is, who asked is waiting
            raised = error
            deliver(lambda: future.set_exception(raised))
        else:
            deliver(lambda: future.set_result(value))

    Thread(target=run, daemon=True).start()
    return await future


NO_WORD = "\u2205 \u2205"
"""A word that no model has: looking it up indexes all spellings."""

SECONDS_TO_PAINT = 1.0
"""So long the page has to itself, to be drawn first."""


def warm_up_timer(models: OpenModels) -> Timer:
    """Return a thread that warms up while questions are answered, and ends with the program."""
    timer = Timer(SECONDS_TO_PAINT, warm_up, (models,))
    timer.daemon = True
    return timer


def warm_up(models: OpenModels) -> None:
    """Sort the words, hash the content, index the spellings and rank the points of every model."""
    for model in models.every:
        try:
            _warm_up_model(model)
        except FairvecError as error:  # whoever asks gets it as an answer; nobody has asked here
            FAULTS.error("%s could not be prepared: %s", model.name, error)
        except Exception as error:  # as above
            sentence = report_fault(error, f"explore: preparing {model.name}")
            FAULTS.error("%s could not be prepared: %s", model.name, sentence)


def _warm_up_model(model: OpenModel) -> None:
    opened = model.require_unchanged()
    opened.completion.of("a")
    _ = opened.embedding.content_hash
    for language in opened.languages or ("",):
        opened.embedding.lookup(language).find([NO_WORD])
    rehearse_answer(opened)
    _ = opened.ranking
