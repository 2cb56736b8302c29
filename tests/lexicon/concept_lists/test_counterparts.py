"""Every word of a concept has one counterpart, and that leads back."""

import pytest

from fairvec.core.errors import LexiconError
from fairvec.lexicon import Concept, concept, counterparts, parse_concepts, shipped_concepts


def made(pairs: str, more: str = "") -> Concept:
    (found,) = parse_concepts(f"""
version = "1"
language = "en"
[concepts.toy]
title = "Toy"
source = "Toy (2026)"
licence = "None needed."
default = "pairs"
{more}
[concepts.toy.variants.pairs]
{pairs}
""")
    return found


@pytest.mark.parametrize("name", [each.id for each in shipped_concepts() if each.definition.pairs])
def test_the_way_there_and_back_leads_to_the_word_as_listed(name: str) -> None:
    listed = concept(name)
    found = dict(counterparts(listed))
    for word, its in found.items():
        assert its != word
        back = found[its]
        assert back == word or found[back] == its
    variants = {
        spelling.casefold()
        for pair in (*listed.definition.pairs, *listed.equalise)
        for word in pair
        for spelling in word.variants
    }
    assert all(found[its] == word for word, its in found.items() if word not in variants)


def test_names_and_entries_of_several_words_are_left_alone() -> None:
    found = dict(counterparts(concept("en/gender")))
    assert (found["dad"], found["he"], found["wives"]) == ("mom", "she", "husbands")
    assert not {"john", "mary", "nun", "catholic_priest", "twin_brother"} & {*found}


def test_of_two_pairs_with_one_word_the_first_is_taken() -> None:
    pairs = 'pairs = [["his", "her"], ["him", "her"], ["he", "she"]]'
    assert counterparts(made(pairs, 'equalise = [["he", "it"]]')) == (
        ("his", "her"),
        ("her", "his"),
        ("he", "she"),
        ("she", "he"),
    )


def test_a_variant_leads_to_the_counterpart_as_listed() -> None:
    pairs = 'pairs = [["uncle", { word = "aunt", variants = ["auntie"] }]]'
    assert dict(counterparts(made(pairs))) == {
        "uncle": "aunt",
        "aunt": "uncle",
        "auntie": "uncle",
    }


@pytest.mark.parametrize(
    ("pairs", "more"),
    [
        ('sets = [["jew", "christian", "muslim"]]', ""),
        ('words = ["he", "she", "man"]', ""),
        ('pairs = [["he", "she"]]', 'equalise = [["black", "white", "asian"]]'),
    ],
    ids=["sets", "words", "equality of three"],
)
def test_of_three_words_none_is_the_counterpart(pairs: str, more: str) -> None:
    with pytest.raises(LexiconError, match="of three words none is the counterpart"):
        counterparts(made(pairs, more))


def test_names_alone_leave_nothing_to_swap() -> None:
    with pytest.raises(LexiconError, match="no names"):
        counterparts(made('pairs = [["John", "Mary"]]'))
