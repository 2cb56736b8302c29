"""The table of claims tells every answer once, in the column of its grade."""

import json
from pathlib import Path

import pytest

from scripts import claims_table


def answered(says: str, grade: str, *models: str) -> dict[str, object]:
    return {"paper": "toy", "says": says, "grade": grade, "models": models}


def test_a_claim_has_one_line_with_its_grade_on_each_model() -> None:
    records = [
        answered("It is so.", "holds", "one"),
        answered("It is so.", "fails", "two", "three"),
        answered("Or so?", "holds", "three", "two"),
        answered("Nobody could say.", "not tried", "one"),
        answered("Who knows?", "undecided", "two"),
    ]
    assert claims_table.table_of(records) == [
        "1: one; 2: three + two; 3: two.",
        "",
        "| claim | 1 | 2 | 3 |",
        "| --- | --- | --- | --- |",
        "| It is so. | holds | fails |  |",
        "| Or so? |  | holds |  |",
        "| Who knows? |  |  | open |",
    ]


def test_files_of_several_papers_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [answered("It is so.", "holds", "one"), answered("It is so.", "fails", "one")]
    lines[1]["paper"] = "other"
    file = tmp_path / "claims.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["claims_table", str(file)])
    claims_table.main()
    assert capsys.readouterr().out.count("| It is so. |") == 2
