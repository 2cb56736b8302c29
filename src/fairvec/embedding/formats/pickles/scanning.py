"""A pickle is walked over before it is rebuilt, and refused when rebuilding would take too much.

Nine bytes can ask for gigabytes, and forty can name a key whose hash takes years. What an honest
file of the same size needs is known, so what asks for much more is refused in one sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from mmap import mmap
from pickle import UnpicklingError
from typing import Any

import numpy as np

from fairvec.embedding.formats.pickles import scan_terms as term
from fairvec.embedding.formats.pickles.opcodes import ACTS, COSTS, FORMS
from fairvec.embedding.formats.pickles.plain_runs import skip_run
from fairvec.embedding.formats.pickles.scan_kernel import scan

ALWAYS_ALLOWED, ALLOWED_PER_BYTE = 1 << 26, 64
"""Honest models take up to 45 bytes of memory for each of the pickle (a small object a word)."""
PLAIN_STEPS, STEPS_WHEN_LOADED = 300_000, 1000
"""So many instructions are walked in plain Python before machine code would even be loaded."""
TYPES = (np.int32, np.int32, np.int32, np.int32, np.int16, np.int16, np.int16)
"""Of the stack, the marks, the memo; and of each node its depth, weight, length and flags."""
REASONS = {
    term.CUT: "it ends before its parts do",
    term.STRANGE: "it holds an instruction that pickles of models do not",
    term.DEEP: "its parts lie inside one another too deep",
    term.HEAVY: "one of its keys is too large",
    term.FORGEABLE: "too many of its keys are huge numbers or tuples of numbers",
    term.COSTLY: "it asks for far more memory than a file of its size holds",
    term.LONG: "it holds a number of too many digits",
    term.MISSING: "it uses what it has not made",
    term.FRAMES: "its frames cut its parts",
    term.ARGUMENTS: "it makes a call with too many arguments",
}
Content = bytes | mmap


@dataclass(frozen=True)
class Scan:
    """Where a pickle ends, how deep and heavy its object is, and the memory it may still take."""

    end: int
    depth: int
    weight: int
    left: int


def scanned(content: Content, start: int = 0, *, plain_steps: int | None = None) -> Scan:
    """Return what is foreseen of the pickle that begins at `start`, or raise UnpicklingError.

    After `plain_steps` instructions machine code goes on, which is loaded for long pickles only.
    """
    if plain_steps is None:
        loaded = _machine_code.cache_info().currsize > 0
        plain_steps = STEPS_WHEN_LOADED if loaded else PLAIN_STEPS
    state: Any = [0] * term.STATES
    state[term.AT], state[term.SIZE] = start, len(content)
    state[term.ALLOWED] = _allowed(len(content) - start)
    state[term.STEPS], state[term.TRIED] = plain_steps, -1
    tables: list[Any] = [[-1] * 256 for _ in TYPES]
    answer, tables = _walked(scan, content, (FORMS, ACTS, COSTS), state, tables)
    if answer == term.PAUSE:
        answer, state = _finished_fast(content, state, tables)
    end = int(state[term.AT])
    # What follows the pickle allows it nothing: zeros cost whoever packs them nothing either.
    left = _allowed(end - start) - int(state[term.SPENT])
    if answer == term.DONE and left < 0:
        answer = term.COSTLY
    if answer != term.DONE:
        raise UnpicklingError(REASONS[answer])
    return Scan(
        end=end,
        depth=int(state[term.DEPTH] + state[term.DEBT]),
        weight=int(state[term.WEIGHT]),
        left=left,
    )


def _allowed(size: int) -> int:
    return ALWAYS_ALLOWED + ALLOWED_PER_BYTE * size


@cache
def _machine_code() -> Callable[..., int]:
    from fairvec.ground.machine.compiled import compiled

    return compiled()(scan)


def _finished_fast(content: Content, state: list[int], tables: list[Any]) -> tuple[int, Any]:
    numbers = np.array(state, dtype=np.int64)
    numbers[term.STEPS] = -1
    known = tuple(np.array(table, dtype=np.int64) for table in (FORMS, ACTS, COSTS))
    tables = [np.array(table, dtype=kind) for table, kind in zip(tables, TYPES, strict=True)]
    code = np.frombuffer(content, dtype=np.uint8)
    return _walked(_machine_code(), code, known, numbers, tables)[0], numbers


def _walked(
    walk: Callable[..., int], code: Any, known: tuple[Any, ...], state: Any, tables: list[Any]
) -> tuple[int, list[Any]]:
    """Walk over the pickle, giving larger tables each time that the walk asks for them."""
    while (answer := walk(code, known, state, tuple(tables))) in (term.GROW, term.RUN):
        stack, marks, memo, *nodes = tables
        if answer == term.RUN:
            skip_run(code, state, memo, marks)
            continue
        if state[term.TOP] + 1 >= len(stack):
            stack = _grown(stack, len(stack))
        if state[term.MARKED] + 1 >= len(marks):
            marks = _grown(marks, len(marks))
        if state[term.WANTED] > len(memo):
            memo = _grown(memo, 2 * int(state[term.WANTED]) - len(memo))
        if state[term.NODES] + 1 >= len(nodes[0]):
            nodes = [_grown(each, len(each)) for each in nodes]
        tables = [stack, marks, memo, *nodes]
    return answer, tables


def _grown(table: Any, more: int) -> Any:
    if isinstance(table, list):
        return table + [-1] * more
    return np.concatenate([table, np.full(more, -1, dtype=table.dtype)])
