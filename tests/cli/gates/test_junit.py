import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.cli.gates import gate_as_junit
from fairvec.core.text import escape_control
from tests.cli.conftest import Shell
from tests.cli.gates.make import gate
from tests.results.make import measured


def ends(text: str) -> dict[str, str]:
    """Each case with how it ended, as a reader of the file sees it."""
    return {
        case.attrib["name"]: case[0].tag if len(case) else "passed"
        for case in ET.fromstring(text).iter("testcase")
    }


def test_each_row_is_a_case() -> None:
    text = gate_as_junit(gate("effect > 1"))
    assert ends(text) == {"toy/one": "failure", "toy/two": "passed", "toy/three": "skipped"}
    (suite,) = ET.fromstring(text)
    counts = [suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["3", "1", "0", "1"]
    failure, skipped = suite[0][0].attrib["message"], suite[2][0].attrib["message"]
    assert failure == "effect > 1: model model, test toy/one, effect 1.2"
    assert skipped == "Only 1 of 4 x were found."


def test_a_skipped_row_that_is_asked_for_has_failed() -> None:
    assert ends(gate_as_junit(gate("status == 'skipped'")))["toy/three"] == "failure"
    assert ends(gate_as_junit(gate("suite == 'other'")))["toy/three"] == "skipped"


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("mean(effect) > 0.6", "failure"),
        ("mean(effect) > 0.7", "passed"),
        ("mean(p_paired) > 0.7", "error"),
    ],
)
def test_all_rows_together_are_one_case(text: str, ended: str) -> None:
    assert ends(gate_as_junit(gate(text))) == {text: ended}


def test_what_no_row_decides_is_an_error() -> None:
    found = ends(gate_as_junit(gate("change == 'removed'")))
    assert found.pop("change == 'removed'") == "error"
    assert set(found.values()) == {"skipped"}


def test_cases_of_one_name_are_told_apart() -> None:
    text = gate_as_junit(gate("effect > 1", [measured(), measured(), measured(effect=2)]))
    assert ends(text) == {"toy/one": "passed", "toy/one #2": "passed", "toy/one #3": "failure"}


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_name_is_read_back(model: str, test: str) -> None:
    text = gate_as_junit(gate("effect > 0", [measured(model=model, test=test)]))
    (case,) = ET.fromstring(text.encode()).iter("testcase")
    assert case[0].tag == "failure"
    plain = escape_control(model + test, but="") == model + test
    if plain and all(letter not in "\ufffe\uffff" for letter in model + test):
        assert (case.attrib["classname"], case.attrib["name"]) == (model, test)


def test_what_xml_cannot_hold_is_shown_by_number() -> None:
    odd = "a\0\x1b[31m\uffff <&>\"' हिन्दी \U0001f600 ]]> \n\x9b\u202e"
    (case,) = ET.fromstring(gate_as_junit(gate("p < 1", [measured(model=odd)]))).iter("testcase")
    assert case.attrib["classname"] == (
        "a\\u0000\\u001b[31m\\uffff <&>\"' हिन्दी \U0001f600 ]]> \\u000a\\u009b\\u202e"
    )


def test_only_xml_is_written_over(shell: Shell, tmp_path: Path) -> None:
    precious = tmp_path / "results.jsonl"
    precious.write_text("precious")
    answer = shell("check", tmp_path, "--fail-if", "p < 1", "--junit", precious)
    assert answer.code == 2
    assert "a JUnit file ends in .xml; name it results.xml" in answer.err
    assert precious.read_text() == "precious"
