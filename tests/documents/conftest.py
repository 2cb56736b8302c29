"""A rewriter that tests know by heart."""

import pytest

from tests.documents import toy_rewriter


@pytest.fixture
def toy_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """English is rewritten by two rules: chairman becomes chair, and he is flagged."""
    monkeypatch.setattr("fairvec.languages.en.rewriting.suggest", toy_rewriter.suggest)
