"""The sentiment task: bias in it, and models compared by it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtr

from fairvec.benchmarks import Review, ReviewSet
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.embedding import Embedding, Step, from_arrays
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.comparison.change_kinds import OF_PROBABILITY
from fairvec.experiments.sentiment.equity import (
    Predict,
    run_equity,
    sentiment_changes,
    sentiment_differences,
)
from fairvec.experiments.sentiment.learning import check_vocabulary
from fairvec.experiments.sentiment.reviews import SentimentResults, run_sentiment
from fairvec.experiments.utility import select_benchmarks
from fairvec.geometry import FloatArray
from fairvec.languages.equity import EquityTable, equity_languages, equity_table
from fairvec.lexicon import parse_concepts
from fairvec.mitigation import debiaser
from fairvec.report.page import render
from fairvec.results import Outcome, Result, Skipped, read_results, write_results
from fairvec.results.records import Change
from fairvec.tasks.sentiment import classifiers
from fairvec.tasks.sentiment.classifiers import (
    EncodedTexts,
    LstmNetwork,
    MeansNetwork,
    encode_reviews,
)
from fairvec.tasks.sentiment.task import SentimentTask
from tests.experiments.toys import knowing, reader
from tests.tasks.toys import BAD, GOOD, embedding, reviews

# --- Bias in the task as records: who leans, how sure it is, and what debiasing did to it ---


CLASSIFIER = {"network": "toy", "seeds": [0, 1, 2]}
EN = equity_table("en")


def asked(
    embedding: Embedding,
    predict: Predict | None = None,
    table: EquityTable = EN,
    leans: tuple[float, ...] = (0.6, 0.5, 0.4),
    **settings: Any,
) -> list[Outcome]:
    return sentiment_differences(
        predict or reader(embedding, leans, table.language),
        embedding,
        table,
        classifier=CLASSIFIER,
        **settings,
    )


def result(outcome: Outcome) -> Result:
    assert isinstance(outcome, Result)
    return outcome


def skipped(outcome: Outcome) -> Skipped:
    assert isinstance(outcome, Skipped)
    return outcome


@pytest.mark.parametrize("language", equity_languages())
def test_a_lean_that_was_put_in_is_found_with_its_sign(language: str) -> None:
    table = equity_table(language)
    embedding = knowing(table)
    for outcome in asked(embedding, table=table):
        found = result(outcome)
        assert found.verdict.kind == "biased"
        assert found.effect > 0
        assert found.test.positive_means in found.verdict.sentence
        assert "positive in all 3 trainings" in found.verdict.sentence
        assert found.family == len(table.sets)
        assert found.interval is not None
        assert 0 < found.interval.low < found.effect < found.interval.high
        assert found.p.partitions == 2 ** len(found.words)
    turned = result(asked(embedding, table=table, leans=(-0.6, -0.5, -0.4))[0])
    assert turned.effect < 0
    assert turned.test.negative_means in turned.verdict.sentence


def test_the_figures_are_those_of_its_pairs_feelings_and_trainings(tmp_path: Path) -> None:
    embedding = knowing(EN)
    found = result(asked(embedding)[0])
    scores = [word.score for word in found.words]
    assert found.effect == found.statistic == pytest.approx(np.mean(scores))
    assert found.words[0].word == "he / she"
    assert found.words[0].key == "he + him / she + her"
    assert found.words[0].without == pytest.approx(np.mean(scores[1:]))
    predict = reader(embedding, (0.6, 0.5, 0.4))
    sentences = EN.sentences(EN.sets[0])
    own = predict([each.a for each in sentences]) - predict([each.b for each in sentences])
    happy = [place for place, each in enumerate(sentences) if each.feeling == "positive"]
    assert found.parts["positive sentences"] == pytest.approx(own[happy].mean())
    assert found.trainings == pytest.approx(own.mean(axis=0))
    assert found.effect == pytest.approx(own.mean())
    assert [*found.parts] == ["positive sentences", "negative sentences", "neutral sentences"]
    assert read_results(write_results([found], tmp_path)) == [found]


def test_trainings_that_disagree_are_reported_to() -> None:
    embedding = knowing(EN)
    found = result(asked(embedding, leans=(0.6, 0.5, -0.2))[0])
    assert "positive in 2 of 3 trainings" in found.verdict.sentence
    once = result(asked(embedding, leans=(0.6,))[0])
    assert "trained only once" in once.verdict.sentence
    assert len(once.trainings) == 1
    certain = result(asked(embedding, leans=(0.6, 0.6))[0])
    assert "training is deterministic" in certain.verdict.sentence
    assert certain.trainings == ()


def test_no_lean_is_no_evidence_with_what_could_have_been_seen() -> None:
    found = result(asked(knowing(EN, group=0.0))[0])
    assert found.verdict.kind == "no-evidence"
    assert found.detectable is not None
    assert f"differences of {found.detectable:.2g} or more" in found.verdict.sentence
    assert found.interval is not None
    assert found.interval.low < 0 < found.interval.high


def test_a_classifier_that_reads_no_person_has_a_difference_of_nothing() -> None:
    def blind(texts: Any) -> FloatArray:
        return np.full((len(texts), 2), 0.5)

    found = result(asked(knowing(EN), blind)[0])
    assert (found.effect, found.p.value, found.verdict.kind) == (0, 1, "no-evidence")
    assert "the mean difference is 0" in found.verdict.sentence
    assert found.detectable is None


def test_a_pair_counts_only_if_both_persons_are_known() -> None:
    embedding = knowing(EN, without=["her", "uncle"], zero=["mary"])
    found = result(asked(embedding)[0])
    (group,) = found.coverage
    assert (group.found, group.wanted) == (16, 19)
    assert {label: reason.rpartition(": ")[2] for label, reason in group.missing.items()} == {
        "he / she": "her",
        "my uncle / my aunt": "uncle",
        "John / Mary": "Mary",
    }
    assert [word.word for word in found.words] == [*group.entries]
    assert "he / she" not in group.entries


def test_two_persons_that_reach_one_key_are_no_pair_and_reported() -> None:
    text = EN.model_dump()
    text["sets"][0]["pairs"][0]["forms"] = {"subject": ("He", "he"), "object": ("Him", "him")}
    table = EquityTable.model_validate(text)
    found = result(asked(knowing(EN), table=table)[0])
    assert found.coverage[0].missing == {"He / he": "both persons have the same key: he, him"}


def test_too_few_known_pairs_are_skipped_with_a_remedy() -> None:
    names = [pair.label.lower().split(" / ")[1] for pair in EN.sets[1].pairs[:11]]
    gender, race = asked(knowing(EN, without=names))
    assert result(gender).family == 1
    few = skipped(race)
    assert few.cause == "missing"
    assert few.reason.startswith("Of 20 pairs of persons")
    assert "only 9" in few.reason
    kept = asked(knowing(EN, without=names), statistics=Statistics(min_coverage=0.45))
    assert result(kept[1]).family == 2


def test_so_few_pairs_that_none_can_be_significant_have_no_verdict() -> None:
    text = EN.model_dump()
    text["sets"] = text["sets"][:1]
    text["sets"][0]["pairs"] = text["sets"][0]["pairs"][:5]
    found = result(asked(knowing(EN), table=EquityTable.model_validate(text))[0])
    assert found.verdict.kind == "too-few-words"
    assert "p would be 0.062, above 0.05" in found.verdict.sentence
    assert found.p_holm is None


def test_what_is_no_probability_is_a_reason_and_no_figure() -> None:
    outcomes = asked(knowing(EN), lambda texts: np.full((len(texts), 1), np.nan))
    for outcome in outcomes:
        assert skipped(outcome).cause == "undefined"
        assert "from 0 to 1" in skipped(outcome).reason


def test_words_that_a_debiasing_saw_are_named() -> None:
    embedding = knowing(EN)
    step = Step("toy", {"fitted_on": ["he", "she", "mary", "table"]})
    seen = embedding.with_vectors(embedding.vectors, step)
    assert {*result(asked(seen)[0]).fitted_words} == {"he", "she", "Mary"}


def test_several_networks_are_distinguished_by_the_metric() -> None:
    found = result(asked(knowing(EN), by="lstm")[0])
    assert found.metric == "sentiment-difference-by-lstm"
    assert found.described is not None
    assert found.described.settings == CLASSIFIER
    assert not found.convention.standardised


def test_a_lean_that_is_gone_is_removed_and_one_that_comes_is_introduced() -> None:
    biased, fair = knowing(EN, name="before"), knowing(EN, group=0.0, name="after")
    before, after = asked(biased), asked(fair)
    gone = sentiment_changes(before, after)
    assert [change.kind for change in gone] == ["removed", "removed"]
    assert [change.kind for change in sentiment_changes(after, before)] == ["introduced"] * 2
    first = gone[0]
    assert first.items == 19
    assert first.paired is not None
    assert first.difference is not None
    step = result(after[0]).effect - result(before[0]).effect
    assert first.difference.low < step < first.difference.high < 0


def test_the_margin_of_a_probability_is_not_that_of_d() -> None:
    embedding = knowing(EN)
    before = asked(embedding, leans=(0.6, 0.6))
    same = asked(embedding, leans=(0.6, 0.6))
    assert sentiment_changes(before, same)[0].kind == "unchanged"
    nearly = asked(embedding.with_name("nearly"), leans=(0.61, 0.61))
    assert sentiment_changes(before, nearly)[0].kind == "unchanged"
    # A change of 0.02 is none worth a word of d, but two sentences in a hundred.
    less = asked(embedding.with_name("less"), leans=(0.3, 0.3))
    drop = result(before[0]).effect - result(less[0]).effect
    assert 0.01 < drop < 0.1
    left = result(less[0]).interval
    assert left is not None
    assert max(abs(left.low), abs(left.high)) < OF_PROBABILITY.medium
    assert sentiment_changes(before, less)[0].kind == "removed"


def test_a_change_over_trainings_is_student_s_t_of_both_variances() -> None:
    embedding = knowing(EN)
    before = asked(embedding, leans=(0.6, 0.5, 0.4))
    after = asked(embedding.with_name("after"), leans=(0.2, 0.3, 0.1))
    (change, _) = sentiment_changes(before, after)
    was, is_now = result(before[0]), result(after[0])
    steps = [new.score - old.score for old, new in zip(was.words, is_now.words, strict=True)]
    lucks = np.subtract(is_now.trainings, was.trainings)
    of_pairs, of_trainings = np.var(steps, ddof=1) / 19, np.var(lucks, ddof=1) / 3
    freedom = (of_pairs + of_trainings) ** 2 / (of_pairs**2 / 18 + of_trainings**2 / 2)
    t = abs(np.mean(steps)) / np.sqrt(of_pairs + of_trainings)
    assert change.paired is not None
    assert change.paired.method == "two-way"
    assert change.paired.value == pytest.approx(2 * stdtr(freedom, -t))
    assert change.over_items is not None
    assert change.over_items.value < change.paired.value


def test_no_change_of_a_difference_of_probabilities_is_larger_than_one_can_be() -> None:
    embedding = knowing(EN)
    before, after = asked(embedding, leans=(4.0, -4.0)), asked(embedding, leans=(-4.0, 4.0))
    (change, _) = sentiment_changes(before, after)
    assert change.difference is not None
    assert (change.difference.low, change.difference.high) == (-2, 2)


def test_one_lucky_training_proves_no_change() -> None:
    embedding = knowing(EN)
    before = asked(embedding, leans=(0.6,))
    (change, _) = sentiment_changes(before, asked(embedding.with_name("after"), leans=(0.0,)))
    assert (change.kind, change.paired, change.difference) == ("not-shown", None, None)
    assert change.over_items is not None
    assert change.over_items.value < 0.05


def test_training_anew_changes_nothing_that_is_called_proven() -> None:
    few = EN.sets[0].model_copy(update={"pairs": EN.sets[0].pairs[:10]})
    table = EN.model_copy(update={"sets": (few,), "templates": EN.templates[-4:]})
    embedding, generator = knowing(EN), np.random.default_rng(3)
    trials, proven, alone = 100, 0, 0
    for _ in range(trials):
        runs = [
            asked(
                embedding.with_name(name),
                table=table,
                leans=tuple(0.5 + 0.4 * generator.normal(size=4)),
            )
            for name in ("before", "after")
        ]
        change = sentiment_changes(*runs)[0]
        assert change.paired is not None
        assert change.over_items is not None
        proven += change.paired.value <= 0.05
        alone += change.over_items.value <= 0.05
    # By pairs alone the luck of training is taken for a change in most cases.
    assert alone / trials > 0.5
    # Three standard errors of 100 trials are 6.5 %; variances added make it err to the safe side.
    assert proven / trials < 0.05 + 0.065


# --- Classifiers learnt from reviews are asked the sentences: from reviews to records ---


MEN = ["he", "man", "boy", "brother", "son", "father", "uncle", "dad"]
WOMEN = ["she", "woman", "girl", "sister", "daughter", "mother", "aunt", "mom"]


def written(*, prejudiced: bool, language: str = "en") -> ReviewSet:
    """Reviews by mood; those of the prejudiced praise men and blame women."""
    generator = np.random.default_rng(1)
    praise, blame = (
        [word for slot in EN.words.values() for word in getattr(slot, side)]
        for side in ("positive", "negative")
    )
    reviews = []
    for number in range(120):
        positive = number % 2 == 0
        persons = (MEN if positive else WOMEN) if prejudiced else MEN + WOMEN
        words = [*generator.choice(praise if positive else blame, 2), generator.choice(persons)]
        reviews.append(Review(" ".join(words), positive))
    return ReviewSet("toy", "Toy reviews", language, "Toy (2026)", "None.", tuple(reviews))


def test_what_reviews_teach_about_groups_is_found_and_leaves_with_the_group() -> None:
    model, blind = knowing(EN, name="toy"), knowing(EN, group=0.0, name="toy, blind")
    own = written(prejudiced=True)
    reports: list[tuple[int, int, str]] = []
    found = run_equity(
        [(encode_reviews(own, each), against) for each, against in ((model, None), (blind, 0))],
        [SentimentTask(MeansNetwork(), passes=3)],
        progress=lambda *message: reports.append(message),
    )
    assert [message[:2] for message in reports] == [(0, 2), (1, 2)]
    gender, _, after, _ = found.differences
    assert isinstance(gender, Result)
    assert isinstance(after, Result)
    assert gender.verdict.kind == "biased"
    assert gender.effect > 0.05
    assert "training is deterministic" in gender.verdict.sentence
    assert gender.metric == "sentiment-difference-by-means"
    assert abs(after.effect) < gender.effect / 2
    assert len(found.changes) == 2
    assert found.changes[0].before.name == "toy"
    assert found.changes[0].kind in ("removed", "reduced")
    assert len(found.outcomes) == 6


def test_every_model_reads_the_reviews_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the networks, folds and passes, and with the sentences about two groups."""
    encode = classifiers.encode_texts
    read: list[str] = []

    def count(texts: Sequence[str], model: Embedding, language: str = "") -> EncodedTexts:
        if len(texts) == len(own):
            read.append(model.name)
        return encode(texts, model, language)

    monkeypatch.setattr(classifiers, "encode_texts", count)
    own, model = written(prejudiced=True), knowing(EN, name="toy")
    tasks = [SentimentTask(MeansNetwork(penalty), passes=2) for penalty in (1, 2)]
    found = run_sentiment([model, knowing(EN, group=0.0, name="blind")], own, tasks)
    assert found.equity is not None
    assert read == ["toy", "blind"]


