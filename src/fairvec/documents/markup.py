"""The visible text of HTML and Markdown, with blanks for markup so that offsets stay.

tokenize_html      a page in one linear pass, however broken it is
visible_html       what a browser shows; visible_xhtml the same of XHTML
visible_markdown   what a reader sees; code, front matter and link targets are blanked
drop_split_words   words that markup breaks are blanked too
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from html import unescape
from typing import Literal, NamedTuple

from fairvec.languages.text import token_pattern

MARKUP = "\x00"
"""Replaces markup that may stand within a word; no decoded text contains a zero character."""
APOSTROPHE = "\x01"
"""Replaces an apostrophe that is written as an entity."""
LETTER = "\x02"
"""Replaces a letter that is written as an entity."""
CUT = "\x1f"
"""The blank at the first character of a word that is left out as markup stands within it."""

_MARKS = MARKUP + APOSTROPHE + LETTER
_BETWEEN_LETTERS = "'’-‐‑" + MARKUP + APOSTROPHE
_CLITICS = frozenset(["s", "d", "ll", "re", "ve", "m"])


@cache
def _word_pattern() -> re.Pattern[str]:
    # Letters as a token has them, and what may stand between them.
    letters = token_pattern().pattern[1:].partition("]+")[0]
    return re.compile(f"[{letters}'’\\-‐‑{_MARKS}]+")


def drop_split_words(text: str) -> str:
    """Return the text with blanks for the marks of markup, and for words that they stand within.

    A word broken by markup is not read at all: half of it might be another word. Where it begins
    CUT stands. Of `he&#39;s` the part before the apostrophe is read.
    """
    if not any(mark in text for mark in _MARKS):
        return text
    return _word_pattern().sub(_blank_split_word, text)


def _blank_split_word(match: re.Match[str]) -> str:
    run = match.group()
    if run.isalpha():
        return run
    word = run.strip(MARKUP + APOSTROPHE)
    before = len(run) - len(run.lstrip(MARKUP + APOSTROPHE))
    if any(mark in word for mark in _MARKS):
        cut = CUT if word.strip(_BETWEEN_LETTERS) else ""
        first, _, last = word.partition(APOSTROPHE)
        rest = last.lstrip(APOSTROPHE).lower()
        is_unbroken = not any(mark in first for mark in _MARKS)
        word = first if is_unbroken and rest in _CLITICS else cut
    return (" " * before + word).ljust(len(run))


PieceKind = Literal["text", "entity", "start", "alone", "end", "comment", "unread"]


class HtmlToken(NamedTuple):
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


def tokenize_html(page: str, *, xml: bool = False) -> Iterator[HtmlToken]:
    """Give the pieces of a page, in order and without gaps.

    What browsers do is done: an unclosed comment, script or style ends with the page, and a < that
    starts no tag is text. A tag that ends in /> is alone in `xml` (XHTML), and else only a drawing:
    of other tags browsers pass the stroke over.
    """
    done = position = 0
    quotes_pair = True
    while (found := _NEXT.search(page, position)) is not None:
        start = found.start()
        token: HtmlToken | None
        if page[start] == "&":
            match = _ENTITY.match(page, start)
            token = HtmlToken(start, match.end(), "entity") if match else None
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
            token = HtmlToken(start, end, kind, tag)
        elif page.startswith(("<!", "<?", "</"), start):
            mark = "-->" if page.startswith("<!--", start) else ">"
            end = page.find(mark, start + 2)
            token = HtmlToken(start, end + len(mark) if end >= 0 else len(page), "comment")
        else:
            token = None
        if token is None:
            position = start + 1
            continue
        if done < start:
            yield HtmlToken(done, start, "text")
        yield token
        done = position = token.end
        if token.kind == "start" and token.name in _RAW:
            closing = _RAW[token.name].search(page, done)
            position = closing.start() if closing else len(page)
            yield HtmlToken(done, position, "unread")
            done = position
    if done < len(page):
        yield HtmlToken(done, len(page), "text")


_UNREAD = frozenset(["template", "code", "kbd", "samp", "noscript", "svg"])
_INLINE = frozenset(
    re.findall(
        r"\w+",
        "a abbr acronym b bdi bdo big cite data del dfn em font i img ins label mark q s small "
        "span strike strong sub sup time tt u var wbr",
    )
)
_WORD_CHARACTER = re.compile(r"[^\W_]|[\-‐‑\u00ad\u200b-\u200d\u0300-\u036f\u0900-\u0963]")
_SPACE = re.compile(r"\s")


def visible_html(text: str, *, xml: bool = False) -> str:
    """Return what people read of a page, blanks for the rest, a line for each paragraph."""
    parts: list[str] = []
    unread = ""
    preformatted = False
    for start, end, kind, name in tokenize_html(text, xml=xml):
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
                parts.append(visible_entity(raw))
            case "start" | "alone" | "end" if name not in _INLINE:
                parts.append("\n".ljust(len(raw)))
            case "unread":
                parts.append(" " * len(raw))
            case _:
                parts.append(MARKUP * len(raw))
    return drop_split_words("".join(parts))


def visible_xhtml(text: str) -> str:
    """Return the same of a page of XHTML, in which any tag may be closed where it opens."""
    return visible_html(text, xml=True)


def visible_entity(raw: str) -> str:
    """Return what stands for a written character: itself where it parts words, else a mark."""
    letter = unescape(raw)
    if letter == raw:
        return raw
    if letter in ("'", "’"):
        return APOSTROPHE * len(raw)
    if len(letter) != 1 or _WORD_CHARACTER.match(letter):
        return LETTER * len(raw)
    return (" " if letter.isspace() else letter).ljust(len(raw))


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DEFINITION = re.compile(r" {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S")
_OWN_LINE = re.compile(r"[ \t]*(?:#{1,6}(?:\s|$)|>|\||[-*+]\s|\d{1,9}[.)]\s|={3,}|-{3,}|<)")
_LIST = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])\s")
_TICKS = re.compile("`+")
_MARKUP = re.compile(
    r"</?[A-Za-z][^<>]{0,2000}>"  # a tag, or <https://...>
    r"|\]\([^)\n]{0,500}\)|\]\[[^\]\n]{0,200}\]"  # where a link leads
    r"|(?:(?:https?|ftp)://|\bwww\.|\bmailto:)[^\s<>]{0,500}[^\s<>.,;:!?)\]\"'*_]",
    re.IGNORECASE,
)
# Of strong or weak emphasis the signs that stand within a word: ki**n**g.
_EMPHASIS = re.compile(r"(\*{1,3}|~~)(?=[^\s*~])([^*~]{1,500})(?<!\s)\1(?![*~])")
_MARKDOWN_ENTITY = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{0,40});")


def visible_markdown(text: str) -> str:
    """Return what people read of it, blanks for the rest, a line for each paragraph.

    Not read are front matter, blocks and spans of code, tags, addresses and where links lead.
    """
    parts: list[str] = []
    for kind, piece in _pieces(_without_comments(text)):
        if kind == "unread":
            parts.append("\n".rjust(len(piece)) if piece.endswith("\n") else " " * len(piece))
        else:
            parts.append(_in_one_line(_without_markup(_without_code(piece))))
    return drop_split_words("".join(parts))


def _without_comments(text: str) -> str:
    parts: list[str] = []
    done = 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += [text[done:start], re.sub(r"[^\r\n]", MARKUP, text[start : end + 3])]
        done = end + 3
    return "".join([*parts, text[done:]])


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Give what is not read, line by line, and the paragraphs between."""
    paragraph: list[str] = []
    fence = ""
    listed = False
    after_blank = True
    lines = text.split("\n")
    lines = [line + "\n" for line in lines[:-1]] + lines[-1:]
    front_matter_lines = _front_matter(lines)
    for number, line in enumerate(lines):
        blank = not line.strip()
        opening = _FENCE.match(line)
        code = line.startswith(("    ", "\t")) and after_blank and not listed and not paragraph
        if (
            number < front_matter_lines
            or fence
            or opening
            or blank
            or code
            or _DEFINITION.match(line)
        ):
            if paragraph:
                yield "read", "".join(paragraph)
                paragraph = []
            yield "unread", line
            listed = listed and (blank or line[0] in " \t")
            if number >= front_matter_lines:
                fence = _fence_after(line, fence, opening)
            after_blank = blank or (after_blank and code)
            continue
        starts = _OWN_LINE.match(line)
        if paragraph and starts:
            yield "read", "".join(paragraph)
            paragraph = []
        listed = bool(_LIST.match(line)) or (listed and line[0] in " \t")
        after_blank = False
        paragraph.append(line)
        if starts and line.lstrip().startswith(("#", "|")):
            yield "read", "".join(paragraph)
            paragraph = []
    if paragraph:
        yield "read", "".join(paragraph)


