"""The walk over a pickle that predicts what rebuilding it would take; compiled for long ones.

It runs the unpickler's stack machine (a stack, marks, a memo) over descriptions instead of values:

- depth: how many containers lie inside one another, 0 for a number or a text;
- weight: how many parts are hashed with a value, a shared part each time; a long text counts one
  more for each 1,024 bytes;
- whether its hash can be forged: numbers too large for a machine word, and tuples of numbers or
  constants.

A container that already lies in another one may still grow. What it grows by is added to a debt,
and no chain of containers is longer than the depth that is known of its first plus the debt.

The function is plain Python over any sequences of whole numbers, so that it runs as it is over a
small file and as machine code over a large one. It stops where its tables are too small or its
steps are used up, and goes on when it is called again.
"""

from typing import Any

(AT, TOP, MARKED, NODES, FILLED, DEBT, SPENT, FORGED, FRAME_END, SIZE, ALLOWED, WANTED) = range(12)
DEPTH, WEIGHT, STEPS, TRIED = 12, 13, 14, 15
STATES = 16
"""Indices into the state that the walk saves when it stops."""

DONE, GROW, PAUSE = 0, 1, 2
CUT, STRANGE, DEEP, HEAVY, FORGEABLE, COSTLY, LONG_TEXT, MISSING, FRAMES, ARGUMENTS = range(3, 13)
RUN = 13
"""Why it stops."""

FIRST_NODE = 128
"""Smaller values: 0 is a constant, 1 a number, 2 a huge number, 3 and above a text by length."""
HELD, FORGED_KEY, FORGED_PART = 1, 2, 4
MOST_DEPTH, MOST_WEIGHT, MOST_FORGEABLE, MOST_ARGUMENTS = 1000, 64, 1000, 64
MOST_AHEAD = 1000
"""An honest number in the memo is below the number of bytes so far; gaps cost 16 bytes each."""
LONGEST_NUMBER, LONGEST_DIGITS, LONGEST_FLOAT, LONGEST_PLAIN = 255, 640, 100, 65536


NOTHING, LINE, TWO_LINES, COUNT_1, COUNT_4, COUNT_8, UNKNOWN = 0, 20, 21, 11, 14, 18, 99
"""What follows an instruction; 1, 2, 4 and 8 are that many bytes, a count tells its own length."""

PLAIN, NUMBER, TEXT, LONG, LINE_NUMBER, LINE_FLOAT = 1, 2, 3, 4, 5, 6
EMPTY, TUPLE_OF, TUPLE, LIST, DICT, FROZENSET = 7, 8, 9, 10, 11, 12
APPEND, APPENDS, SETITEM, SETITEMS, ADDITEMS, BUILD = 13, 14, 15, 16, 17, 18
CALL, OBJ, INST, STACK_GLOBAL, REFERENCE = 19, 20, 21, 22, 23
MARK, POP, POP_MARK, DUP, GET, PUT, MEMOIZE, NONE, FRAME, STOP = (
    24,
    25,
    26,
    27,
    28,
    29,
    30,
    31,
    32,
    33,
)

