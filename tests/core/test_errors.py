"""Errors, warnings and their filters."""

import pickle
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from multiprocessing import get_context
from time import sleep

import pytest

from fairvec.core.errors import (
    BrokenLawError,
    FairvecError,
    FileFormatError,
    MissingExtraError,
    MissingPackageError,
    SettingError,
    UnknownKeyError,
    UnknownNameError,
    UnreadableError,
    filter_warnings,
    os_reason,
)

# --- errors ---


def test_a_name_in_other_capitals_is_the_one_meant() -> None:
    known = ["weat", "great", "wheat", *(f"other{n}" for n in range(20))]
    assert str(UnknownNameError("metric", "WEAT", known)) == (
        "There is no metric named 'WEAT'; did you mean weat?"
    )


def test_an_unknown_name_offers_the_nearest() -> None:
    error = UnknownNameError("suite", "pestva", ["pestova", "malik2022"])
    assert str(error) == "There is no suite named 'pestva'; did you mean pestova?"


def test_a_name_like_no_other_gets_the_whole_list() -> None:
    error = UnknownNameError("suite", "xyz", ["b", "a"], hint="Write one.")
    assert str(error) == "There is no suite named 'xyz'; known: a, b. Write one."


def test_without_choices_there_is_nothing_to_offer() -> None:
    assert str(UnknownNameError("key", "z", ())) == "There is no key named 'z'."


def test_a_missing_extra_says_what_to_run() -> None:
    error = MissingExtraError("Reading this", "gensim")
    assert str(error) == 'Reading this needs an extra: pip install "fairvec[gensim]"'


def test_what_is_surely_meant_is_offered_whole() -> None:
    error = UnknownNameError("suite", "one", ["ones"], meant=["a/one", "b/one"])
    assert str(error) == "There is no suite named 'one'; did you mean a/one or b/one?"


def test_a_refusal_of_the_system_is_reported_in_small_letters() -> None:
    assert os_reason(PermissionError(13, "Permission denied", "/My/File")) == "permission denied"
    assert os_reason(OSError("No room")) == "no room"
    assert os_reason(ValueError("Embedded null byte")) == "embedded null byte"
    assert os_reason(OSError()) == "oserror"


@pytest.mark.parametrize("kind", [FileFormatError, BrokenLawError])
def test_no_path_in_a_message_ends_its_line(kind: type[FairvecError]) -> None:
    error = kind("a\nerror: b\x1b[2J\u202e.vec is empty.")
    assert str(error) == "a\\u000aerror: b\\u001b[2J\\u202e.vec is empty."
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert str(kind("क्\u200dष holds a \\n.")) == "क्\u200dष holds a \\n."


MADE: tuple[FairvecError, ...] = (
    UnknownNameError("model", "glvoe", ["glove"], meant=["glove"], hint="See the list."),
    UnknownKeyError("word", "wrod", ["word"]),
    UnreadableError("It is too long.", "a sentence"),
    MissingExtraError("Encoding", "encoders"),
    MissingPackageError("A table", "pandas"),
    BrokenLawError("It breaks a law."),
    SettingError("One line\nand another."),
)


@pytest.mark.parametrize("error", MADE, ids=[type(error).__name__ for error in MADE])
def test_an_error_that_comes_from_another_process_is_the_same(error: FairvecError) -> None:
    """A pool of processes hands errors on, and one that cannot be read again breaks the pool."""
    for again in (pickle.loads(pickle.dumps(error)), copy(error)):
        assert type(again) is type(error)
        assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))


def test_every_error_of_the_tree_may_come_from_another_process() -> None:
    kinds, found = [FairvecError], list[type[FairvecError]]()
    while kinds:
        kind = kinds.pop()
        found.append(kind)
        kinds += [one for one in kind.__subclasses__() if one.__module__.startswith("fairvec.")]
        made = kind.__new__(kind, "What was said.")
        assert pickle.loads(pickle.dumps(made)).args == ("What was said.",)
    assert {type(error) for error in MADE} < {*found}


def test_a_name_of_thousands_of_letters_leaves_room_for_what_is_reported_of_it() -> None:
    message = str(FileFormatError(f"{'x' * 5000} is no file; name another."))
    assert message == f"{'x' * 200}... is no file; name another."


# --- Filters of warnings in several threads: each hears what it asked for, and none is left behind


ROUNDS, THREADS = 40, 8


def heard(number: int) -> bool:
    """Whether a thread that raises warnings heard its own, and one that ignores them did not."""
    raising = number % 2 == 1
    try:
        with filter_warnings("error" if raising else "ignore", UserWarning):
            for _ in range(5):
                sleep(0)  # lets another thread run
                warnings.warn("heard", UserWarning, stacklevel=1)
    except UserWarning:
        return raising
    return not raising


def test_each_thread_hears_what_it_asked_for() -> None:
    before = [*warnings.filters]
    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(heard, range(ROUNDS * THREADS)))
    assert warnings.filters == before


def test_a_block_within_a_block_is_no_dead_end() -> None:
    with (
        filter_warnings("ignore"),
        filter_warnings("error", UserWarning),
        pytest.raises(UserWarning),
    ):
        warnings.warn("heard", UserWarning, stacklevel=1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_process_forked_within_a_block_hears_too() -> None:
    with filter_warnings("ignore"):
        child = get_context("fork").Process(target=heard, args=(1,))
        child.start()
        child.join(30)
    assert child.exitcode == 0
