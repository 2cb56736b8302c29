"""The workflow of debiasing embeddings and encoders."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

import fairvec
from fairvec.core.errors import GeometryError, SettingError
from fairvec.embedding import Embedding
from fairvec.encoders import Encoder
from fairvec.experiments.comparison import before_after as measure
from fairvec.experiments.comparison import before_after as movement
from fairvec.experiments.debiasing import files as debiased_files
from fairvec.experiments.debiasing.debias import (
    Debiased,
    debias_model,
    settings_for_encoders,
)
from fairvec.experiments.debiasing.files import DebiasedFiles, write_debiased
from fairvec.experiments.encoder_words import CorpusSentences
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from fairvec.languages.words import Word
from fairvec.lexicon import concept, select_tests
from fairvec.metrics.utility import movement as change
from fairvec.mitigation import DEBIASERS, debiaser, load_transform
from fairvec.mitigation import out_of_core as moved_vectors
from fairvec.mitigation.sentences import fit_on_sentences
from fairvec.results import Result, read_results
from fairvec.results.records import Change, ConceptView, Description
from tests import toys
from tests.encoders.toys import LetterModel, toy_encoder
from tests.experiments.toys import biased_encoder as biased

# --- The workflow of debias as Python and a web page call it; tests/cli has the shell's side ---


SUITE = "malik2022/gender-adjectives"


@pytest.fixture(scope="module")
def done() -> Debiased[Embedding]:
    model = fairvec.load("glove-hi-small")
    return debias_model(model, concept("hi/gender"), debiaser("hard"), suites=SUITE, benchmarks=[])


@pytest.fixture(scope="module")
def learnt() -> Debiased[Embedding]:
    model, method = fairvec.load("glove-en-small"), debiaser("hard", specific="svm")
    suite = "caliskan2017/weat-7"
    return debias_model(model, concept("en/gender"), method, suites=suite, benchmarks=[])


def contents(folder: Path) -> dict[str, bytes | None]:
    """All that lies in a folder, hidden drafts too."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_the_outcome_holds_the_whole_change(done: Debiased[Embedding]) -> None:
    np.testing.assert_array_equal(done.after.vectors, done.transform.transform(done.before).vectors)
    kinds = [type(one) for one in done.outcomes]
    assert [kinds.count(kind) for kind in (Result, Change, ConceptView)] == [2, 2, 1]
    assert done.title == f"glove-hi-small before and after {done.transform.name}"
    assert done.max_memory is None


