"""The page's colours, and its style sheet written into the attributes of a drawing.

A picture that stands alone has no style sheet, so the rules of the page's own are resolved for each
element (selectors, custom properties, lengths), as `templates/saving.js` lets a browser do.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from xml.etree.ElementTree import Element

from fairvec.report.page import environment

SHEETS = ("style.css", "summary.css")
WIDE = "(min-width: 45rem)"
"""Of the media that the sheet knows, a picture is drawn for this one: a wide screen."""

_COMPOUND = re.compile(r"(\*|[a-z]+)?((?:\.[\w-]+)*)((?::is\([^()]*\))*)")
_PIECE = re.compile(r"\s*>\s*|\s+|(?:[^\s>(]|\([^()]*\))+")


@dataclass(frozen=True)
class CompoundSelector:
    """What one element must be: its tag, its classes, and one of each `:is(...)`."""

    tag: str
    classes: frozenset[str]
    one_of: tuple[tuple["CompoundSelector", ...], ...] = ()

    def matches(self, tag: str, classes: frozenset[str]) -> bool:
        """Return whether an element is that."""
        return (
            self.tag in ("", "*", tag)
            and self.classes <= classes
            and all(any(one.matches(tag, classes) for one in some) for some in self.one_of)
        )

    @property
    def weight(self) -> tuple[int, int]:
        """How much it counts where several rules say the same: classes first, then tags."""
        inner = [max(one.weight for one in some) for some in self.one_of]
        tags = int(self.tag not in ("", "*")) + sum(tag for _, tag in inner)
        return len(self.classes) + sum(classes for classes, _ in inner), tags


@dataclass(frozen=True)
class StyleRule:
    """Declarations for elements that meet `parts`, of which the last is the element itself.

    `bound[n]` says whether part n is the parent of part n + 1, and not just somewhere above it.
    """

    parts: tuple[CompoundSelector, ...]
    is_child: tuple[bool, ...]
    properties: Mapping[str, str]

    @property
    def weight(self) -> tuple[int, int]:
        """The weights of its parts together."""
        weights = [part.weight for part in self.parts]
        return sum(classes for classes, _ in weights), sum(tags for _, tags in weights)


@dataclass(frozen=True)
class StyleSheet:
    """The colours for light and dark, and the rules, the weightiest last."""

    light: Mapping[str, str]
    dark: Mapping[str, str]
    rules: tuple[StyleRule, ...]


@cache
def style_sheet() -> StyleSheet:
    """Return the style sheet of the page as drawings need it."""
    css = "\n".join(environment().get_template(name).render() for name in SHEETS)
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    rules: list[StyleRule] = []
    for head, body in _all_blocks(css):
        if head == ":root":
            light |= declarations(body)
        elif head == ':root[data-theme="dark"]':
            dark |= declarations(body)
        else:
            rules += _rules(head, body)
    # Sorting keeps the order of equals, as a browser does.
    return StyleSheet(light, light | dark, tuple(sorted(rules, key=lambda rule: rule.weight)))


def declarations(body: str) -> dict[str, str]:
    """Return what a block declares."""
    pairs = (part.partition(":") for part in body.split(";") if ":" in part)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _all_blocks(css: str) -> Iterator[tuple[str, str]]:
    """Yield the blocks for a wide screen, and those that hold the dark colours."""
    for head, body in _blocks(css):
        if not head.startswith("@"):
            yield head, body
        elif WIDE in head:
            yield from _blocks(body)
        elif head == "@media screen":
            yield from (block for block in _blocks(body) if block[0].startswith(":root"))


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """Yield each block of the outermost level: what stands before its brace, and what within."""
    depth, start, head = 0, 0, ""
    for match in re.finditer(r"[{}]", css):
        if match[0] == "{":
            depth += 1
            if depth == 1:
                head, start = " ".join(css[start : match.start()].split()), match.end()
        else:
            depth -= 1
            if depth == 0:
                yield head, css[start : match.start()]
                start = match.end()


def _rules(head: str, body: str) -> Iterator[StyleRule]:
    """Yield one rule for each selector that a drawing could meet; others are of the page."""
    properties = declarations(body)
    for selector in re.split(r",(?![^()]*\))", head):
        pieces = _PIECE.findall(selector.strip())
        parts = [_compound(piece) for piece in pieces[::2]]
        known = tuple(part for part in parts if part)
        if len(known) == len(parts):
            yield StyleRule(known, tuple(">" in piece for piece in pieces[1::2]), properties)


def _compound(text: str) -> CompoundSelector | None:
    """Return what an element must be; None if a drawing never is."""
    match = _COMPOUND.fullmatch(text)
    if match is None:
        return None
    one_of = []
    for inside in re.findall(r":is\(([^()]*)\)", match[3]):
        choices = [_compound(one.strip()) for one in inside.split(",")]
        one_of.append(tuple(choice for choice in choices if choice))
    return CompoundSelector(match[1] or "", frozenset(match[2].split(".")) - {""}, tuple(one_of))


ROOT = "fairvec-shown"
"""The class round all that is shown within the page of somebody else; no rule reaches out of it."""

_PREFIX = "--fairvec-"
_LIGHT = (
    '[data-jp-theme-light="true"]',
    "body.vscode-light",
    '[data-theme="light"]',
    '[data-md-color-scheme="default"]',
)
_DARK = (
    '[data-jp-theme-light="false"]',
    "body.vscode-dark",
    'html[theme="dark"]',
    '[data-theme="dark"]',
    '[data-md-color-scheme="slate"]',
)


def colour_variable(name: str) -> str:
    """Return a colour of the page as others may choose it; alone it is the light one."""
    return f"var({_PREFIX}{name.removeprefix('--')}, {style_sheet().light[name]})"


@cache
def theme_variables() -> Mapping[str, str]:
    """Return every name of the style sheet with a value that whoever shows it chooses."""
    light = style_sheet().light
    return {
        name: colour_variable(name) if _is_colour(light[name]) else light[name] for name in light
    }


@cache
def theme() -> str:
    """Return the rules that choose: the system's wish, over it what the page round it says."""
    light, dark = (_declared(colours) for colours in (style_sheet().light, style_sheet().dark))
    return "\n".join(
        [
            f".{ROOT} {{ {light} }}",
            f"@media screen and (prefers-color-scheme: dark) {{ .{ROOT} {{ {dark} }} }}",
            f"{', '.join(f'{place} .{ROOT}' for place in _LIGHT)} {{ {light} }}",
            f"@media screen {{ {', '.join(f'{place} .{ROOT}' for place in _DARK)} {{ {dark} }} }}",
        ]
    )


