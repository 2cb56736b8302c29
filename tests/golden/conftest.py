"""Real models that golden tests share, read once."""

from collections.abc import Callable
from pathlib import Path

import pytest

import fairvec
from fairvec.core.errors import DownloadError
from fairvec.embedding import Embedding

MODEL_PAIR = "emb_glove_and_poincare_glove_en"


@pytest.fixture(scope="session")
def packaged() -> Callable[[str], Embedding]:
    """A function that loads a model out of a registry package, or skips with the reason."""

    def load(name: str) -> Embedding:
        try:
            return fairvec.load(name)
        except DownloadError as reason:
            pytest.skip(f"no registry answered: {reason}")

    return load


@pytest.fixture(scope="session")
def google_news(packaged: Callable[[str], Embedding]) -> Embedding:
    """Word2vec on Google News."""
    return packaged("google-news-26k")


@pytest.fixture
def data(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder, in which benchmarks are then found by name."""
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    return shared_data


@pytest.fixture(scope="session")
def ball(shared_data: Path) -> Embedding:
    """A Poincaré GloVe."""
    file = shared_data / MODEL_PAIR / "poincare_glove_enwiki2_50k_100d.npz"
    return fairvec.load(file, geometry="poincare")


@pytest.fixture(scope="session")
def flat(shared_data: Path) -> Embedding:
    """Its flat twin."""
    return fairvec.load(shared_data / MODEL_PAIR / "glove_enwiki2_50k_100d.npz")
