"""The page on metrics and methods of one's own: its code runs, and its classes obey the laws."""

import re
from pathlib import Path
from typing import Any

import pytest

from fairvec.metrics import FOREIGN_METRICS
from fairvec.mitigation import FOREIGN_METHODS, debiaser

PAGE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FOREIGN_METRICS, "registered", {})
    monkeypatch.setattr(FOREIGN_METHODS, "registered", {})


def test_the_code_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    space: dict[str, Any] = {"__name__": "page"}
    assert len(BLOCKS) == 4
    for block in BLOCKS:
        exec(block, space)
    assert float(capsys.readouterr().out) > 0.1
    assert debiaser("half-of-the-mean", strength=0.5).strength == 0.5
    assert space["pipeline"][0].get_params()["concept"] == "en/gender"