@pytest.mark.parametrize("language", ["en", "ru", "fr", "und"])
def test_own_lists_in_any_language_are_measured_alike_within_a_limit_of_memory(
    language: str,
) -> None:
    model = fairvec.load("glove-en-small")
    sets = select_tests("caliskan2017/weat-7")[0].test.sets
    own = fairvec.Test(sets=sets, language=language)
    whole, within = (
        debias_model(
            model,
            concept("en/gender"),
            debiaser("linear-projection"),
            suites=[own],
            benchmarks=[],
            max_memory=limit,
        )
        for limit in (None, 1 << 40)
    )
    found = [
        [(one.effect, one.p) for one in each.outcomes if isinstance(one, Result)]
        for each in (whole, within)
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 2


def test_what_is_written_is_the_outcome(done: Debiased[Embedding], tmp_path: Path) -> None:
    files = write_debiased(done, tmp_path / "new" / "fair.fairvec")
    assert files == DebiasedFiles(tmp_path / "new" / "fair.fairvec")
    np.testing.assert_array_equal(fairvec.load(files.model).vectors, done.after.vectors)
    assert load_transform(files.transform).fitted_on == done.transform.fitted_on
    assert read_results(files.folder) == list(done.outcomes)


@pytest.mark.parametrize(
    "broken", ["write_embedding", "save_transform", "write_text", "write_results"]
)
@pytest.mark.parametrize("force", [False, True])
def test_it_is_written_whole_or_not_at_all(
    learnt: Debiased[Embedding],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    *,
    force: bool,
) -> None:
    output = tmp_path / "fair.fairvec"
    if force:
        output.write_text("precious")
        output.with_name("fair.fairvec.run").mkdir()
        (tmp_path / "fair.fairvec.run" / "specific.txt").write_text("precious")
    was = contents(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(debiased_files, broken, fail)
    with pytest.raises(OSError, match="no space left"):
        write_debiased(learnt, output, force=force)
    assert contents(tmp_path) == was


def test_nothing_is_written_over_unless_asked(done: Debiased[Embedding], tmp_path: Path) -> None:
    files = write_debiased(done, tmp_path / "fair.fairvec")
    files.report.write_text("the page of another run")
    was = contents(tmp_path)
    with pytest.raises(SettingError, match="exists already"):
        write_debiased(done, files.model)
    assert contents(tmp_path) == was
    write_debiased(done, files.model, force=True)
    assert not files.report.exists()


def test_remarks_are_heard_in_order_and_kept() -> None:
    model = fairvec.load("glove-en-small")
    reports: list[str] = []
    found = debias_model(
        model,
        concept("en/gender"),
        debiaser("linear-projection"),
        suites=["caliskan2017/weat-7"],
        benchmarks=[],
        holdout=True,
        on_remark=reports.append,
    )
    assert tuple(reports) == found.remarks
    assert reports[0].startswith("Fitted without any tested word: of the ")
    assert not any(one.fitted_words for one in found.outcomes if isinstance(one, Result))


@pytest.mark.parametrize("method", ["hard", "leace"])
def test_where_memory_is_short_vectors_move_block_by_block(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = fairvec.load("glove-hi-small")
    debiased = partial(
        debias_model, model, concept("hi/gender"), debiaser(method), suites=SUITE, benchmarks=[]
    )
    roomy = debiased()
    monkeypatch.setattr(moved_vectors, "available_memory", lambda: 16 * model.vectors.nbytes - 1)
    short = debiased()
    assert short.outcomes == roomy.outcomes
    assert [one for one in short.remarks if one not in roomy.remarks] == [
        "The vectors of glove-hi-small (4 MB) do not fit the free memory; they are changed block "
        "by block, which takes longer and gives the same figures."
    ]
    files = [
        write_debiased(done, tmp_path / name) for done, name in ((roomy, "a.bin"), (short, "b.bin"))
    ]
    assert files[0].model.read_bytes() == files[1].model.read_bytes()


def test_where_nobody_says_how_much_is_free_vectors_are_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moved_vectors, "available_memory", lambda: None)
    model = fairvec.load("glove-hi-small")
    done = debias_model(model, concept("hi/gender"), debiaser("hard"), suites=SUITE, benchmarks=[])
    assert isinstance(done.after.vectors, np.ndarray)


def test_a_large_vocabulary_is_asked_about_its_frequent_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (change, measure, movement):
        monkeypatch.setattr(module, "AMONG", 5_000)
    model = fairvec.load("glove-hi-small")
    done = debias_model(model, concept("hi/gender"), debiaser("hard"), suites=SUITE, benchmarks=[])
    titles = [one.test.title for one in done.outcomes]
    among = "among the 5,000 most frequent, among the 10,231 words of this cut"
    assert f"Share of the 10 nearest words lost, {among}" in titles


# --- encoders ---


WEAT_6 = "caliskan2017/weat-6"
GENDER = concept("en/gender")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("linear-projection", {}),
        ("inlp", {"words": "defining"}),
        ("leace", {"words": "defining"}),
    ],
)
def test_bias_that_was_put_there_is_found_and_taken_out(
    name: str, settings: dict[str, str]
) -> None:
    done = debias_model(biased(), GENDER, debiaser(name, **settings), suites=WEAT_6, benchmarks=[])
    before, after, *answers, change = done.outcomes
    assert [one.model for one in answers] == [before.model, after.model, after.model]
    assert [one.status for one in answers] == ["pooled", "pooled", "compared"]
    assert isinstance(before, Result)
    assert isinstance(after, Result)
    assert isinstance(change, Change)
    assert before.verdict.kind == "biased"
    assert before.effect > 1.5
    assert abs(after.effect) < 1.0
    assert change.kind in ("removed", "reduced")
    assert after.model.encoder is not None
    assert after.model.encoder["debiased"] == done.transform.name
    assert after.model.history[-1]["action"] == "debias"


def test_a_projection_leaves_nothing_of_its_direction_in_any_sentence() -> None:
    done = debias_model(
        biased(), GENDER, debiaser("linear-projection"), suites=WEAT_6, benchmarks=[]
    )
    (basis,) = done.transform.move.tensors().values()
    texts = [Sentence("A ", word, " is near.") for word in ("man", "career", "something")]
    rows = done.after.encode(texts)
    np.testing.assert_allclose(rows @ basis.T, 0, atol=1e-9)
    assert np.abs(done.before.encode(texts) @ basis.T).max() > 0.1


