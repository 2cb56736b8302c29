"""A drawing with its styles written into it: what `templates/saving.js` does in a browser."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from fairvec.report.figures.style_sheet import Compound, StyleRule, declarations, style_sheet

KEPT = (
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "opacity",
    "paint-order",
    "vector-effect",
    "text-anchor",
    "font-size",
    "font-weight",
)
"""What a style sheet says of a drawing that an attribute can say as well."""

_NAMED = re.compile(r"var\((--[\w-]+)\)")
_MOVES = {"translateY": "translate(0 {})", "scaleY": "scale(1 {})", "translate": "translate({})"}


@dataclass(frozen=True)
class Placed:
    """An element with those above it, and the values that names have there."""

    tag: str
    classes: frozenset[str]
    above: tuple["Placed", ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)


def write_styles(root: Element, colours: Mapping[str, str]) -> None:
    """Write the styles of every element into its attributes; what is hidden is taken out.

    `colours` are the names that the style sheet uses; a value such as `var(--x, #fff)` stays a
    name, and is written as a style, so that a page may choose it.
    """
    _write(root, Placed("", frozenset(), (), colours))


def margins(element: Element) -> tuple[float, float]:
    """Return the pixels that the style sheet leaves above and below an element."""
    placed, declared = _computed(element, Placed("", frozenset(), (), style_sheet().light))
    above, below = (
        _length(_filled(declared.get(name, "0"), placed.values))
        for name in ("margin-top", "margin-bottom")
    )
    return above, below


def _write(element: Element, parent: Placed) -> None:
    placed, declared = _computed(element, parent)
    for child in list(element):
        _write(child, placed)
        if child.get("display") == "none":
            element.remove(child)
    for name in [*element.attrib]:
        if name in ("class", "style") or name.startswith("aria-hidden"):
            del element.attrib[name]
        elif "var(" in element.attrib[name]:
            declared = {name: element.attrib.pop(name)} | declared
    if element.tag == "svg":  # what a wider font needs reaches out of a drawing within a drawing
        element.set("overflow", "visible")
    if declared.get("display") == "none":
        element.set("display", "none")
    if "transform" in declared:
        element.set("transform", _moved(_filled(declared["transform"], placed.values)))
    styles = []
    for name in KEPT:
        value = _filled(declared.get(name, ""), placed.values)
        if "var(" in value:
            styles.append(f"{name}:{value}")
        elif value:
            element.set(name, value)
    if styles:
        element.set("style", ";".join(styles))


def _computed(element: Element, parent: Placed) -> tuple[Placed, dict[str, str]]:
    """Return where an element stands and what the style sheet declares for it."""
    placed = Placed(
        element.tag, frozenset(element.get("class", "").split()), (*parent.above, parent)
    )
    declared: dict[str, str] = {}
    for rule in style_sheet().rules:
        if _meets(rule, placed):
            declared |= rule.declared
    declared |= declarations(element.get("style", ""))
    own = {name: value for name, value in declared.items() if name.startswith("--")}
    values = {**parent.values, **own}
    for name in own:
        # A name may be said by itself further up, as of a colour that is another one here.
        known = {**values, name: parent.values.get(name, "")}
        values[name] = _filled(own[name], known)
    return Placed(placed.tag, placed.classes, placed.above, values), declared


def _meets(rule: StyleRule, placed: Placed) -> bool:
    own = rule.parts[-1]
    return own.meets(placed.tag, placed.classes) and _under(
        rule.parts[:-1], rule.bound, placed.above
    )


def _under(parts: Sequence[Compound], bound: Sequence[bool], above: Sequence[Placed]) -> bool:
    """Return whether the parts of a selector stand above an element, in their order."""
    if not parts:
        return True
    *rest, nearest = parts
    for at in range(len(above) - 1, -1, -1):
        here = above[at]
        if nearest.meets(here.tag, here.classes) and _under(rest, bound[:-1], above[:at]):
            return True
        if bound[-1]:
            return False
    return False


def _filled(text: str, values: Mapping[str, str]) -> str:
    """Return the text with the values of its names, as deep as names stand for names."""
    for _ in range(8):
        filled = _NAMED.sub(lambda match: values.get(match[1], ""), text)
        if filled == text:
            break
        text = filled
    return text


def _moved(text: str) -> str:
    """Return a move of a style sheet as one of an attribute."""
    match = re.fullmatch(r"(\w+)\((.*)\)", text.strip())
    if match is None or match[1] not in _MOVES:
        return text
    sizes = (f"{_length(part):g}" for part in match[2].split(","))
    return _MOVES[match[1]].format(" ".join(sizes))


def _length(text: str) -> float:
    """Return a length in pixels, reckoned out."""
    return _reckoned(ast.parse(text.replace("calc", "").replace("px", ""), mode="eval").body)


def _reckoned(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_reckoned(operand)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _reckoned(left) * _reckoned(right)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _reckoned(left) + _reckoned(right)
    raise ValueError(f"{ast.unparse(node)} is no length of the style sheet")