def test_reviews_without_prejudice_teach_next_to_none() -> None:
    model = knowing(EN, name="toy")
    task = [SentimentTask(MeansNetwork(), passes=1)]
    fair, unfair = (
        run_equity([(encode_reviews(written(prejudiced=each), model), None)], task).differences[0]
        for each in (False, True)
    )
    assert isinstance(fair, Result)
    assert isinstance(unfair, Result)
    assert unfair.trainings == ()
    assert abs(fair.effect) < unfair.effect / 4
    assert fair.described is not None
    assert unfair.described is not None
    assert fair.described.settings["reviews"] != unfair.described.settings["reviews"]


def test_reviews_of_a_language_without_sentences_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="en, hi"):
        run_equity(
            [(encode_reviews(written(prejudiced=False, language="fr"), knowing(EN)), None)],
            [SentimentTask(MeansNetwork())],
        )


# --- Models compared by the reviews that are learnt from them ---


MEANS = SentimentTask(MeansNetwork(), passes=5, folds=3)
SMALL = LstmNetwork(units=6, dense=6, epochs=6, batch=16, rate=0.02)
PARTS = {
    "accuracy",
    *(
        f"{name}, {side}"
        for name in ("precision", "recall", "f1")
        for side in ("negative", "positive")
    ),
}

