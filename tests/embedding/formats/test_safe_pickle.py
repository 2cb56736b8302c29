"""The reader of pickles that executes nothing."""

import pickle
import pickletools
from collections import Counter, OrderedDict, defaultdict
from contextlib import suppress
from contextvars import copy_context
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FairvecError, FileFormatError
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.gensim import Gensim
from fairvec.embedding.formats.pickles.objects import LIMITS, Array, Dtype, PickleLimits
from fairvec.embedding.formats.pickles.unpickler import (
    FREQUENT,
    INSTRUCTIONS,
    SafeUnpickler,
    load_pickle,
)
from tests.embedding.pickles import (
    ATTACKS,
    FORGED,
    HALVES,
    REPEATED,
    forged,
    made,
    refuse_each,
    whole,
    written,
)
from tests.loops import loop_over
from tests.resource_limits import outcome

# --- What the refusal of each attack says, so that none is refused by chance ---


NO_MODEL, HEAVY = "not a model of gensim", "one of its keys is too large"
COSTLY = "it asks for far more memory than a file of its size holds"
LONG, CUT = "it holds a number of too many digits", "it ends before its parts do"
MISSING = "it uses what it has not made"
STRANGE = "it holds an instruction that pickles of models do not"
SHAPE, NO_TYPE = "an array has a shape that no array has", "hold neither numbers nor text"
NAME, NOT_TEXT = "a name is not text", "is not text in UTF-8"

BY_BEGINNING = {
    "memo number": MISSING,
    "deep": NO_MODEL,
    "doubled": HEAVY,
    "colliding": FORGED,
    "bytes of": CUT,
    "empty": NO_TYPE,
    "number of": LONG,
}
OTHERWISE = {
    "deep arrays": "neither text nor numbers",
    "deep key": HEAVY,
    "deep frozen sets": HEAVY,
    "deep shells": NAME,
    "deep calls": "a container is filled from something that is not a list",
    "doubled scalar": "a single value is neither a number nor text",
    "doubled word": NOT_TEXT,
    "doubled lists as word": NOT_TEXT,
    "doubled number of balls": "balls, which are no equal parts",
    "doubled n-grams": "n-grams of shape (1, 2) and length ((((",
    "doubled element type": NAME,
    "doubled byte order": NAME,
    "doubled shape": SHAPE,
    "doubled length of a side": SHAPE,
    "a word that holds itself": NOT_TEXT,
    "rows without columns": "holds 1 key but vectors of shape (1099511627776, ...)",
    "words without letters": "index_to_key is an array of 2 dimensions",
    "keys of numbers": FORGED,
    "long number of a million digits": LONG,
    "float of a million digits": LONG,
    "row of 600 digits": "does not give each row to one word",
    "word of 4301 digits": LONG,
    "word of a huge number": LONG,
    "text of no file": CUT,
    "bytearray of no file": CUT,
    "frame of no file": CUT,
    "frame in a frame": "its frames cut its parts",
    "frame that cuts a text": NO_MODEL,
    "sets of nothing": COSTLY,
    "dicts of nothing": COSTLY,
    "shells of nothing": COSTLY,
    "extension": STRANGE,
    "outer buffer": STRANGE,
    "call by keyword": STRANGE,
    "unknown instruction": STRANGE,
    "lists copied": COSTLY,
    "sets copied": COSTLY,
    "dicts copied": COSTLY,
    "texts encoded": COSTLY,
    "arrays of one list": COSTLY,
    "states copied": COSTLY,
    "states of many parts": COSTLY,
    "type of many parts": "an array has no proper type",
    "calls with many arguments": "it makes a call with too many arguments",
    "objects with many arguments": "it makes a call with too many arguments",
    "endless name": "under an endless name",
    "classes without end": "more classes than any model has",
    "one long key again and again": HEAVY,
    "sides without end": SHAPE,
    "shape of huge numbers": SHAPE,
    "negative shape": SHAPE,
    "shape past a word": "an array of shape (4294967296, 4294967296) has 0 bytes",
    "keys of no dimension": "index_to_key is an array of 0 dimensions",
    "keys of two dimensions": "index_to_key is an array of 2 dimensions",
    "letters that are none": "letters that Unicode does not have",
    "half a letter": "surrogates not allowed",
    "n-grams without end": "length 1 to 1000000000",
    "n-grams of a long word": "has 3000000 letters, too many for n-grams",
    "line without end": CUT,
}


