from typing import Any

import pytest

from fairvec.core.errors import LexiconError
from fairvec.languages.words import Word
from fairvec.lexicon import Concept, ConceptWords, concept, lint_concept, parse_concepts
from fairvec.mitigation import debiaser
from tests import toys

PAIRS = [("man", "woman"), ("boy", "girl"), ("brother", "sister")]
FILE = """
version = "1"
language = "en"
[concepts.mine]
title = "mine"
source = "Written here."
licence = "None needed."
default = "pairs"
[concepts.mine.variants.pairs]
pairs = [["man", "woman"], ["boy", "girl"], ["brother", "sister"]]
"""


def test_pairs_in_python_are_the_pairs_of_a_file() -> None:
    own, (filed,) = Concept(pairs=PAIRS, id="gender", language="en"), parse_concepts(FILE)
    assert own.definition == filed.definition
    model = toys.embedding(0.5)
    fitted = [debiaser("hard").fit(model, each).transform(model) for each in (own, filed)]
    assert (fitted[0].vectors == fitted[1].vectors).all()
    assert (fitted[0].vectors != model.vectors).any()


def test_a_concept_is_called_and_about_what_its_id_says() -> None:
    own = Concept(pairs=PAIRS, id="gender")
    assert (own.name, own.about, own.language) == ("own/gender:pairs", "gender", "und")
    assert Concept(words=["man"], id="own/x", category="gender").about == "gender"
    assert Concept(sets=[("man", "boy", "father")]).name == "own/concept:sets"
    assert lint_concept(own) == ()


def test_other_words_are_another_version() -> None:
    versions = [Concept(pairs=pairs).version for pairs in (PAIRS, PAIRS[:2], iter(PAIRS))]
    assert versions[0] == versions[2] != versions[1]


def test_words_that_stay_are_a_list_of_words() -> None:
    own = Concept(pairs=PAIRS, specific=iter(["father"]), equalise=[("man", "woman")])
    assert own.specific == (Word(word="father"),)
    assert ConceptWords(own, toys.embedding()).defining


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "defined by nothing; give either pairs="),
        ({"pairs": PAIRS, "words": ["man"]}, "defined by pairs and words; give either"),
        ({"pairs": []}, "pairs is an empty list"),
        ({"pairs": "he she"}, "pairs must be a list of lists"),
        ({"pairs": ["he", "she"]}, r"pairs\[1\] is one string"),
        ({"pairs": [("he", "she", "it")]}, "has 3 words, and a pair has two"),
        ({"pairs": [("he", "he")]}, "has 'he' twice"),
        ({"words": "he"}, "words is one string"),
        ({"pairs": PAIRS, "specific": "he"}, "specific is one string"),
        ({"pairs": PAIRS, "equalise": ["he"]}, r"equalise\[1\] is one string"),
        ({"pairs": PAIRS, "varaint": "pairs"}, "varaint is not a known key"),
        ({"pairs": PAIRS, "variants": {}}, "has variants= and words of its own"),
        ({"pairs": PAIRS, "variant": "one"}, "one"),
    ],
    ids=lambda each: "-".join(each) or "nothing" if isinstance(each, dict) else "",
)
def test_a_slip_is_told_in_one_sentence(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(LexiconError, match=said) as caught:
        Concept(**settings)
    assert "\n" not in str(caught.value)


def test_shipped_concepts_are_what_they_were() -> None:
    shipped = concept("en/gender")
    assert shipped == Concept.model_validate(shipped.model_dump())
