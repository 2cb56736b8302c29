"""Pickles that would take too much are refused, and no honest one is."""

import pickle
import pickletools
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FairvecError
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.gensim import GensimPickle
from fairvec.embedding.formats.kernels.pickle_kernels import FORMS, UNKNOWN
from fairvec.embedding.formats.safe_pickle import load_pickle, scan_pickle
from tests.embedding.formats.pickles.attacks import late_chain
from tests.embedding.formats.pickles.described_slowly import described_slowly
from tests.embedding.formats.pickles.reasons import HOSTILE
from tests.embedding.pickles import forged, made, whole, written
from tests.embedding.refusing import refuse_each

PROTOCOLS = st.integers(0, pickle.HIGHEST_PROTOCOL)


def test_each_attack_is_refused_for_its_reason_in_little_memory_and_time(tmp_path: Path) -> None:
    for name, (_, attack) in HOSTILE.items():
        (tmp_path / f"{name}.kv").write_bytes(attack())
    expected = {name: said for name, (said, _) in HOSTILE.items()}
    refuse_each(tmp_path, "*.kv", "gensim", expected=expected, megabytes=700)


def test_every_instruction_of_python_is_known_or_refused_on_purpose() -> None:
    left_out = {one.name for one in pickletools.opcodes if FORMS[ord(one.code)] == UNKNOWN}
    assert left_out == {
        "EXT1",
        "EXT2",
        "EXT4",
        "NEWOBJ_EX",
        "NEXT_BUFFER",
        "READONLY_BUFFER",
    }
    assert len(pickletools.opcodes) - len(left_out) == 256 - FORMS.count(UNKNOWN)


keys = st.text(max_size=3) | st.integers() | st.binary(max_size=3) | st.tuples(st.text(max_size=2))
atoms = (
    st.none() | st.booleans() | st.integers(-(2**200), 2**200) | keys | st.floats(allow_nan=False)
)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Lists, tuples and dicts, some of which hold one object twice."""
    lists = st.lists(inner, max_size=4)
    return (
        lists
        | lists.map(tuple)
        | inner.map(lambda one: (one, one))
        | inner.map(lambda one: [one, [one], one])
        | st.dictionaries(keys, inner, max_size=4)
        | st.sets(keys, max_size=3)
        | st.frozensets(keys, max_size=3)
    )


values = st.recursive(atoms, containers, max_leaves=20)


@given(values, PROTOCOLS)
def test_an_honest_pickle_is_foreseen_as_it_is(value: Any, protocol: int) -> None:
    content = pickle.dumps(value, protocol)
    plainly, fast = scan_pickle(content, plain_steps=10**9), scan_pickle(content, plain_steps=0)
    assert plainly == fast
    assert plainly == scan_pickle(content, plain_steps=len(content) // 8 + 1)
    assert plainly.end == len(content)
    assert (plainly.depth, plainly.weight) == described_slowly(content)
    assert scan_pickle(b"before" + content + b"after", 6).end == 6 + len(content)


@given(values, PROTOCOLS)
def test_an_honest_pickle_comes_back(
    tmp_path_factory: pytest.TempPathFactory, value: Any, protocol: int
) -> None:
    file = tmp_path_factory.mktemp("honest") / "value.pkl"
    file.write_bytes(pickle.dumps(value, protocol))
    assert load_pickle(file) == value


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """An honest pickle whose instructions are left out, repeated, moved or made others."""
    value = [draw(values), {"vectors": np.arange(4.0), "keys": ["a", "b"]}]
    content = pickle.dumps(value, draw(PROTOCOLS))
    starts = [place for _, _, place in pickletools.genops(content)] + [len(content)]
    parts = [content[start:end] for start, end in pairwise(starts)]
    for _ in range(draw(st.integers(1, 4))):
        here, there = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        change = draw(st.sampled_from(["leave out", "repeat", "move", "other", "byte"]))
        if change == "repeat":
            parts[here:here] = [parts[there]] * draw(st.integers(1, 5))
        elif change == "move":
            parts[here], parts[there] = parts[there], parts[here]
        elif change == "other":
            parts[here] = draw(st.binary(min_size=1, max_size=1)) + parts[here][1:]
        elif change == "byte":
            parts[here] = parts[here][:-1] + draw(st.binary(min_size=1, max_size=1))
        elif len(parts) > 1:
            del parts[here]
    return b"".join(parts)


@given(mutated())
def test_a_changed_pickle_is_an_object_or_one_clear_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.mktemp("changed") / "value.pkl"
    file.write_bytes(content)
    try:
        load_pickle(file)
    except FairvecError:
        return
    # What was rebuilt was foreseen: nothing lies deeper than the walk says.
    seen = scan_pickle(content)
    assert seen.depth >= described_slowly(content[: seen.end])[0]


@pytest.mark.parametrize("links", [1, 2, 50, 300])
def test_a_chain_that_grows_where_it_lies_counts_whole(links: int) -> None:
    content = late_chain(links)[:-1] + b"0j\0\0\0\0."
    assert scan_pickle(content).depth >= described_slowly(content)[0] == links + 1


def test_models_of_vocabulary_objects_that_know_their_owner_are_read(tmp_path: Path) -> None:
    """A cycle: the model holds a part whose state holds the model."""
    owner = b"cgensim.models\nWord2Vec\n)\x81q\xfa}(X\x02\0\0\0wv"
    part = b"cgensim.models\nKeyedVectors\n)\x81}X\x05\0\0\0ownerh\xfasb"
    file = tmp_path / "cycle.model"
    file.write_bytes(whole(owner + part + b"ub"))
    rebuilt = load_pickle(file)
    assert rebuilt.get("wv").get("owner") is rebuilt


def test_many_small_objects_are_no_attack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dearest honest file: an object of three numbers for each short word (gensim 3)."""
    kinds = forged(
        monkeypatch, "gensim.models.keyedvectors.Vocab", "gensim.models.keyedvectors.KeyedVectors"
    )
    words = [f"{number:x}" for number in range(25_000)]
    vocabulary = {
        word: made(kinds["Vocab"], count=9, index=row, sample_int=7)
        for row, word in enumerate(words)
    }
    model = made(
        kinds["KeyedVectors"],
        vocab=vocabulary,
        index2word=words,
        vectors=np.ones((25_000, 1), "f4"),
    )
    for protocol in (2, 4):
        file = written(tmp_path / "old.kv", model, protocol)
        spent = 64 * file.stat().st_size + 2**26 - scan_pickle(file.read_bytes()).left
        assert spent < 40 * file.stat().st_size
        assert GensimPickle().read(file, ReadOptions()).keys == words
