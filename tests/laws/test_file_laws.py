"""What holds of every format: a damaged file is an error, or the model that it was."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import FairvecError
from fairvec.core.memory import ALWAYS_BYTES
from fairvec.embedding import Embedding
from fairvec.embedding.formats.text import UNENDED
from tests.laws.honest_files import HONEST, NAMES

UNCOUNTED = ("csv", "tsv", "glove-text")
"""Formats that do not say how many words they hold."""
PACKED = ("npz", "navec")
"""Formats in which few bytes may honestly stand for many."""
PICKLED = ("gensim", "torch")
"""Formats whose budgets are counted while a pickle is read, and are held where those are tested."""
TIMES, BESIDES = 100, 4_000_000
"""A key of a few bytes is an object of Python and a place in a dict; and what every reader needs
is some blocks and tables."""


@pytest.fixture(params=NAMES)
def honest(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return HONEST[request.param](tmp_path)


@pytest.fixture(params=[name for name in NAMES if name not in PICKLED])
def unpickled(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return HONEST[request.param](tmp_path)


def answer(path: Path) -> Embedding | None:
    """Return the model, None where it is refused; any other exception is a fault."""
    try:
        return fairvec.load(path)
    except FairvecError:
        return None


def same(one: Embedding, other: Embedding) -> bool:
    return list(one.keys) == list(other.keys) and np.array_equal(one.vectors, other.vectors)


def test_every_format_has_an_honest_file() -> None:
    assert set(HONEST) == set(NAMES)


def test_the_file_is_honest(honest: Path, request: pytest.FixtureRequest) -> None:
    found = fairvec.load(honest)
    name = request.node.callspec.params["honest"]
    assert found.history[-1].details["format"] == name
    assert UNENDED not in found.history[-1].details


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True))
def test_a_file_that_is_cut_is_refused_or_whole_or_said_to_be_cut(
    honest: Path, share: float, request: pytest.FixtureRequest
) -> None:
    whole = fairvec.load(honest)
    content = honest.read_bytes()
    cut = honest.with_name(f"cut{honest.suffix}")
    cut.write_bytes(content[: int(share * len(content))])
    _beside(honest, cut)
    found = answer(cut)
    if found is None or same(found, whole) or UNENDED in found.history[-1].details:
        return
    # Without a count of lines, what ends with a line is a whole file of fewer words.
    assert request.node.callspec.params["honest"] in UNCOUNTED
    assert cut.read_bytes().endswith(b"\n")
    assert list(found.keys) == list(whole.keys)[: len(found)]


@settings(max_examples=35, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True), mask=st.integers(1, 255))
def test_a_file_with_one_byte_changed_is_read_or_refused(
    honest: Path, share: float, mask: int
) -> None:
    content = bytearray(honest.read_bytes())
    content[int(share * len(content))] ^= mask
    changed = honest.with_name(f"changed{honest.suffix}")
    changed.write_bytes(content)
    _beside(honest, changed)
    found = answer(changed)
    assert found is None or np.isfinite(found.rows(found.keys[:1])).all()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    place=st.integers(0, 300),
    forged=st.one_of(st.binary(min_size=1, max_size=8), st.integers(1, 9).map(lambda n: b"9" * n)),
)
def test_no_head_asks_for_more_memory_than_the_file_can_need(
    unpickled: Path, place: int, forged: bytes, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.params["unpickled"]
    content = bytearray(unpickled.read_bytes())
    content[place : place + len(forged)] = forged
    changed = unpickled.with_name(f"changed{unpickled.suffix}")
    changed.write_bytes(content)
    _beside(unpickled, changed)
    answer(unpickled)  # what is imported and compiled once is not the file's
    tracemalloc.start()
    try:
        answer(changed)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= TIMES * len(content) + BESIDES + (2 * ALWAYS_BYTES if name in PACKED else 0)


def _beside(honest: Path, other: Path) -> None:
    """Put the words of a matrix beside its copy."""
    words = honest.with_suffix(".vocab")
    if words.exists():
        other.with_suffix(".vocab").write_bytes(words.read_bytes())
