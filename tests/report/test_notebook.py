"""What a notebook shows: the answers, a table and a plot, and nothing that reaches out of it."""

import re
from html.parser import HTMLParser

import pytest

from fairvec.report.notebook import MOST_ROWS, to_html
from fairvec.results import Outcome
from tests.report.outcomes import a_run, with_answers
from tests.results.toys import compared, measured, skipped, viewed

RUN = with_answers(a_run())
EMPTY = {"br", "meta", "link", "img", "input", "hr"}


class Reader(HTMLParser):
    """The elements, the words outside of styles, and whether every element is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.classes: set[str] = set()
        self.words = ""
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open += [tag] * (tag not in EMPTY)
        self.classes |= set((dict(attrs).get("class") or "").split())
        assert not [name for name, _ in attrs if name.startswith("on") or name in ("id", "href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open and "title" not in self.open:
            self.words += data


def test_it_shows_the_answers_the_tests_and_the_plot() -> None:
    read = Reader(to_html(RUN))
    words = " ".join(read.words.split())
    assert words.startswith("23 records of 5 models")
    for one in RUN:
        if one.status == "pooled":
            assert one.verdict.sentence in words
    assert read.tags.count("svg") > 14
    assert read.tags.count("tr") == 1 + 15
    assert "Intelligence and appearance" in words
    assert "Some of these tests name groups of people" in words
    assert "not shown here" not in words


def test_hindi_and_russian_are_shown_in_their_letters() -> None:
    title = {"title": "जाति और विशेषण"}
    hindi = measured().model_copy(update={"test": measured().test.model_copy(update=title)})
    words = Reader(to_html([hindi, measured(model="навек")])).words
    assert "जाति और विशेषण" in words
    assert "навек" in words


def test_every_kind_of_record_has_its_place() -> None:
    words = Reader(to_html([compared(), skipped(), viewed(), measured()])).words
    for text in ("Removed", "+0.20", "Only 1 of 4 x were found.", "2 pairs compared", "Biased"):
        assert text in words


@pytest.mark.parametrize(
    "outcomes",
    [[], [skipped()], [compared()], [viewed()], [one for one in RUN if one.status == "pooled"]],
    ids=["none", "skipped", "compared", "viewed", "pooled"],
)
def test_any_list_has_a_display(outcomes: list[Outcome]) -> None:
    words = Reader(to_html(outcomes)).words
    assert ("No records" in words) is (not outcomes)


def test_long_lists_are_shortened_with_a_note() -> None:
    html = to_html([measured(test=f"toy/{at}") for at in range(5000)])
    words = " ".join(Reader(html).words.split())
    assert "4,960 tests more not shown." in words
    assert f"Only the first {MOST_ROWS} of 5,000 rows are drawn." in words
    assert len(html) < 100_000


def test_hostile_names_are_plain_text() -> None:
    odd = "</style><script>alert(1)</script>&amp;\x00\x1b\u202e<img src=x onerror=y>"
    test = measured().test.model_copy(update={"title": odd, "id": odd, "category": odd})
    one = measured(model=odd).model_copy(update={"test": test})
    verdict = one.verdict.model_copy(update={"sentence": odd})
    outcomes: list[Outcome] = [one, skipped().model_copy(update={"reason": odd, "test": test})]
    outcomes += [x.model_copy(update={"verdict": verdict}) for x in RUN if x.status == "pooled"][:1]
    html = to_html(outcomes)
    read = Reader(html)
    assert not {"script", "img"} & set(read.tags)
    assert read.tags.count("style") == 1
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f]", html)
    assert "</style><script>alert(1)</script>&amp;" in read.words


def test_no_rule_reaches_out_and_every_class_of_ours_has_its_root() -> None:
    html = to_html(RUN)
    css = "".join(re.findall(r"<style>(.*?)</style>", html, re.DOTALL))
    flat = re.sub(r"@media[^{]*\{(.*)\}", r"\1", css)
    heads = [head.strip() for head in re.findall(r"([^{}]+)\{", flat)]
    selectors = [one.strip() for head in heads for one in re.split(r",(?![^()]*\))", head)]
    assert len(selectors) > 20
    assert all(".fairvec-shown" in selector.split(" .fv-")[0] for selector in selectors)
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", html)
    assert "url(" not in html
