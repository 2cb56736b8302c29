import pytest

from fairvec.core.errors import LexiconError
from fairvec.lexicon import concept


def test_held_out_words_leave_whole_pairs_and_what_is_left_is_a_concept() -> None:
    about = concept("hi/gender:pairs")
    first, *rest = about.definition.pairs
    held_out = about.without([first[1]])
    assert held_out.definition.pairs == tuple(rest)
    assert held_out.specific == about.specific
    assert all(first not in each.pairs for each in held_out.variants.values())


def test_a_concept_of_which_nothing_is_left_is_refused() -> None:
    about = concept("hi/gender:one-pair")
    with pytest.raises(LexiconError, match=r"All words that define hi/gender:one-pair"):
        about.without(about.definition.entries)


def test_held_out_words_leave_whole_sets() -> None:
    about = concept("en/race")
    (asian,) = (word for word in about.definition.entries if word.word == "asian")
    held_out = about.without([asian])
    assert [[word.word for word in each] for each in held_out.definition.sets] == [
        ["africa", "america", "asia"],
        ["africa", "america", "china"],
        ["africa", "europe", "asia"],
    ]
    assert held_out.equalise == about.equalise[1:]
