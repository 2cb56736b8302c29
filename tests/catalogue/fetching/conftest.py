"""No test waits for a server as long as a user does."""

import pytest

from fairvec.catalogue import download as answers
from fairvec.catalogue import download as transfer


@pytest.fixture
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up in less than a second."""
    monkeypatch.setattr(transfer, "PAUSE", 0.0)
    monkeypatch.setattr(answers, "TIMEOUT", (2, 0.3))
