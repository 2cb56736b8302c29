"""The explorer's server and its work in the background."""

import asyncio
import logging
import threading
import time
from pathlib import Path
from threading import Thread, Timer
from threading import enumerate as enumerate_threads

import pytest

import fairvec
from fairvec.web.open_models import OpenModels, open_models
from fairvec.web.server import (
    SECONDS_TO_PAINT,
    open_port,
    run_in_thread,
    serve,
    server,
    warm_up,
    warm_up_timer,
)
from tests import toys
from tests.web.client import toy_models

# --- Work beside the server: what it finds, what it raises, and that nothing waits for it ---


def test_what_is_found_comes_back_while_others_go_on() -> None:
    gate = threading.Event()

    async def both() -> list[str]:
        waiting = asyncio.ensure_future(run_in_thread(lambda: str(gate.wait(10))))
        quick = await run_in_thread(lambda: "quick")
        gate.set()
        return [quick, await waiting]

    assert asyncio.run(both()) == ["quick", "True"]


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration("end"), SystemExit(3)])
def test_what_is_raised_is_raised_there(error: BaseException) -> None:
    def failing() -> None:
        raise error

    expected = RuntimeError if isinstance(error, StopIteration) else type(error)
    with pytest.raises(expected):
        asyncio.run(run_in_thread(failing))


def test_work_that_nobody_waits_for_disturbs_nobody() -> None:
    gate, ended = threading.Event(), threading.Event()

    def late() -> None:
        gate.wait(10)
        ended.set()

    async def given_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run_in_thread(late), 0.01)

    asyncio.run(given_up())
    workers = [one for one in threading.enumerate() if one.daemon]
    assert workers
    gate.set()
    assert ended.wait(10)
    time.sleep(0.01)  # it tells a loop that is closed, which must not be heard as an error


# --- What is worked out ahead: nobody waits for it, and a model that cannot be asked does no harm


def test_words_are_sorted_content_hashed_and_spellings_indexed() -> None:
    models = toy_models()
    (model,) = models.every
    warm_up(models)
    assert "completion" in vars(model)
    assert {"content_hash", "lookups"} <= set(vars(model.embedding))
    assert model.embedding.lookups


def test_it_does_not_keep_the_program_alive() -> None:
    assert warm_up_timer(toy_models()).daemon


def test_it_ends_with_the_server() -> None:
    place = open_port()
    models = toy_models()
    ready = server(models, place)
    ready.should_exit = True
    with place.listener:
        serve(ready, models, place)
    assert not [thread for thread in enumerate_threads() if _still_to_warm(thread)]


def _still_to_warm(thread: Thread) -> bool:
    if isinstance(thread, Timer) and thread.function is warm_up:
        thread.join(SECONDS_TO_PAINT / 2)
        return thread.is_alive()
    return False


def test_a_model_whose_file_was_cut_is_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "toy.fairvec"
    fairvec.save(toys.embedding(1.0), file)
    broken = open_models([(str(file), fairvec.load(file))])
    models = OpenModels([*broken, *open_models([("second", fairvec.load("glove-en-small"))])])
    with file.open("r+b") as cut:
        cut.truncate(10)
    with caplog.at_level(logging.ERROR):
        warm_up(models)
    assert "toy could not be prepared" in caplog.text
    assert "content_hash" in vars(models.every[1].embedding)
