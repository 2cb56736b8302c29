"""What holds of every term of the Russian table and of any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.documents.check import proposals
from fairvec.languages.rewriting import Aim, GenderedTerm, apply_edits, rewrite_table
from fairvec.languages.ru.morphology import forms_of, gender_of, noun_form
from fairvec.languages.text import parse_document
from tests.tasks.documents.rewriting.russian_sentences import NEUTRAL, SWAPPED

pytest.importorskip("pymorphy3", reason="the forms of Russian words need the extra russian")

TERMS = rewrite_table("ru").terms
PAIRS = [term for term in TERMS if term.a and term.b]
FRAMES = {
    "nomn": "Вот и {} смотрит в окно.",
    "gent": "Мы пришли от {}.",
    "datv": "Мы пришли к {}.",
    "accs": "Мы спорили про {}.",
    "ablt": "Мы спорили с {}.",
    "loct": "Мы спорили о {}.",
}
ADJECTIVES = {
    "masc": ("умный", "умного", "умному", "умного", "умным", "умном"),
    "femn": ("умная", "умной", "умной", "умную", "умной", "умной"),
}


def changed(text: str, aim: Aim) -> str:
    found = proposals(parse_document(text, "ru"), aim)
    return apply_edits(text, [one for one in found if one.certain])


def framed(lemma: str, gender: str, *, yo: bool) -> list[str]:
    """Return a sentence a case with the noun in the singular and an adjective before it."""
    texts = [
        frame.format(f"{adjective} {noun_form(lemma, case, 'sing')}")
        for (case, frame), adjective in zip(FRAMES.items(), ADJECTIVES[gender], strict=True)
    ]
    return [text if yo else text.replace("ё", "е") for text in texts]


def doubtful(text: str, lemma: str) -> bool:
    """Whether the form of a lemma in a text is also that of a thing or of another word."""
    readings = [forms_of(word) for word in text.strip(".").split()]
    mine = [forms for forms in readings if any(form.lemma == lemma for form in forms)]
    return any("inan" in form.tags or form.lemma != lemma for forms in mine for form in forms)


@pytest.mark.parametrize("term", PAIRS, ids=[f"{term.a}-{term.b}" for term in PAIRS])
def test_a_pair_changes_places_in_every_case(term: GenderedTerm) -> None:
    men, women = framed(term.a, "masc", yo=False), framed(term.b, "femn", yo=False)
    for one, other in zip(men, women, strict=True):
        for text, wanted, lemma in ((one, other, term.a), (other, one, term.b)):
            assert changed(text, "swap") in {wanted, text if doubtful(text, lemma) else wanted}


@pytest.mark.parametrize("number", ["sing", "plur"])
@pytest.mark.parametrize("case", list(FRAMES))
def test_what_was_swapped_can_be_swapped_back(case: str, number: str) -> None:
    many = number == "plur" and case == "nomn"
    frame = "Дом стоит у реки, {} смотрят в окно." if many else FRAMES[case]
    back = 0
    for term in PAIRS:
        for lemma in (term.a, term.b):
            text = frame.format(noun_form(lemma, case, number)).replace("ё", "е")
            once = changed(text, "swap")
            twice = changed(once, "swap")
            assert twice in {text, once}
            back += once != text == twice
    # Each pair could be swapped both ways, less the plurals that may mean men and women.
    lists = rewrite_table("ru").lists
    able = [
        term
        for term in PAIRS
        if number == "sing"
        or (term.rule not in lists["generic_rules"] and term.a not in lists["generic_plurals"])
    ]
    assert len(able) < back <= 2 * len(able)


def test_few_forms_are_of_another_word_too() -> None:
    texts = [(t, term.a) for term in PAIRS for t in framed(term.a, "masc", yo=False)]
    texts += [(t, term.b) for term in PAIRS for t in framed(term.b, "femn", yo=False)]
    left = [text for text, _ in texts if changed(text, "swap") == text]
    assert len(left) < len(texts) / 20


def test_no_term_is_taken_for_a_word_bound_to_one_gender() -> None:
    stems = tuple(stem.replace("ё", "е") for stem in rewrite_table("ru").lists["bound"])
    for term in TERMS:
        for lemma in filter(None, (term.a, term.b, term.neutral)):
            assert not lemma.replace("ё", "е").startswith(stems), lemma


def test_every_term_is_a_noun_of_its_gender_in_the_dictionary() -> None:
    for term in TERMS:
        assert not term.a or gender_of(term.a) == "masc", term.a
        assert not term.b or gender_of(term.b) == "femn", term.b
    lemmas = [lemma for term in TERMS for lemma in (term.a, term.b) if lemma]
    assert len(lemmas) == len(set(lemmas))


def test_a_rule_of_the_table_is_named_by_its_terms() -> None:
    assert {term.rule for term in TERMS} <= set(rewrite_table("ru").rules)


@pytest.mark.parametrize("text", [*SWAPPED, *NEUTRAL])
def test_neutral_is_reached_at_once(text: str) -> None:
    once = changed(text, "neutral")
    assert changed(once, "neutral") == once


VOCABULARY = [
    *{word for text in (*SWAPPED, *NEUTRAL) for word in text.replace(".", " .").split()},
    *',:;—«»"()!?…',
    "\n",
    "о́н",
    "учи́тель",
    "\u00ad",
    "-",
    "учителЯ",
    "7",
    "Google",
    "😀",
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(VOCABULARY), max_size=30), st.sampled_from(["swap", "neutral"]))
def test_what_is_certain_can_always_be_applied(words: list[str], aim: Aim) -> None:
    text = " ".join(words)
    document = parse_document(text, "ru")
    found = proposals(document, aim)
    new = apply_edits(text, [one for one in found if one.certain])
    assert (new != text) == any(one.certain for one in found)
    if aim == "neutral":
        assert changed(new, "neutral") == new
    assert text.count("\n") == new.count("\n")


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="абвгеёийоУчительОнца «»\"'-–.,\n\r\u2028\u0301\x00", max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    for aim in ("swap", "neutral"):
        assert len(changed(text, aim).splitlines()) == len(text.splitlines())
