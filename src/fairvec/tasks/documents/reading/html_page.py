"""HTML: what people read of a page, in its place."""

import re
from html import unescape

from fairvec.tasks.documents.reading.blanks import APOSTROPHE, GLUE, LETTER, without_glue
from fairvec.tasks.documents.reading.html_pieces import pieces_of

_UNREAD = frozenset(["template", "code", "kbd", "samp", "noscript", "svg"])
_INLINE = frozenset(
    re.findall(
        r"\w+",
        "a abbr acronym b bdi bdo big cite data del dfn em font i img ins label mark q s small "
        "span strike strong sub sup time tt u var wbr",
    )
)
_OF_WORDS = re.compile(r"[^\W_]|[\-‐‑\u00ad\u200b-\u200d\u0300-\u036f\u0900-\u0963]")
_SPACE = re.compile(r"\s")


def read_of_html(text: str, *, xml: bool = False) -> str:
    """Return what people read of a page, blanks for the rest, a line for each paragraph."""
    parts: list[str] = []
    unread = ""
    preformatted = False
    for start, end, kind, name in pieces_of(text, xml=xml):
        raw = text[start:end]
        if unread or (kind == "start" and name in _UNREAD):
            unread = "" if kind == "end" and name == unread else unread or name
            parts.append(" " * len(raw))
            continue
        if name == "pre" and kind != "alone":
            preformatted = kind == "start"
        match kind:
            case "text":
                parts.append(raw if preformatted else _SPACE.sub(" ", raw))
            case "entity":
                parts.append(entity(raw))
            case "start" | "alone" | "end" if name not in _INLINE:
                parts.append("\n".ljust(len(raw)))
            case "unread":
                parts.append(" " * len(raw))
            case _:
                parts.append(GLUE * len(raw))
    return without_glue("".join(parts))


def read_of_xhtml(text: str) -> str:
    """Return the same of a page of XHTML, in which any tag may be closed where it opens."""
    return read_of_html(text, xml=True)


def entity(raw: str) -> str:
    """Return what stands for a written character: itself where it parts words, else a mark."""
    letter = unescape(raw)
    if letter == raw:
        return raw
    if letter in ("'", "’"):
        return APOSTROPHE * len(raw)
    if len(letter) != 1 or _OF_WORDS.match(letter):
        return LETTER * len(raw)
    return (" " if letter.isspace() else letter).ljust(len(raw))