KNOWN: tuple[tuple[bytes, int, int, int], ...] = (
    (b"N\x88\x89", NOTHING, PLAIN, 8),
    (b"c", TWO_LINES, PLAIN, 8),
    (b"P", LINE, PLAIN, 8),
    (b"K", 1, NUMBER, 40),
    (b"M", 2, NUMBER, 40),
    (b"J", 4, NUMBER, 40),
    (b"G", 8, NUMBER, 32),
    (b"\x8a", COUNT_1, LONG, 40),
    (b"\x8b", COUNT_4, LONG, 40),
    (b"IL", LINE, LINE_NUMBER, 40),
    (b"F", LINE, LINE_FLOAT, 32),
    (b"UC\x8c", COUNT_1, TEXT, 64),
    (b"TBX", COUNT_4, TEXT, 64),
    (b"\x8e\x8d\x96", COUNT_8, TEXT, 64),
    (b"SV", LINE, TEXT, 64),
    (b"]", NOTHING, EMPTY, 80),
    (b"}", NOTHING, EMPTY, 88),
    (b"\x8f", NOTHING, EMPTY, 240),
    (b")\x85\x86\x87", NOTHING, TUPLE_OF, 64),
    (b"t", NOTHING, TUPLE, 64),
    (b"l", NOTHING, LIST, 80),
    (b"d", NOTHING, DICT, 88),
    (b"\x91", NOTHING, FROZENSET, 240),
    (b"a", NOTHING, APPEND, 0),
    (b"e", NOTHING, APPENDS, 0),
    (b"s", NOTHING, SETITEM, 0),
    (b"u", NOTHING, SETITEMS, 0),
    (b"\x90", NOTHING, ADDITEMS, 0),
    (b"b", NOTHING, BUILD, 0),
    (b"R\x81", NOTHING, CALL, 250),
    (b"o", NOTHING, OBJ, 250),
    (b"i", TWO_LINES, INST, 250),
    (b"\x93", NOTHING, STACK_GLOBAL, 8),
    (b"Q", NOTHING, REFERENCE, 8),
    (b"(", NOTHING, MARK, 8),
    (b"0", NOTHING, POP, 0),
    (b"1", NOTHING, POP_MARK, 0),
    (b"2", NOTHING, DUP, 8),
    (b"h", 1, GET, 8),
    (b"j", 4, GET, 8),
    (b"g", LINE, GET, 8),
    (b"q", 1, PUT, 16),
    (b"r", 4, PUT, 16),
    (b"p", LINE, PUT, 16),
    (b"\x94", NOTHING, MEMOIZE, 16),
    (b"\x80", 1, NONE, 0),
    (b"\x95", 8, FRAME, 0),
    (b".", NOTHING, STOP, 0),
)
"""Instructions, what follows them, what they do, and about how many bytes of memory that takes."""

OF_RUNS = (0x8C, 0x68, 0x6A)
"""The first bytes of runs of words and entries, which `safe_pickle.skip_run` skips in one step."""


def _table(column: int, otherwise: int) -> list[int]:
    found = [otherwise] * 256
    for row in KNOWN:
        for instruction in row[0]:
            found[instruction] = int(row[column])
    return found


FORMS, ACTS, COSTS = _table(1, UNKNOWN), _table(2, NONE), _table(3, 0)


