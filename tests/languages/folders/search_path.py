"""Adds the folders here to those that fairvec looks for languages in, as a program would."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairvec import languages

HERE = Path(__file__).parent


@contextmanager
def more_languages() -> Iterator[None]:
    """Let fairvec know the languages of this folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(languages, "__path__", [*languages.__path__, str(HERE)])
        yield
    for name in [name for name in sys.modules if name.startswith("fairvec.languages.ml")]:
        del sys.modules[name]