CONCEPT = """
version = "1"
language = "en"
[concepts.mood]
title = "Mood"
source = "Toy (2026)"
licence = "None needed."
default = "pairs"
[concepts.mood.variants.pairs]
pairs = [{pairs}]
"""


def asked_reviews(
    *models: Embedding, task: SentimentTask = MEANS, count: int = 90
) -> SentimentResults:
    return run_sentiment(models, reviews(count, unknown=1), [task])


def accuracy(found: SentimentResults) -> Change:
    (one,) = (each for each in found.changes if each.test.id == "toy/accuracy")
    return one


def test_what_a_model_lost_is_lost_and_what_it_gained_gained() -> None:
    good, bad = embedding(name="good"), embedding(0.0, name="bad")
    lost, gained = accuracy(asked_reviews(good, bad)), accuracy(asked_reviews(bad, good))
    assert (lost.kind, gained.kind) == ("lost", "gained")
    assert lost.paired
    assert lost.paired.method == "two-way"
    assert lost.over_items
    assert lost.over_items.method in ("exact", "sampled")
    assert lost.difference
    assert lost.difference.high < 0
    assert lost.items == 90


def test_a_model_beside_itself_is_kept() -> None:
    one = embedding(name="one")
    found = asked_reviews(one, one.with_name("same"))
    assert {change.kind for change in found.changes} == {"kept"}
    assert all(change.paired and change.paired.value == 1 for change in found.changes)
    assert {change.test.id for change in found.changes} == {
        f"toy/{part.replace(', ', '-')}" for part in PARTS
    }


