"""New forms are written as the text writes its own, however long it is."""

import pytest

from fairvec.documents.check import proposals
from fairvec.languages.rewriting import apply_edits
from fairvec.languages.text import parse_document

pytest.importorskip("pymorphy3", reason="pymorphy3 is not installed")


class Watched(str):
    """Counts how often all of it is made small."""

    __slots__ = ()
    lowered = 0

    def lower(self) -> str:
        Watched.lowered += 1
        return super().lower()


def test_a_long_text_is_not_gone_through_for_every_change() -> None:
    text = Watched("Учительница читает книгу.\n" * 50)
    found = proposals(parse_document(text, "ru"), "neutral")
    assert sum(one.certain for one in found) == 50
    assert Watched.lowered <= 2


@pytest.mark.parametrize(("mark", "came"), [("Ёлка горит.", "пришёл"), ("Ель горит.", "пришел")])
def test_a_new_form_has_the_letter_yo_where_the_text_has_it(mark: str, came: str) -> None:
    text = f"Учительница пришла.\n{mark}\n"
    found = proposals(parse_document(text, "ru"), "swap")
    assert apply_edits(text, found) == f"Учитель {came}.\n{mark}\n"
