import pickle
import pickletools
import struct
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from pickle import UnpicklingError
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FairvecError, FileFormatError
from fairvec.embedding.formats import safe_pickle as scanning
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.gensim import GensimPickle
from fairvec.embedding.formats.kernels.pickle_kernels import FORMS, UNKNOWN
from fairvec.embedding.formats.safe_pickle import Array, load_pickle, scan_pickle
from tests.embedding.pickles import (
    ATTACKS,
    FORGED,
    REPEATED,
    forged,
    late_chain,
    made,
    refuse_each,
    whole,
    written,
)

# --- Depth and weight of what a pickle describes, from the graph of its containers: slow and plain


CONTAINERS = {"EMPTY_LIST", "EMPTY_DICT", "EMPTY_SET"}
OF_A_MARK = {"LIST", "DICT", "TUPLE", "FROZENSET", "OBJ", "INST"}
TUPLES = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
NAMES = {"GLOBAL": 0, "STACK_GLOBAL": 2, "PERSID": 0, "BINPERSID": 1}
INTO = {"APPEND": 1, "SETITEM": 2, "BUILD": 1}
INTO_OF_A_MARK = {"APPENDS", "SETITEMS", "ADDITEMS"}
MARK = object()


@dataclass(eq=False)
class Part:
    """A value: what is inside it, and whether its hash is that of its parts."""

    hashed: bool = False
    size: int = 1
    inside: list["Part"] | None = None
    found: list[int] = field(default_factory=list)