def _declared(colours: Mapping[str, str]) -> str:
    some = {name: value for name, value in colours.items() if _is_colour(value)}
    scheme = f"color-scheme: {colours['color-scheme']};"
    return " ".join([f"{_PREFIX}{name[2:]}: {value};" for name, value in some.items()] + [scheme])


def _is_colour(value: str) -> bool:
    return value.startswith("#")


ATTRIBUTES = (
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

_VARIABLE = re.compile(r"var\((--[\w-]+)\)")
_TRANSFORMS = {
    "translateY": "translate(0 {})",
    "scaleY": "scale(1 {})",
    "translate": "translate({})",
}


@dataclass(frozen=True)
class StyledElement:
    """An element with those above it, and the values that names have there."""

    tag: str
    classes: frozenset[str]
    above: tuple["StyledElement", ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)


def write_styles(root: Element, colours: Mapping[str, str]) -> None:
    """Write the styles of every element into its attributes; what is hidden is taken out.

    `colours` are the names that the style sheet uses; a value such as `var(--x, #fff)` stays a
    name, and is written as a style, so that a page may choose it.
    """
    _write_element(root, StyledElement("", frozenset(), (), colours))


def vertical_margins(element: Element) -> tuple[float, float]:
    """Return the pixels that the style sheet leaves above and below an element."""
    placed, properties = _compute_style(
        element, StyledElement("", frozenset(), (), style_sheet().light)
    )
    above, below = (
        _pixels(_substitute(properties.get(name, "0"), placed.values))
        for name in ("margin-top", "margin-bottom")
    )
    return above, below


def _write_element(element: Element, parent: StyledElement) -> None:
    placed, properties = _compute_style(element, parent)
    for child in list(element):
        _write_element(child, placed)
        if child.get("display") == "none":
            element.remove(child)
    for name in [*element.attrib]:
        if name in ("class", "style") or name.startswith("aria-hidden"):
            del element.attrib[name]
        elif "var(" in element.attrib[name]:
            properties = {name: element.attrib.pop(name)} | properties
    if element.tag == "svg":  # what a wider font needs reaches out of a drawing within a drawing
        element.set("overflow", "visible")
    if properties.get("display") == "none":
        element.set("display", "none")
    if "transform" in properties:
        element.set(
            "transform", _to_svg_transform(_substitute(properties["transform"], placed.values))
        )
    styles = []
    for name in ATTRIBUTES:
        value = _substitute(properties.get(name, ""), placed.values)
        if "var(" in value:
            styles.append(f"{name}:{value}")
        elif value:
            element.set(name, value)
    if styles:
        element.set("style", ";".join(styles))


def _compute_style(element: Element, parent: StyledElement) -> tuple[StyledElement, dict[str, str]]:
    """Return where an element stands and what the style sheet declares for it."""
    placed = StyledElement(
        element.tag, frozenset(element.get("class", "").split()), (*parent.above, parent)
    )
    properties: dict[str, str] = {}
    for rule in style_sheet().rules:
        if _matches(rule, placed):
            properties |= rule.properties
    properties |= declarations(element.get("style", ""))
    own = {name: value for name, value in properties.items() if name.startswith("--")}
    values = {**parent.values, **own}
    for name in own:
        # A name may be defined again further up, as a colour that differs in this scheme.
        known = {**values, name: parent.values.get(name, "")}
        values[name] = _substitute(own[name], known)
    return StyledElement(placed.tag, placed.classes, placed.above, values), properties


def _matches(rule: StyleRule, placed: StyledElement) -> bool:
    own = rule.parts[-1]
    return own.matches(placed.tag, placed.classes) and _ancestors_match(
        rule.parts[:-1], rule.is_child, placed.above
    )


def _ancestors_match(
    parts: Sequence[CompoundSelector], is_child: Sequence[bool], above: Sequence[StyledElement]
) -> bool:
    """Return whether the parts of a selector stand above an element, in their order."""
    if not parts:
        return True
    *rest, nearest = parts
    for at in range(len(above) - 1, -1, -1):
        here = above[at]
        if nearest.matches(here.tag, here.classes) and _ancestors_match(
            rest, is_child[:-1], above[:at]
        ):
            return True
        if is_child[-1]:
            return False
    return False


def _substitute(text: str, values: Mapping[str, str]) -> str:
    """Return the text with the values of its names, as deep as names stand for names."""
    for _ in range(8):
        replaced = _VARIABLE.sub(lambda match: values.get(match[1], ""), text)
        if replaced == text:
            break
        text = replaced
    return text


def _to_svg_transform(text: str) -> str:
    """Return a move of a style sheet as one of an attribute."""
    match = re.fullmatch(r"(\w+)\((.*)\)", text.strip())
    if match is None or match[1] not in _TRANSFORMS:
        return text
    sizes = (f"{_pixels(part):g}" for part in match[2].split(","))
    return _TRANSFORMS[match[1]].format(" ".join(sizes))


def _pixels(text: str) -> float:
    """Return a length in pixels, reckoned out."""
    return _evaluate(ast.parse(text.replace("calc", "").replace("px", ""), mode="eval").body)


def _evaluate(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _evaluate(left) * _evaluate(right)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _evaluate(left) + _evaluate(right)
    raise ValueError(f"{ast.unparse(node)} is no length of the style sheet")
