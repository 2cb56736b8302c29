"""From files of text to an embedding, in every kind of model."""

from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.training.encode import Cut, EncodedCorpus
from fairvec.training.gensim_training import PredictingModel
from fairvec.training.glove.glove import EpochDone
from fairvec.training.models import Glove, PoincareGlove
from fairvec.training.train import KINDS, Listening, Text, kind_named, text_of, train_embedding
from tests.training.texts import write_text


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Text:
    file = write_text(tmp_path_factory.mktemp("text") / "text.txt")
    return text_of([file], "en", cut=Cut(2), window=3)


@pytest.mark.parametrize("name", KINDS)
def test_words_counts_language_and_history_are_kept(text: Text, name: str) -> None:
    made = train_embedding(text, kind_named(name, dimensions=6, epochs=2), seed=4, threads=1)
    lines = text.files[0].read_text(encoding="utf-8").split()
    assert made.counts is not None
    assert dict(zip(made.keys, made.counts.tolist(), strict=True)) == {
        word: lines.count(word) for word in set(lines) if lines.count(word) >= 2
    }
    assert made.languages == ("en",)
    assert made.dimensions == 6
    assert made.geometry.contains(np.asarray(made.vectors, np.float64)).all()
    (step,) = made.history
    told = {"by": name, "dimensions": 6, "seed": 4, "window": 3, "corpus_sha256": text.sha256}
    assert told.items() <= step.details.items()


@pytest.mark.parametrize("name", KINDS)
def test_a_seed_repeats_a_training_and_another_does_not(text: Text, name: str) -> None:
    kind = kind_named(name, dimensions=6, epochs=2)
    one, same, other = (train_embedding(text, kind, seed=s, threads=1) for s in (1, 1, 2))
    assert np.array_equal(one.vectors, same.vectors)
    assert not np.array_equal(one.vectors, other.vectors)


@pytest.mark.parametrize("name", ["glove", "skipgram"])
@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_that_some_generator_would_refuse_is_refused_before_reading(
    tmp_path: Path, name: str, seed: int
) -> None:
    absent = Text((tmp_path / "absent.txt",), "en")
    with pytest.raises(SettingError, match=f"seed is {seed}"):
        train_embedding(absent, kind_named(name), seed=seed)


@pytest.mark.parametrize("name", ["glove", "skipgram"])
@pytest.mark.parametrize(
    ("content", "cut", "told"),
    [
        ("a b\n" * 3, Cut(1, 1), "needs two; raise --max-words of 1, or leave it out."),
        ("a a\n" * 3, Cut(2), "needs two; give a text of more different words."),
        ("a\nb\n" * 3, Cut(2), "put a sentence or a document on a line."),
        ("a c\nb d\na\nb", Cut(2), "put a sentence or a document on a line, or lower the"),
        ("a c\nb d\n" * 2 + "a\nb", Cut(1, 2), "on a line, or raise --max-words."),
    ],
    ids=["few asked for", "one word", "all alone", "rare neighbours", "neighbours cut off"],
)
def test_a_refusal_names_what_would_help(
    tmp_path: Path, name: str, content: str, cut: Cut, told: str
) -> None:
    (tmp_path / "t.txt").write_text(content, encoding="utf-8")
    text = text_of([tmp_path / "t.txt"], "en", cut=cut)
    with pytest.raises(SettingError) as caught:
        train_embedding(text, kind_named(name, dimensions=2, epochs=1), threads=1)
    assert told in str(caught.value)


def test_the_limit_of_memory_and_threads_change_nothing(text: Text) -> None:
    kind = Glove(dimensions=6, epochs=2)
    one = train_embedding(text, kind, threads=1)
    small = train_embedding(text, kind, threads=3, max_memory=20_000)
    assert np.array_equal(one.vectors, small.vectors)


OTHER_COUNTS = {"by_distance": "linear", "thinning": 0.01, "unseen": 2.0}


@pytest.mark.parametrize("name", ["glove", "poincare-glove"])
@pytest.mark.parametrize("setting", OTHER_COUNTS)
def test_each_way_of_counting_changes_the_vectors_and_is_told(
    text: Text, name: str, setting: str
) -> None:
    settings = {"dimensions": 6, "epochs": 2, setting: OTHER_COUNTS[setting]}
    plain = train_embedding(text, kind_named(name, dimensions=6, epochs=2), seed=1)
    other = train_embedding(text, kind_named(name, **settings), seed=1)
    assert other.keys == plain.keys
    assert other.counts is not None
    assert plain.counts is not None
    assert (other.counts == plain.counts).all()  # those of the text, before it is thinned
    assert not np.array_equal(other.vectors, plain.vectors)
    assert other.history[0].details[setting] == OTHER_COUNTS[setting]


def test_other_counts_do_not_hang_on_threads_or_memory(text: Text) -> None:
    kind = kind_named("glove", dimensions=6, epochs=2, **OTHER_COUNTS)
    one = train_embedding(text, kind, seed=1, threads=1)
    two = train_embedding(text, kind, seed=1, threads=2, max_memory=10**5)
    assert np.array_equal(one.vectors, two.vectors)


@pytest.mark.parametrize("setting", OTHER_COUNTS)
def test_what_does_not_count_has_no_way_of_counting(setting: str) -> None:
    with pytest.raises(SettingError, match=f"has no setting {setting.replace('_', ' ')}"):
        kind_named("skipgram", **{setting: OTHER_COUNTS[setting]})


@pytest.mark.parametrize(
    ("setting", "value"), [("thinning", 1.5), ("thinning", -0.1), ("unseen", -1.0)]
)
def test_a_way_of_counting_that_makes_no_sense_is_refused(setting: str, value: float) -> None:
    with pytest.raises(SettingError, match=setting):
        kind_named("glove", **{setting: value})


def test_a_listener_hears_of_every_step(text: Text) -> None:
    words: list[EncodedCorpus] = []
    counted: list[tuple[int, int]] = []
    epochs: list[EpochDone] = []
    heard = Listening(
        words=words.append, counting=lambda *done: counted.append(done), epoch=epochs.append
    )
    train_embedding(text, Glove(dimensions=4, epochs=3), listening=heard)
    (corpus,) = words
    assert counted[-1] == (len(corpus.tokens), len(corpus.tokens))
    assert [done.epoch for done in epochs] == [1, 2, 3]
    passes: list[tuple[int, int]] = []
    heard = Listening(predicting=lambda *done: passes.append(done))
    train_embedding(text, PredictingModel(dimensions=4, epochs=2), listening=heard)
    assert passes == [(0, 2), (1, 2), (2, 2)]


def test_a_gpu_is_not_for_gensim(text: Text) -> None:
    with pytest.raises(SettingError, match="gensim trains cbow on the processor"):
        train_embedding(text, PredictingModel("cbow"), engine="gpu")


def test_as_many_first_words_as_there_are_is_no_start(text: Text, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"900 words cannot be trained first where there are"):
        train_embedding(text, PoincareGlove(dimensions=4, init_words=900), folder=tmp_path)
    assert [*tmp_path.iterdir()] == []
