"""The links of the documentation: what each page points to, and whether that is there."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

INCLUDED = re.compile(r"^```\{include\} (\S+)$", re.MULTILINE)
ABSOLUTE_ADDRESS = re.compile(r"https?://[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?|mailto:\S+@\S+")
PLACES_IN_HTML = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")


def pages(root: Path) -> list[Path]:
    """Return every page that people read: those at the top and those under docs/."""
    written = [page for page in (root / "docs").rglob("*.md") if "_build" not in page.parts]
    return sorted([*root.glob("*.md"), *written])


def tokens(text: str) -> Iterator[Token]:
    """Yield what a page is made of, the insides of its paragraphs too."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token
        yield from token.children or ()


def links(text: str) -> list[str]:
    """Return the targets of links and images, as a browser would follow them; code has none."""
    names = {"link_open": "href", "image": "src"}
    found = (token.attrGet(names[token.type]) for token in tokens(text) if token.type in names)
    return [str(target) for target in found]


def anchors(page: Path) -> set[str]:
    """Return the places in a page that a link may name: its headings, as forges spell them."""
    text = page.read_text(encoding="utf-8")
    for other in INCLUDED.findall(text):
        text += (page.parent / other).read_text(encoding="utf-8")
    found = list(MarkdownIt("commonmark").enable("table").parse(text))
    seen: Counter[str] = Counter()
    places = set(PLACES_IN_HTML.findall(text))
    for opening, inside in pairwise(found):
        if opening.type == "heading_open":
            words = "".join(part.content for part in inside.children or ())
            place = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
            places.add(f"{place}-{seen[place]}" if seen[place] else place)
            seen[place] += 1
    return places


def fault(target: str, page: Path) -> str:
    """Say what is wrong with one link of a page; nothing if all is well."""
    parts = urlsplit(target)
    if parts.scheme:
        return "" if ABSOLUTE_ADDRESS.fullmatch(target) else "is no whole address"
    other = page.parent / unquote(parts.path) if parts.path else page
    if not other.exists():
        return "leads to no file"
    if parts.fragment and other.suffix == ".md" and unquote(parts.fragment) not in anchors(other):
        return f"names no heading of {other.name}"
    return ""


def broken_links(root: Path) -> list[str]:
    """Return a line for every link that leads nowhere; addresses outside are judged by form."""
    return [
        f"{page.relative_to(root)}: {target} {wrong}"
        for page in pages(root)
        for target in links(page.read_text(encoding="utf-8"))
        if (wrong := fault(target, page))
    ]
