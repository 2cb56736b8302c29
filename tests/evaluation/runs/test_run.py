from dataclasses import replace

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.geometry import NEGATIVE_DISTANCE, Poincare
from fairvec.lexicon import SelectedTest
from fairvec.metrics import Weat
from fairvec.results import Outcome, Result, Skipped
from tests import toys


def outcome_of(bias: float, *, kind: str = "bias", **statistics: object) -> Result:
    tests = (SelectedTest(toys.suite(kind), toys.suite(kind).tests[0]),)
    plan = Plan((Audit(toys.embedding(bias), tests),), Statistics(**statistics))  # type: ignore[arg-type]
    (outcome,) = run(plan)
    assert isinstance(outcome, Result)
    return outcome


def run_on(embedding: object, words: dict[str, list[str]] = toys.WORDS) -> Outcome:
    suite = toys.suite(words=words)
    (outcome,) = run(Plan((Audit(embedding, (SelectedTest(suite, suite.tests[0]),)),)))  # type: ignore[arg-type]
    return outcome


def test_a_planted_bias_is_found_with_its_direction() -> None:
    towards, against = outcome_of(1.0), outcome_of(-1.0)
    assert towards.verdict.kind == against.verdict.kind == "biased"
    assert towards.effect > 1.5
    assert against.effect < -1.5
    assert towards.verdict.sentence == (
        "Biased, a large effect: x words lean more to a words, y words more to b words."
    )
    assert against.verdict.sentence == (
        "Biased, a large effect: x words lean more to b words, y words more to a words."
    )


def test_p_is_that_of_all_252_regroupings() -> None:
    result = outcome_of(1.0)
    assert result.p.method == "exact"
    assert result.p.partitions == 252
    assert result.p.value == result.p.smallest == 2 / 252
    assert result.p_holm == result.p_bh == result.p.value
    assert result.family == 1


def test_no_evidence_says_what_could_have_been_seen() -> None:
    result = outcome_of(0.0)
    assert result.verdict.kind == "no-evidence"
    assert result.detectable is not None
    assert f"only effects of {result.detectable:.2f} or more" in result.verdict.sentence


@pytest.mark.parametrize(
    ("kind", "opening"), [("meaningful-encoding", "Encoded"), ("baseline", "Associated")]
)
def test_what_is_no_bias_is_not_called_bias(kind: str, opening: str) -> None:
    result = outcome_of(1.0, kind=kind)
    assert result.verdict.kind == "associated"
    assert result.verdict.sentence.startswith(opening)


def test_a_verdict_is_two_sided_whatever_the_sides() -> None:
    result = outcome_of(-1.0, sides="greater")
    assert result.p.sides == "greater"
    assert result.p.value == 1.0
    assert result.verdict.p == 2 / 252
    assert result.verdict.kind == "biased"


def test_the_effect_lies_in_its_interval_and_the_words_sum_to_the_statistic() -> None:
    result = outcome_of(0.5)
    assert result.interval is not None
    assert result.interval.low <= result.effect <= result.interval.high
    x = [word.score for word in result.words if word.role == "x"]
    y = [word.score for word in result.words if word.role == "y"]
    assert result.statistic == pytest.approx(np.mean(x) - np.mean(y), rel=1e-12)
    assert result.effect == pytest.approx(result.statistic / np.std(x + y, ddof=1), rel=1e-12)


def test_without_says_the_effect_without_the_word() -> None:
    result = outcome_of(0.3)
    words = {**toys.WORDS, "x": toys.WORDS["x"][1:]}
    shorter = run_on(toys.embedding(0.3), words)
    assert isinstance(shorter, Result)
    assert result.words[0].word == toys.WORDS["x"][0]
    assert result.words[0].without == pytest.approx(shorter.effect, rel=1e-12)


def test_the_same_plan_gives_the_same_results() -> None:
    assert outcome_of(0.4) == outcome_of(0.4)


def test_corrections_run_over_the_tests_of_one_model() -> None:
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),) * 3
    strong, weak = (Audit(toys.embedding(bias), tests) for bias in (1.0, 0.0))
    results = run(Plan((strong, weak)))
    assert results[:3] == run(Plan((strong,)))
    assert [r.family for r in results if isinstance(r, Result)] == [3] * 6
    assert [r.p_holm for r in results[:3] if isinstance(r, Result)] == [3 * 2 / 252] * 3
    assert [r.p_bh for r in results[:3] if isinstance(r, Result)] == [2 / 252] * 3


def test_a_missing_word_is_named_and_an_unequal_test_is_run() -> None:
    embedding = toys.embedding(1.0)
    fewer = replace(embedding, keys=embedding.keys[1:], vectors=embedding.vectors[1:])
    outcome = run_on(fewer)
    assert isinstance(outcome, Result)
    assert outcome.coverage[0].missing == {"office": "not in the vocabulary"}
    assert outcome.p.partitions == 126


