"""The pieces of a page of HTML, found in one pass however broken it is.

Not html.parser: on a page of unclosed tags it takes time that grows as the square of the length,
and a document may come from anywhere.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

PieceKind = Literal["text", "entity", "start", "alone", "end", "comment", "unread"]


class Piece(NamedTuple):
    """A part of a page from `start` up to `end`; `name` is that of a tag.

    A tag that is `alone` has no end: what follows stands beside it and not within.
    """

    start: int
    end: int
    kind: PieceKind
    name: str = ""


_NEXT = re.compile("[<&]")
_ENTITY = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,8}|#[0-9]{1,8}|[A-Za-z][A-Za-z0-9]{0,40});?")
_TAG_NAME = re.compile(r"</?([A-Za-z][^\s/>]{0,60})")
_REST_OF_TAG = re.compile(r"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_RAW = {name: re.compile(f"</{name}\\b", re.IGNORECASE) for name in ("script", "style")}


def pieces_of(page: str, *, xml: bool = False) -> Iterator[Piece]:
    """Give the pieces of a page, in order and without gaps.

    What browsers do is done: an unclosed comment, script or style ends with the page, and a < that
    starts no tag is text. A tag that ends in /> is alone in `xml` (XHTML), and else only a drawing:
    of other tags browsers pass the stroke over.
    """
    done = at = 0
    quotes_pair = True
    while (found := _NEXT.search(page, at)) is not None:
        start = found.start()
        piece: Piece | None
        if page[start] == "&":
            match = _ENTITY.match(page, start)
            piece = Piece(start, match.end(), "entity") if match else None
        elif name := _TAG_NAME.match(page, start):
            closed = _REST_OF_TAG.match(page, name.end()) if quotes_pair else None
            # After one quote without its pair none is trusted: each would be sought to the end.
            quotes_pair = closed is not None
            end = closed.end() if closed else page.find(">", name.end()) + 1
            if not end:
                break
            tag = name[1].lower()
            alone = page[end - 2] == "/" and (xml or tag == "svg")
            kind: PieceKind = "end" if page[start + 1] == "/" else "alone" if alone else "start"
            piece = Piece(start, end, kind, tag)
        elif page.startswith(("<!", "<?", "</"), start):
            mark = "-->" if page.startswith("<!--", start) else ">"
            end = page.find(mark, start + 2)
            piece = Piece(start, end + len(mark) if end >= 0 else len(page), "comment")
        else:
            piece = None
        if piece is None:
            at = start + 1
            continue
        if done < start:
            yield Piece(done, start, "text")
        yield piece
        done = at = piece.end
        if piece.kind == "start" and piece.name in _RAW:
            closing = _RAW[piece.name].search(page, done)
            at = closing.start() if closing else len(page)
            yield Piece(done, at, "unread")
            done = at
    if done < len(page):
        yield Piece(done, len(page), "text")
