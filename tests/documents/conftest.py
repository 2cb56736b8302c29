"""A rewriter that tests know by heart."""

import pytest

from fairvec.documents.check import REWRITERS


@pytest.fixture
def toy_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """English is rewritten by two rules: chairman becomes chair, and he is flagged."""
    monkeypatch.setitem(REWRITERS, "en", "tests.documents.toy_rewriter")
