"""Words that fill a list, and the numbers of known words that fill a dict, in one step.

Nearly all of a model's pickle are these two, a thousand at a time. Where machine code is not worth
being loaded a regular expression goes over them many times faster than the walk; whatever it does
not know it leaves to the walk, which would find the same.
"""

import re
from itertools import chain
from typing import Any

from fairvec.embedding.formats.pickles import scan_terms as term
from fairvec.embedding.formats.pickles.opcodes import COSTS

LONGEST_WORD, A_TEXT, PARTS_A_STEP = 64, 3, 4
_LENGTHS = b"|".join(b"%b.{%d}" % (re.escape(bytes([n])), n) for n in range(1, LONGEST_WORD + 1))
_WORD = rb"\x8c(?:" + _LENGTHS + rb")\x94"
_KNOWN, _NUMBER = rb"h.|j.{4}", rb"K.|M..|J.{4}"
WORDS = re.compile(rb"(?:" + _WORD + rb")*+", re.DOTALL)
ONE_WORD = re.compile(rb"()" + _WORD, re.DOTALL)
ENTRIES = re.compile(rb"(?:" + _KNOWN + b"|" + _NUMBER + rb")*+", re.DOTALL)
ONE_PART = re.compile(rb"(" + _KNOWN + b")|(?:" + _NUMBER + b")", re.DOTALL)
APPENDS, SETITEMS, FRAME, MARK = b"eu\x95("
WORD_COSTS = COSTS[0x8C] + COSTS[0x94] + 16
ENTRY_COSTS = COSTS[ord("h")] + COSTS[ord("K")] + 80


def skip_run(content: Any, state: Any, memo: list[int], marks: Any) -> None:
    """Go over what follows the mark at which the walk stands, or leave all as it is.

    The stack is afterwards as it was before: what lay above the mark has gone into what is below.
    """
    fence = marks[state[term.MARKED] - 1] if state[term.MARKED] else 0
    if state[term.TOP] <= fence or state[term.DEBT] + 1 > term.MOST_DEPTH:
        return
    begin = state[term.AT] + 1
    words = content[begin] == 0x8C
    pieces, end, frame_end = _pieces(content, begin, state, WORDS if words else ENTRIES)
    if not pieces or content[end - 1] != (APPENDS if words else SETITEMS):
        return
    one = ONE_WORD if words else ONE_PART
    parts = [*chain.from_iterable(one.findall(content, *piece) for piece in pieces)]
    count, filled = len(parts), state[term.FILLED]
    if words:
        # Instructions that name no place fill the next one, if none was filled ahead of it.
        memo.extend([-1] * (filled + count + 1 - len(memo)))
        if memo[filled : filled + count] != [-1] * count:
            return
        spent = COSTS[MARK] + WORD_COSTS * count
    else:
        keys, count = parts[::2], 0
        places = [int.from_bytes(key[1:], "little") for key in keys]
        if not all(keys) or any(parts[1::2]) or len(parts) % 2 or max(places) >= len(memo):
            return
        if any(memo[place] != A_TEXT for place in places):
            return
        spent = COSTS[MARK] + ENTRY_COSTS * len(keys)
    if state[term.SPENT] + spent > state[term.ALLOWED]:
        return
    memo[filled : filled + count] = [A_TEXT] * count
    state[term.AT], state[term.FRAME_END] = end, frame_end
    state[term.FILLED] += count
    state[term.SPENT] += spent
    state[term.STEPS] = max(0, state[term.STEPS] - len(parts) // PARTS_A_STEP - 1)


def _pieces(
    content: Any, begin: int, state: Any, run: "re.Pattern[bytes]"
) -> tuple[list[tuple[int, int]], int, int]:
    """Return where the parts lie, where the instruction after them ends, and where its frame does.

    There are no pieces where frames are not as they should be.
    """
    size, frame_end = state[term.SIZE], state[term.FRAME_END]
    pieces, at = [], begin
    while True:
        found = run.match(content, at, frame_end or size)
        if found is None or found.end() >= size:
            return [], begin, 0
        pieces.append((at, found.end()))
        at = found.end()
        if at == frame_end:
            frame_end = 0
        if content[at] != FRAME or frame_end:
            break
        frame_end = at + 9 + int.from_bytes(content[at + 1 : at + 9], "little")
        at += 9
        if not at < frame_end <= size:
            return [], begin, 0
    at += 1
    return pieces, at, 0 if at == frame_end else frame_end
