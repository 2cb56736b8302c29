"""Names are kept, and swapped with all that is said of them where that is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.documents.check import proposals
from fairvec.languages.people import paired_names
from fairvec.languages.rewriting import apply_edits
from fairvec.languages.text import parse_document

NAMES = [name.capitalize() for name, _ in paired_names("en")]
SENTENCES = (
    "{0} said that she was late.",
    "{0} lost his keys.",
    "Yesterday {0} met {1}.",
    "{0}'s brother wrote to {1} Miller.",
    "The teacher told {0} that he could go home.",
)


def swapped(text: str, *, names: bool = True) -> str:
    found = proposals(parse_document(text, "en"), "swap", swap_names=names)
    return apply_edits(text, found)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Mary said that she was late.", "James said that he was late."),
        ("John Miller lost his keys.", "Patricia Miller lost her keys."),
        ("Mary Thomas left her office.", "James Thomas left his office."),
        ("Mary’s brother met David.", "James’s sister met Barbara."),
        ("We saw Mary in London.", "We saw James in London."),
    ],
)
def test_first_names_go_with_their_words(text: str, wanted: str) -> None:
    assert swapped(text) == wanted
    assert swapped(wanted) == text
    assert swapped(text, names=False) == text


@pytest.mark.parametrize(
    "text",
    [
        "Zelda said that she was late.",
        "King George lost his crown.",
        "Mary told Zelda that she was late.",
        '"Mary lost her keys," he said.',
        "MARY LOST HER KEYS.",
    ],
)
def test_what_may_be_another_name_is_left_alone(text: str) -> None:
    assert swapped(text) == text


@given(st.sampled_from(SENTENCES), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_swapping_names_twice_gives_the_text_again(form: str, one: str, other: str) -> None:
    text = form.format(one, other)
    once = swapped(text)
    assert once != text
    assert swapped(once) == text


def test_names_have_counterparts_in_english_alone() -> None:
    with pytest.raises(SettingError, match="in en alone"):
        proposals(parse_document("Мария ушла.", "ru"), "swap", swap_names=True)
