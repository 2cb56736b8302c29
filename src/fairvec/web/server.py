"""A server on this machine alone: started, warmed, guarded and stopped."""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from json import dumps
from secrets import token_urlsafe
from threading import Thread, Timer
from typing import TYPE_CHECKING, Any, TypeVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fairvec.core.errors import (
    FairvecError,
    MissingExtraError,
    SettingError,
    os_reason,
    report_fault,
)
from fairvec.embedding import lookup_of
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.questions.ask import rehearse_answer
from fairvec.web.security import FAULTS, HEADERS, WELCOME, Visitor

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
            f"Port {port} cannot be had ({os_reason(error)}); name another with --port, or none."
        ) from None
    return OpenPort(listener, Visitor(token_urlsafe(32), listener.getsockname()[1]))


def server(models: OpenModels, place: OpenPort) -> "uvicorn.Server":
    """Return what answers on a port as soon as it is run."""
    require_server()
    # Here and not above: they stand behind an extra.
    import uvicorn

    from fairvec.web.app import application

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
    soon = warm_up_timer(models)
    soon.start()
    try:
        ready.run(sockets=[place.listener])
    finally:
        soon.cancel()


Found = TypeVar("Found")


async def run_in_thread(work: Callable[[], Found]) -> Found:
    """Return what some work finds, or raise what it raises; others are answered meanwhile.

    A pool of threads would be waited for when the program ends, however long its work takes.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Found] = loop.create_future()

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
"""Is sought in vain, which indexes all spellings."""


SECONDS_TO_PAINT = 1.0
"""The page is drawn first."""


def warm_up_timer(models: OpenModels) -> Timer:
    """Return a thread that works it out beside the questions, and ends with the program."""
    soon = Timer(SECONDS_TO_PAINT, warm_up, (models,))
    soon.daemon = True
    return soon


def warm_up(models: OpenModels) -> None:
    """Sort the words, hash the content, index the spellings and rank the points of every model."""
    for model in models.every:
        try:
            _warm_up_model(model)
        except FairvecError as error:  # who asks is told; nobody has asked here
            FAULTS.error("%s could not be prepared: %s", model.name, error)
        except Exception as error:  # as above
            sentence = report_fault(error, f"explore: preparing {model.name}")
            FAULTS.error("%s could not be prepared: %s", model.name, sentence)


def _warm_up_model(model: OpenModel) -> None:
    opened = model.checked()
    opened.completion.of("a")
    _ = opened.embedding.content_hash
    for language in opened.languages or ("",):
        lookup_of(opened.embedding, language).find([NO_WORD])
    rehearse_answer(opened)
    _ = opened.ranking


MOST_CONNECTIONS = 128
SECONDS_OF_SILENCE = 10.0
"""So long may the head of a request take, from the connection or from its first byte."""


class GuardedConnection(H11Protocol):
    """uvicorn's connection, which alone would wait for ever for a request that does not end."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Take a connection, or hang up where there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on; the clock runs until the head of a request is whole."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._stop_waiting()
        elif self._waiting is None and _at_rest(before):
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the clock."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Say that this was no HTTP, as every refusal is said."""
        body = dumps({"error": f"{msg.rstrip('.')}; send HTTP/1.1."}).encode()
        every = {**HEADERS, "content-type": "application/json", "connection": "close"}
        headers = [(name.encode(), value.encode()) for name, value in every.items()]
        reply = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (reply, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(SECONDS_OF_SILENCE, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def _at_rest(cycle: Any) -> bool:
    """Say whether no request is being answered."""
    return cycle is None or bool(cycle.response_complete)
