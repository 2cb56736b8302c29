import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.experiments.comparison.compare import compare
from fairvec.experiments.provenance import describe_metric
from fairvec.metrics.bias import DirectBias
from fairvec.results import Outcome, Result, WordScore, to_row
from fairvec.stats import paired_test
from tests.evaluation.categories.drawn_suites import Drawn, outcomes_of, suite_of
from tests.results.make import compared, measured, skipped, viewed


def run_of(effect: float, p: float, noise: float = 0.0) -> list[Outcome]:
    """One result whose eight words give this effect, each a little off by the noise."""
    leanings = {f"x{i}": effect / 2 for i in range(4)} | {f"y{i}": -effect / 2 for i in range(4)}
    words = tuple(
        WordScore(word=word, key=word, role=word[0], score=lean + noise * (-1) ** place)
        for place, (word, lean) in enumerate(leanings.items())
    )
    one = measured(effect=effect, p=p)
    model = one.model.model_copy(update={"sha256": f"{effect} {noise}"})
    return [one.model_copy(update={"words": words, "statistic": effect, "model": model})]


@pytest.mark.parametrize(
    ("before", "after", "proven", "otherwise"),
    [
        ((1.5, 0.01), (0.1, 0.9), "removed", "no-longer-evident"),
        ((1.5, 0.01), (1.2, 0.01), "reduced", "unclear"),
        ((1.5, 0.01), (1.45, 0.01), "unchanged", "unclear"),
        ((1.2, 0.01), (1.5, 0.01), "increased", "unclear"),
        ((1.5, 0.01), (-1.2, 0.01), "reversed", "reversed"),
        ((0.1, 0.9), (-1.4, 0.01), "introduced", "appeared"),
        ((0.1, 0.9), (0.15, 0.8), "no-evidence", "no-evidence"),
        ((0.1, 0.9), (0.6, 0.3), "increased", "no-evidence"),
        # A verdict that tips says what it says, however little the effect moved.
        ((1.29, 0.01), (1.34, 0.06), "removed", "no-longer-evident"),
        ((1.19, 0.06), (1.07, 0.01), "introduced", "appeared"),
        # The other sign, and half the size or more.
        ((0.9, 0.01), (-0.9, 0.06), "overshot", "no-longer-evident"),
        ((0.9, 0.06), (-0.9, 0.01), "overshot", "appeared"),
        ((1.0, 0.06), (-1.13, 0.06), "overshot", "no-evidence"),
        ((0.9, 0.01), (-0.4, 0.06), "removed", "no-longer-evident"),
        ((0.4, 0.01), (-1.4, 0.06), "overshot", "no-longer-evident"),
    ],
)
def test_each_change_has_its_name(
    before: tuple[float, float], after: tuple[float, float], proven: str, otherwise: str
) -> None:
    (pair,) = compare(run_of(*before), run_of(*after)).pairs
    assert pair.change == proven
    (pair,) = compare(run_of(*before, noise=9.0), run_of(*after)).pairs
    assert pair.change == otherwise


def test_other_settings_are_not_compared() -> None:
    usual, other = measured(), measured()
    population = other.convention.model_copy(update={"name": "population", "ddof": 0})
    other = other.model_copy(update={"convention": population})
    with pytest.raises(
        SettingError, match=r"other settings .*caliskan.*population.*run them alike"
    ):
        compare([usual], [other])
    strict = describe_metric(DirectBias(strictness=2))
    described = [
        usual.model_copy(update={"described": describe_metric(DirectBias())}),
        usual.model_copy(update={"described": strict}),
    ]
    with pytest.raises(SettingError, match=r"\(strictness 1.0, then 2\)"):
        compare(described[:1], described[1:])
    both = compare([usual, measured(test="toy/two")], [other, measured(test="toy/two")])
    assert (len(both.pairs), both.otherwise) == (1, (usual.test.id,))


def test_no_effect_before_is_judged_as_no_effect_after_is() -> None:
    alike = skipped(test="toy/one").model_copy(update={"cause": "no-spread"})
    assert [pair.change for pair in compare([alike], [measured()]).pairs] == ["introduced"]
    assert [pair.change for pair in compare([alike], [measured(p=0.6)]).pairs] == ["no-evidence"]


def test_one_model_each_is_before_and_after_whatever_their_names() -> None:
    (pair,) = compare([measured(model="raw")], [measured(model="debiased")]).pairs
    assert (pair.before.model.name, pair.after.model.name) == ("raw", "debiased")


def test_several_models_are_paired_by_name() -> None:
    before = [measured(model="one"), measured(model="two", effect=0.5)]
    compared = compare(before, [measured(model="two")])
    assert [to_row(pair.before)["effect"] for pair in compared.pairs] == [0.5]
    assert compared.unpaired == 1


