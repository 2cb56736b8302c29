"""From text to an embedding."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.training.encode import EncodedCorpus, VocabularyLimits
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove, PoincareGlove
from fairvec.training.progress import EpochProgress, StageProgress
from fairvec.training.train import (
    KINDS,
    Kind,
    TrainingText,
    get_model,
    open_text,
    train_embedding,
)
from tests.loops import loop_over
from tests.training.toys import write_text

# --- From files of text to an embedding, in every kind of model ---


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> TrainingText:
    file = write_text(tmp_path_factory.mktemp("text") / "text.txt")
    return open_text([file], "en", cut=VocabularyLimits(2), window=3)


@pytest.mark.parametrize("name", KINDS)
def test_words_counts_language_and_history_are_kept(text: TrainingText, name: str) -> None:
    made = train_embedding(text, get_model(name, dimensions=6, epochs=2), seed=4, threads=1)
    lines = text.files[0].read_text(encoding="utf-8").split()
    assert made.counts is not None
    assert dict(zip(made.keys, made.counts.tolist(), strict=True)) == {
        word: lines.count(word) for word in set(lines) if lines.count(word) >= 2
    }
    assert made.languages == ("en",)
    assert made.dimensions == 6
    assert made.geometry.contains(np.asarray(made.vectors, np.float64)).all()
    (step,) = made.history
    details = {"by": name, "dimensions": 6, "seed": 4, "window": 3, "corpus_sha256": text.sha256}
    assert details.items() <= step.details.items()


@pytest.mark.parametrize("name", KINDS)
def test_a_seed_repeats_a_training_and_another_does_not(text: TrainingText, name: str) -> None:
    kind = get_model(name, dimensions=6, epochs=2)
    one, same, other = (train_embedding(text, kind, seed=s, threads=1) for s in (1, 1, 2))
    assert np.array_equal(one.vectors, same.vectors)
    assert not np.array_equal(one.vectors, other.vectors)


@pytest.mark.parametrize("name", ["glove", "skipgram"])
@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_that_some_generator_would_refuse_is_refused_before_reading(
    tmp_path: Path, name: str, seed: int
) -> None:
    absent = TrainingText((tmp_path / "absent.txt",), "en")
    with pytest.raises(SettingError, match=f"seed is {seed}"):
        train_embedding(absent, get_model(name), seed=seed)


@pytest.mark.parametrize("name", ["glove", "skipgram"])
@pytest.mark.parametrize(
    ("content", "cut", "remedy"),
    [
        (
            "a b\n" * 3,
            VocabularyLimits(1, 1),
            "needs two; raise --max-words of 1, or leave it out.",
        ),
        ("a a\n" * 3, VocabularyLimits(2), "needs two; give a text of more different words."),
        ("a\nb\n" * 3, VocabularyLimits(2), "put a sentence or a document on a line."),
        (
            "a c\nb d\na\nb",
            VocabularyLimits(2),
            "put a sentence or a document on a line, or lower the",
        ),
        ("a c\nb d\n" * 2 + "a\nb", VocabularyLimits(1, 2), "on a line, or raise --max-words."),
    ],
    ids=["few asked for", "one word", "all alone", "rare neighbours", "neighbours cut off"],
)
def test_a_refusal_names_what_would_help(
    tmp_path: Path, name: str, content: str, cut: VocabularyLimits, remedy: str
) -> None:
    (tmp_path / "t.txt").write_text(content, encoding="utf-8")
    text = open_text([tmp_path / "t.txt"], "en", cut=cut)
    with pytest.raises(SettingError) as caught:
        train_embedding(text, get_model(name, dimensions=2, epochs=1), threads=1)
    assert remedy in str(caught.value)


@pytest.mark.parametrize("name", KINDS)
def test_a_setting_that_no_kind_has_is_offered_those_of_its_kind(name: str) -> None:
    with pytest.raises(UnknownNameError, match=f"setting of {name} named 'epoch'.*epochs"):
        get_model(name, epoch=3)


@pytest.mark.parametrize("name", ["glove", "poincare-glove"])
def test_the_text_is_hashed_once(
    text: TrainingText, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[Path] = []

    def counted(file: Path) -> str:
        hashed.append(file)
        return "0" * 64

    monkeypatch.setattr("fairvec.training.train.sha256_of", counted)
    train_embedding(text, get_model(name, dimensions=2, epochs=1), threads=1)
    assert hashed == [*text.files]


def test_the_limit_of_memory_and_threads_change_nothing(text: TrainingText) -> None:
    kind = Glove(dimensions=6, epochs=2)
    one = train_embedding(text, kind, threads=1)
    small = train_embedding(text, kind, threads=3, max_memory=20_000)
    assert np.array_equal(one.vectors, small.vectors)


OTHER_COUNTS = {"by_distance": "linear", "thinning": 0.01, "unseen": 2.0}


@pytest.mark.parametrize("name", ["glove", "poincare-glove"])
@pytest.mark.parametrize("setting", OTHER_COUNTS)
def test_each_counting_setting_changes_the_vectors_and_is_recorded(
    text: TrainingText, name: str, setting: str
) -> None:
    settings = {"dimensions": 6, "epochs": 2, setting: OTHER_COUNTS[setting]}
    plain = train_embedding(text, get_model(name, dimensions=6, epochs=2), seed=1)
    other = train_embedding(text, get_model(name, **settings), seed=1)
    assert other.keys == plain.keys
    assert other.counts is not None
    assert plain.counts is not None
    assert (other.counts == plain.counts).all()  # those of the text, before it is thinned
    assert not np.array_equal(other.vectors, plain.vectors)
    assert other.history[0].details[setting] == OTHER_COUNTS[setting]


def test_counts_do_not_depend_on_threads_or_memory(text: TrainingText) -> None:
    kind = get_model("glove", dimensions=6, epochs=2, **OTHER_COUNTS)
    one = train_embedding(text, kind, seed=1, threads=1)
    two = train_embedding(text, kind, seed=1, threads=2, max_memory=10**5)
    assert np.array_equal(one.vectors, two.vectors)


@pytest.mark.parametrize("setting", OTHER_COUNTS)
def test_gensim_models_have_no_counting_settings(setting: str) -> None:
    with pytest.raises(SettingError, match=f"has no setting {setting.replace('_', ' ')}"):
        get_model("skipgram", **{setting: OTHER_COUNTS[setting]})


@pytest.mark.parametrize(
    ("setting", "value"), [("thinning", 1.5), ("thinning", -0.1), ("unseen", -1.0)]
)
def test_an_invalid_counting_setting_is_refused(setting: str, value: float) -> None:
    with pytest.raises(SettingError, match=setting):
        get_model("glove", **{setting: value})


def test_every_stage_reports_its_progress(text: TrainingText) -> None:
    vocabularies: list[EncodedCorpus] = []
    stages: list[StageProgress] = []
    train_embedding(
        text,
        Glove(dimensions=4, epochs=3),
        progress=stages.append,
        on_vocabulary=vocabularies.append,
    )
    (corpus,) = vocabularies
    (file,) = text.files
    places = len(corpus.tokens)
    reading, *counting = [done for done in stages if not isinstance(done, EpochProgress)]
    assert (reading.stage, reading.total, reading.file) == (
        "reading",
        file.stat().st_size,
        file.name,
    )
    assert counting[-1] == StageProgress("counting", places, places)
    epochs = stages[-3:]
    assert [(done.stage, done.done, done.total) for done in epochs] == [
        ("training", number, 3) for number in (1, 2, 3)
    ]
    stages.clear()
    train_embedding(text, GensimModel(dimensions=4, epochs=2), progress=stages.append)
    assert stages == [StageProgress("training", number, 2) for number in (0, 1, 2)]


@pytest.mark.parametrize("kind", [Glove(dimensions=4), GensimModel("cbow")])
def test_an_unknown_engine_is_refused_for_every_kind(text: TrainingText, kind: Kind) -> None:
    unknown: Any = "gpus"
    with pytest.raises(UnknownNameError, match="engine named 'gpus'"):
        train_embedding(text, kind, engine=unknown)


def test_a_gpu_is_not_for_gensim(text: TrainingText) -> None:
    with pytest.raises(SettingError, match="gensim trains cbow on the processor"):
        train_embedding(text, GensimModel("cbow"), engine="gpu")


def test_a_warm_start_needs_fewer_words_than_there_are(text: TrainingText, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"900 words cannot be trained first where there are"):
        train_embedding(text, PoincareGlove(dimensions=4, init_words=900), folder=tmp_path)
    assert [*tmp_path.iterdir()] == []


# --- Kinds of model are found by name, with the settings that they have ---


def test_settings_that_are_not_given_have_their_defaults() -> None:
    assert get_model("glove", rate=None) == Glove()
    assert get_model("poincare-glove", balls=4, epochs=None) == PoincareGlove(balls=4)
    assert get_model("cbow", epochs=2) == GensimModel("cbow", epochs=2)


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_has_its_own_name(name: str) -> None:
    assert get_model(name).name == name


@loop_over("name", [name for name in KINDS if name != "poincare-glove"])
@loop_over("setting", ["balls", "likeness", "init_words", "point"])
def test_a_setting_that_a_kind_has_not_is_refused_with_those_that_have_it(
    name: str, setting: str
) -> None:
    message = rf"kind {name} has no setting {setting.replace('_', ' ')}, only poincare-glove; leave"
    with pytest.raises(SettingError, match=message):
        get_model(name, **{setting: 2})


def test_a_misspelt_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="did you mean skipgram"):
        get_model("skip-gram")


@pytest.mark.parametrize("first", [0, 1])
def test_a_warm_start_needs_two_words(first: int) -> None:
    with pytest.raises(SettingError, match="init_words is"):
        PoincareGlove(init_words=first)


@pytest.mark.parametrize("name", ["skipgram", "cbow", "fasttext"])
@pytest.mark.parametrize("rate", [0.0, 1001.0, 1e308])
def test_a_rate_that_crashes_gensim_is_refused(name: str, rate: float) -> None:
    limits = r"lie between 0 and 1000, above 0 itself\."
    with pytest.raises(SettingError, match=rf"rate is .*; it must {limits}"):
        get_model(name, rate=rate)
