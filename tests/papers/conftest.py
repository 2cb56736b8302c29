"""Small models with the words of a suite, and an empty cache, so that nothing else is at hand."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from fairvec.geometry import FloatArray
from fairvec.lexicon import select_tests
from fairvec.papers.schema import Paper

Make = Callable[..., Path]


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only the shipped models are local and no benchmark, whatever this machine has fetched."""
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("FAIRVEC_DATA", raising=False)


@pytest.fixture
def make_model(tmp_path: Path) -> Make:
    """A function that writes a model with random vectors for the words of some tests."""

    def make(tests: Iterable[str], *, dimensions: int, name: str = "small") -> Path:
        return write_model(tmp_path / f"{name}.txt", tests, dimensions=dimensions)

    return make


def write_model(
    path: Path, tests: Iterable[str], *, dimensions: int, seed: int = 1, more: tuple[str, ...] = ()
) -> Path:
    """Write word2vec text; the points lie well inside the unit ball, so they may be either."""
    words = [*words_of(tests), *more]
    vectors = np.random.default_rng(seed).normal(size=(len(words), dimensions))
    vectors *= 0.5 / np.linalg.norm(vectors, axis=1).max()
    return write_vectors(path, words, vectors)


def write_vectors(path: Path, words: Iterable[str], vectors: FloatArray) -> Path:
    """Write word2vec text."""
    lines = [f"{vectors.shape[0]} {vectors.shape[1]}"]
    lines += [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, vectors, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def known_by_size(chosen: Paper, role: str, path: Path) -> Paper:
    """Return a paper whose model of a role has as many words as a file of word2vec text."""
    counted = int(path.read_text(encoding="utf-8").split()[0])
    model = chosen.roles[role].model_copy(update={"counted": counted})
    return chosen.model_copy(update={"roles": chosen.roles | {role: model}})


def words_of(tests: Iterable[str]) -> list[str]:
    """Return the single words of the tests, each once."""
    sets = [
        wordset
        for test in (each.test for each in select_tests(tests))
        for wordset in test.sets.values()
    ]
    words = dict.fromkeys(word.word for wordset in sets for word in wordset.words)
    return [word for word in words if " " not in word]