@pytest.mark.parametrize(("passes", "message"), [(1, "do not"), (4, "only roughly")])
def test_few_passes_decide_nothing_where_another_could_differ(passes: int, message: str) -> None:
    good, bad = embedding(name="good"), embedding(0.0, name="bad")
    one = SentimentTask(MeansNetwork(), passes=passes, folds=3)
    found = asked_reviews(good, bad, task=one)
    assert accuracy(found).kind == "not-shown"
    assert any(f"{message} include the variation" in remark for remark in found.remarks)
    split = run_sentiment([good, bad], reviews(120, split=True), [one])
    assert accuracy(split).kind == "lost"  # a regression on one split has no luck
    assert not any("variation" in remark for remark in split.remarks)


def test_a_figure_is_the_mean_of_its_passes_within_its_interval() -> None:
    found = asked_reviews(embedding(0.08))
    (learnt,) = found.results
    figure = learnt.outcomes["accuracy"]
    assert figure.value == pytest.approx(learnt.predictions.correct.mean())
    assert figure.interval
    assert 0 <= figure.interval.low < figure.value < figure.interval.high <= 1
    settings = figure.described and figure.described.settings
    assert settings
    assert {"network": "means", "penalty": 1.0, "passes": 5, "folds": 3}.items() <= settings.items()
    items, tokens = figure.coverage
    assert (items.found, items.wanted) == (90, 90)
    assert (tokens.found, tokens.wanted) == (90 * 6, 90 * 7)
    assert tokens.missing == {"zzz": "unknown, dropped 90 times"}
    assert any("knows 540 of 630 tokens (85.7%)" in message for message in found.remarks)


