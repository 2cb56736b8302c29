"""CEAT is its published formula, over contexts that are drawn as documented."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.stats import binom, norm

import fairvec
from fairvec.core.errors import UndefinedError
from fairvec.core.format import format_p
from fairvec.encoders import Encoder
from fairvec.encoders.contexts import Corpus
from fairvec.experiments.audit.inference import infer
from fairvec.experiments.audit.plan import Statistics
from fairvec.geometry import COSINE, Euclidean, FloatArray
from fairvec.languages.sentences import Sentence
from fairvec.lexicon import Groups, resolve
from fairvec.metrics import TwoSamples
from fairvec.metrics.bias.ceat import (
    NO_CONTEXT,
    Ceat,
    ContextSimilarities,
    attribute_standard_error,
    context_similarities,
    sample_contexts,
)
from fairvec.metrics.bias.weat import Weat
from fairvec.results import Outcome, Result, Skipped
from fairvec.stats import permutation_test
from scripts.ceat_null import by_words, study
from tests import toys
from tests.encoders.toys import toy_encoder
from tests.metrics.toys import lacking, toy_contexts

# --- CEAT: words in the sentences of a corpus ---


SPACE = Euclidean()
ROLES = ("x", "y", "a", "b")


def groups_in(encoder: Encoder) -> Groups:
    return resolve(toys.suite().tests[0], encoder)


def vectors_of(encoder: Encoder, words: Sequence[str]) -> list[FloatArray]:
    return [encoder.encode(*toy_contexts([(word,)])) for word in words]


def cosines(one: FloatArray, other: FloatArray) -> FloatArray:
    found: FloatArray = 1 - cdist(one, other, "cosine")
    return found


def test_a_word_is_the_mean_of_its_contexts_and_counts_once() -> None:
    encoder, _ = toy_encoder()
    own = {role: vectors_of(encoder, toys.WORDS[role]) for role in ROLES}

    def lean(contexts: FloatArray) -> float:
        to = {r: np.mean([cosines(contexts, word).mean() for word in own[r]]) for r in "ab"}
        return float(to["a"] - to["b"])

    leans = {role: np.array([lean(word) for word in own[role]]) for role in "xy"}
    spread = np.concatenate([leans["x"], leans["y"]]).std(ddof=1)
    score = Ceat(contexts=toy_contexts).measure(groups_in(encoder), SPACE)
    assert score.value == pytest.approx((leans["x"].mean() - leans["y"].mean()) / spread)
    assert [share.leaning for share in score.words] == pytest.approx([*leans["x"], *leans["y"]])
    assert not score.doubt


def test_of_the_word_alone_it_is_weat() -> None:
    encoder, _ = toy_encoder()
    alone = Ceat(contexts=lambda words: [[Sentence.alone(word[0])] for word in words])
    groups = groups_in(encoder)
    weat = Weat().measure(groups, SPACE)
    assert alone.measure(groups, SPACE).value == pytest.approx(weat.value)
    once = replace(alone, answer="as-published", draws=3).measure(groups, SPACE)
    assert once.value == pytest.approx(weat.value)


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_as_published_is_a_loop_over_draws(seed: int) -> None:
    encoder, _ = toy_encoder()
    own = {role: vectors_of(encoder, toys.WORDS[role]) for role in ROLES}
    at = {
        role: sample_contexts(toys.WORDS[role], [*map(len, own[role])], role, 25, seed)
        for role in ROLES
    }
    effects, variances = [], []
    for draw in range(25):
        x, y, a, b = (
            np.array([word[at[role][row, draw]] for row, word in enumerate(own[role])])
            for role in ROLES
        )
        s_x, s_y = (cosines(t, a).mean(axis=1) - cosines(t, b).mean(axis=1) for t in (x, y))
        both = np.concatenate([s_x, s_y])
        effects.append((s_x.mean() - s_y.mean()) / both.std(ddof=1))
        variances.append(both.var(ddof=1))
    d, w = np.array(effects), 1 / np.array(variances)
    q = (w * d**2).sum() - (w * d).sum() ** 2 / w.sum()
    c = w.sum() - (w**2).sum() / w.sum()
    tau = (q - 24) / c if q > 24 else 0.0
    v = 1 / (np.array(variances) + tau)
    joint, error = (v * d).sum() / v.sum(), v.sum() ** -0.5
    published = Ceat(contexts=toy_contexts, answer="as-published", draws=25, seed=seed)
    score = published.measure(groups_in(encoder), SPACE)
    assert score.value == pytest.approx(joint)
    assert f"(one-sided p = {format_p(norm.sf(joint / error))})" in score.doubt


def test_draws_depend_on_the_word_and_the_seed_alone() -> None:
    one = sample_contexts(["w", "v"], [9, 9], "x", 50, 0)
    assert (one == sample_contexts(["v", "w"], [9, 9], "y", 50, 0)[::-1]).all()
    assert (one[0] != one[1]).any()
    assert (one != sample_contexts(["w", "v"], [9, 9], "a", 50, 0)).any()
    assert (one != sample_contexts(["w", "v"], [9, 9], "x", 50, 1)).any()
    assert {*one.ravel().tolist()} == {*range(9)}


@pytest.fixture
def suite(tmp_path: Path) -> str:
    file = tmp_path / "toy.toml"
    file.write_text(toys.suite_text(), encoding="utf-8")
    return str(file)


def audited(suite: str, metric: Ceat, model: Any = None, **settings: Any) -> Outcome:
    (outcome,) = fairvec.audit(
        model or toy_encoder()[0], suites=suite, metrics=[metric], categories=False, **settings
    )
    return outcome


@pytest.mark.parametrize("answer", ["words", "as-published"])
def test_words_without_a_context_are_missing_and_reported(suite: str, answer: Any) -> None:
    contexts: Any = lacking("career", "girl")
    metric = Ceat(contexts=contexts, answer=answer, draws=20)
    record = audited(suite, metric, min_coverage=0.5)
    assert isinstance(record, Result)
    missing = {word: why for one in record.coverage for word, why in one.missing.items()}
    assert missing == {"career": NO_CONTEXT, "girl": NO_CONTEXT}
    assert [one.found for one in record.coverage] == [4, 5, 4, 3]
    assert "career" not in [word.word for word in record.words]
    kept = {role: [w for w in words if w not in missing] for role, words in toys.WORDS.items()}
    shorter = resolve(toys.suite(words=kept).tests[0], toy_encoder()[0])
    without = replace(metric, contexts=toy_contexts).measure(shorter, SPACE)
    assert record.effect == without.value


def test_too_few_words_with_contexts_skip_the_test(suite: str) -> None:
    contexts: Any = lacking("man", "boy", "brother")
    outcome = audited(suite, Ceat(contexts=contexts))
    assert isinstance(outcome, Skipped)
    assert (outcome.cause, outcome.reason[:29]) == ("coverage", "Only 1 of 4 a words was found")
    encoder, _ = toy_encoder()
    none: Any = lacking(*toys.WORDS["a"])
    with pytest.raises(UndefinedError, match="No word of a words stands in the corpus"):
        Ceat(contexts=none).measure(groups_in(encoder), SPACE)


def test_without_a_corpus_it_says_how_to_give_one(suite: str) -> None:
    outcome = audited(suite, Ceat())
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "undefined"
    assert "Ceat(contexts=Corpus((path,)))" in outcome.reason


@pytest.mark.parametrize(
    "wrong",
    [
        lambda words: toy_contexts(words)[1:],
        lambda words: [["a text"] for _ in words],
        lambda words: None,
    ],
)
def test_contexts_that_are_none_are_refused_in_a_sentence(suite: str, wrong: Any) -> None:
    outcome = audited(suite, Ceat(contexts=wrong))
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "undefined"
    assert "must give a list of Sentence objects for each of the 18 words" in outcome.reason


def test_as_published_gets_no_verdict_and_says_its_p(suite: str) -> None:
    record = audited(suite, Ceat(contexts=toy_contexts, answer="as-published", draws=50))
    assert isinstance(record, Result)
    assert (record.verdict.kind, record.p_holm, record.interval) == ("no-verdict", None, None)
    assert "as published (one-sided p = " in record.verdict.sentence
    assert record.convention is not None
    assert "50 draws by random effects" in record.convention.denominator
    x, y = ([w.score for w in record.words if w.role == role] for role in "xy")
    regrouped = permutation_test(np.array(x), np.array(y), sides=record.p.sides)
    assert record.p.value == regrouped.value


def test_the_words_of_all_tests_are_asked_for_at_once(tmp_path: Path) -> None:
    asked: list[Sequence[tuple[str, ...]]] = []

    def counted(words: Sequence[tuple[str, ...]]) -> list[list[Sentence]]:
        asked.append(words)
        return toy_contexts(words)

    one, _, test = toys.suite_text().partition("[[tests]]")
    others = """[sets.z]\ntitle = "z words"\nwords = ["garden", "river", "bread"]\n"""
    second = test.replace('"one"', '"two"').replace('y = "y"', 'y = "z"')
    two = f"{one}{others}[[tests]]{test}[[tests]]{second}"
    file = tmp_path / "two.toml"
    file.write_text(two, encoding="utf-8")
    outcomes = fairvec.audit(toy_encoder()[0], suites=str(file), metrics=[Ceat(contexts=counted)])
    assert [one.status for one in outcomes] == ["measured", "measured", "pooled"]
    assert len(asked) == 1
    assert ("garden",) in asked[0]


@pytest.mark.parametrize("model", ["encoder", "embedding"])
def test_a_corpus_gives_the_contexts(suite: str, tmp_path: Path, model: str) -> None:
    text = tmp_path / "text.txt"
    words = [word for some in toys.WORDS.values() for word in some]
    text.write_text("".join(f"Here is {w}. And the {w} there.\n" for w in words), encoding="utf-8")
    corpus = Corpus((text,), keep=False)
    source = toy_encoder()[0] if model == "encoder" else toys.embedding(0.5)
    record = audited(suite, Ceat(contexts=corpus), source)
    assert isinstance(record, Result)
    assert record.described is not None
    assert record.described.settings["contexts"] == corpus.name
    assert not any(one.missing for one in record.coverage)
    if model == "embedding":  # which knows nothing else of these sentences
        weat = fairvec.audit(source, suites=suite, metrics="weat")[0]
        assert isinstance(weat, Result)
        assert record.effect == pytest.approx(weat.effect)


def test_where_there_is_no_bias_words_find_it_as_often_as_they_say() -> None:
    generator = np.random.default_rng(5)
    studies = 400
    alarms = sum(by_words(study(generator, 6, 1.0)) <= 0.05 for _ in range(studies))
    low, high = binom.interval(0.999, studies, 0.05)
    assert low <= alarms <= high


def test_p_is_that_of_regrouping_words() -> None:
    encoder, _ = toy_encoder()
    samples = Ceat(contexts=toy_contexts).measure(groups_in(encoder), SPACE).samples
    assert isinstance(samples, TwoSamples)
    assert samples.leanings(samples.x).shape == (5,)


def test_the_interval_knows_the_contexts_of_the_attributes(suite: str) -> None:
    record = audited(suite, Ceat(contexts=toy_contexts))
    assert isinstance(record, Result)
    assert record.interval is not None
    assert record.interval.method.endswith(
        "exact, with the error of the contexts of the attributes"
    )
    encoder, _ = toy_encoder()
    score = Ceat(contexts=toy_contexts).measure(groups_in(encoder), SPACE)
    assert isinstance(score.samples, TwoSamples)
    without = infer(replace(score, samples=replace(score.samples, error=0.0)), Statistics())
    narrower = without.interval
    assert narrower is not None
    assert record.interval.low < narrower.low
    assert record.interval.high > narrower.high


# --- The error that the contexts of the attributes leave ---


def of_x_alone(to_a: list[float], to_b: list[float], sizes: tuple[tuple[int, ...], ...]) -> float:
    """The error where Y is equally close to everything, so that g is the closeness of X."""
    x = ContextSimilarities(np.array([to_a]), np.array([to_b]), *sizes)
    y = ContextSimilarities(np.zeros((1, len(to_a))), np.zeros((1, len(to_b))), *sizes)
    return attribute_standard_error(x, y)


def test_by_hand() -> None:
    # A: two words with contexts (1, 3) and (2, 2): variances 2 and 0; B: one word with (0, 1, 2).
    found = of_x_alone([1, 3, 2, 2], [0, 1, 2], ((2, 2), (3,)))
    assert found**2 == pytest.approx(2 / (2 * 4) + 0 + 1 / 3)


def test_a_word_with_one_context_takes_the_mean_of_the_others() -> None:
    found = of_x_alone([1, 3, 7], [0, 1, 2], ((2, 1), (3,)))
    assert found**2 == pytest.approx(2 / (2 * 4) + 1.5 / 4 + 1 / 3)
    assert of_x_alone([1, 3], [2], ((1, 1), (1,))) == 0


def test_it_is_how_far_other_contexts_move_the_difference() -> None:
    generator = np.random.default_rng(2)
    words = {role: generator.normal(size=(4, 1, 10)) for role in "xyab"}
    targets = {role: [*(words[role] + 0.5 * generator.normal(size=(4, 6, 10)))] for role in "xy"}
    differences, errors = [], []
    for _ in range(400):
        a, b = ([*(words[role] + generator.normal(size=(4, 5, 10)))] for role in "ab")
        x, y = (context_similarities(targets[role], a, b, COSINE, Euclidean()) for role in "xy")
        means = [one.by_word.means for one in (x, y)]
        lean: list[FloatArray] = [one[:, 0] - one[:, 1] for one in means]
        differences.append(lean[0].mean() - lean[1].mean())
        errors.append(attribute_standard_error(x, y) ** 2)
    assert np.var(differences, ddof=1) == pytest.approx(np.mean(errors), rel=0.2)
