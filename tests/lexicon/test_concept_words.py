import numpy as np
import pytest

from fairvec.embedding import Embedding
from fairvec.errors import LexiconError
from fairvec.lexicon import Concept, ConceptWords, concept, parse_concepts
from tests.lexicon.test_concept_file import TEXT


def words(*keys: str, about: Concept | None = None) -> ConceptWords:
    (toy,) = parse_concepts(TEXT)
    return ConceptWords(about or toy, Embedding(list(keys), np.ones((len(keys), 2)), name="m"))


def test_spelling_rules_of_the_language_apply() -> None:
    about = concept("hi/gender")
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
    (toy,) = parse_concepts(TEXT.replace('["uncle", "aunt"]', '["Uncle", "uncle"]'))
    found = words("uncle", about=toy).pairs(toy.equalise)
    assert found.pairs == ()
    assert found.left_out == (("Uncle", "uncle"),)


def test_an_entry_that_is_only_there_in_parts_has_no_vector_to_move() -> None:
    (toy,) = parse_concepts(TEXT.replace('"beard"', '"long beard"'))
    found = words("long", "beard", about=toy).words(toy.specific)
    assert found.keys == ()
    assert found.missing == ("long beard",)


def test_too_few_pairs_and_words_are_named() -> None:
    known = words("man", "woman", "he")
    with pytest.raises(LexiconError, match=r"x: of its pairs \(2\) 1 can .* m lacks she; .*list"):
        known.pairs_of(known.concept.definition, "x")
    with pytest.raises(LexiconError, match=r"x: of its words \(2\) 2 can be used and 3 must be"):
        known.list_of(known.concept.variants["list"], "x")
