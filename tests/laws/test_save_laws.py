"""What every writer promises: what it writes is read back bit by bit, or refused aloud."""

import importlib.util
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import fairvec
from fairvec.core.errors import FileFormatError
from fairvec.embedding import Embedding, lost_by_saving
from fairvec.embedding.formats import FORMATS, WRITERS
from fairvec.embedding.formats.base import COMPRESSIONS_TO_WRITE, Writer
from fairvec.embedding.saving import format_to_write

ENDINGS = [suffix for writer in WRITERS for suffix in writer.suffixes]
ENDINGS += [
    writer.suffixes[0] + packing
    for writer in WRITERS
    if writer.packable
    for packing in COMPRESSIONS_TO_WRITE
]
ODD = ["", " ", "\t", "\n", "\r", "\0", "a\0", "\ufeffa", "a b", "a 1", "a nan", " a", "a ", "1e5"]
ODD += [
    "\u2028",
    "\x85",
    "\xa0",
    "e\u0301",
    "क्षि",
    "👩\u200d👩\u200d👧",
    "\ud800",
    "3 2",
    "#",
    "\x7f",
]
KEY = st.one_of(st.sampled_from(ODD), st.text(max_size=6), st.text("ab 1.-", max_size=6))
SPECIAL = [0.0, -0.0, 1.0, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, 0.1, 1e-5, 33554434.0, 2e16]
FLOAT32 = st.one_of(
    st.sampled_from([float(np.float32(number)) for number in SPECIAL]),
    st.floats(width=32, allow_nan=False, allow_infinity=False),
)


@st.composite
def embeddings(draw: st.DrawFn, key: st.SearchStrategy[str] = KEY) -> Embedding:
    keys = draw(st.lists(key, min_size=1, max_size=5, unique=True))
    columns = draw(st.integers(1, 9))
    return Embedding(keys, draw(arrays(np.float32, (len(keys), columns), elements=FLOAT32)))


def bits(vectors: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> list[list[int]]:
    return np.ascontiguousarray(vectors).view(np.uint32).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=60)
@given(embedding=embeddings())
def test_what_is_written_is_read_back_or_refused(ending: str, embedding: Embedding) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"model{ending}"
        try:
            fairvec.save(embedding, path)
        except FileFormatError:
            assert list(Path(folder).iterdir()) == []
            return
        again = fairvec.load(path)
        assert list(again.keys) == list(embedding.keys)
        assert again.vectors.dtype == np.float32
        assert bits(again.vectors) == bits(embedding.vectors)
        assert format_to_write(path).name == again.history[-1].details["format"]


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=20)
@given(
    keys=st.lists(st.text("абвxyzक", min_size=1, max_size=4), min_size=1, max_size=5, unique=True),
    seed=st.integers(0, 1000),
)
def test_ordinary_words_are_never_refused(ending: str, keys: list[str], seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(len(keys), 20)).astype(np.float32)
    with TemporaryDirectory() as folder:
        path = fairvec.save(Embedding(keys, vectors), Path(folder) / f"model{ending}")
        again = fairvec.load(path)
        assert list(again.keys) == keys
        assert bits(again.vectors) == bits(vectors)


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.name)
def test_each_writer_has_a_reader_of_its_name_and_endings(writer: Writer) -> None:
    (reader,) = (known for known in FORMATS if known.name == writer.name)
    assert set(writer.suffixes) <= set(reader.suffixes)


@pytest.mark.parametrize("ending", ENDINGS)
def test_equal_embeddings_give_equal_files(ending: str, tmp_path: Path) -> None:
    embedding = Embedding(["a", "b"], np.eye(2, dtype=np.float32))
    first = fairvec.save(embedding, tmp_path / "one" / f"model{ending}")
    second = fairvec.save(embedding, tmp_path / "two" / f"model{ending}")
    assert first.read_bytes() == second.read_bytes()
    assert lost_by_saving(embedding, first) == ()


@pytest.mark.skipif(not importlib.util.find_spec("gensim"), reason="gensim is not installed")
@pytest.mark.parametrize("ending", [".vec", ".bin", ".vec.gz", ".bin.gz"])
@settings(max_examples=40)
@given(embedding=embeddings())
def test_gensim_reads_the_same(ending: str, embedding: Embedding) -> None:
    from gensim.models import KeyedVectors

    with TemporaryDirectory() as folder:
        try:
            path = fairvec.save(embedding, Path(folder) / f"model{ending}")
        except FileFormatError:
            return
        binary = ending.startswith(".bin")
        again = KeyedVectors.load_word2vec_format(str(path), binary=binary)
        assert again.index_to_key == list(embedding.keys)
        assert bits(again.vectors) == bits(embedding.vectors)
