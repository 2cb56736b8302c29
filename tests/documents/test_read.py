"""Reading documents: files, folders, tables, markup."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FairvecError, FileFormatError, SettingError, UnknownNameError
from fairvec.documents.markup import visible_html, visible_markdown, visible_xhtml
from fairvec.documents.read import read_sources
from fairvec.languages.text import Document, parse_document
from tests.loops import loop_over

# --- Files, folders, tables and bytes become texts, or one sentence says why not ---


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        "Он ушёл.\r\nОна".encode(),
        b"\xef\xbb\xbf" + "Он ушёл.\r\nОна".encode(),
        b"\xff\xfe" + "Он ушёл.\r\nОна".encode("utf-16-le"),
        b"\xfe\xff" + "Он ушёл.\r\nОна".encode("utf-16-be"),
        b"\xff\xfe\0\0" + "Он ушёл.\r\nОна".encode("utf-32-le"),
    ],
    ids=["plain", "marked", "little", "big", "wide"],
)
def test_a_text_is_read_and_written_back_byte_for_byte(tmp_path: Path, content: bytes) -> None:
    (source,) = read_sources([write(tmp_path / "a.txt", content)]).sources
    assert source.text == "Он ушёл.\r\nОна"
    assert source.encode(source.text) == content


def test_a_named_encoding_is_used(tmp_path: Path) -> None:
    file = write(tmp_path / "a.txt", "Она\nушла".encode("cp1251"))
    (source,) = read_sources([file], encoding="cp1251").sources
    assert source.text == "Она\nушла"
    assert source.encode("Он") == "Он".encode("cp1251")
    with pytest.raises(FairvecError, match="cannot be written in cp1251; save the document as"):
        source.encode("वह")


@pytest.mark.parametrize(
    ("content", "encoding", "message"),
    [
        (b"ok\n\xd0\xff", None, "a.txt, line 2: this is not UTF-8; .*--encoding cp1251"),
        (b"\xff\xfea", None, "line 1: this is not UTF-16-LE"),
        (b"ok\n\x81", "cp1252", "line 2: this is not cp1252; name another"),
        (b"ok", "klingon", "no encoding named 'klingon'"),
        (b"ok", "hex", "no encoding named 'hex'"),
        (b"a\nb\0c", None, "line 2: this is not text"),
        ("a".encode("utf-16-le"), None, "this is not text"),
        (b"+2AA-", "utf-7", "not UTF-7"),
    ],
    ids=["utf-8", "utf-16", "other", "unknown", "no-text-codec", "zero", "no-mark", "half"],
)
def test_broken_bytes_are_named(
    tmp_path: Path, content: bytes, encoding: str | None, message: str
) -> None:
    with pytest.raises(FairvecError, match=message):
        read_sources([write(tmp_path / "a.txt", content)], encoding=encoding)


def test_a_folder_is_read_in_order_and_says_what_it_passed_over(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.txt", "c.HTML", ".hidden/x.txt", "x.csv", "x.py"):
        write(tmp_path / name, "<b>He</b>")
    write(tmp_path / ".secret.txt", "x")
    write(tmp_path / "odd.txt", b"\x7fELF\0\0")
    (tmp_path / "loop").symlink_to(tmp_path)
    opened = read_sources([tmp_path])
    names = [str(Path(one.name).relative_to(tmp_path)) for one in opened.sources]
    assert names == ["b.md", "c.HTML", "a/z.txt"]
    assert opened.sources[0].read.split() == ["He"]
    (remark,) = opened.remarks
    assert "1 file (hidden)" in remark
    assert "2 files (of other kinds)" in remark
    assert "1 file (not text)" in remark


def test_rows_of_a_table_are_documents(tmp_path: Path) -> None:
    long = "she " * 50_000
    file = write(tmp_path / "t.csv", f'id;text\r\n1;"He;\nleft"\n2;\n3;{long}\n4\n')
    opened = read_sources([file], column="text")
    assert [(one.name, one.text) for one in opened.sources] == [
        (f"{file}, row 2", "He;\nleft"),
        (f"{file}, row 4", long),
    ]
    assert "2 rows have no text" in opened.remarks[0]
    with pytest.raises(UnknownNameError, match="did you mean text"):
        read_sources([file], column="txt")
    with pytest.raises(FairvecError, match=r"--column text \(it has id, text\)"):
        read_sources([file])


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FairvecError, match=r"no\.txt: the document cannot be read \(no such file"):
        read_sources([tmp_path / "no.txt"])
    with pytest.raises(FairvecError, match="holds no document"):
        read_sources([tmp_path])
    with pytest.raises(FairvecError, match="no row has a text"):
        read_sources([write(tmp_path / "t.tsv", "text\n")], column="text")
    with pytest.raises(FairvecError, match="column of"):
        read_sources([write(tmp_path / "e.csv", "")], column="text")
    with pytest.raises(FairvecError, match="no document to read"):
        read_sources([])


def test_standard_input_is_a_text() -> None:
    (source,) = read_sources(["-"], standard_input="She\n".encode("utf-16")).sources
    assert (source.name, source.text, source.path) == ("standard input", "She\n", None)


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    file = write(tmp_path / "a.txt", "He")
    assert (
        len(read_sources([file, tmp_path, tmp_path / ".." / tmp_path.name / "a.txt"]).sources) == 1
    )


@pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")
def test_whoever_names_a_pipe_hears_of_standard_input(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(FileFormatError, match=r"is a pipe.*\| fairvec document -'\)\.$"):
        read_sources([tmp_path / "fifo"])


# --- Tables of texts, whose headers strangers wrote ---


LONG = "x" * 200_000
"""Longer than a cell that Python reads by itself."""


def read(folder: Path, text: str, column: str | None = "text") -> list[str]:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return [one.text for one in read_sources([path], column=column).sources]


def test_a_header_may_have_a_long_cell_as_rows_may(tmp_path: Path) -> None:
    assert read(tmp_path, f"{LONG},text\n{LONG},He left.\n") == ["He left."]


@pytest.mark.parametrize("column", [None, "other"])
def test_the_error_of_a_long_header_is_short(tmp_path: Path, column: str | None) -> None:
    with pytest.raises((SettingError, UnknownNameError)) as error:
        read(tmp_path, f"{LONG},text\n1,He left.\n", column)
    assert len(str(error.value)) < 1000


def test_a_table_that_was_refused_leaves_the_next_one_readable(tmp_path: Path) -> None:
    """What a refused one holds, as its error does, must not be what others wait for."""
    with pytest.raises(SettingError, match="two columns") as error:
        read(tmp_path, "text,text\nHe,left\n")
    assert read(tmp_path, "text\nHe left.\n") == ["He left."]
    assert error.value.__traceback__ is not None  # held until here


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_rows_are_counted_and_cells_may_go_on(tmp_path: Path, delimiter: str) -> None:
    rows = [["id", "text"], ["1", '"She\nsaid ""no"""'], ["2", ""], ["3", "He"]]
    text = "".join(delimiter.join(row) + "\r\n" for row in rows)
    path = tmp_path / "table.tsv"
    path.write_text(text, newline="")
    opened = read_sources([path], column="text")
    assert [one.text for one in opened.sources] == ['She\nsaid "no"', "He"]
    assert [one.name.rpartition(" ")[2] for one in opened.sources] == ["2", "4"]
    assert len(opened.remarks) == 1


