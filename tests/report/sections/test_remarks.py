from fairvec.messages.test_details import row_notes
from tests.report.sections.test_steadiness import tried
from tests.results.make import measured, skipped


def test_missing_and_shared_words_are_named() -> None:
    result = measured()
    x, *others = result.coverage
    x = x.model_copy(update={"missing": {}, "merged": ("Nurse",), "shared": ("nurse",)})
    others = [group.model_copy(update={"missing": {}}) for group in others]
    (line,) = row_notes(result.model_copy(update={"coverage": (x, *others)}))
    assert line == "12 of 16 words: counted once with another entry Nurse; in two lists nurse"


def test_many_missing_words_are_counted() -> None:
    assert row_notes(measured()) == ["12 of 16 words: missing w, w, w and 1 more"]


def test_whole_lists_need_no_remark() -> None:
    result = measured()
    whole = [group.model_copy(update={"missing": {}}) for group in result.coverage]
    assert row_notes(result.model_copy(update={"coverage": tuple(whole)})) == []
    assert row_notes(skipped()) == []


def test_steadiness_is_one_line() -> None:
    line = row_notes(tried(explains=True))[-1].replace("\N{NO-BREAK SPACE}", " ")
    assert line == (
        "with 80 % of the words: sign kept in 100 %, significant alone in 65.5 %; "
        "0 of 1 other list agrees in sign; frequency may explain it"
    )


def test_the_line_opens_with_how_the_effect_holds() -> None:
    result = tried(explains=True)
    assert result.robustness is not None
    told = result.robustness.model_copy(update={"holds": "fragile", "expected": 0.904})
    changed = result.model_copy(update={"robustness": told, "effect": 0.3})
    line = row_notes(changed)[-1].replace("\N{NO-BREAK SPACE}", " ")
    assert line == (
        "fragile: with 80 % of the words: sign kept in 100 %, significant alone in 65.5 % "
        "(about 90 % expected); 0 of 1 other list agrees in sign; not significant at equal "
        "frequency"
    )
