from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from fairvec.core.errors import GeometryError, SettingError
from fairvec.encoders import Encoder
from fairvec.experiments.debiasing.debias import debias_encoder, settings_for_encoders
from fairvec.experiments.encoder_words import CorpusSentences
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from fairvec.languages.words import Word
from fairvec.lexicon import concept
from fairvec.mitigation import DEBIASERS, debiaser
from fairvec.mitigation.sentences import fit_on_sentences
from fairvec.results import Change, Description, Result
from tests import toys
from tests.encoders.toy_encoder import LetterModel, toy_encoder
from tests.evaluation.biased_encoder import biased

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
    done = debias_encoder(
        biased(), GENDER, debiaser(name, **settings), suites=WEAT_6, benchmarks=[]
    )
    before, after, *answers, change = done.outcomes
    assert [one.model for one in answers] == [before.model, after.model]
    assert isinstance(before, Result)
    assert isinstance(after, Result)
    assert isinstance(change, Change)
    assert before.verdict.kind == "biased"
    assert before.effect > 1.5
    assert abs(after.effect) < 1.0
    assert change.kind in ("removed", "no-longer-evident", "reduced")
    assert after.model.encoder is not None
    assert after.model.encoder["debiased"] == done.transform.name
    assert after.model.history[-1]["action"] == "debias"


def test_a_projection_leaves_nothing_of_its_direction_in_any_sentence() -> None:
    done = debias_encoder(
        biased(), GENDER, debiaser("linear-projection"), suites=WEAT_6, benchmarks=[]
    )
    (basis,) = done.transform.move.tensors().values()
    texts = [Sentence("A ", word, " is near.") for word in ("man", "career", "something")]
    rows = done.after.encode(texts)
    np.testing.assert_allclose(rows @ basis.T, 0, atol=1e-9)
    assert np.abs(done.before.encode(texts) @ basis.T).max() > 0.1


def test_fitted_words_are_said_and_may_be_held_out() -> None:
    seen, unseen = (
        debias_encoder(
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
    done = debias_encoder(
        biased(),
        GENDER,
        debiaser("linear-projection"),
        suites=WEAT_6,
        benchmarks=[],
        contexts=lambda words: [[Sentence("Then ", word, " went home.")] for word, *_ in words],
    )
    assert isinstance(done.outcomes[0], Result)
    said = done.transform.remarks["sentences"][0]
    # of each pair the sentence of one word with the other in its place, and back: the same two
    assert said.startswith(f"{len(done.transform.fitted_on)} sentences")


def test_sentences_that_people_rated_judge_what_is_kept(tmp_path: Path) -> None:
    pairs = tmp_path / "sts.tsv"
    said = [f"A man is number {n}.\tA dog is number {n}.\t{n}" for n in range(12)]
    pairs.write_text("\n".join(said) + "\n", encoding="utf-8")
    encoder = biased()
    done = debias_encoder(
        encoder, GENDER, debiaser("linear-projection"), suites=WEAT_6, benchmarks=[str(pairs)]
    )
    before, after = (
        one for one in done.outcomes if one.test.id == "sts" and one.status == "described"
    )
    rows = [
        encoder.encode([Sentence.alone(text) for text in line.split("\t")[:2]]) for line in said
    ]
    cosines = [one @ other / np.linalg.norm(one) / np.linalg.norm(other) for one, other in rows]
    assert isinstance(before, Description)
    assert before.value == pytest.approx(spearmanr(cosines, range(12)).statistic, abs=1e-6)
    assert before.model.encoder is not None
    assert after.model.name != before.model.name


def test_every_method_that_labels_words_has_the_defining_ones_of_an_encoder() -> None:
    told = {method.name: settings_for_encoders(method.name) for method in DEBIASERS}
    assert {name for name in told if told[name]} >= {"inlp", "leace"}
    assert not told["hard"]
    assert all(debiaser(name, **told[name]) for name in told)


def test_what_moves_single_words_is_refused() -> None:
    with pytest.raises(SettingError, match="places of their own"):
        debias_encoder(biased(), GENDER, debiaser("hard"), suites=WEAT_6, benchmarks=[])


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