# --- Only what people read of markup is read, and it stands where it stood ---


READERS = {"html": visible_html, "markdown": visible_markdown}
SCRAPS = st.sampled_from(
    [
        *("she", "He", " ", "\n", "\r\n", "<b>", "</b>", "<p>", "<", ">", "&", "&amp;", "&#39;"),
        *("s", "&eacute;", "<!--", "-->", "`", "```", "\n\n", "](", ")", "[", "<script>", "'"),
        *("</script>", '"', "http://", "---\n", "    ", ".", "कि", "\x01", "<code>", "</code>"),
    ]
)


def read_markup(kind: str, text: str) -> Document:
    return parse_document(text, "en", read=READERS[kind](text))


def words(kind: str, text: str) -> list[str]:
    return [token.text for token in read_markup(kind, text).tokens]


@pytest.mark.parametrize("kind", READERS)
@given(st.lists(SCRAPS, max_size=40).map("".join))
def test_no_word_is_misplaced_however_broken_the_markup(kind: str, text: str) -> None:
    for token in read_markup(kind, text).tokens:
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
    document = read_markup("html", page)
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
    document = read_markup(
        "markdown", "# Title\nShe left\r\nthe house. He\nstayed.\n- one\n- two\n\nx\n"
    )
    text = [document.text[one.start : one.end] for one in document.sentences]
    assert text == ["# Title", "She left\r\nthe house.", "He\nstayed.", "- one", "- two", "x"]


def test_a_stop_after_an_address_ends_its_sentence() -> None:
    assert len(read_markup("markdown", "See https://she.org/x. He left.").sentences) == 2


@loop_over("kind", READERS)
@loop_over(
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