def test_fitted_words_are_reported_and_may_be_held_out() -> None:
    seen, unseen = (
        debias_model(
            biased(),
            GENDER,
            debiaser("linear-projection"),
            suites=WEAT_6,
            benchmarks=[],
            holdout=holdout,
        )
        for holdout in (False, True)
    )
    assert seen.outcomes[1].fitted_words
    assert unseen.outcomes[1].fitted_words == ()
    assert "without any tested word" in " ".join(unseen.remarks)
    tested = {word.lower() for word in seen.outcomes[1].fitted_words}
    assert tested.isdisjoint(word.lower() for word in unseen.transform.fitted_on)


def test_contexts_of_a_corpus_may_take_the_place_of_templates() -> None:
    done = debias_model(
        biased(),
        GENDER,
        debiaser("linear-projection"),
        suites=WEAT_6,
        benchmarks=[],
        contexts=lambda words: [[Sentence("Then ", word, " went home.")] for word, *_ in words],
    )
    assert isinstance(done.outcomes[0], Result)
    message = done.transform.remarks["sentences"][0]
    # of each pair the sentence of one word with the other in its place, and back: the same two
    assert message.startswith(f"{len(done.transform.fitted_on)} sentences")


def test_sentences_that_people_rated_judge_what_is_kept(tmp_path: Path) -> None:
    pairs = tmp_path / "sts.tsv"
    lines = [f"A man is number {n}.\tA dog is number {n}.\t{n}" for n in range(12)]
    pairs.write_text("\n".join(lines) + "\n", encoding="utf-8")
    encoder = biased()
    done = debias_model(
        encoder, GENDER, debiaser("linear-projection"), suites=WEAT_6, benchmarks=[str(pairs)]
    )
    before, after = (
        one for one in done.outcomes if one.test.id == "sts" and one.status == "described"
    )
    rows = [
        encoder.encode([Sentence.alone(text) for text in line.split("\t")[:2]]) for line in lines
    ]
    cosines = [one @ other / np.linalg.norm(one) / np.linalg.norm(other) for one, other in rows]
    assert isinstance(before, Description)
    assert before.value == pytest.approx(spearmanr(cosines, range(12)).statistic, abs=1e-6)
    assert before.model.encoder is not None
    assert after.model.name != before.model.name


def test_every_method_that_labels_words_has_the_defining_ones_of_an_encoder() -> None:
    settings = {method.name: settings_for_encoders(method.name) for method in DEBIASERS}
    assert {name for name in settings if settings[name]} >= {"inlp", "leace"}
    assert not settings["hard"]
    assert all(debiaser(name, **settings[name]) for name in settings)


def test_what_moves_single_words_is_refused() -> None:
    with pytest.raises(SettingError, match="places of their own"):
        debias_model(biased(), GENDER, debiaser("hard"), suites=WEAT_6, benchmarks=[])


def test_a_transform_of_another_space_is_refused() -> None:
    transform = debiaser("linear-projection").fit(toys.embedding(), GENDER.choosing("pairs"))
    with pytest.raises(GeometryError, match="fitted in 6 dimensions"):
        transform.on(toy_encoder()[0])


def test_a_moved_encoder_is_known_by_what_moved_it() -> None:
    encoder, _ = toy_encoder(dimensions=6)
    half, whole = (
        debiaser("linear-projection", strength=strength)
        .fit(toys.embedding(), GENDER.choosing("pairs"))
        .on(encoder)
        for strength in (0.5, 1.0)
    )
    hashes = {one.content_hash for one in (encoder, half, whole)}
    assert len(hashes) == 3
    assert isinstance(whole, Encoder)


class _WordModel(LetterModel):
    """Gives a sentence the numbers of its word alone, as the pooling `word` nearly does."""

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        rows = np.array([self._numbers(one.word) for one in sentences])
        unit: FloatArray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


@given(st.permutations(["he", "she"]), st.booleans())
def test_one_text_with_two_words_is_two_sentences(order: list[str], turned: bool) -> None:
    model = _WordModel(dimensions=6)
    pairs = [[Word(word=word) for word in (order[::-1] if turned else order)]]
    gender = GENDER.choosing("pairs")
    narrow = gender.model_copy(
        update={"variants": {gender.variant: gender.definition.model_copy(update={"pairs": pairs})}}
    )
    he, she = order
    # "she told he" stands for a sentence of he and for one of she.
    contexts = {he: Sentence(f"{she} told ", he, ""), she: Sentence("", she, f" told {he}")}
    around = CorpusSentences(lambda words: [[contexts[word]] for word, *_ in words], pairs[0])
    fitted = fit_on_sentences(
        debiaser("linear-projection"), Encoder(model, "words"), narrow, around.aligned
    )
    rows = model.encode([Sentence.alone(word) for word in order])
    moved = fitted.apply(rows, order)
    np.testing.assert_allclose(moved @ (rows[0] - rows[1]), 0, atol=1e-6)
