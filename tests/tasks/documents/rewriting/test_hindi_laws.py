"""Laws of the Hindi table and of what is made of it, whatever the text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.documents.check import proposals
from fairvec.languages.hi import propose
from fairvec.languages.hi.morphology import (
    agreeing,
    fold,
    forms_of,
    inflect_adjective,
    nouns,
    verb_forms,
    verb_key,
)
from fairvec.languages.rewriting import Aim, apply_edits, rewrite_table
from fairvec.languages.text import parse_document, token_pattern

TABLE = rewrite_table("hi")
TERMS = range(len(TABLE.terms))
PAIRS = [term for term in TABLE.terms if term.a and term.b]

PIECES = sorted(
    {form for lemma in TABLE.tables["forms"] for form in forms_of(lemma)}
    | {word for name in TABLE.lists for word in TABLE.lists[name]}
    | {form for four in verb_forms().values() for form in four if form[0] in "आजगथरहबच"}
)
WORDS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9)
# Most random rows of words are flagged: these have the shape of a sentence.
SHAPES = st.tuples(
    st.sampled_from(["", "उसकी", "उसके", "उसका", "मेरी छोटी", "एक", "वह एक", "दो", "राम के", "अपनी"]),
    st.sampled_from(sorted({form for t in PAIRS for x in (t.a, t.b) for form in forms_of(x)})),
    st.sampled_from(
        ["को बुलाओ", "ने कहा", "घर गई", "घर गया", "घर गए थे", "है", "हैं", "थी", "रोने लगीं", "आते हैं"]
    ),
).map(" ".join)
TEXTS = st.one_of(WORDS.map(" ".join), SHAPES, st.text(max_size=60))
JOINTS = st.sampled_from([" ", "। ", ", ", "  ", "\n", "-", "\u200d"])


def spelled_alike(text: str) -> list[str]:
    return [verb_key(word) for word in re.split(r"(\s+)", text)]


@pytest.mark.parametrize("number", TERMS)
def test_each_term_has_all_its_forms_on_both_sides(number: int) -> None:
    term = TABLE.terms[number]
    assert term.a or term.b
    for lemma in filter(None, (term.a, term.b, term.neutral)):
        forms = forms_of(lemma)
        assert len(forms) == 5
        assert forms[0] == lemma
        assert all(form == form.strip() and form for form in forms)


def test_no_word_is_of_two_terms_or_of_both_sides() -> None:
    lemmas = [lemma for term in TABLE.terms for lemma in (term.a, term.b) if lemma]
    assert len(lemmas) == len(set(lemmas))
    for term in TABLE.terms:
        for lemma in filter(None, (term.a, term.b)):
            assert {nouns()[fold(form)].lemma for form in forms_of(lemma)} == {lemma}


def test_a_neutral_word_is_not_gendered_and_its_grammar_is_known() -> None:
    genders = TABLE.tables["grammatical_gender"]
    assert {term.neutral for term in TABLE.terms if term.neutral} == set(genders)
    assert set(genders.values()) <= {"m", "f", "common"}
    assert not {fold(form) for lemma in genders for form in forms_of(lemma)} & set(nouns())


def test_no_form_is_without_a_term() -> None:
    used = {lemma for term in TABLE.terms for lemma in (term.a, term.b, term.neutral)}
    assert set(TABLE.tables["forms"]) == used - {""}


def test_a_title_has_no_counterpart() -> None:
    assert not any(term.rule == "title" for term in PAIRS)


def test_every_rule_has_terms_and_every_term_a_rule() -> None:
    assert {term.rule for term in TABLE.terms} == set(TABLE.rules)


@pytest.mark.parametrize("rule", sorted(TABLE.rules))
def test_every_rule_is_used(rule: str) -> None:
    lemma = next(term.a or term.b for term in TABLE.terms if term.rule == rule)
    (found,) = propose(parse_document(f"{lemma} को बुलाओ।", "hi"), "swap")
    assert found.rule == rule


@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_a_pair_is_swapped_form_by_form(number: int) -> None:
    term = PAIRS[number]
    for cell in (1, 3):
        one, other = forms_of(term.a)[cell], forms_of(term.b)[cell]
        first, second = f"मैंने उसके {one} को बुलाया।", f"मैंने उसकी {other} को बुलाया।"
        of_all = one in TABLE.lists["said_of_all"]
        expected = first if of_all else second
        assert apply_edits(first, propose(parse_document(first, "hi"), "swap")) == expected
        assert apply_edits(second, propose(parse_document(second, "hi"), "swap")) == first


@pytest.mark.parametrize(
    ("form", "four"),
    [
        ("गई", ("गया", "गए", "गई", "गईं")),
        ("गयी", ("गया", "गए", "गई", "गईं")),
        ("हुये", ("हुआ", "हुए", "हुई", "हुईं")),
        ("जाएंगी", ("जाएगा", "जाएँगे", "जाएगी", "जाएँगी")),
        ("जायेगा", ("जाएगा", "जाएँगे", "जाएगी", "जाएँगी")),
        ("होंगे", ("होगा", "होंगे", "होगी", "होंगी")),
        ("देंगी", ("देगा", "देंगे", "देगी", "देंगी")),
        ("पिएगी", ("पिएगा", "पिएँगे", "पिएगी", "पिएँगी")),
        ("बैठेंगे", ("बैठेगा", "बैठेंगे", "बैठेगी", "बैठेंगी")),
        ("सोई", ("सोया", "सोए", "सोई", "सोईं")),
        ("दौड़ीं", ("दौड़ा", "दौड़े", "दौड़ी", "दौड़ीं")),
        ("करती", ("करता", "करते", "करती", "करतीं")),
        ("थीं", ("था", "थे", "थी", "थीं")),
    ],
)
def test_verbs_have_their_four_forms(form: str, four: tuple[str, ...]) -> None:
    assert verb_forms()[verb_key(form)] == four


@pytest.mark.parametrize("form", ["किया", "पढ़ी", "देखा", "दी", "खाए"])
def test_a_perfective_that_takes_ne_does_not_agree_with_its_subject(form: str) -> None:
    assert verb_key(form) not in verb_forms()


def test_what_agrees_has_three_endings() -> None:
    for word, ending in agreeing().values():
        assert agreeing()[fold(inflect_adjective(word, ending))] == (word, ending)
    assert [inflect_adjective("नया", ending) for ending in "ाेी"] == ["नया", "नए", "नई"]
    assert agreeing()[fold("नयी")] == ("नया", "ी")


@given(st.lists(TEXTS, min_size=1, max_size=4), JOINTS, st.sampled_from(["swap", "neutral"]))
def test_whatever_the_text_words_are_changed_whole_and_nothing_else(
    texts: list[str], joint: str, aim: Aim
) -> None:
    text = joint.join(texts)
    document = parse_document(text, "hi")
    found = proposals(document, aim)
    apply_edits(text, found)
    inside = re.compile(f"{token_pattern().pattern}|[\u200c\u200d]")
    for proposal in found:
        assert proposal.rule in TABLE.rules
        assert proposal.why
        places = [(edit.start, edit.end) for edit in proposal.edits]
        for start, end in [*places, (proposal.start, proposal.end)]:
            assert not inside.fullmatch(text[max(0, start - 1) : start])
            assert not inside.fullmatch(text[end : end + 1])


@given(TEXTS)
def test_a_swap_is_undone_or_flagged_and_never_a_third_text(text: str) -> None:
    once = apply_edits(text, propose(parse_document(text, "hi"), "swap"))
    again = propose(parse_document(once, "hi"), "swap")
    if once != text and all(found.certain for found in again):
        assert spelled_alike(apply_edits(once, again)) == spelled_alike(text)


@given(TEXTS)
def test_neutral_twice_is_neutral_once(text: str) -> None:
    once = apply_edits(text, propose(parse_document(text, "hi"), "neutral"))
    assert apply_edits(once, propose(parse_document(once, "hi"), "neutral")) == once
