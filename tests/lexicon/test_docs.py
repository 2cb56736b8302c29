"""docs/suites.md has a row for every shipped suite."""

from pathlib import Path

from fairvec.lexicon import shipped_suites

PAGE = (Path(__file__).parents[2] / "docs" / "suites.md").read_text(encoding="utf-8")


def test_every_shipped_suite_has_a_row() -> None:
    for suite in shipped_suites():
        assert f"\n| `{suite.id}` | " in PAGE, suite.id
