"""Who is mentioned, what is coded and what could be changed: counted, with its certainty."""

import pytest

from fairvec.documents.measure import (
    Sample,
    coded_figures,
    match_document,
    mention_figures,
    term_figures,
)
from fairvec.languages.people import coded_words, people_lists
from fairvec.languages.rewriting import Edit, Proposal
from fairvec.languages.text import parse_document
from fairvec.results import DocumentFigure
from fairvec.stats import holm
from tests.results.documents import IDENTITY

LISTS = people_lists("en")


def texts(*written: str) -> Sample:
    return Sample(tuple(match_document(parse_document(text, "en")) for text in written))


def mentions(*written: str) -> dict[str, DocumentFigure]:
    return {one.what: one for one in mention_figures(IDENTITY, texts(*written), LISTS)}


def test_shares_by_role_and_in_all() -> None:
    found = mentions("He saw her.\nMr Smith left. She stayed, he said.")
    counts = {what: (one.count_a, one.count_b) for what, one in found.items()}
    assert counts == {
        "all": (3, 2),
        "subject-pronoun": (2, 1),
        "object-or-possessive-pronoun": (0, 1),
        "title": (1, 0),
    }
    assert found["all"].value == pytest.approx(0.4)
    assert found["all"].neutral == 0.5


def test_too_few_paragraphs_decide_nothing_and_say_so() -> None:
    found = mentions("He. He. He. He. He. He. He.\nHe and she.")["all"]
    assert found.p is None
    assert found.p_holm is None
    assert found.interval is None
    assert "too few paragraphs have more of one than of the other (1)" in found.sentence


def test_what_a_paragraph_repeats_is_one_piece_of_evidence() -> None:
    once = mentions("\n".join(["He left."] * 6))["all"]
    often = mentions("\n".join(["He left. He left. He left."] * 6))["all"]
    assert once.p == often.p == pytest.approx(2 / 2**6)
    assert once.interval == often.interval
    assert "more of men than chance alone would make" in once.sentence


def test_even_texts_are_not_called_uneven() -> None:
    found = mentions("\n".join(["He left.", "She left."] * 10))["all"]
    assert found.p == 1.0
    assert found.sentence.endswith("10 of men: as many of one as of the other.")
    more = mentions("\n".join(["He left.", "She left."] * 10 + ["He left."]))["all"]
    assert "chance alone could make such a difference (p = 1)" in more.sentence


def test_documents_are_the_units_of_a_folder() -> None:
    found = mentions(*["He left.\nHe left."] * 6)["all"]
    assert found.unit == "documents"
    assert found.p == pytest.approx(2 / 2**6)


def test_p_is_corrected_over_the_roles() -> None:
    found = mentions("\n".join(["He left his house. Mr Lee."] * 8 + ["She."] * 2))
    asked = [one for one in found.values() if one.p is not None and one.what != "all"]
    assert len(asked) > 1
    expected = holm([one.p for one in asked])  # type: ignore[arg-type]
    assert [one.p_holm for one in asked] == pytest.approx(expected.tolist())


def test_what_holds_alone_and_not_among_all_says_so() -> None:
    found = mentions("\n".join(["He left his house."] * 6))
    whole = found.pop("all")
    assert whole.p == whole.p_holm == pytest.approx(2 / 2**6)
    assert "but not" not in whole.sentence
    for one in found.values():
        assert one.p == pytest.approx(2 / 2**6)
        assert one.p_holm == pytest.approx(2 * 2 / 2**6)
        assert "than chance alone would make (p = 0.031), but not among all roles" in one.sentence
    for one in mentions("\n".join(["He left his house."] * 9)).values():
        assert "but not" not in one.sentence


def test_nobody_mentioned_gives_no_figure() -> None:
    assert mentions("It rained.") == {}


def test_coded_words_are_compared_as_shares() -> None:
    (found,) = coded_figures(IDENTITY, texts("Lead. Compete. Kind."), coded_words("en"))
    assert (found.count_a, found.count_b) == (2, 1)
    assert found.value == pytest.approx(1 / 3)
    assert "made for job advertisements" in found.sentence
    written = "\n".join(["We lead."] * 8)
    (found,) = coded_figures(IDENTITY, texts(written), coded_words("en"))
    assert found.interval is not None
    assert found.interval.high == 1.0
    assert found.p == pytest.approx(2 / 2**8)
    assert coded_figures(IDENTITY, texts("It rained."), coded_words("en")) == ()


def test_terms_are_counted_by_certainty() -> None:
    edit = Edit(0, 1, "a", "b")
    proposed = [Proposal(0, 1, "r", "w", (edit,), "a"), Proposal(2, 3, "r", "w", (), "b")]
    (found,) = term_figures(IDENTITY, proposed, "neutral", LISTS, "paragraphs")
    assert (found.value, found.count_a, found.count_b) == (1, 1, 1)
    assert "1 term can be made neutral, and 1 more is only flagged" in found.sentence


def test_equal_counts_are_no_difference_to_be_told_from_chance() -> None:
    found = mentions("He saw her.\nShe saw him.")
    assert found["all"].sentence.endswith("as many of one as of the other.")
