"""What a call gives can be sent to another process, kept by pickle, and copied."""

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from typing import Any

import pytest

import fairvec
from fairvec import Concept, Embedding, FairvecError, Test
from fairvec.embedding.embedding import lookup_of
from tests import toys
from tests.api.test_wrong_kinds import GENDER, TEST

COPIES: list[Callable[[Any], Any]] = [copy, deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
every_copy = pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])


def asked() -> Embedding:
    """A model that has been looked up in, by the rules of each language."""
    model = toys.embedding(0.5)
    for language in ("en", "hi", "ru"):
        lookup_of(model, language)
    return model


@every_copy
def test_a_model_that_was_asked_can_be_copied(copied: Callable[[Any], Any]) -> None:
    model = asked()
    other = copied(model)
    assert other.content_hash == model.content_hash
    assert not other.vectors.flags.writeable
    assert fairvec.audit(other, tests=TEST) == fairvec.audit(model, tests=TEST)


def test_a_changed_model_still_shares_the_look_ups() -> None:
    model = asked()
    assert model.named("other").lookups is model.lookups
    assert model.speaking("en").lookups is model.lookups


@every_copy
def test_what_calls_give_can_be_copied(copied: Callable[[Any], Any]) -> None:
    model = asked()
    done = fairvec.debias(model, GENDER, "linear-projection", tests=TEST, benchmarks=[])
    found = fairvec.audit(model, tests=TEST)
    equal: list[Any] = [
        found,
        found[0],
        done.results,
        TEST,
        GENDER,
        found.check("p < 0.5"),
        found.words(),
    ]
    equal += [fairvec.compare(found, done.results), found.plot.forest()]
    for one in equal:
        assert copied(one) == one
        assert type(copied(one)) is type(one)
    again = copied(done)
    assert again.model.content_hash == done.model.content_hash
    assert copied(done.transform).transform(model).content_hash == done.model.content_hash


@every_copy
@pytest.mark.parametrize(
    "slip",
    [
        lambda: fairvec.load("glove-en-smal"),
        lambda: toys.embedding()["doctr"],
        lambda: Test(x=["a"]),
        lambda: Concept(),
        lambda: fairvec.read_results("none"),
    ],
    ids=["name", "key", "test", "concept", "file"],
)
def test_an_error_comes_whole_out_of_another_process(
    copied: Callable[[Any], Any], slip: Callable[[], Any]
) -> None:
    with pytest.raises(FairvecError) as caught:
        slip()
    error = caught.value
    assert (type(copied(error)), str(copied(error))) == (type(error), str(error))


def test_eight_threads_find_what_one_finds() -> None:
    model = toys.embedding(0.5)

    def found(seed: int) -> list[Any]:
        return [*fairvec.audit(model, tests=TEST, seed=seed, method="sampled", samples=200)]

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(found, range(16))] == [found(seed) for seed in range(16)]
