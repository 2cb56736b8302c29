from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.inference import Evidence
from fairvec.experiments.audit.verdicts import decide_verdict
from fairvec.lexicon import resolve
from fairvec.results import Convention, PValue, Result
from fairvec.stats import permutation_test
from tests import toys
from tests.laws.test_stats_laws import law

STANDARDISED = Convention(name="caliskan", ddof=1, denominator="leanings")
PLAIN = Convention(name="mean-difference", ddof=0, denominator="none")
GROUPS = resolve(toys.suite().tests[0], toys.embedding())


def kind_of(evidence: Evidence, p_holm: float | None, alpha: float) -> str:
    said = decide_verdict(
        1.0,
        evidence,
        GROUPS,
        p_holm=p_holm,
        alpha=alpha,
        family="bias tests of toy",
        candidates=3,
        detectable=None,
    )
    assert (said.p, said.p_holm, said.alpha) == (evidence.p_two_sided.value, p_holm, alpha)
    return said.kind


@law
@given(
    st.lists(st.integers(0, 9), min_size=3, max_size=5),
    st.lists(st.integers(0, 9), min_size=3, max_size=5),
    st.floats(1e-9, 1),
)
def test_a_p_that_equals_the_level_is_significant_alone_and_corrected(
    x: list[int], y: list[int], more: float
) -> None:
    found = permutation_test(np.array(x, np.float64), np.array(y, np.float64))
    p = PValue.model_validate(found, from_attributes=True)
    assume(p.value < 1)
    evidence = Evidence((1.0, -1.0), p, p, (len(x), len(y)), 1.0)
    larger = p.value + more * (1 - p.value)
    assert kind_of(evidence, p.value, p.value) == "biased"
    assert kind_of(evidence, larger, larger) == "biased"
    assert kind_of(evidence, larger, p.value) == "inconclusive"
    assert kind_of(evidence, larger, p.value * (1 - 1e-9)) == "no-evidence"
    assert kind_of(evidence, None, p.value) == "too-few-words"


@pytest.mark.parametrize(
    ("effect", "opening"),
    [
        (0.1, "Biased, a negligible effect: "),
        (-0.2, "Biased, a small effect: "),
        (0.5, "Biased, a medium effect: "),
        (-0.8, "Biased, a large effect: "),
    ],
)
def test_an_effect_that_is_claimed_has_a_size_in_words(effect: float, opening: str) -> None:
    said = sentence_of(effect, STANDARDISED)
    assert said.startswith(opening)
    assert sentence_of(effect, PLAIN) == said.replace(opening, "Biased: ")


def sentence_of(effect: float, convention: Convention) -> str:
    p = PValue.model_validate(permutation_test(*2 * [np.arange(4.0)]), from_attributes=True)
    evidence = Evidence((1.0, -1.0), p, p, (4, 4), 1.0)
    return decide_verdict(
        effect,
        evidence,
        GROUPS,
        p_holm=0.01,
        alpha=0.05,
        family="bias tests of toy",
        candidates=3,
        detectable=None,
        convention=convention,
    ).sentence


@pytest.mark.parametrize("spelt", [str, str.upper, str.title], ids=["the same", "upper", "title"])
def test_lists_that_reach_the_same_words_rule_nothing_out(spelt: Callable[[str], str]) -> None:
    words = toys.WORDS | {"y": [spelt(word) for word in reversed(toys.WORDS["x"])]}
    (found,) = audit(toys.embedding(0.5), suites=toys.suite(words=words), categories=False)
    assert isinstance(found, Result)
    assert found.effect == pytest.approx(0, abs=1e-12)
    assert found.verdict.sentence == (
        "No evidence: both lists reach the same words, so that nothing can differ."
    )


@pytest.mark.parametrize(
    ("bias", "sides", "said"),
    [
        (2.0, {"a": ["x", "x"]}, "; but 2 target words are attributes of that side too, and noth"),
        (2.0, {"b": ["y"]}, "; but 1 target word is an attribute of that side too, and nothing "),
        (-2.0, {"a": ["y"], "b": ["x"]}, "; but 2 target words are attributes of that side too"),
        (2.0, {"b": ["x"], "a": ["y"]}, ""),
        (2.0, {}, ""),
    ],
    ids=["x in a", "y in b", "the other way", "against the claim", "none"],
)
def test_targets_that_are_attributes_of_their_side_are_told(
    bias: float, sides: dict[str, list[str]], said: str
) -> None:
    words = {role: [*some] for role, some in toys.WORDS.items()}
    for attribute, targets in sides.items():
        for place, target in enumerate(targets):
            words[attribute].append(toys.WORDS[target][place].upper())
    (found,) = audit(toys.embedding(bias), suites=toys.suite(words=words), categories=False)
    assert isinstance(found, Result)
    assert found.verdict.kind == "biased"
    assert said in found.verdict.sentence
    assert ("too, and nothing is nearer to a word than itself" in found.verdict.sentence) == bool(
        said
    )
