"""Findings in the formats of programs say the same as the findings themselves."""

import json
import xml.etree.ElementTree as ElementTree
from typing import Any

from fairvec.documents.apply import fixed_text
from fairvec.documents.lint import findings
from fairvec.documents.read import text_document
from fairvec.report.findings import FORMATS
from fairvec.results.documents import DocumentFinding

TEXT = "He asked the salesman.\nThe chairman, 100% sure: \U0001f600 ask the chairman & his wife.\n"
NAMES = ["a b,c:d.txt", "quiet.txt"]


def found_in(text: str = TEXT) -> list[DocumentFinding]:
    return [*findings(text_document(text, NAMES[0], "en"))]


def sarif(text: str = TEXT) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(FORMATS["sarif"](found_in(text), NAMES))
    run: dict[str, Any] = log["runs"][0]
    return run


def test_sarif_names_rules_places_and_levels() -> None:
    run = sarif()
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result, finding in zip(run["results"], found_in(), strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.rule
        region = result["locations"][0]["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) == (finding.line, finding.column)
        assert result["level"] == ("warning" if finding.certain else "note")
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "a%20b%2Cc%3Ad.txt"
    }


def test_the_fixes_of_sarif_make_the_fixed_text() -> None:
    text = TEXT
    replacements = [
        replacement
        for result in sarif()["results"]
        for fix in result.get("fixes", ())
        for replacement in fix["artifactChanges"][0]["replacements"]
    ]
    for one in sorted(replacements, key=lambda each: -each["deletedRegion"]["charOffset"]):
        start, length = (one["deletedRegion"][key] for key in ("charOffset", "charLength"))
        text = text[:start] + one["insertedContent"]["text"] + text[start + length :]
    assert replacements
    assert text == fixed_text(text_document(TEXT, "t", "en").source, found_in())[0]


def test_a_fingerprint_stays_when_lines_come_before() -> None:
    def prints(text: str) -> list[str]:
        return [
            result["partialFingerprints"]["fairvecFinding/v1"] for result in sarif(text)["results"]
        ]

    assert prints("A new line.\n\n" + TEXT) == prints(TEXT)
    assert len({*prints(TEXT)}) == len(prints(TEXT))


def test_commands_of_github_hold_what_strangers_wrote() -> None:
    lines = FORMATS["github"](found_in(), NAMES).splitlines()
    assert len(lines) == len(found_in())
    for line, finding in zip(lines, found_in(), strict=True):
        kind = "warning" if finding.certain else "notice"
        place = f"file=a b%2Cc%3Ad.txt,line={finding.line},"
        assert line.startswith(f"::{kind} {place}")
        assert line.endswith(f"::{finding.message}")
    odd = found_in()[0].model_copy(update={"message": "a\n::error::b%"})
    assert FORMATS["github"]([odd], NAMES).endswith("::a%0A::error::b%25\n")


def test_json_holds_the_records() -> None:
    assert [
        DocumentFinding.model_validate(one)
        for one in json.loads(FORMATS["json"](found_in(), NAMES))
    ] == found_in()


def test_junit_and_checkstyle_count_the_findings() -> None:
    found = found_in()
    junit = ElementTree.fromstring(FORMATS["junit"](found, NAMES))
    assert (junit.get("tests"), junit.get("failures")) == (str(len(found) + 1), str(len(found)))
    assert [suite.get("name") for suite in junit] == NAMES
    assert len([*junit.iter("failure")]) == len(found)
    style = ElementTree.fromstring(FORMATS["checkstyle"](found, NAMES))
    assert [file.get("name") for file in style] == NAMES[:1]
    assert [error.get("source") for error in style.iter("error")] == [one.rule for one in found]
    hostile = found[0].model_copy(update={"message": "a\x00<b>\u202e", "file": "\x1b\"'.txt"})
    for name in ("junit", "checkstyle"):
        ElementTree.fromstring(FORMATS[name]([hostile], [hostile.file]))
