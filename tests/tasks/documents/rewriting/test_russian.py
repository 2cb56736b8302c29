"""Real sentences: what is rewritten, what is flagged, what is left alone."""

import sys

import pytest

from fairvec.core.errors import MissingExtraError
from fairvec.documents.check import proposals
from fairvec.languages.rewriting import Aim, Proposal, apply_edits, rewrite_table
from fairvec.languages.ru import morphology
from fairvec.languages.ru.rewriting import propose
from fairvec.languages.text import parse_document
from tests.tasks.documents.rewriting.russian_sentences import NEUTRAL, SWAPPED, UNTOUCHED

pytest.importorskip("pymorphy3", reason="the forms of Russian words need the extra russian")

CASES: list[tuple[Aim, str, str]] = [
    *(("swap", text, wanted) for text, wanted in SWAPPED.items()),
    *(("neutral", text, wanted) for text, wanted in NEUTRAL.items()),
]


def proposed(text: str, aim: Aim) -> tuple[Proposal, ...]:
    return proposals(parse_document(text, "ru"), aim)


def changed(text: str, aim: Aim) -> str:
    return apply_edits(text, [one for one in proposed(text, aim) if one.certain])


@pytest.mark.parametrize(("aim", "text", "wanted"), CASES, ids=[f"{a} {t}" for a, t, _ in CASES])
def test_a_sentence_becomes_what_a_reader_wants(aim: Aim, text: str, wanted: str) -> None:
    found = proposed(text, aim)
    if wanted == UNTOUCHED:
        assert found == ()
    elif wanted:
        assert changed(text, aim) == wanted
    else:
        assert found
        assert not any(one.certain for one in found), changed(text, aim)


@pytest.mark.parametrize("aim", ["swap", "neutral"])
def test_every_proposal_says_where_why_and_by_which_rule(aim: Aim) -> None:
    rules = rewrite_table("ru").rules
    for kind, text, _ in CASES:
        for one in proposed(text, aim) if kind == aim else ():
            assert one.rule in rules
            assert one.why.endswith(".")
            assert text[one.start : one.end].strip()
            for edit in one.edits:
                assert one.start <= edit.start < edit.end <= one.end
                assert text[edit.start : edit.end] == edit.old != edit.new


def test_every_rule_is_used_by_a_sentence() -> None:
    used = {one.rule for aim, text, _ in CASES for one in proposed(text, aim)}
    assert used == set(rewrite_table("ru").rules)


def test_a_noun_its_adjective_and_its_verb_are_accepted_together() -> None:
    (one,) = proposed("Моя старая учительница ушла.", "swap")
    assert [edit.new for edit in one.edits] == ["Мой", "старый", "учитель", "ушел"]
    assert (one.rule, one.group) == ("occupation", "b")


def test_people_that_nothing_ties_together_are_accepted_one_by_one() -> None:
    first, second = proposed("Для мальчиков и девочек построили площадку.", "swap")
    assert [edit.new for edit in (*first.edits, *second.edits)] == ["девочек", "мальчиков"]
    assert (first.group, second.group) == ("a", "b")


def test_a_pronoun_ties_all_of_its_sentence_together() -> None:
    (one,) = proposed("Он сказал матери правду.", "swap")
    assert [edit.new for edit in one.edits] == ["Она", "сказала", "отцу"]
    assert (one.rule, one.group) == ("pronoun", "")


def test_a_paragraph_changes_as_one() -> None:
    text = "Учитель вошёл в класс. Он улыбнулся."
    assert changed(text, "swap") == "Учительница вошла в класс. Она улыбнулась."
    for rest in (
        "Его знал Иван Петров.",
        "Он стоял у окна.",
        "Потом вышел.",
        "Дверь закрыла Анна.",
    ):
        assert changed(f"{text} {rest}", "swap") == f"{text} {rest}"
        assert "Учительница вошла" in changed(f"{text}\n{rest}", "swap")


@pytest.mark.parametrize("first", ["Молодой человек", "Инженер", "Рыцарь"])
def test_a_pronoun_after_somebody_who_keeps_a_gender_keeps_it_too(first: str) -> None:
    text = f"{first} вошёл в класс. Он улыбнулся."
    found = proposed(text, "swap")
    assert found
    assert not any(one.certain for one in found), changed(text, "swap")
    assert "Она улыбнулась" in changed(text.replace(". ", ".\n"), "swap")
    text = f"{first} обнял жену. Он улыбнулся."
    assert changed(text, "swap") == text


def test_capitals_and_yo_are_those_of_the_text() -> None:
    assert changed("Актёр ушёл.", "swap") == "Актриса ушла."
    assert changed("Актриса ушла, и всё стихло.", "swap") == "Актёр ушёл, и всё стихло."
    assert changed("Актриса ушла.", "swap") == "Актер ушел."
    text = "АКТРИСА играет в театре, а зрители смотрят и слушают."
    assert changed(text, "swap") == text.replace("АКТРИСА", "АКТЕР")


def test_what_is_quoted_is_flagged_in_all_kinds_of_marks() -> None:
    for left, right in ("«»", '""', "„“", "“”"):
        text = f"На стене написали {left}мальчики поют{right} мелом."
        (one,) = proposed(text, "swap")
        assert not one.certain


def test_other_languages_and_no_text_give_nothing() -> None:
    for text in ("", "\n\n", "The teacher said that she was tired.", "वह अध्यापिका है।", "123 45"):
        assert proposed(text, "swap") == proposed(text, "neutral") == ()


def test_a_sentence_without_end_is_only_flagged() -> None:
    text = "мальчик пел, " * 60 + "и все."
    found = proposed(text, "swap")
    assert len(found) == 60
    assert not any(one.certain for one in found)


def test_a_missing_dictionary_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymorphy3", None)
    monkeypatch.setattr(morphology, "_cache", {})
    morphology._analyzer.cache_clear()
    with pytest.raises(MissingExtraError, match=r"fairvec\[russian\]"):
        propose(parse_document("Учитель ушёл.", "ru"), "swap")
