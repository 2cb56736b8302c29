from fairvec.report.documents.marked_text import (
    LONG_LINE,
    as_html,
    block_ends,
    shortened_quote,
    utf16_places,
)


def test_blocks_end_with_lines_and_long_lines_with_words() -> None:
    lines = "a line of words\n" * 1_000
    assert all(lines[end - 1] == "\n" for end in block_ends(lines))
    assert len(block_ends(lines)) == 8
    words = "word " * 10_000
    assert [words[end - 1] for end in block_ends(words)] == [" "] * 7
    assert block_ends("x" * 3 * LONG_LINE) == [3 * LONG_LINE]
    assert block_ends("") == []


def test_places_as_a_browser_counts() -> None:
    text = "a🙂é𝒳b"
    assert list(utf16_places(text)) == [
        len(text[:end].encode("utf-16-le")) // 2 for end in range(len(text) + 1)
    ]
    assert list(utf16_places("abc")) == [0, 1, 2, 3]


def test_signs_that_html_would_change_are_kept() -> None:
    assert as_html("a\r\n<\0>") == "a&#13;\n&lt;␀&gt;"


def test_a_quote_is_one_line_of_whole_words() -> None:
    assert shortened_quote("short\n text") == "short text"
    assert shortened_quote("one two three", 8) == "one two …"
    assert shortened_quote("x" * 50, 10) == "x" * 10 + " …"
