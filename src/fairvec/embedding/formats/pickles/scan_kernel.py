"""The walk over a pickle's instructions that foresees what rebuilding it would take.

It is the unpickler's machine (a stack, marks, a memo) over descriptions in place of values:

- depth: how many containers lie inside one another, 0 for a number or a text;
- weight: how many parts a value has when it is hashed, where a part that is shared counts each time
  it is met; a long text counts one more for each 1,024 bytes;
- whether its hash can be forged: numbers too large for a machine word, and tuples of numbers or
  constants.

A container that already lies in another one may still grow. What it grows by is added to a debt,
and no chain of containers is longer than the depth that is known of its first plus the debt.

The function is plain Python over any sequences of whole numbers, so that it runs as it is over a
small file and as machine code over a large one. It stops where its tables are too small or its
steps are used up, and goes on when it is called again.
"""

from typing import Any

from fairvec.embedding.formats.pickles import opcodes as op
from fairvec.embedding.formats.pickles import scan_terms as term


def scan(code: Any, known: Any, state: Any, tables: Any) -> int:
    """Walk to the end of the pickle, or to what is wrong with it, and return which."""
    forms, acts, costs = known
    stack, marks, memo, depth, weight, length, flags = tables
    # In the order of scan_terms.
    at, top, marked, nodes, filled = state[0], state[1], state[2], state[3], state[4]
    debt, spent, forged, frame_end = state[5], state[6], state[7], state[8]
    size, allowed, steps = state[term.SIZE], state[term.ALLOWED], state[term.STEPS]
    a_node = term.FIRST_NODE
    fence = marks[marked - 1] + 0 if marked > 0 else 0
    answer = -1
    while answer < 0:
        if steps == 0:
            answer = term.PAUSE
            break
        if top + 1 >= len(stack) or marked + 1 >= len(marks) or nodes + 1 >= len(depth):
            answer = term.GROW
            break
        if at >= size:
            answer = term.CUT
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
                answer = term.CUT
                break
            for place in range(min(form, 6), 0, -1):
                value = value * 256 + code[at + place]
            if act == op.FRAME and (code[at + 7] > 0 or code[at + 8] > 0):
                answer = term.CUT
                break
        elif form == op.LINE or form == op.TWO_LINES:
            furthest = size if steps < 0 else min(size, at + term.LONGEST_PLAIN)
            for _ in range(form - op.LINE + 1):
                while end < furthest and code[end] != 10:
                    end += 1
                end += 1
            if steps > 0:
                if end - at > term.LONGEST_PLAIN:
                    answer = term.PAUSE
                    break
                steps = max(1, steps - ((end - at) >> 3))
            if end > size:
                answer = term.CUT
                break
            if act == op.GET or act == op.PUT:
                if end - at < 3 or end - at > 14:
                    answer = term.MISSING
                    break
                for place in range(at + 1, end - 1):
                    if code[place] < 48 or code[place] > 57:
                        answer = term.MISSING
                        break
                    value = value * 10 + (code[place] - 48)
                if answer >= 0:
                    break
        elif form == op.UNKNOWN:
            answer = term.STRANGE
            break
        else:
            width = form - 10
            if at + 1 + width > size:
                answer = term.CUT
                break
            for place in range(min(width, 6), 0, -1):
                value = value * 256 + code[at + place]
            end = at + 1 + width + value
            if end > size or (width == 8 and (code[at + 7] > 0 or code[at + 8] > 0)):
                answer = term.CUT
                break
        if frame_end > 0 and (end > frame_end or act == op.FRAME):
            answer = term.FRAMES
            break
        spent += costs[instruction]
        # What it does: first what concerns no more than the top of the stack.
        first, target, made = -1, -1, 0
        if act == op.TEXT:
            stack[top] = 3 + min((end - at) >> 10, 65)
            top += 1
        elif act == op.PLAIN or act == op.NUMBER:
            stack[top] = act - op.PLAIN
            top += 1
        elif act == op.MEMOIZE or act == op.PUT:
            where = filled if act == op.MEMOIZE else value
            if top <= fence or where > end + term.MOST_AHEAD:
                answer = term.MISSING
                break
            if where >= len(memo):
                state[term.WANTED] = where + 1
                spent -= costs[instruction]
                answer = term.GROW
                break
            if memo[where] < 0:
                filled += 1
            memo[where] = stack[top - 1]
        elif act == op.GET:
            if value >= len(memo) or memo[value] < 0:
                answer = term.MISSING
                break
            stack[top] = memo[value]
            top += 1
        elif act == op.MARK:
            if steps > 0 and state[term.TRIED] < at and end < size and code[end] in op.OF_RUNS:
                state[term.TRIED] = at
                spent -= costs[instruction]
                answer = term.RUN
                break
            marks[marked] = top
            marked += 1
            fence = top
        elif act == op.LONG or act == op.LINE_NUMBER:
            limit = term.LONGEST_NUMBER if act == op.LONG else term.LONGEST_DIGITS
            # Sixteen digits are less than a machine word in every base.
            short = 10 if act == op.LONG else 18
            if end - at > limit + 6:
                answer = term.LONG
                break
            stack[top] = 1 if end - at <= short else 2
            top += 1
        elif act == op.LINE_FLOAT:
            if end - at > term.LONGEST_FLOAT:
                answer = term.LONG
                break
            stack[top] = 1
            top += 1
        elif act == op.EMPTY:
            first, made = top, 1
        elif act == op.TUPLE_OF:
            first, made = top - (0 if instruction == 41 else instruction - 132), 2
        elif act == op.CALL:
            first, made = top - 2, 3
        elif act == op.BUILD or act == op.APPEND:
            first, target = top - 1, top - 2
        elif act == op.SETITEM:
            first, target = top - 2, top - 3
        elif act == op.STACK_GLOBAL or act == op.REFERENCE:
            top -= 2 if act == op.STACK_GLOBAL else 1
            if top < fence:
                answer = term.MISSING
                break
            stack[top] = 0
            top += 1
        elif act == op.POP and marked > 0 and fence == top:
            marked -= 1
            fence = marks[marked - 1] + 0 if marked > 0 else 0
        elif act == op.POP or act == op.DUP or act == op.STOP:
            if top <= fence:
                answer = term.MISSING
                break
            if act == op.DUP:
                stack[top] = stack[top - 1]
                top += 1
            elif act == op.POP:
                top -= 1
            else:
                value = stack[top - 1] + 0
                state[term.DEPTH] = depth[value - a_node] if value >= a_node else 0
                state[term.WEIGHT] = weight[value - a_node] if value >= a_node else 1
                answer = term.DONE
        elif act == op.FRAME:
            frame_end = end + value
            if frame_end > size:
                answer = term.CUT
                break
        elif act != op.NONE:
            # What takes everything above the last mark.
            if marked == 0:
                answer = term.MISSING
                break
            first = fence
            marked -= 1
            fence = marks[marked - 1] + 0 if marked > 0 else 0
            if act == op.TUPLE or act == op.FROZENSET:
                made = 2
            elif act == op.POP_MARK:
                top, first = first, -1
            elif act == op.LIST or act == op.DICT:
                made = 1
            elif act == op.OBJ or act == op.INST:
                made = 3
                if act == op.OBJ and top == first:
                    answer = term.MISSING
                    break
            else:
                target = first - 1
        if first >= 0 or target >= 0 or made > 0:
            lowest = target if made == 0 else first
            if lowest < fence or first < 0:
                answer = term.MISSING
                break
            keyed = 0
            if act == op.SETITEM or act == op.SETITEMS or act == op.DICT:
                keyed = 2
                spent += 40 * (top - first)
                if (top - first) % 2:
                    answer = term.MISSING
                    break
            elif act == op.ADDITEMS or act == op.FROZENSET:
                keyed = 1
                spent += 70 * (top - first)
            elif act == op.APPENDS or act == op.APPEND:
                spent += 16 * (top - first)
            elif act == op.CALL:
                value = stack[top - 1] + 0
                if value >= a_node and length[value - a_node] > term.MOST_ARGUMENTS:
                    answer = term.ARGUMENTS
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
                    of_number = min(flags[node] & term.FORGED_PART, 1)
                    as_key = min(flags[node] & term.FORGED_KEY, 1)
                    flags[node] |= term.HELD
                elif value >= 3:
                    part = value - 2
                else:
                    of_number = 1
                    as_key = max(value - 1, 0)
                heavy = min(heavy + part, 255)
                forgeable |= of_number
                if keyed == 1 or (keyed == 2 and (place - first) % 2 == 0):
                    forged += as_key
                    if part > term.MOST_WEIGHT:
                        answer = term.HEAVY
                    elif forged > term.MOST_FORGEABLE:
                        answer = term.FORGEABLE
            if answer >= 0:
                break
            if made > 0:
                depth[nodes] = deepest + 1
                weight[nodes] = heavy if made == 2 else 1
                length[nodes] = min(top - first, 255) if made == 2 else 0
                flags[nodes] = 0
                if made == 2 and forgeable:
                    flags[nodes] = term.FORGED_KEY | term.FORGED_PART
                elif made == 3 or top == first:
                    flags[nodes] = term.FORGED_PART
                stack[first] = nodes + a_node
                top = first + 1
                nodes += 1
            else:
                value = stack[target] + 0
                if value >= a_node and top > first:
                    node = value - a_node
                    if deepest + 1 > depth[node]:
                        if flags[node] & term.HELD:
                            debt += deepest + 1 - depth[node]
                        depth[node] = deepest + 1
                top = first
            if deepest + 1 + debt > term.MOST_DEPTH:
                answer = term.DEEP
                break
        if spent > allowed:
            answer = term.COSTLY
            break
        steps -= 1
        at = end
        if at == frame_end:
            frame_end = 0
    state[0], state[1], state[2], state[3], state[4] = at, top, marked, nodes, filled
    state[5], state[6], state[7], state[8] = debt, spent, forged, frame_end
    state[term.STEPS] = steps
    return answer
