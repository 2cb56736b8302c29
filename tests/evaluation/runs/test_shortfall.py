from fractions import Fraction

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from fairvec.embedding import Embedding
from fairvec.experiments.audit.test_words import coverage_shortfall
from fairvec.lexicon import resolve
from fairvec.metrics import metric
from tests import toys
from tests.laws.test_stats_laws import law


@law
@given(st.integers(2, 40), st.integers(0, 38), st.integers(0, 100))
@example(10, 1, 90)
@example(10, 3, 70)
@example(20, 9, 55)
@example(5, 3, 40)
def test_coverage_at_the_limit_is_enough_and_one_word_less_is_not(
    wanted: int, missing: int, percent: int
) -> None:
    """Also where the limit is a decimal that no float is."""
    missing = min(missing, wanted - 2)
    words = {**toys.WORDS, "x": [f"x{number}" for number in range(wanted)]}
    known = [word for entries in words.values() for word in entries][missing:]
    model = Embedding(known, np.ones((len(known), 2)))
    suite = toys.suite(words=words)
    groups = resolve(suite.tests[0], model)
    found = Fraction(wanted - missing, wanted)
    said = coverage_shortfall(groups, metric("weat"), percent / 100)
    assert bool(said) is (found < Fraction(percent, 100))
    assert said == "" or said.startswith(
        f"Only {wanted - missing} of {wanted} x words were found, less than {percent}%"
    )


@law
@given(st.integers(0, 4))
def test_two_targets_and_one_attribute_are_the_fewest(known: int) -> None:
    for role, fewest in (("x", 2), ("y", 2), ("a", 1), ("b", 1)):
        left = {**toys.WORDS, role: toys.WORDS[role][:known]}
        keys = [word for entries in left.values() for word in entries]
        model = Embedding(keys, np.ones((len(keys), 2)))
        said = coverage_shortfall(resolve(toys.suite().tests[0], model), metric("weat"), 0.0)
        assert bool(said) is (known < fewest)