def test_too_few_words_found_is_a_reason_not_a_number() -> None:
    embedding = toys.embedding(1.0)
    fewer = replace(embedding, keys=embedding.keys[3:], vectors=embedding.vectors[3:])
    outcome = run_on(fewer)
    assert isinstance(outcome, Skipped)
    assert outcome.reason.startswith("Only 2 of 5 x words were found, less than 50%")


def test_lists_too_short_to_show_anything_say_so() -> None:
    words = {role: entries[:3] for role, entries in toys.WORDS.items()}
    outcome = run_on(toys.embedding(1.0), words)
    assert isinstance(outcome, Result)
    assert outcome.verdict.kind == "too-few-words"
    assert outcome.detectable is None


def test_words_that_all_lean_alike_have_no_effect() -> None:
    embedding = toys.embedding(1.0)
    outcome = run_on(replace(embedding, vectors=np.ones_like(embedding.vectors)))
    assert isinstance(outcome, Skipped)
    assert "lean alike" in outcome.reason


def test_the_ball_is_measured_with_its_own_distance() -> None:
    suite = toys.suite()
    ball = toys.embedding(1.0, space=Poincare())
    audit = Audit(ball, (SelectedTest(suite, suite.tests[0]),), Weat(NEGATIVE_DISTANCE))
    (outcome,) = run(Plan((audit,)))
    assert isinstance(outcome, Result)
    assert (outcome.similarity, outcome.model.geometry) == ("negative-distance", "poincare")
    assert outcome.model.curvature == 1.0


def test_strict_ties_do_not_fool_the_verdict() -> None:
    words = {role: entries[:3] for role, entries in toys.WORDS.items()}
    suite = toys.suite(words=words)
    audit = Audit(toys.embedding(1.0), (SelectedTest(suite, suite.tests[0]),))
    (outcome,) = run(Plan((audit,), Statistics(ties=">")))
    assert isinstance(outcome, Result)
    assert outcome.p.value == 0.0
    assert outcome.verdict.kind == "too-few-words"


def test_the_detectable_effect_is_that_of_the_corrected_level() -> None:
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),)
    (alone,) = run(Plan((Audit(toys.embedding(0.1), tests),)))
    among_two = run(Plan((Audit(toys.embedding(0.1), tests * 2),)))
    assert isinstance(alone, Result)
    assert isinstance(among_two[0], Result)
    assert alone.detectable is not None
    assert among_two[0].detectable is not None
    assert among_two[0].detectable > alone.detectable


def test_one_word_in_two_lists_is_noticed() -> None:
    words = {**toys.WORDS, "y": ["office", *toys.WORDS["y"]]}
    outcome = run_on(toys.embedding(1.0), words)
    assert [group.shared for group in outcome.coverage] == [("office",), ("office",), (), ()]


@pytest.mark.parametrize(
    "setting", [{"seed": -1}, {"samples": 1e5}, {"alpha": "x"}, {"level": 1.0}, {"resamples": 5}]
)
def test_settings_outside_their_range_are_refused(setting: dict[str, object]) -> None:
    with pytest.raises(SettingError, match=next(iter(setting))):
        Statistics(**setting)  # type: ignore[arg-type]


def test_an_effect_is_relative_and_says_when_both_lists_lean_to_one_side() -> None:
    embedding = toys.embedding(1.0)
    vectors = np.array(embedding.vectors)
    vectors[: len(toys.WORDS["x"]) + len(toys.WORDS["y"]), 0] += 0.8
    outcome = run_on(replace(embedding, vectors=vectors))
    assert isinstance(outcome, Result)
    assert min(word.score for word in outcome.words) > 0
    assert outcome.verdict.sentence == (
        "Biased, a large effect: x words lean more to a words, y words more to b words "
        "(both lean to a words)."
    )


def test_lists_too_short_for_so_many_tests_say_so() -> None:
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),) * 10
    outcomes = run(Plan((Audit(toys.embedding(0.0), tests),)))
    assert isinstance(outcomes[0], Result)
    assert outcomes[0].verdict.kind == "too-few-words"
    assert "too much for the 10 bias tests of toy at 0.05" in outcomes[0].verdict.sentence


def test_a_smallest_p_that_is_the_level_is_a_verdict() -> None:
    """Of three and three words the strongest split has p = 2/20."""
    words = {role: entries[:3] for role, entries in toys.WORDS.items()}
    suite = toys.suite(words=words)
    audit = Audit(toys.embedding(1.0), (SelectedTest(suite, suite.tests[0]),))
    for alpha, kind in ((0.1, "biased"), (0.0999, "too-few-words")):
        (outcome,) = run(Plan((audit,), Statistics(alpha=alpha)))
        assert isinstance(outcome, Result)
        assert (outcome.verdict.p, outcome.verdict.kind) == (0.1, kind)
