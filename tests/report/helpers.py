"""What a page of HTML says, by the classes of its elements, and drawings as trees."""

import re
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, fromstring

from markupsafe import Markup

from fairvec.results.records import WordScore

# --- What a page of HTML says, by the classes of its elements ---


VOID = {"meta", "br", "input"}


class ElementTexts(HTMLParser):
    """The page by classes: the text of each element, without what stands in others."""

    def __init__(self, html: str, inside: str, without: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.inside, self.without = inside, without
        self.stack: list[tuple[str, set[str]]] = []
        self.found: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in VOID:
            return
        names = {tag, *(dict(attrs).get("class") or "").split()}
        if self.inside in names:
            self.found.append("")
        self.stack.append((tag, names))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        names = {name for _, classes in self.stack for name in classes}
        if self.inside in names and not names & set(self.without):
            self.found[-1] += data


# --- Drawings as trees, and words to draw ---


def parsed(drawing: Markup) -> Element:
    return fromstring(f"<all>{drawing}</all>")


def words(role: str, *scores: float) -> list[WordScore]:
    return [
        WordScore(word=f"{role}<{at}>", key="k", role=role, score=score, without=score)
        for at, score in enumerate(scores)
    ]


# --- A whole page as a browser would see it ---


ATTACK = '<script>alert(1)</script>" onload="alert(2)\''


class Page(HTMLParser):
    """What a browser would see: tags with attributes, ids, texts, and whether all tags close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.texts))