def reason_for(attack: str) -> str:
    """Return words that the refusal of an attack must have."""
    if attack in OTHERWISE:
        return OTHERWISE[attack]
    return next(message for begin, message in BY_BEGINNING.items() if attack.startswith(begin))


HOSTILE = {name: (reason_for(name), attack) for name, attack in ATTACKS.items()} | REPEATED
"""By name: what the refusal says, and the attack."""


# --- reader ---


PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
ARRAYS = [
    np.arange(6, dtype=np.float32).reshape(2, 3),
    np.asfortranarray(np.arange(6, dtype=np.float64).reshape(2, 3)),
    np.arange(4, dtype=">f4"),
    np.array([1.5, -2.0], dtype=np.float16),
    np.array([1, 2], dtype=np.int64),
    np.array([True, False]),
    np.array(["слово", "word"]),
    np.array([b"bytes", b"of text"]),
    np.array([], dtype=np.float32).reshape(0, 5),
    np.array(3.5),
]


def rebuilt(value: Any, folder: Path, protocol: int) -> Any:
    file = folder / "value.pkl"
    file.write_bytes(pickle.dumps(value, protocol))
    return load_pickle(file)


@loop_over("protocol", PROTOCOLS)
@loop_over("array", ARRAYS)
def test_arrays_come_back_as_they_were(array: Any, protocol: int, tmp_path: Path) -> None:
    back = rebuilt(array, tmp_path, protocol)
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_plain_containers_come_back_as_plain_containers(protocol: int, tmp_path: Path) -> None:
    counted = defaultdict(int, {"a": 1})
    value = {
        "list": [1, 2.5, None, True, 2**70],
        "tuple": ("x", b"y", b""),
        "set": {1, 2},
        "frozen": frozenset({3}),
        "ordered": OrderedDict([("b", 1), ("a", 2)]),
        "default": counted,
        "counter": Counter("aab"),
        "number": np.float32(1.5),
        "bytes": bytearray(b"\xff\x00"),
    }
    back = rebuilt(value, tmp_path, protocol)
    assert back == {**value, "number": 1.5}
    assert type(back["default"]) is dict
    assert list(back["ordered"]) == ["b", "a"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_array_of_objects_holds_what_the_pickle_built(protocol: int, tmp_path: Path) -> None:
    objects = np.array([["a", None], [np.arange(2), 7]], dtype=object)
    back = rebuilt(objects, tmp_path, protocol)
    assert back.shape == (2, 2)
    assert (back[0, 0], back[0, 1], back[1, 1]) == ("a", None, 7)
    assert isinstance(back[1, 0], Array)
    assert back[1, 0].value.tolist() == [0, 1]


def test_strings_of_python_2_stay_bytes(tmp_path: Path) -> None:
    file = tmp_path / "python2.pkl"
    file.write_bytes(b"(lp0\nS'caf\\xc3\\xa9'\np1\naVcaf\\u00e9\np2\na.")
    assert load_pickle(file) == ["café".encode(), "café"]


def test_an_array_of_python_2_is_read(tmp_path: Path) -> None:
    file = tmp_path / "python2.pkl"
    file.write_bytes(
        b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R"
        b"(K\x01K\x02\x85cnumpy\ndtype\nU\x02f4K\x00K\x01\x87R(K\x03U\x01<NNNJ\xff\xff\xff\xff"
        b"J\xff\xff\xff\xffK\x00tb\x89U\x08\x00\x00\x80?\x00\x00\x00@tb."
    )
    assert load_pickle(file).tolist() == [1.0, 2.0]


def test_every_cut_of_a_pickle_is_one_clear_error(tmp_path: Path) -> None:
    file = tmp_path / "cut.pkl"
    data = pickle.dumps({"vectors": np.arange(4.0), "keys": ["a", "b"]}, 4)
    for length in range(len(data)):
        file.write_bytes(data[:length])
        with pytest.raises(FileFormatError, match=r"cut\.pkl is not a whole pickle"):
            load_pickle(file)


def test_noise_gives_the_file_or_a_clear_error(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    file = tmp_path / "noise.pkl"
    data = pickle.dumps({"vectors": np.arange(4.0), "keys": ["a", "b"]}, 2)
    refused = 0
    for _ in range(500):
        noisy = bytearray(data)
        for place in random.integers(2, len(noisy), 3):
            noisy[place] = random.integers(256)
        file.write_bytes(noisy)
        try:
            load_pickle(file)
        except FileFormatError:
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("garbage", [b"", b"\x80", b"\x80\x04", b"king 0.1 0.2\n", b"\xff" * 100])
def test_garbage_is_one_clear_error(garbage: bytes, tmp_path: Path) -> None:
    file = tmp_path / "garbage.kv"
    file.write_bytes(garbage)
    with pytest.raises(FileFormatError, match=r"garbage\.kv is not a whole pickle"):
        load_pickle(file)


# --- Pickles that would take too much are refused, and no honest one is ---


PROTOCOLS_SCANNING = st.integers(0, pickle.HIGHEST_PROTOCOL)


def test_each_attack_is_refused_for_its_reason_in_little_memory_and_time(tmp_path: Path) -> None:
    for name, (_, attack) in HOSTILE.items():
        (tmp_path / f"{name}.kv").write_bytes(attack())
    expected = {name: message for name, (message, _) in HOSTILE.items()}
    refuse_each(tmp_path, "*.kv", "gensim", expected=expected, megabytes=700)


def test_every_instruction_of_python_is_known_or_refused_on_purpose() -> None:
    known = {*INSTRUCTIONS, *FREQUENT}
    left_out = {one.name for one in pickletools.opcodes if ord(one.code) not in known}
    assert left_out == {"EXT1", "EXT2", "EXT4", "NEWOBJ_EX", "NEXT_BUFFER", "READONLY_BUFFER"}
    assert len(pickletools.opcodes) - len(left_out) == len(known)


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


@given(values, PROTOCOLS_SCANNING)
def test_a_pickle_is_read_from_its_place_to_its_end(value: Any, protocol: int) -> None:
    content = pickle.dumps(value, protocol)
    reader = SafeUnpickler(Path("value.pkl"), b"before" + content + b"after", 6)
    assert reader.load() == value
    assert reader.at == 6 + len(content)


@given(values, PROTOCOLS_SCANNING)
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
    content = pickle.dumps(value, draw(PROTOCOLS_SCANNING))
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
    with suppress(FairvecError):
        load_pickle(file)


LEVELS = 50_000
NESTED = {
    "tuples": b"N" + b"\x85" * LEVELS,
    "lists": b"]" * LEVELS + b"a" * (LEVELS - 1),
    "dicts": b"}" + b"N}" * LEVELS + b"s" * LEVELS,
    "stubs": b"cgensim.models\nA\nq\0" + b"h\0)\x81}X\x01\0\0\0a" * LEVELS + b"N" + b"sb" * LEVELS,
}
IN_ARRAYS = {
    "of arrays": HALVES[0] * LEVELS + b"N" + HALVES[1] * LEVELS,
    "of lists": (HALVES[0] + b"]") * LEVELS + b"N" + (b"a" + HALVES[1]) * LEVELS,
    "of one array of objects": HALVES[0] * 2 + b"N" + HALVES[1] * 2,
}


@pytest.mark.parametrize("kind", NESTED)
def test_what_lies_deep_is_made_and_freed_without_recursion(kind: str) -> None:
    code = f"""
import gc
from pathlib import Path
from fairvec.embedding.formats.pickles.unpickler import SafeUnpickler
from tests.embedding.formats.test_safe_pickle import NESTED
from tests.embedding.pickles import whole
made = SafeUnpickler(Path("deep.kv"), whole(NESTED[{kind!r}]), further_bytes=10**9).load()
gc.collect()
del made
gc.collect()
print("freed")
"""
    assert outcome(code, megabytes=2000) == "freed"


@pytest.mark.parametrize("kind", IN_ARRAYS)
def test_an_array_holds_text_and_numbers_alone(kind: str, tmp_path: Path) -> None:
    """Numpy frees what an array holds by recursion, which a deep one would end in a crash."""
    file = tmp_path / "deep.kv"
    file.write_bytes(whole(IN_ARRAYS[kind]))
    with pytest.raises(FileFormatError, match="neither text nor numbers"):
        load_pickle(file)


def test_an_array_in_another_gets_no_objects_later() -> None:
    def fill(array: Array, item: Any) -> None:
        array.__setstate__((1, (1,), Dtype("O8"), False, [item]))

    inner, outer = Array(), Array()
    of_one_pickle = copy_context()
    of_one_pickle.run(LIMITS.set, PickleLimits(lambda: 0))
    of_one_pickle.run(fill, outer, inner)
    with pytest.raises(pickle.UnpicklingError, match="neither text nor numbers"):
        of_one_pickle.run(fill, inner, "word")


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
        reader = SafeUnpickler(file, file.read_bytes())
        reader.load()
        assert reader.limits.spent < 45 * file.stat().st_size
        assert Gensim().read(file, ReadOptions()).keys == words