def scan(code: Any, known: Any, state: Any, tables: Any) -> int:
    """Walk to the end of the pickle, or to what is wrong with it, and return which."""
    forms, acts, costs = known
    stack, marks, memo, depth, weight, length, flags = tables
    # In the order of the constants AT, TOP, ... above.
    at, top, marked, nodes, filled = state[0], state[1], state[2], state[3], state[4]
    debt, spent, forged, frame_end = state[5], state[6], state[7], state[8]
    size, allowed, steps = state[SIZE], state[ALLOWED], state[STEPS]
    a_node = FIRST_NODE
    fence = marks[marked - 1] + 0 if marked > 0 else 0
    answer = -1
    while answer < 0:
        if steps == 0:
            answer = PAUSE
            break
        if top + 1 >= len(stack) or marked + 1 >= len(marks) or nodes + 1 >= len(depth):
            answer = GROW
            break
        if at >= size:
            answer = CUT
            break
        instruction = code[at] + 0
        form, act = forms[instruction] + 0, acts[instruction] + 0
        end, value = at + 1, 0
        # What follows the instruction.
        if form == 0:
            pass  # nothing follows
        elif form <= 8:
            end = at + 1 + form
            if end > size:
                answer = CUT
                break
            for place in range(min(form, 6), 0, -1):
                value = value * 256 + code[at + place]
            if act == FRAME and (code[at + 7] > 0 or code[at + 8] > 0):
                answer = CUT
                break
        elif form == LINE or form == TWO_LINES:
            furthest = size if steps < 0 else min(size, at + LONGEST_PLAIN)
            for _ in range(form - LINE + 1):
                while end < furthest and code[end] != 10:
                    end += 1
                end += 1
            if steps > 0:
                if end - at > LONGEST_PLAIN:
                    answer = PAUSE
                    break
                steps = max(1, steps - ((end - at) >> 3))
            if end > size:
                answer = CUT
                break
            if act == GET or act == PUT:
                if end - at < 3 or end - at > 14:
                    answer = MISSING
                    break
                for place in range(at + 1, end - 1):
                    if code[place] < 48 or code[place] > 57:
                        answer = MISSING
                        break
                    value = value * 10 + (code[place] - 48)
                if answer >= 0:
                    break
        elif form == UNKNOWN:
            answer = STRANGE
            break
        else:
            width = form - 10
            if at + 1 + width > size:
                answer = CUT
                break
            for place in range(min(width, 6), 0, -1):
                value = value * 256 + code[at + place]
            end = at + 1 + width + value
            if end > size or (width == 8 and (code[at + 7] > 0 or code[at + 8] > 0)):
                answer = CUT
                break
        if frame_end > 0 and (end > frame_end or act == FRAME):
            answer = FRAMES
            break
        spent += costs[instruction]
        # What it does: first what concerns no more than the top of the stack.
        first, target, made = -1, -1, 0
        if act == TEXT:
            stack[top] = 3 + min((end - at) >> 10, 65)
            top += 1
        elif act == PLAIN or act == NUMBER:
            stack[top] = act - PLAIN
            top += 1
        elif act == MEMOIZE or act == PUT:
            where = filled if act == MEMOIZE else value
            if top <= fence or where > end + MOST_AHEAD:
                answer = MISSING
                break
            if where >= len(memo):
                state[WANTED] = where + 1
                spent -= costs[instruction]
                answer = GROW
                break
            if memo[where] < 0:
                filled += 1
            memo[where] = stack[top - 1]
        elif act == GET:
            if value >= len(memo) or memo[value] < 0:
                answer = MISSING
                break
            stack[top] = memo[value]
            top += 1
        elif act == MARK:
            if steps > 0 and state[TRIED] < at and end < size and code[end] in OF_RUNS:
                state[TRIED] = at
                spent -= costs[instruction]
                answer = RUN
                break
            marks[marked] = top
            marked += 1
            fence = top
        elif act == LONG or act == LINE_NUMBER:
            limit = LONGEST_NUMBER if act == LONG else LONGEST_DIGITS
            # Sixteen digits are less than a machine word in every base.
            short = 10 if act == LONG else 18
            if end - at > limit + 6:
                answer = LONG_TEXT
                break
            stack[top] = 1 if end - at <= short else 2
            top += 1
        elif act == LINE_FLOAT:
            if end - at > LONGEST_FLOAT:
                answer = LONG_TEXT
                break
            stack[top] = 1
            top += 1
        elif act == EMPTY:
            first, made = top, 1
        elif act == TUPLE_OF:
            first, made = top - (0 if instruction == 41 else instruction - 132), 2
        elif act == CALL:
            first, made = top - 2, 3
        elif act == BUILD or act == APPEND:
            first, target = top - 1, top - 2
        elif act == SETITEM:
            first, target = top - 2, top - 3
        elif act == STACK_GLOBAL or act == REFERENCE:
            top -= 2 if act == STACK_GLOBAL else 1
            if top < fence:
                answer = MISSING
                break
            stack[top] = 0
            top += 1
        elif act == POP and marked > 0 and fence == top:
            marked -= 1
            fence = marks[marked - 1] + 0 if marked > 0 else 0
        elif act == POP or act == DUP or act == STOP:
            if top <= fence:
                answer = MISSING
                break
            if act == DUP:
                stack[top] = stack[top - 1]
                top += 1
            elif act == POP:
                top -= 1
            else:
                value = stack[top - 1] + 0
                state[DEPTH] = depth[value - a_node] if value >= a_node else 0
                state[WEIGHT] = weight[value - a_node] if value >= a_node else 1
                answer = DONE
        elif act == FRAME:
            frame_end = end + value
            if frame_end > size:
                answer = CUT
                break
        elif act != NONE:
            # What takes everything above the last mark.
            if marked == 0:
                answer = MISSING
                break
            first = fence
            marked -= 1
            fence = marks[marked - 1] + 0 if marked > 0 else 0
            if act == TUPLE or act == FROZENSET:
                made = 2
            elif act == POP_MARK:
                top, first = first, -1
            elif act == LIST or act == DICT:
                made = 1
            elif act == OBJ or act == INST:
                made = 3
                if act == OBJ and top == first:
                    answer = MISSING
                    break
            else:
                target = first - 1
        if first >= 0 or target >= 0 or made > 0:
            lowest = target if made == 0 else first
            if lowest < fence or first < 0:
                answer = MISSING
                break
            keyed = 0
            if act == SETITEM or act == SETITEMS or act == DICT:
                keyed = 2
                spent += 40 * (top - first)
                if (top - first) % 2:
                    answer = MISSING
                    break
            elif act == ADDITEMS or act == FROZENSET:
                keyed = 1
                spent += 70 * (top - first)
            elif act == APPENDS or act == APPEND:
                spent += 16 * (top - first)
            elif act == CALL:
                value = stack[top - 1] + 0
                if value >= a_node and length[value - a_node] > MOST_ARGUMENTS:
                    answer = ARGUMENTS
                    break
            deepest, heavy, forgeable = 0, 1, 0
            for place in range(first, top):
                value = stack[place] + 0
                part, of_number, as_key = 1, 0, 0
                if value >= a_node:
                    node = value - a_node
                    part = weight[node] + 0
                    if depth[node] > deepest:
                        deepest = depth[node] + 0
                    of_number = min(flags[node] & FORGED_PART, 1)
                    as_key = min(flags[node] & FORGED_KEY, 1)
                    flags[node] |= HELD
                elif value >= 3:
                    part = value - 2
                else:
                    of_number = 1
                    as_key = max(value - 1, 0)
                heavy = min(heavy + part, 255)
                forgeable |= of_number
                if keyed == 1 or (keyed == 2 and (place - first) % 2 == 0):
                    forged += as_key
                    if part > MOST_WEIGHT:
                        answer = HEAVY
                    elif forged > MOST_FORGEABLE:
                        answer = FORGEABLE
            if answer >= 0:
                break
            if made > 0:
                depth[nodes] = deepest + 1
                weight[nodes] = heavy if made == 2 else 1
                length[nodes] = min(top - first, 255) if made == 2 else 0
                flags[nodes] = 0
                if made == 2 and forgeable:
                    flags[nodes] = FORGED_KEY | FORGED_PART
                elif made == 3 or top == first:
                    flags[nodes] = FORGED_PART
                stack[first] = nodes + a_node
                top = first + 1
                nodes += 1
            else:
                value = stack[target] + 0
                if value >= a_node and top > first:
                    node = value - a_node
                    if deepest + 1 > depth[node]:
                        if flags[node] & HELD:
                            debt += deepest + 1 - depth[node]
                        depth[node] = deepest + 1
                top = first
            if deepest + 1 + debt > MOST_DEPTH:
                answer = DEEP
                break
        if spent > allowed:
            answer = COSTLY
            break
        steps -= 1
        at = end
        if at == frame_end:
            frame_end = 0
    state[0], state[1], state[2], state[3], state[4] = at, top, marked, nodes, filled
    state[5], state[6], state[7], state[8] = debt, spent, forged, frame_end
    state[STEPS] = steps
    return answer
