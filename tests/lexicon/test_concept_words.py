"""Words of a concept and their counterparts."""

import numpy as np
import pytest

from fairvec.core.errors import LexiconError
from fairvec.embedding import Embedding
from fairvec.lexicon import (
    Concept,
    ConceptWords,
    concept,
    counterparts,
    parse_concepts,
    shipped_concepts,
)
from fairvec.lexicon.concepts import Definition
from tests.lexicon.lists import CONCEPT_TEXT

# --- concept words ---


def words(*keys: str, about: Concept | None = None) -> ConceptWords:
    (toy,) = parse_concepts(CONCEPT_TEXT)
    return ConceptWords(about or toy, Embedding(list(keys), np.ones((len(keys), 2)), name="m"))


def test_spelling_rules_of_the_language_apply() -> None:
    about = concept("hi/gender:pairs")
    found = words("माँ", "पिता", about=about).words(about.definition.entries)
    assert found.keys == ("पिता", "माँ")
    assert "माता" in found.missing


def test_pairs_that_reach_the_same_keys_count_once() -> None:
    about = concept("en/gender")
    found = words("dad", "mom", "he", "she", "uncle", about=about).pairs(about.equalise)
    assert found.pairs == (("dad", "mom"), ("he", "she"))
    assert ("uncle", "aunt") in found.left_out
    assert ("Dad", "Mom") not in found.left_out
    assert "aunt" in found.missing


def test_two_words_at_one_key_are_no_pair() -> None:
    (toy,) = parse_concepts(CONCEPT_TEXT.replace('["uncle", "aunt"]', '["Uncle", "uncle"]'))
    found = words("uncle", about=toy).pairs(toy.equalise)
    assert found.pairs == ()
    assert found.left_out == (("Uncle", "uncle"),)


def test_an_entry_that_is_only_there_in_parts_has_no_vector_to_move() -> None:
    (toy,) = parse_concepts(CONCEPT_TEXT.replace('"beard"', '"long beard"'))
    found = words("long", "beard", about=toy).words(toy.specific)
    assert found.keys == ()
    assert found.missing == ("long beard",)


def test_too_few_pairs_and_words_are_named() -> None:
    known = words("man", "woman", "he")
    with pytest.raises(LexiconError, match=r"x: of its pairs \(2\) 1 can .* m lacks she; .*list"):
        known.pairs_of(known.concept.definition, "x")
    with pytest.raises(LexiconError, match=r"x: of its words \(2\) 2 can be used and 3 must be"):
        known.list_of(known.concept.variants["list"], "x")


SETS = CONCEPT_TEXT.replace(
    'words = ["man", "woman"]', 'sets = [["a", "b", "c"], ["a", "b", "d"], ["e", "f"], ["E", "f"]]'
)


def sets(*keys: str) -> ConceptWords:
    (toy,) = parse_concepts(SETS)
    return words(*keys, about=toy.choosing("list"))


def test_defining_sets_may_share_words_and_sets_to_equalise_may_not() -> None:
    known = sets("a", "b", "c", "d", "e", "f")
    definition = known.concept.definition
    found = known.sets_of(definition, "x")
    assert found.sets == (("a", "b", "c"), ("a", "b", "d"), ("e", "f"))
    assert found.left_out == ()
    assert found.keys == ("a", "b", "c", "d", "e", "f")
    apart = known.sets(definition.sets)
    assert apart.sets == (("a", "b", "c"), ("e", "f"))
    assert apart.left_out == (("a", "b", "d"),)


def test_a_set_with_a_missing_word_is_left_out_entirely() -> None:
    known = sets("a", "b", "d", "e", "f")
    found = known.sets_of(known.concept.definition, "x")
    assert found.sets == (("a", "b", "d"), ("e", "f"))
    assert found.left_out == (("a", "b", "c"),)
    assert found.missing == ("c",)
    fewer = sets("e", "f")
    with pytest.raises(LexiconError, match=r"x: of its sets \(4\) 1 can .* m lacks a, b, c, d;"):
        fewer.sets_of(fewer.concept.definition, "x")


def test_a_concept_of_sets_or_of_a_list_has_no_pairs_and_names_what_has() -> None:
    for name, kind in (("en/religion", "sets"), ("hi/caste", "a list of words")):
        about = concept(name)
        with pytest.raises(LexiconError, match=f"{about.name} is defined by {kind}, and pairs"):
            words("he", about=about).pairs_of(about.definition, about.name)
    both = Concept(
        variants={
            "sets": Definition.model_validate({"sets": [["he", "she", "they"]]}),
            "pairs": Definition.model_validate({"pairs": [["he", "she"]]}),
        },
        id="gender",
    )
    with pytest.raises(LexiconError, match="choose its variant pairs, or a method that takes sets"):
        words("he", about=both).pairs_of(both.definition, both.name)


# --- Every word of a concept has one counterpart, and that leads back ---


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


def test_of_two_pairs_with_one_word_the_first_is_used() -> None:
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


def test_names_alone_give_no_pair_to_swap() -> None:
    with pytest.raises(LexiconError, match="no names"):
        counterparts(made('pairs = [["John", "Mary"]]'))
