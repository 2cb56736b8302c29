"""Only what people read of markup is read, and it stands where it stood."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.documents.markup import visible_html, visible_markdown, visible_xhtml
from fairvec.languages.text import Document, parse_document

READERS = {"html": visible_html, "markdown": visible_markdown}
SCRAPS = st.sampled_from(
    [
        *("she", "He", " ", "\n", "\r\n", "<b>", "</b>", "<p>", "<", ">", "&", "&amp;", "&#39;"),
        *("s", "&eacute;", "<!--", "-->", "`", "```", "\n\n", "](", ")", "[", "<script>", "'"),
        *("</script>", '"', "http://", "---\n", "    ", ".", "कि", "\x01", "<code>", "</code>"),
    ]
)


def read(kind: str, text: str) -> Document:
    return parse_document(text, "en", read=READERS[kind](text))


def words(kind: str, text: str) -> list[str]:
    return [token.text for token in read(kind, text).tokens]


@pytest.mark.parametrize("kind", READERS)
@given(st.lists(SCRAPS, max_size=40).map("".join))
def test_no_word_is_misplaced_however_broken_the_markup(kind: str, text: str) -> None:
    for token in read(kind, text).tokens:
        assert text[token.start : token.end] == token.text


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p class='she'>He <b>left</b>.</p>", "He left"),
        ("<script>she</script>he<style>she</style>", "he"),
        ("<SCRIPT>'</p>she'</Script >he", "he"),
        ("<!-- she -->he<!-- she", "he"),
        ("<!doctype she><?she?>he", "he"),
        ("<b>S</b>he left", "left"),
        ("he&#39;s said &lsquo;he&rsquo; don&#39;t", "he said he"),
        ("caf&eacute; &#x73;he R&amp;D &nbsp;his&nbsp;hat", "R D his hat"),
        ("AT&T's a < b", "AT T's a b"),
        ("<a title='a > she' href=she>he</a>", "he"),
        ("<a title='she>he <b>his</b>", "he his"),
        ("he <template>she</template> &xyzw; &notit; <code>her</code>", "he xyzw"),
        ("&amp;she; he&shy;ro", "she"),
    ],
)
def test_what_is_read_of_a_page(page: str, expected: str) -> None:
    assert words("html", page) == expected.split()


def test_a_paragraph_of_a_page_is_not_a_line_of_its_source() -> None:
    page = "<p>She left\nthe <b>house. He</b> stayed.</p><li>One<li>Two<pre>a\nb</pre>"
    document = read("html", page)
    text = [re.sub(r"\W+", " ", page[one.start : one.end]).strip() for one in document.sentences]
    assert text == ["She left the b house", "He b stayed", "One", "Two", "a", "b"]
    assert len({one.paragraph for one in document.sentences}) == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nauthor: she\n---\nHe", "He"),
        ("---\nHe", "He"),
        ("---\nauthor: she\n...\nHe", "He"),
        ("+++\nshe = 1\n+++\nHe", "He"),
        ("`she` ``her ` his`` he", "he"),
        ("```\nshe\n~~~\n```\nhe\n", "he"),
        ("~~~~\nshe\n~~~\nshe\n~~~~\nhe", "he"),
        ("```\nshe", ""),
        ("he\n\n    she = 1\n\nhis", "he his"),
        ("- he\n\n    his own\n", "he his own"),
        ("[he](http://she.org 'she') and [his][she]\n\n[she]: http://she.org\n", "he and his"),
        ("![he](she.png) <https://she.org> www.she.org. mailto:she@x.org", "he"),
        ("<!-- she\n\nshe -->he", "he"),
        ("_he_ **his** don&#39;t", "he his"),
        ("| he | his |\n|---|---|\n", "he his"),
    ],
)
def test_what_is_read_of_markdown(text: str, expected: str) -> None:
    assert words("markdown", text) == expected.split()


def test_lines_of_a_wrapped_paragraph_are_one() -> None:
    document = read("markdown", "# Title\nShe left\r\nthe house. He\nstayed.\n- one\n- two\n\nx\n")
    text = [document.text[one.start : one.end] for one in document.sentences]
    assert text == ["# Title", "She left\r\nthe house.", "He\nstayed.", "- one", "- two", "x"]


def test_a_stop_after_an_address_ends_its_sentence() -> None:
    assert len(read("markdown", "See https://she.org/x. He left.").sentences) == 2


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    "scrap", ["<a ", "<!--", "<a b='", "&", "&#", "`", "` `` ", "](", "http://", "<", "[", "</"]
)
def test_hostile_markup_is_read_in_one_pass(kind: str, scrap: str) -> None:
    text = scrap * (400_000 // len(scrap))
    assert len(READERS[kind](text)) == len(text)
    assert len(READERS[kind]("-->" + text)) == len(text) + 3


@pytest.mark.parametrize("tag", ["svg", 'svg class="icon"', "script", "style", "code", "template"])
def test_a_tag_that_is_closed_where_it_opens_hides_nothing_of_xhtml(tag: str) -> None:
    page = f"<p>He <{tag} /> sings.</p><pre/><p>She  hums.</p>"
    assert visible_xhtml(page).split() == ["He", "sings.", "She", "hums."]
    seen = visible_html(page).split()
    assert seen == (["He", "sings.", "She", "hums."] if tag.startswith("svg") else ["He"])
    closed = f"<p>He <{tag}>unread</{tag.split()[0]}> sings.</p>"
    assert visible_html(closed).split() == visible_xhtml(closed).split() == ["He", "sings."]
