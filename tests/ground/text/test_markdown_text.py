import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fairvec.core.text import escape_tags

page = MarkdownIt("commonmark")
ACTING = {"html_inline", "html_block", "link_open", "image", "code_inline"}


def acting(text: str) -> set[str]:
    tokens = page.parse(text)
    return ACTING & {one.type for token in tokens for one in (token, *(token.children or []))}


@pytest.mark.parametrize(
    "name",
    [
        "<img src=x onerror=alert(1)>",
        "</td><script>",
        "<!-- x -->",
        "<?php x ?>",
        "[x](https://a.example/y)",
        "![x](https://a.example/y)",
        "[x][y]\n\n[y]: https://a.example\n\n",
        "`x`",
        "<https://a.example>",
    ],
    ids=range(9),
)
def test_a_name_in_our_prose_does_nothing(name: str) -> None:
    assert acting(f"of {name} here")
    assert not acting(f"of {escape_tags(name)} here")


@given(st.text(alphabet="<>/!?[]()`:a \n\\x", max_size=20))
def test_no_name_begins_a_tag_a_link_or_code(name: str) -> None:
    assert not acting(f"of {escape_tags(name)} here")


@pytest.mark.parametrize("text", ["p < .001, d = [0.1, 0.2]", "a > b & c", "पुरुष (x)"])
def test_figures_are_written_as_they_are(text: str) -> None:
    assert escape_tags(text) == text
