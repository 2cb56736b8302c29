"""Sentences are drawn with equal chances, and again by the same seed."""

import random
from collections import Counter

from scripts.draw_sentences import drawn, holds_one


def test_each_sentence_has_the_same_chance() -> None:
    chance = random.Random(0)
    seen = Counter(one for _ in range(4000) for one in drawn(iter("abcdefgh"), 2, chance))
    # 1,000 expected of each, with a deviation near 27
    assert all(abs(times - 1000) < 150 for times in seen.values())
    assert len(seen) == 8


def test_the_same_seed_draws_the_same() -> None:
    one, other = (drawn(iter("abcdefgh"), 3, random.Random(5)) for _ in range(2))
    assert one == other
    assert len(set(one)) == 3
    assert sorted(drawn(iter("ab"), 3, random.Random(5))) == ["a", "b"]


def test_a_term_is_a_whole_word_or_a_whole_phrase() -> None:
    terms = frozenset({"man", "air hostess"})
    assert holds_one("This Man is not here.", terms)
    assert holds_one("She is an air hostess.", terms)
    assert not holds_one("The manual is not here.", terms)
    assert not holds_one("They are fair hostesses here.", terms)
    assert not holds_one("A man left.", terms), "too short"