def test_a_longer_run_is_no_change() -> None:
    alone = measured(p=0.03, p_holm=0.03)
    among_many = measured(p=0.03, p_holm=0.45)
    others = [measured(p=0.9, p_holm=1.0, test=f"toy/{number}") for number in range(14)]
    compared = compare([alone], [among_many, *others])
    assert [pair.p_before == pair.p_after for pair in compared.pairs] == [True]
    assert compared.unpaired == 14


def test_p_is_corrected_over_the_shared_tests() -> None:
    run = [measured(p=0.03, test="toy/a"), measured(p=0.02, test="toy/b")]
    assert [pair.p_after for pair in compare(run, run).pairs] == [0.04, 0.04]


def test_a_test_without_an_answer_is_neither_removed_nor_dropped() -> None:
    (pair,) = compare([measured()], [skipped(test="toy/one")]).pairs
    assert pair.change == "no-answer"
    few = measured().verdict.model_copy(update={"kind": "too-few-words"})
    (pair,) = compare([measured()], [measured().model_copy(update={"verdict": few})]).pairs
    assert pair.change == "no-answer"


def test_other_words_are_noticed() -> None:
    fewer = measured()
    coverage = [group.model_copy(update={"missing": {}}) for group in fewer.coverage]
    compared = compare([measured()], [fewer.model_copy(update={"coverage": tuple(coverage)})])
    assert [pair.same_words for pair in compared.pairs] == [False]


def test_runs_that_share_nothing_are_refused() -> None:
    other = measured(test="toy/three")
    newer = other.test.model_copy(update={"suite_version": "2"})
    with pytest.raises(SettingError, match="share no test"):
        compare([other], [measured(test="toy/one")])
    with pytest.raises(SettingError, match=r"\(version of the suite 1, then 2\)"):
        compare([other], [other.model_copy(update={"test": newer})])


def test_an_effect_whose_words_lean_alike_is_removed() -> None:
    alike = skipped(test="toy/one").model_copy(update={"cause": "no-spread"})
    assert [pair.change for pair in compare([measured()], [alike]).pairs] == ["removed"]
    quiet = compare([measured(p=0.6)], [alike])
    assert [pair.change for pair in quiet.pairs] == ["no-evidence"]


def leaning(**scores: float) -> Result:
    """A result whose words x1, x2, y1 and so on have these scores."""
    words = tuple(WordScore(word=w, key=w, role=w[0], score=score) for w, score in scores.items())
    return measured().model_copy(update={"words": words})


def test_a_change_is_tested_word_by_word() -> None:
    before = leaning(x1=0.3, x2=0.4, x3=0.2, y1=-0.1, y2=-0.2)
    after = leaning(y2=-0.1, y1=-0.05, x1=0.1, x2=0.1, x3=0.3)
    (pair,) = compare([before], [after]).pairs
    # Shares of the words in mean(x) - mean(y), by hand.
    was = np.array([0.1, 0.4 / 3, 0.2 / 3, 0.05, 0.1])
    is_now = np.array([0.1 / 3, 0.1 / 3, 0.1, 0.025, 0.05])
    assert pair.paired is not None
    assert pair.paired.value == paired_test(was, is_now).value
    assert (pair.paired.method, pair.paired.changed) == ("exact", 5)


def test_only_words_that_both_runs_found_are_paired() -> None:
    before, after = leaning(x1=0.3, x2=0.5, y1=0.1), leaning(x1=0.2, y1=0.1, y2=0.7)
    (pair,) = compare([before], [after]).pairs
    assert pair.paired is not None
    assert pair.paired.changed == 1
    (pair,) = compare([leaning(x1=0.3, y1=0.1)], [leaning(x1=0.3, y2=0.1)]).pairs
    assert pair.paired is None


def test_comparisons_made_earlier_are_left_out() -> None:
    both: list[Outcome] = [measured(), compared(), viewed()]
    assert [pair.change for pair in compare(both, both).pairs] == ["unchanged"]


def test_an_equal_effect_of_words_that_lean_otherwise_is_not_proven_unchanged() -> None:
    """One model by two similarities: its words change places, and the effect happens to stay."""
    y = {f"y{place}": -0.1 * place for place in range(1, 7)}
    there = leaning(**{f"x{place}": 0.1 * place for place in range(1, 7)}, **y)
    back = leaning(**{f"x{place}": 0.7 - 0.1 * place for place in range(1, 7)}, **y)
    assert [pair.change for pair in compare([there], [there]).pairs] == ["unchanged"]
    assert [pair.change for pair in compare([there], [back]).pairs] == ["unclear"]


def test_words_that_lean_beyond_reckoning_have_no_paired_test() -> None:
    (before, *_) = outcomes_of(suite_of(Drawn(seed=1)))
    assert isinstance(before, Result)
    words = (before.words[0].model_copy(update={"score": 1e300}), *before.words[1:])
    tiny = {"words": words, "statistic": 1e-200, "effect": 1.0}
    (pair,) = compare([before], [before.model_copy(update=tiny)]).pairs
    assert (pair.paired, pair.difference) == (None, None)
