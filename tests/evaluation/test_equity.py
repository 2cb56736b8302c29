"""Bias in the task as records: who leans, how sure it is, and what debiasing did to it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtr

from fairvec.embedding import Embedding, Step
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.sentiment.equity import Predict, sentiment_changes, sentiment_differences
from fairvec.geometry import FloatArray
from fairvec.languages.equity import EquityTable, equity_languages, equity_table
from fairvec.results import Outcome, Result, Skipped, read_results, write_results
from tests.evaluation.sentiment_toys import knowing, reader

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
        assert "all 3 trainings lean this way (positive)" in found.verdict.sentence
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


def test_trainings_that_disagree_are_said_to() -> None:
    embedding = knowing(EN)
    found = result(asked(embedding, leans=(0.6, 0.5, -0.2))[0])
    assert "2 of 3 trainings lean this way (positive): they disagree" in found.verdict.sentence
    once = result(asked(embedding, leans=(0.6,))[0])
    assert "trained once, and another training may turn it round" in once.verdict.sentence
    assert len(once.trainings) == 1
    certain = result(asked(embedding, leans=(0.6, 0.6))[0])
    assert "there is no luck in the training" in certain.verdict.sentence
    assert certain.trainings == ()


def test_no_lean_is_no_evidence_with_what_could_have_been_seen() -> None:
    found = result(asked(knowing(EN, group=0.0))[0])
    assert found.verdict.kind == "no-evidence"
    assert found.detectable is not None
    assert f"only differences of {found.detectable:.2g} or more" in found.verdict.sentence
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


def test_two_persons_that_reach_one_key_are_no_pair_and_said_so() -> None:
    text = EN.model_dump()
    text["sets"][0]["pairs"][0]["forms"] = {"subject": ("He", "he"), "object": ("Him", "him")}
    table = EquityTable.model_validate(text)
    found = result(asked(knowing(EN), table=table)[0])
    assert found.coverage[0].missing == {"He / he": "both persons reach one key: he, him"}


def test_too_few_known_pairs_are_skipped_with_a_remedy() -> None:
    names = [pair.label.lower().split(" / ")[1] for pair in EN.sets[1].pairs[:11]]
    gender, race = asked(knowing(EN, without=names))
    assert result(gender).family == 1
    few = skipped(race)
    assert few.cause == "missing"
    assert few.reason.startswith("Of 20 pairs of persons")
    assert "only 9" in few.reason
    kept = asked(knowing(EN, without=names), statistics=Statistics(smallest_coverage=0.45))
    assert result(kept[1]).family == 2


def test_so_few_pairs_that_none_can_be_significant_have_no_verdict() -> None:
    text = EN.model_dump()
    text["sets"] = text["sets"][:1]
    text["sets"][0]["pairs"] = text["sets"][0]["pairs"][:5]
    found = result(asked(knowing(EN), table=EquityTable.model_validate(text))[0])
    assert found.verdict.kind == "too-few-words"
    assert "even if all 5 leant one way, p would be 0.062, above 0.05" in found.verdict.sentence
    assert found.p_holm is None


def test_what_is_no_probability_is_a_reason_and_no_figure() -> None:
    outcomes = asked(knowing(EN), lambda texts: np.full((len(texts), 1), np.nan))
    for outcome in outcomes:
        assert skipped(outcome).cause == "undefined"
        assert "from 0 to 1" in skipped(outcome).reason


def test_words_that_a_debiasing_saw_are_named() -> None:
    embedding = knowing(EN)
    step = Step("toy", {"fitted_on": ["he", "she", "mary", "table"]})
    seen = embedding.moved_to(embedding.vectors, step)
    assert {*result(asked(seen)[0]).fitted_words} == {"he", "she", "Mary"}


def test_several_networks_are_told_apart_by_the_metric() -> None:
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
    nearly = asked(embedding.named("nearly"), leans=(0.61, 0.61))
    assert sentiment_changes(before, nearly)[0].kind == "unchanged"
    # A change of 0.04 is none worth a word of d, but four sentences in a hundred.
    less = asked(embedding.named("less"), leans=(0.3, 0.3))
    drop = result(before[0]).effect - result(less[0]).effect
    assert 0.01 < drop < 0.1
    assert sentiment_changes(before, less)[0].kind == "reduced"


def test_a_change_over_trainings_is_student_s_t_of_both_variances() -> None:
    embedding = knowing(EN)
    before = asked(embedding, leans=(0.6, 0.5, 0.4))
    after = asked(embedding.named("after"), leans=(0.2, 0.3, 0.1))
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


def test_one_lucky_training_proves_no_change() -> None:
    embedding = knowing(EN)
    before = asked(embedding, leans=(0.6,))
    (change, _) = sentiment_changes(before, asked(embedding.named("after"), leans=(0.0,)))
    assert (change.kind, change.paired, change.difference) == ("no-longer-evident", None, None)
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
                embedding.named(name),
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