def _fence_after(line: str, fence: str, found: re.Match[str] | None) -> str:
    """Return the fence that is open after a line."""
    if not fence:
        return found[1] if found else ""
    closes = found and found[1].startswith(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence


def _front_matter(lines: list[str]) -> int:
    """Return how many lines at the start describe the document to a program."""
    if lines[0].rstrip() not in ("---", "+++"):
        return 0
    ends = (lines[0].rstrip(), "..." if lines[0].startswith("-") else "+++")
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in ends:
            return number + 1
    return 0


def _without_code(paragraph: str) -> str:
    """Blank out spans of code: from ticks to as many ticks."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(paragraph)]
    following: defaultdict[int, list[int]] = defaultdict(list)
    for number in reversed(range(len(runs))):
        following[runs[number][1] - runs[number][0]].append(number)
    parts: list[str] = []
    done = number = 0
    while number < len(runs):
        start, end = runs[number]
        same_length = following[end - start]
        while same_length and same_length[-1] <= number:
            same_length.pop()
        if not same_length:
            number += 1
            continue
        last = runs[same_length[-1]][1]
        parts += [paragraph[done:start], MARKUP * (last - start)]
        done, number = last, same_length[-1] + 1
    return "".join([*parts, paragraph[done:]])


def _without_markup(paragraph: str) -> str:
    def blank(match: re.Match[str]) -> str:
        return MARKUP * len(match.group())

    paragraph = _MARKUP.sub(blank, _EMPHASIS.sub(_mark_within_word, paragraph))
    return _MARKDOWN_ENTITY.sub(lambda match: visible_entity(match.group()), paragraph)


def _mark_within_word(match: re.Match[str]) -> str:
    """Return emphasis with MARKUP for the signs that have a letter on both sides."""
    sign, inside = match.groups()
    before = match.string[max(0, match.start() - 1) : match.start()]
    after = match.string[match.end() : match.end() + 1]
    mark = MARKUP * len(sign)
    opening = mark if _is_letter(before) and _is_letter(inside[0]) else sign
    closing = mark if _is_letter(inside[-1]) and _is_letter(after) else sign
    return opening + inside + closing


def _is_letter(character: str) -> bool:
    return token_pattern().match(character) is not None and not character.isnumeric()


def _in_one_line(paragraph: str) -> str:
    """Join lines that were broken to fit a screen; the last break stays."""
    broken, last = paragraph.rstrip("\r\n"), len(paragraph.rstrip("\r\n"))
    joined = broken.replace("\r\n", "  ").replace("\n", " ").replace("\r", " ")
    return joined + paragraph[last:]
