"""What docs/debiasing.md shows must run as it stands, and name every method and concept."""

import re
from pathlib import Path

import pytest

from fairvec.lexicon import shipped_concepts
from fairvec.mitigation import DEBIASERS, GUARANTEES

PAGE = (Path(__file__).parents[2] / "docs" / "debiasing.md").read_text(encoding="utf-8")


def test_the_examples_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FAIRVEC_DATA", raising=False)
    names: dict[str, object] = {}
    exec(first, names)
    exec(second, names)
    left = {path.name for path in (tmp_path / "fair.fairvec.run").iterdir()}
    assert left == {"report.html", "results.jsonl", "transform.safetensors"}
    assert "debias method=lpsg concept=hi/gender:pairs" in capsys.readouterr().out


def test_every_method_guarantee_concept_and_variant_is_named() -> None:
    named = [*(method.name for method in DEBIASERS), *GUARANTEES]
    for concept in shipped_concepts():
        named += [concept.id, *concept.variants, *concept.keep]
    assert [name for name in named if f"`{name}`" not in PAGE] == []