def described_slowly(content: bytes) -> tuple[int, int]:
    """Return the longest chain of containers in an object, and its weight up to 255."""
    stack: list[Any] = []
    memo: dict[int, Part] = {}

    def taken(count: int) -> list[Part]:
        found = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        return found

    def since_mark() -> list[Part]:
        found = taken(stack[::-1].index(MARK))
        stack.pop()
        return found

    steps: list[tuple[Any, Any, Any]] = list(pickletools.genops(content))
    ends = [place for _, _, place in steps[1:]] + [len(content)]
    for (code, argument, place), end in zip(steps, ends, strict=True):
        name = code.name
        if name in CONTAINERS:
            stack.append(Part(inside=[]))
        elif name in TUPLES:
            stack.append(Part(True, inside=taken(TUPLES[name])))
        elif name in OF_A_MARK:
            stack.append(Part(name in ("TUPLE", "FROZENSET"), inside=since_mark()))
        elif name in ("REDUCE", "NEWOBJ"):
            stack.append(Part(inside=taken(2)))
        elif name in INTO or name in INTO_OF_A_MARK:
            more = taken(INTO[name]) if name in INTO else since_mark()
            if stack[-1].inside is not None:
                stack[-1].inside.extend(more)
        elif name in NAMES:
            taken(NAMES[name])
            stack.append(Part())
        elif name == "MARK":
            stack.append(MARK)
        elif name == "POP":
            stack.pop()
        elif name == "POP_MARK":
            since_mark()
        elif name == "DUP":
            stack.append(stack[-1])
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(memo[int(argument)])
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            memo[int(argument)] = stack[-1]
        elif name == "MEMOIZE":
            memo[len(memo)] = stack[-1]
        elif name not in ("PROTO", "FRAME", "STOP"):
            is_text = any(kind in name for kind in ("STRING", "UNICODE", "BYTES", "BYTEARRAY"))
            stack.append(Part(size=1 + min((end - place) // 1024, 65) if is_text else 1))
    return _depth(stack[-1], ()), _weight(stack[-1])


def _depth(part: Part, above: tuple[Part, ...]) -> int:
    if part.inside is None or part in above:
        return 0
    if not part.found:
        deepest = [_depth(each, (*above, part)) for each in part.inside]
        part.found.append(1 + max(deepest, default=0))
    return part.found[0]


def _weight(part: Part) -> int:
    if part.inside is None:
        return 1 if part.size == 1 else part.size
    return min(255, 1 + sum(map(_weight, part.inside))) if part.hashed else 1


# --- What the refusal of each attack says, so that none is refused by chance ---


DEEP, HEAVY = "its parts lie inside one another too deep", "one of its keys is too large"
COSTLY = "it asks for far more memory than a file of its size holds"
LONG, CUT = "it holds a number of too many digits", "it ends before its parts do"
MISSING = "it uses what it has not made"
STRANGE = "it holds an instruction that pickles of models do not"
SHAPE, NO_TYPE = "an array has a shape that no array has", "hold neither numbers nor text"
NAME, NOT_TEXT = "a name is not text", "is not text in UTF-8"

BY_BEGINNING = {
    "memo number": MISSING,
    "deep": DEEP,
    "doubled": HEAVY,
    "colliding": FORGED,
    "bytes of": CUT,
    "empty": NO_TYPE,
    "number of": LONG,
}
OTHERWISE = {
    "deep frozen sets": HEAVY,
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
    "frame that cuts a text": "its frames cut its parts",
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
    return next(said for begin, said in BY_BEGINNING.items() if attack.startswith(begin))


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


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
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


@given(values, PROTOCOLS_SCANNING)
def test_an_honest_pickle_is_foreseen_as_it_is(value: Any, protocol: int) -> None:
    content = pickle.dumps(value, protocol)
    plainly, fast = scan_pickle(content, plain_steps=10**9), scan_pickle(content, plain_steps=0)
    assert plainly == fast
    assert plainly == scan_pickle(content, plain_steps=len(content) // 8 + 1)
    assert plainly.end == len(content)
    assert (plainly.depth, plainly.weight) == described_slowly(content)
    assert scan_pickle(b"before" + content + b"after", 6).end == 6 + len(content)


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


# --- Words and numbers in runs are gone over in one step, and no answer changes by it ---


WORDS = [f"word{number:x}" for number in range(9000)]
MODEL = [WORDS, {word: row for row, word in enumerate(WORDS)}, ("some", "more"), {"a": [1, 2]}]


def answer(content: bytes, steps: int) -> object:
    try:
        return scan_pickle(content, plain_steps=steps)
    except UnpicklingError as error:
        return str(error)


@pytest.mark.parametrize("protocol", [4, 5])
def test_a_vocabulary_needs_few_steps_across_frames(
    protocol: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = pickle.dumps(MODEL, protocol)
    assert content.count(b"\x95") > 2
    fast = scan_pickle(content, plain_steps=0)

    def loaded() -> None:
        raise AssertionError("machine code was asked for")

    monkeypatch.setattr(scanning, "_compiled_scan", loaded)
    assert scan_pickle(content, plain_steps=2 * len(WORDS)) == fast
    with pytest.raises(AssertionError, match="machine code"):
        scan_pickle(content, plain_steps=len(WORDS) // 2)


def test_a_damaged_run_gets_the_answer_of_the_walk() -> None:
    random = Random(7)
    some = [*WORDS[:40], *WORDS[300:340]]
    content = pickle.dumps([some, {word: row * 9 for row, word in enumerate(some)}], 4)
    refused = 0
    for _ in range(600):
        damaged = bytearray(content)
        for _ in range(random.randint(1, 2)):
            place = random.randrange(len(damaged))
            odd = random.choice(b"\x8c\x94(eu.hjKMJ\x95\x00\xff2)")
            if random.random() < 0.3:
                damaged[place:place] = bytes([odd])
            else:
                damaged[place] = odd
        walked = answer(bytes(damaged), 0)
        assert answer(bytes(damaged), 10**9) == walked, bytes(damaged)
        refused += isinstance(walked, str)
    assert 100 < refused < 600


def frame(content: bytes, announced: int | None = None) -> bytes:
    return b"\x95" + struct.pack("<Q", len(content) if announced is None else announced) + content


WORD, TWO = b"\x8c\x01a\x94", b"\x8c\x01a\x94\x8c\x01b\x94"


@pytest.mark.parametrize(
    "content",
    [
        whole(b"(" + TWO + b"e"),
        whole(b"](" + TWO + b"u"),
        whole(b"](" + TWO),
        whole(b"((" + TWO + b"e]"),
        whole(b"]N\x94q\x01(" + TWO + b"e"),
        whole(b"]Nq\x02(" + TWO + WORD + b"e"),
        whole(b"}(h\x00K\x01u"),
        whole(b"}N\x94(h\x00K\x01u"),
        whole(b"}K\x01\x940(h\x00K\x01u"),
        whole(WORD + b"0}(h\x00K\x01h\x00u"),
        whole(WORD + b"0}(h\x00h\x00K\x01K\x01u"),
        whole(WORD + b"0}(h\x00K\x01K\x01h\x00u"),
        whole(WORD + b"0}(j\x00\x01\x00\x00K\x01u"),
        whole(frame(b"](" + WORD) + frame(WORD + b"e")),
        whole(frame(b"](" + WORD) + frame(WORD) + b"e"),
        whole(frame(b"](" + WORD) + frame(b"") + b"e"),
        whole(frame(b"](" + WORD, 6) + WORD + b"e"),
        whole(frame(b"](" + WORD, 7) + frame(WORD + b"e")),
        whole(frame(b"](" + WORD) + frame(WORD + b"e", 2**40)),
        whole(frame(b"](" + frame(WORD) + b"e")),
        whole(frame(b"](") + WORD + b"e"),
    ],
)
def test_what_only_looks_like_a_run_gets_the_answer_of_the_walk(content: bytes) -> None:
    assert answer(content, 10**9) == answer(content, 0)
