"""Transformers without its messages, bars and warnings: what matters of them is checked here."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fairvec.ground.errors import MissingExtraError
from fairvec.ground.hearing import hearing

_PARALLEL = "TOKENIZERS_PARALLELISM"


@contextmanager
def quietly(purpose: str) -> Iterator[None]:
    """Run a block that uses transformers, in silence; say which extra is missing if it is.

    One thread is in such a block at a time, for what is silenced is the same for all of them.
    """
    with hearing("ignore"), one_thread():
        try:
            import torch  # noqa: F401 - transformers without torch fails later and less clearly
            from transformers.utils import logging as messages
        except ImportError as error:
            raise MissingExtraError(purpose, "encoders") from error
        spoken: Any = messages  # it has no types
        verbosity, bars = spoken.get_verbosity(), spoken.is_progress_bar_enabled()
        spoken.set_verbosity(logging.CRITICAL)
        spoken.disable_progress_bar()
        try:
            yield
        finally:
            spoken.set_verbosity(verbosity)
            if bars:
                spoken.enable_progress_bar()


@contextmanager
def one_thread() -> Iterator[None]:
    """Let tokenizers use one thread, unless the user said otherwise.

    After several it warns of every later fork, though sentences are short enough for one.
    """
    if _PARALLEL in os.environ:
        yield
        return
    os.environ[_PARALLEL] = "false"
    try:
        yield
    finally:
        os.environ.pop(_PARALLEL, None)
