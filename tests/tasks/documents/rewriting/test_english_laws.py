"""Laws of the rules of English, over sentences that nobody wrote."""

import re
from pathlib import Path
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.languages import en as english
from fairvec.languages.en.sentences import counterpart, terms
from fairvec.languages.rewriting import Aim, rewrite_table
from tests.tasks.documents.rewriting.english_sentences import certain, found

TABLE = rewrite_table("en")
TERMS = sorted(terms())
PRONOUNS = sorted(TABLE.lists["pronouns"])
COMMON = (
    "the", "a", "an", "every", "each", "any", "of", "to", "and", "or", "but", ",", ".", ";", ":",
    "!", "?", "(", ")", "-", "/", '"', "“", "”", "'", "'s", "is", "was", "has", "does", "must",
    "may", "said", "saw", "reads", "own", "book", "friend", "student", "player", "who", "if",
    "when", "Mary", "Paris", "In", "Mr.", "Ms.", "S/he", "(s)he", "only", "first", "I", "they",
    "1950", "naïve", "\u200d", "he or she", "his or her", "no man's land", "brothers and sisters",
    "every student must", "\n",
)  # fmt: skip
WORDS = st.one_of(
    st.sampled_from(COMMON),
    st.sampled_from(COMMON),
    st.sampled_from(PRONOUNS),
    st.sampled_from(TERMS),
)
CASED = st.builds(lambda word, case: case(word), WORDS, st.sampled_from([str, str, str.capitalize]))
JUMBLES = st.builds(
    lambda words, join: join.join(words),
    st.lists(CASED, max_size=25),
    st.sampled_from([" ", " ", ""]),
)
AIMS = st.sampled_from(get_args(Aim))

PAIRED = sorted(word for word in terms() if counterpart(word))
PERSON = st.sampled_from(PAIRED)
PLAIN = st.builds(
    str.format,
    st.sampled_from(
        [
            "The {0} lost {2} book.",
            "An {0} saw the {1}.",
            "A {0} said that {3} was tired.",
            "{4} met the {0} at a party.",
            "Then {3} saw {2} {0}.",
            "We saw the {0}'s house, and {3} stayed.",
            "{4} hurt {5}. The {1} left with {6}.",
            "The house of the {0} is {7}.",
        ]
    ),
    PERSON,
    PERSON,
    st.sampled_from(["his", "her"]),
    st.sampled_from(["he", "she", "he'd", "she's"]),
    st.sampled_from(["He", "She"]),
    st.sampled_from(["himself", "herself"]),
    st.sampled_from(["him", "her"]),
    st.sampled_from(["his", "hers"]),
)


@settings(max_examples=400, deadline=None)
@given(JUMBLES, AIMS)
def test_certain_changes_never_overlap_and_stand_where_they_say(text: str, aim: Aim) -> None:
    certain(text, aim)
    for proposal in found(text, aim):
        assert 0 <= proposal.start < proposal.end <= len(text)
        assert all(edit.old != edit.new for edit in proposal.edits)
        assert proposal.why.endswith((".", ")"))


@settings(max_examples=400, deadline=None)
@given(st.one_of(JUMBLES, PLAIN))
def test_a_neutral_text_stays_as_it_is(text: str) -> None:
    once = certain(text)
    assert certain(once) == once


@settings(max_examples=400, deadline=None)
@given(st.one_of(JUMBLES, PLAIN))
def test_two_swaps_give_the_text_again(text: str) -> None:
    assert certain(certain(text, "swap"), "swap") == text


@settings(max_examples=200, deadline=None)
@given(PLAIN)
def test_a_swap_changes_all_of_a_paragraph_or_nothing(text: str) -> None:
    proposals = found(text, "swap")
    assert len({proposal.certain for proposal in proposals}) == 1
    words = re.findall(r"[\w'-]+", text)
    gendered = [word for word in words if word.lower().removesuffix("'s") in terms()]
    edited = [edit.old for proposal in proposals for edit in proposal.edits]
    if edited:
        assert not set(gendered) - set(edited)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(TERMS), st.text(st.sampled_from("abcdefgxyz"), min_size=1, max_size=4))
def test_nothing_is_found_inside_a_word(term: str, more: str) -> None:
    inside = [f"{more}{term}{more}", f"{term}x{more}"]
    for word in inside:
        if " " not in word and "-" not in word and word not in terms():
            assert not found(f"It was {word} and more.")


def test_words_without_a_stop_are_flagged_alone() -> None:
    text = "the chairman and he or she saw his wife and " * 3000
    for aim in get_args(Aim):
        proposals = found(text, aim)
        assert proposals
        assert not any(proposal.certain for proposal in proposals)


def test_most_plain_sentences_of_one_sex_are_swapped() -> None:
    """The laws above would hold of rules that do nothing."""
    assert certain("The king lost his book.", "swap") == "The queen lost her book."
    assert certain("He met the widow at a party.", "swap") == "She met the widower at a party."


def test_every_rule_is_used_and_every_used_one_is_in_the_table() -> None:
    texts = (
        "The chairman left. Mankind left. A mother left. The man left. Mr Smith left.",
        "Sons and daughters left. He or she left. Every student must bring his book.",
        'A doctor lost his keys. He said "the chairman" twice. They met Chairman Mao.',
        "He left.",
        "Mary lost her keys.",
    )
    used = {one.rule for text in texts for aim in get_args(Aim) for one in found(text, aim)}
    assert used == set(TABLE.rules)


def test_every_table_and_list_is_asked_for() -> None:
    folder = Path(english.__file__).parent
    source = "\n".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    asked = set(re.findall(r'"([a-z_]+)"', source))
    assert set(TABLE.lists) <= asked
    assert set(TABLE.tables) <= asked


def test_counterparts_are_mutual_and_each_word_stands_once() -> None:
    sides = [side for term in TABLE.terms for side in (term.a, term.b) if side]
    assert len(sides) == len(set(sides))
    assert all(counterpart(counterpart(word)) == word for word in PAIRED)
    assert all(side == side.lower() for side in sides)
    assert all(term.rule in TABLE.rules for term in TABLE.terms)


def test_no_neutral_word_is_gendered_itself() -> None:
    neutral = {term.neutral for term in TABLE.terms if term.neutral}
    gendered = {word for word in terms() if terms()[word].neutral != word}
    assert not {word for text in neutral for word in text.split()} & gendered
