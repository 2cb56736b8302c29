"""Words and numbers in runs are gone over in one step, and no answer changes by it."""

import pickle
import struct
from pickle import UnpicklingError
from random import Random

import pytest

from fairvec.embedding.formats import safe_pickle as scanning
from fairvec.embedding.formats.safe_pickle import scan_pickle
from tests.embedding.pickles import whole

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