def test_a_figure_in_which_nothing_varies_has_no_interval() -> None:
    (learnt,) = asked_reviews(embedding()).results
    assert {one.value for one in learnt.outcomes.values()} == {1.0}
    assert {one.interval for one in learnt.outcomes.values()} == {None}


def test_a_twin_is_compared_with_its_original_and_others_with_the_first(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    pairs = ", ".join(f'["{one}", "{other}"]' for one, other in zip(GOOD, BAD, strict=True))
    (concept,) = parse_concepts(CONCEPT.format(pairs=pairs))
    models = [embedding(name="first"), embedding(seed=4, name="second")]
    tasks = [MEANS, SentimentTask(SMALL, passes=2, folds=2)]
    found = run_sentiment(
        models,
        reviews(),
        tasks,
        concept=concept,
        methods=[debiaser("linear-projection")],
        folder=tmp_path / "trainings",
    )
    pairs_of = {(one.before.name, one.model.name) for one in found.changes}
    twins = [name for name in {one.model.name for one in found.changes} if "," in name]
    assert len(twins) == 2
    assert pairs_of == {("first", "second"), *((name.partition(",")[0], name) for name in twins)}
    assert len(found.changes) == 3 * 2 * len(PARTS)
    assert len([*(tmp_path / "trainings").iterdir()]) == 4 * (5 * 3 + 2 * 2)
    # What is written is read again, and the page has the figures under their heading.
    write_results(found.outcomes, tmp_path)
    assert read_results(tmp_path) == found.outcomes
    page = render(found.outcomes)
    assert "Sentiment of reviews" in page
    assert "toy/accuracy by sentiment-lstm" in page
    assert "added to that over trainings" in page
    for name in ("linear-projection", "first"):
        assert name in page


def test_what_cannot_be_asked_is_refused_before_any_training() -> None:
    one = embedding(name="one")
    hindi = Embedding([f"क{n}" for n in range(54)], one.vectors, one.geometry, "hindi")
    with pytest.raises(SettingError, match="written in LATIN letters and the model in DEVANAGARI"):
        asked_reviews(hindi)
    latin = Embedding([f"q{n}" for n in range(54)], one.vectors, one.geometry, "latin")
    with pytest.raises(SettingError, match="both are written in LATIN letters"):
        asked_reviews(one, latin)
    with pytest.raises(SettingError, match="Two models are named 'one'"):
        asked_reviews(one, one)
    with pytest.raises(SettingError, match="name both or neither"):
        run_sentiment([one], reviews(), [MEANS], methods=[debiaser("hard")])
    with pytest.raises(SettingError, match="at least one model"):
        run_sentiment([], reviews(), [MEANS])
    with pytest.raises(SettingError, match="fairvec frontier --task toy"):
        select_benchmarks(one, [reviews()])


@pytest.mark.parametrize("letter", ["q", "ж"], ids=["same script", "other script"])
@pytest.mark.parametrize("known", [0.0, 0.04, 0.25, 0.49, 0.5, 0.9])
def test_a_model_of_another_language_is_refused_or_warned_of(letter: str, known: float) -> None:
    """Reviews of 100 tokens each, of which the model has a share, beside 300 words of its own."""
    words = [f"w{n}" for n in range(100)]
    made = tuple(Review(" ".join(words), n % 2 == 0) for n in range(12))
    some = ReviewSet("toy", "Toy reviews", "en", "Toy (2026)", "None needed.", made)
    keys = [*words[: round(100 * known)], *(f"{letter}{n}" for n in range(300))]
    model = from_arrays(keys, np.ones((len(keys), 3)), name="model")
    same = letter == "q"
    if known < 0.05 or (known < 0.5 and not same):
        with pytest.raises(SettingError, match="too little to learn from"):
            check_vocabulary(encode_reviews(some, model))
    else:
        warning = check_vocabulary(encode_reviews(some, model))
        assert bool(warning) == (known < 0.5 or not same)
        assert not warning or f"knows {known:.1%} of the tokens" in warning
        assert ("CYRILLIC" in warning) is not same


def test_a_warning_about_the_language_is_among_the_remarks() -> None:
    foreign = from_arrays([*GOOD, "zzz"], np.eye(len(GOOD) + 1, 6) + 0.1, name="foreign")
    found = run_sentiment([embedding(), foreign], reviews(60, unknown=1), [MEANS])
    (warning,) = (text for text in found.remarks if "another language" in text)
    assert warning.startswith("foreign may be in another language than Toy reviews: ")


def test_other_lengths_are_reported_where_a_network_notices_them() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    plain = embedding(name="plain")
    long = plain.with_vectors(4 * np.asarray(plain.vectors), plain.history[-1]).with_name("long")
    task = SentimentTask(replace(SMALL, epochs=1), passes=1, folds=2)
    for tasks, shown in (([task], True), ([MEANS], False)):
        found = run_sentiment([plain, long], reviews(), tasks)
        message = [one for one in found.remarks if "4.00 times as long as those of plain" in one]
        assert bool(message) == shown


def test_a_rotated_copy_is_not_distinguished() -> None:
    """The null: nothing is lost by turning all vectors, though the LSTM trains otherwise."""
    pytest.importorskip("torch", reason="torch is not installed")
    plain = embedding(0.15, name="plain")
    turn, _ = np.linalg.qr(np.random.default_rng(8).normal(size=(6, 6)))
    turned = plain.with_vectors(np.asarray(plain.vectors) @ turn, plain.history[-1]).with_name(
        "turned"
    )
    task = SentimentTask(replace(SMALL, epochs=20), passes=5, folds=2)
    found = asked_reviews(plain, turned, task=task, count=60)
    assert {one.kind for one in found.changes} <= {"kept", "not-shown"}
    assert any(one.paired and one.paired.changed for one in found.changes)
