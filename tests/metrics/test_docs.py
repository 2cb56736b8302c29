"""What docs/metrics.md shows must run as it stands, and name every metric."""

import re
from pathlib import Path
from typing import Any

from fairvec.metrics import METRICS

PAGE = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    asked = [(outcome.status, outcome.metric) for outcome in names["outcomes"]]
    assert asked == [("described", "signed-direct-bias"), ("described", "direct-bias")]


def test_every_metric_is_named() -> None:
    sections = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    named = {*re.findall(r"`([a-z-]+)`", PAGE), *(section.lower() for section in sections)}
    assert {one.name for one in METRICS} <= named
