import pytest

from fairvec.messages.categories import (
    ModelAnswers,
    category_parts,
    diamond_label,
    join_names,
    pooled_label,
)
from fairvec.results import CategoryAnswer, PValue
from tests.report.category_answers import answer
from tests.report.lists import TESTS
from tests.report.outcomes import measured, model


def an_answer(category: str = "gender", kind: str = "biased", **of: object) -> CategoryAnswer:
    one = answer([measured(model("m"), TESTS[1])])
    said = {"kind": kind, **{key: of.pop(key) for key in ("sentence",) if key in of}}
    test = one.test.model_copy(update={"category": category, **of})
    return one.model_copy(update={"test": test, "verdict": one.verdict.model_copy(update=said)})


@pytest.mark.parametrize(
    ("category", "sentence", "parts"),
    [
        ("gender", "Gender: biased. Words lean.", ("Gender: biased", ". Words lean.")),
        ("gender", "Gender (en): biased. Words.", ("Gender (en): biased", ". Words.")),
        ("İx: y", "İx: y: biased.", ("İx: y: biased", ".")),
        ("gender", "Gender: no evidence (d 0).", ("", "Gender: no evidence (d 0).")),
        ("gender", "Gender (hi): biased.", ("", "Gender (hi): biased.")),
        ("gender", "Of gender nothing.", ("", "Of gender nothing.")),
    ],
)
def test_a_sentence_leads_with_its_verdict_if_it_names_it(
    category: str, sentence: str, parts: tuple[str, str]
) -> None:
    assert category_parts(an_answer(category, sentence=sentence)) == parts


def test_findings_are_told_and_the_rest_is_counted() -> None:
    kinds = ["biased", "no-evidence", "mixed", "too-few-words", "inconclusive", "no-evidence"]
    told = ModelAnswers("m", tuple(an_answer(f"c{n}", kind) for n, kind in enumerate(kinds)), ())
    assert [one.test.category for one in told.findings] == ["c0", "c2", "c4"]
    assert told.rest == ["No evidence: c1 and c5.", "Too few words: c3."]


def test_the_rest_names_its_language_where_there_are_two() -> None:
    both = [an_answer("age", "no-evidence", language=one) for one in ("en", "hi")]
    assert ModelAnswers("m", tuple(both), ()).rest == ["No evidence: age (en) and age (hi)."]


def test_of_very_many_names_the_rest_is_counted() -> None:
    assert join_names(["a", "b", "c"]) == "a, b and c"
    assert join_names([f"c{n}" for n in range(1012)]).endswith("c10, c11 and 1,000 more")


def test_one_test_is_not_together_with_any_other() -> None:
    results = [measured(model("m"), test) for test in TESTS[1:3]]
    assert pooled_label(answer(results[:1])) == "its one test"
    assert pooled_label(answer(results)) == "2 tests together"
    said = diamond_label(answer(results[:1]))
    assert said.startswith("m, gender: its one test · d = ")
    assert answer(results[:1]).size in said
    assert diamond_label(answer(results)).startswith("m, gender: 2 tests pooled · ")


def test_a_diamond_says_how_far_its_p_is_known() -> None:
    one = an_answer()

    def how(**changes: object) -> str:
        p: PValue = one.p.model_copy(update={"value": 0.012, **changes})
        return diamond_label(one.model_copy(update={"p": p}))

    drawn = {"method": "sampled", "samples": 100_000, "low": 0.011, "high": 0.013}
    assert "p = 0.012, exact · corrected " in how()
    assert (
        "p = 0.012, sampled with 100,000 draws, 99\N{NO-BREAK SPACE}% sure between 0.011 and 0.013"
        in how(**drawn)
    )
    assert "p = 0.012, certified between 0.011 and 0.013" in how(**drawn | {"method": "certified"})
