import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.lexicon import Concept, lint_concept, parse_concepts, shipped_concepts

HEAD = """
version = "1"
language = "en"
[concepts.mine]
title = "Mine"
source = "Somebody (2026)"
licence = "None needed."
default = "it"
"""


def made(definition: str, head: str = "") -> Concept:
    """A concept with one variant."""
    (only,) = parse_concepts(f"{HEAD}{head}\n[concepts.mine.variants.it]\n{definition}\n")
    return only


def codes(concept: Concept) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.code, one.where, one.words) for one in lint_concept(concept)]


@pytest.mark.parametrize("shipped", shipped_concepts(), ids=lambda each: each.id)
def test_shipped_concepts_are_clean(shipped: Concept) -> None:
    assert [one for one in lint_concept(shipped) if one.waived is None] == []


@pytest.mark.parametrize("where", ["pairs", "equalise"])
def test_a_pair_turned_round_is_found(where: str) -> None:
    pairs = '[["he", "she"], ["man", "woman"], ["she", "he"]]'
    concept = (
        made(f"pairs = {pairs}")
        if where == "pairs"
        else made('pairs = [["a", "b"]]', f"equalise = {pairs}")
    )
    place = "variants.it" if where == "pairs" else "equalise"
    (finding,) = lint_concept(concept)
    assert (finding.code, finding.where, finding.words) == ("reversed-pair", place, ("she", "he"))
    assert finding.message == f"she - he in {place} is he - she turned round, and is left out"


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ('pairs = [["he", "she"], ["he", "she"]]', ("duplicate-word", ("he", "she"))),
        ('pairs = [["he", "she"], ["he", "her"]]', ("duplicate-word", ("he", "her"))),
        ('sets = [["a", "b", "c"], ["a", "b", "c"]]', ("duplicate-word", ("a", "b", "c"))),
        ('words = ["he", "man", "boy", "he"]', ("duplicate-word", ("he",))),
        ('words = ["he", "man"]', ("too-few-words", ())),
        ("pairs = [['\"he\"', 'she']]", ("quoted", ('"he"',))),
        ('pairs = [["he", "she said"]]', ("multi-word", ("she said",))),
        ('pairs = [["he", "shе"]]', ("mixed-scripts", ("shе",))),
    ],
)
def test_what_is_found(definition: str, expected: tuple[str, tuple[str, ...]]) -> None:
    (finding,) = lint_concept(made(definition))
    assert (finding.code, finding.words) == expected
    assert finding.where == "variants.it"
    assert "variants.it" in finding.message


def test_sets_may_share_words_and_lists_may_have_both_cases() -> None:
    assert codes(made('sets = [["church", "mosque", "temple"], ["church", "shrine"]]')) == []
    assert codes(made('pairs = [["dad", "mom"], ["Dad", "Mom"]]')) == []


def test_findings_are_waived_like_those_of_suites() -> None:
    waiver = '\n[[concepts.mine.waivers]]\nfinding = "{}"\nwhere = "variants.it"\nreason = "So."'
    twice = 'pairs = [["he", "she"], ["she", "he"]]'
    (finding,) = lint_concept(made(twice + waiver.format("reversed-pair")))
    assert finding.waived == "So."
    found = lint_concept(made(twice + waiver.format("quoted")))
    assert [one.code for one in found] == ["reversed-pair", "unused-waiver"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda p: p[0] != p[1])))
def test_whatever_is_left_out_is_found(numbers: list[tuple[int, int]]) -> None:
    """A pair is found exactly when one of its words stood in an earlier pair."""
    listed = ", ".join(f'["w{one}", "w{other}"]' for one, other in numbers)
    found = lint_concept(made(f"pairs = [{listed}]")) if numbers else ()
    seen: set[int] = set()
    expected = []
    for at, pair in enumerate(numbers):
        if seen & {*pair}:
            turned = pair[::-1] in numbers[:at] and pair not in numbers[:at]
            expected.append(("reversed-pair" if turned else "duplicate-word", pair))
        seen |= {*pair}
    assert [(one.code, one.words) for one in found] == [
        (code, tuple(f"w{n}" for n in pair)) for code, pair in expected
    ]
