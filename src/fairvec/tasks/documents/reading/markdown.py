"""Markdown: what people read of it, in its place."""

import re
from collections import defaultdict
from collections.abc import Iterator

from fairvec.tasks.documents.reading.blanks import GLUE, without_glue
from fairvec.tasks.documents.reading.html_page import entity

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
_ENTITY = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{0,40});")


def read_of_markdown(text: str) -> str:
    """Return what people read of it, blanks for the rest, a line for each paragraph.

    Not read are front matter, blocks and spans of code, tags, addresses and where links lead.
    """
    parts: list[str] = []
    for kind, piece in _pieces(_without_comments(text)):
        if kind == "unread":
            parts.append("\n".rjust(len(piece)) if piece.endswith("\n") else " " * len(piece))
        else:
            parts.append(_in_one_line(_without_markup(_without_code(piece))))
    return without_glue("".join(parts))


def _without_comments(text: str) -> str:
    parts: list[str] = []
    done = 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += [text[done:start], re.sub(r"[^\r\n]", GLUE, text[start : end + 3])]
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
    matter = _front_matter(lines)
    for number, line in enumerate(lines):
        blank = not line.strip()
        opening = _FENCE.match(line)
        code = line.startswith(("    ", "\t")) and after_blank and not listed and not paragraph
        if number < matter or fence or opening or blank or code or _DEFINITION.match(line):
            if paragraph:
                yield "read", "".join(paragraph)
                paragraph = []
            yield "unread", line
            listed = listed and (blank or line[0] in " \t")
            if number >= matter:
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
        alike = following[end - start]
        while alike and alike[-1] <= number:
            alike.pop()
        if not alike:
            number += 1
            continue
        last = runs[alike[-1]][1]
        parts += [paragraph[done:start], GLUE * (last - start)]
        done, number = last, alike[-1] + 1
    return "".join([*parts, paragraph[done:]])


def _without_markup(paragraph: str) -> str:
    def blank(match: re.Match[str]) -> str:
        return GLUE * len(match.group())

    paragraph = _MARKUP.sub(blank, paragraph)
    return _ENTITY.sub(lambda match: entity(match.group()), paragraph)


def _in_one_line(paragraph: str) -> str:
    """Join lines that were broken to fit a screen; the last break stays."""
    broken, last = paragraph.rstrip("\r\n"), len(paragraph.rstrip("\r\n"))
    joined = broken.replace("\r\n", "  ").replace("\n", " ").replace("\r", " ")
    return joined + paragraph[last:]
