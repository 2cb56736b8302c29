"""The page's style sheet, read: its colours by name, and the rules that a drawing may meet."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from fairvec.report.page import environment

SHEETS = ("style.css", "summary.css")
WIDE = "(min-width: 45rem)"
"""Of the media that the sheet knows, a picture is drawn for this one: a wide screen."""

_COMPOUND = re.compile(r"(\*|[a-z]+)?((?:\.[\w-]+)*)((?::is\([^()]*\))*)")
_PIECE = re.compile(r"\s*>\s*|\s+|(?:[^\s>(]|\([^()]*\))+")


@dataclass(frozen=True)
class Compound:
    """What one element must be: its tag, its classes, and one of each `:is(...)`."""

    tag: str
    classes: frozenset[str]
    one_of: tuple[tuple["Compound", ...], ...] = ()

    def meets(self, tag: str, classes: frozenset[str]) -> bool:
        """Return whether an element is that."""
        return (
            self.tag in ("", "*", tag)
            and self.classes <= classes
            and all(any(one.meets(tag, classes) for one in some) for some in self.one_of)
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

    parts: tuple[Compound, ...]
    bound: tuple[bool, ...]
    declared: Mapping[str, str]

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
    declared = declarations(body)
    for selector in re.split(r",(?![^()]*\))", head):
        pieces = _PIECE.findall(selector.strip())
        parts = [_compound(piece) for piece in pieces[::2]]
        known = tuple(part for part in parts if part)
        if len(known) == len(parts):
            yield StyleRule(known, tuple(">" in piece for piece in pieces[1::2]), declared)


def _compound(text: str) -> Compound | None:
    """Return what an element must be; None if a drawing never is."""
    match = _COMPOUND.fullmatch(text)
    if match is None:
        return None
    one_of = []
    for inside in re.findall(r":is\(([^()]*)\)", match[3]):
        choices = [_compound(one.strip()) for one in inside.split(",")]
        one_of.append(tuple(choice for choice in choices if choice))
    return Compound(match[1] or "", frozenset(match[2].split(".")) - {""}, tuple(one_of))
