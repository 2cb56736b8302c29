"""Errors as one sentence and an exit code, and checks before anything else is imported."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENAMETOOLONG
from typing import Any

from fairvec.core.errors import (
    FairvecError,
    FairvecWarning,
    describe_fault,
    format_traceback,
    is_out_of_memory,
    redact,
    write_fault_log,
)
from fairvec.core.text import escape_control, truncate_words

BAD_INPUT, FAULT, INTERRUPTED = 2, 3, 130
EXIT_CODES = (
    "Exit codes: 0 all is well; 1 a check failed (the condition of check or compare is met) or "
    "findings are open; 2 bad input, also where a condition cannot be decided; 3 a fault of "
    "fairvec, or no memory left; 130 interrupted (143 by TERM, 129 by HUP)."
)
_CHECK = "check what stands where a name or a file should"
TRACEBACK = "FAIRVEC_TRACEBACK"
"""The environment variable that prints the details."""


def report_error(error: Exception) -> int:
    """Print in one sentence what failed and what to do about it; return the exit code."""
    match error:
        case FairvecError():
            _print(f"error: {error}")
            return BAD_INPUT
        case OSError() if not is_out_of_memory(error):
            place = f"{error.filename}: " if error.filename else ""
            remedy = _CHECK if error.errno == ENAMETOOLONG else "choose another place or make room"
            _print(truncate_words(f"error: {place}{error.strerror or error}; {remedy}."))
            return BAD_INPUT
        case _ if is_out_of_memory(error):
            _print(
                f"error: {_fault_sentence(error)}; close other programs, or convert "
                "the model to a .fairvec file, which need not be read whole, and debias it with "
                f"--max-memory: {_details(error)}."
            )
        case _:  # unforeseen: a fault of fairvec
            _print(f"error: {_fault_sentence(error)}: {_details(error)}.")
    return FAULT


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print what Python is warned of as notes: each is a sentence for whoever calls."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", FairvecWarning)
        show = warnings.showwarning

        def print_or_show(
            message: Warning | str, category: type[Warning], *place: Any, **more: Any
        ) -> None:
            if issubclass(category, FairvecWarning):
                _print(str(message))
            else:
                show(message, category, *place, **more)

        warnings.showwarning = print_or_show
        yield


def report_interruption(interruption: KeyboardInterrupt) -> int:
    """Print that a command was interrupted, and what is stored if known; return the exit code."""
    _print(str(interruption) or "Interrupted.")
    return INTERRUPTED


def _print(*lines: str) -> None:
    try:
        from fairvec.cli.console import print_note  # here, because it imports rich
    except ImportError:  # of a broken installation; the error has to be printed all the same
        for line in lines:
            sys.stderr.write(escape_control(line, but="") + "\n")
        return
    print_note(*lines)


def _fault_sentence(error: Exception) -> str:
    """Return the fault as the beginning of a sentence."""
    sentence = redact(describe_fault(error)).removesuffix(".")
    return sentence[:1].lower() + sentence[1:]


def _details(error: Exception) -> str:
    """Print the traceback if the variable asks for it, else write it to a file; return where."""
    if os.environ.get(TRACEBACK):
        _print(*format_traceback(error).rstrip("\n").split("\n"))
        return "the details are above"
    if file := write_fault_log(error, " ".join(["fairvec", *sys.argv[1:]])):
        return f"the details are in {file}"
    return f"for the details run it again with {TRACEBACK}=1"


WIDEST = 10_000
SIZES = {"COLUMNS": range(20, WIDEST + 1), "LINES": range(1, WIDEST + 1)}
"""Possible values of each variable; in fewer columns no table has room for a letter."""


def drop_invalid_terminal_sizes() -> None:
    """Remove sizes that no terminal has: the layout of text would believe them, or fail."""
    for name, possible in SIZES.items():
        value = os.environ.get(name)
        if value is not None and _number(value) not in possible:
            del os.environ[name]


def _number(text: str) -> int | None:
    """Return a number of a few plain digits, else None; Python refuses thousands of digits."""
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(WIDEST))
    return int(text) if plain else None
