"""From the text of a condition to a tree of bounded size, or one sentence about why not."""

import ast
import re
from collections.abc import Collection

from fairvec.ground.errors import ExpressionError
from fairvec.ground.hearing import hearing
from fairvec.ground.text.shown_values import shown

LONGEST = 10_000
"""So many characters a condition may have."""

QUOTED = 200
"""So many of them an error repeats."""

DEEPEST = 60
"""So deep its parts may be nested; a sum of n numbers is n deep."""

LARGEST = 1e300
"""Numbers beyond it are slips, and would overflow."""

_TOO_LARGE = f"a number in it is larger than {LARGEST:g}"
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_ASSIGNS = re.compile(r"(?<![=!<>])(?<!\bwhere)(?<!\bwhere )=(?!=)")
"""One = where there should be two; that of where= is no slip."""
_EXAMPLE = "write for example: p_holm < 0.05 and abs(effect) > 0.5"


def tree_of(text: str) -> ast.expr:
    """Return what Python's parser makes of the text; nothing of it is executed."""
    if len(text) > LONGEST:
        raise _unreadable(text, f"it has {len(text):,} characters, and {LONGEST:,} are allowed")
    try:
        # Of odd escapes, which concern nobody here.
        with hearing("ignore"):
            tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        # Of a number too long to be read, Python gives advice for programmers.
        said = _TOO_LARGE if "digits" in error.msg else error.msg
        assigns = _ASSIGNS.search(_QUOTED.sub("", text))
        raise _unreadable(text, "equal is ==, not =" if assigns else said) from error
    except (RecursionError, MemoryError):  # the parser's own stack; memory is not what it lacks
        tree = None
    except ValueError as error:  # a zero byte, or half a character
        raise _unreadable(text, "it is no plain text") from error
    if tree is None:
        raise _unreadable(text, "too deeply nested")
    _check_size(tree, text)
    return tree


def is_condition(node: ast.expr, truths: Collection[str] = ()) -> bool:
    """Return whether a part is true or false, as the columns `truths` are, or a number or text."""
    match node:
        case ast.Compare() | ast.Constant(value=bool()):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_condition(operand, truths)
        case ast.BoolOp(values=parts):
            return all(is_condition(part, truths) for part in parts)
        case ast.Name(id=name):
            return name in truths
    return False


def _check_size(tree: ast.expr, text: str) -> None:
    """Refuse what is nested too deeply, level by level, because recursion is what it would end."""
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        for node in level:
            match node:
                case ast.Constant(value=int() | float() as number) if abs(number) > LARGEST:
                    raise _unreadable(text, _TOO_LARGE)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise _unreadable(text, f"too deeply nested, and {DEEPEST} levels are allowed")


def _unreadable(text: str, reason: str) -> ExpressionError:
    said = shown(text, QUOTED)
    return ExpressionError(f"The condition {said} cannot be read ({reason}); {_EXAMPLE}")
