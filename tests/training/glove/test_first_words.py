"""A training may start from the points of its most frequent words."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.training.counting.count import count_cooccurrences
from fairvec.training.counting.counts import Cooccurrences, Weighting
from fairvec.training.glove import glove as module
from fairvec.training.glove.glove import EpochProgress, VectorTraining, restrict_counts, warm_start
from fairvec.training.models import PoincareGlove

WORDS = 12


def as_dict(counted: Cooccurrences) -> dict[tuple[int, int], int]:
    return {
        (word, int(counted.columns[entry])): int(counted.counts[entry])
        for word in range(len(counted))
        for entry in range(counted.starts[word], counted.starts[word + 1])
    }


@given(
    st.lists(st.integers(-1, WORDS - 1), min_size=1, max_size=60),
    st.integers(1, WORDS),
    st.integers(1, 30),
)
def test_the_counts_of_the_first_words_are_those_of_all(
    tokens: list[int], first: int, at_a_time: int
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "ENTRIES_AT_A_TIME", at_a_time)
        text = np.array(tokens, np.int32)
        counted = count_cooccurrences(text, WORDS, Weighting(3), Path(folder) / "all", threads=1)
        found = restrict_counts(counted, first, Path(folder) / "few")
        wanted = {pair: n for pair, n in as_dict(counted).items() if max(pair) < first}
        assert len(found) == first
        assert found.unit == counted.unit
        assert as_dict(found) == wanted


@given(st.integers(2, 8), st.integers(8, 12), st.integers(0, 9), st.sampled_from([1, 2, 4]))
def test_each_first_word_goes_on_from_its_own_point(
    first: int, words: int, seed: int, balls: int
) -> None:
    generator = np.random.default_rng(seed)
    kind = PoincareGlove(dimensions=4, balls=balls)
    slots, all_slots = generator.permutation(first), generator.permutation(words)
    learnt = {n: a + 0.1 for n, a in kind.start(first, generator).items()}
    begun = warm_start(learnt, slots, kind, all_slots, seed)
    fresh = kind.start(words, np.random.default_rng([seed, 1]))
    for name, numbers in begun.items():
        for word in range(words):
            known = learnt[name][slots[word]] if word < first else fresh[name][all_slots[word]]
            assert np.array_equal(numbers[all_slots[word]], known)


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Cooccurrences:
    tokens = np.minimum(np.random.default_rng(0).zipf(1.4, 5000) - 1, 39).astype(np.int32)
    return count_cooccurrences(
        tokens, 40, Weighting(4), tmp_path_factory.mktemp("counts"), threads=1
    )


def learning(
    first: int | None, work: Path, told: Callable[[EpochProgress], None], kept: Path | None = None
) -> VectorTraining:
    kind = PoincareGlove(dimensions=6, epochs=8, init_words=first)
    return VectorTraining(kind, 0, 1, "cpu", work, kept, "", told)


def test_training_starts_nearer_the_end_and_says_of_how_many_words_it_speaks(
    counted: Cooccurrences, tmp_path: Path
) -> None:
    seen: dict[int | None, list[EpochProgress]] = {None: [], 20: []}
    for first, told in seen.items():
        learning(first, tmp_path / f"{first}", told.append).learn(counted)
    assert [done.words for done in seen[20]] == [20] * 8 + [40] * 8
    whole = [done.loss for done in seen[20] if done.words == 40]
    assert whole[0] < 0.8 * seen[None][0].loss
    assert whole[-1] < whole[0]


def test_both_parts_go_on_where_they_stopped(counted: Cooccurrences, tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    stops = {(20, 3), (40, 2)}

    def stop(done: EpochProgress) -> None:
        if (done.words, done.epoch) in stops:
            stops.remove((done.words, done.epoch))
            raise StoppedError

    heard: list[EpochProgress] = []
    whole = learning(20, tmp_path / "a", heard.append).learn(counted)
    for number in range(2):
        with pytest.raises(StoppedError):
            learning(20, tmp_path / f"b{number}", stop, tmp_path).learn(counted)
    heard.clear()
    again = learning(20, tmp_path / "c", heard.append, tmp_path).learn(counted)
    assert np.array_equal(whole, again)
    assert [(done.words, done.epoch) for done in heard] == [(40, n) for n in range(3, 9)]
