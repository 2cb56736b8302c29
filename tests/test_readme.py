"""What README shows must run as it stands."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def test_the_python_tour_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tour,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(tour, {})
    assert "d = +" in capsys.readouterr().out
    assert (tmp_path / "runs/tour/report.html").exists()


def test_nothing_is_left_to_fill_in() -> None:
    assert re.findall(r"@[A-Z]+@|TODO", README.read_text(encoding="utf-8")) == []
