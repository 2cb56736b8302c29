"""The frontier of methods and strengths."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairvec.benchmarks import RatedPair, SimilaritySet
from fairvec.core.errors import FileFormatError, SettingError, UndefinedError, UnknownNameError
from fairvec.core.plugins import _ORIGINS, Origin
from fairvec.embedding import Embedding
from fairvec.embedding.embedding import Step
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.suites import words_of_tests
from fairvec.experiments.comparison.before_after import ModelMeasurements, measure_model
from fairvec.experiments.frontier import frontier as trials
from fairvec.experiments.frontier.calibration import (
    STRENGTH_TOLERANCE,
    calibrated_strength,
    remaining_effect,
)
from fairvec.experiments.frontier.frontier import Frontier, _methods, frontier, shared_identity
from fairvec.experiments.sentiment.learning import ReviewTask
from fairvec.geometry import Poincare
from fairvec.lexicon import Concept, parse_concepts, select_tests
from fairvec.messages.frontiers import OTHER_MODELS_NOTE
from fairvec.mitigation import FOREIGN_METHODS, fit_checked, register_method
from fairvec.mitigation import out_of_core as moved_vectors
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.report.frontier import render_frontier
from fairvec.results import Result
from fairvec.results.frontier import FrontierPoint, read_frontier, read_trial, write_frontier
from fairvec.tasks.sentiment.classifiers import MeansNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from fairvec.testing.planted import concept_text
from tests import toys
from tests.experiments.toys import count_work
from tests.metrics.utility.test_text_preferences import QUERIES
from tests.tasks import toys as toy_reviews
from tests.testing.toys import FirstPair

# --- frontier ---


TESTED = [word for entries in toys.WORDS.values() for word in entries]
PAIRS = [("he", "she"), ("king", "queen"), ("uncle", "aunt"), ("sir", "madam")]
SET = SimilaritySet(
    "toy-pairs",
    "Toy pairs",
    "en",
    "Toy (2026)",
    "None needed.",
    tuple(
        RatedPair(one, other, float(i % 5))
        for i, (one, other) in enumerate(zip(TESTED, TESTED[3:], strict=False))
    ),
)


def concept(pairs: list[tuple[str, str]]) -> Concept:
    (found,) = parse_concepts(concept_text(pairs))
    return found


@pytest.fixture
def model() -> Embedding:
    """The toy's words, and four pairs that differ along its first axis, which carries the bias."""
    known = toys.embedding(bias=1.0)
    extra = [word for pair in PAIRS for word in pair]
    rows = np.random.default_rng(5).normal(size=(len(extra), 6)) * 0.02
    rows[:, 0] += [0.4, -0.4] * len(PAIRS)
    return Embedding([*known.keys, *extra], np.vstack([known.vectors, rows]), name="toy")


@pytest.fixture
def suite(tmp_path: Path) -> str:
    path = tmp_path / "toy.toml"
    path.write_text(toys.suite_text(), encoding="utf-8")
    return str(path)


def tried(model: Embedding, suite: str, folder: Path, **settings: object) -> Frontier:
    given = {"methods": ["linear-projection", "lpsg"], "strengths": (0.5, 1.0)} | settings
    return frontier(model, concept(PAIRS), folder=folder, suites=[suite], benchmarks=[SET], **given)  # type: ignore[arg-type]


def test_points_are_what_audits_of_the_changed_model_say(
    model: Embedding, suite: str, tmp_path: Path
) -> None:
    found = tried(model, suite, tmp_path)
    assert [one.label for one in found.points] == [
        "the model as it is",
        "linear-projection at 0.5",
        "linear-projection at 1",
    ]
    (gap,) = found.untried
    assert (gap.method, "no directions to keep" in gap.reason) == ("lpsg", True)
    for one in found.points[1:]:
        moved = LinearProjection(strength=one.strength).fit(model, concept(PAIRS)).transform(model)
        (after,) = audit(moved, suites=suite, categories=False)
        assert isinstance(after, Result)
        assert one.effects[0].after == pytest.approx(after.effect)
        assert one.held_out
    first, *others = found.points
    assert (first.information_kept, first.bias_left) == (1.0, first.bias_before)
    assert all(one.bias_left < first.bias_before for one in others)
    assert {figure.family for figure in first.figures} == {"similarity", "neighbours"}


def test_where_memory_is_short_no_changed_model_is_held(
    model: Embedding, suite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = tried(model, suite, tmp_path / "held")
    held: list[bool] = []

    def seen(some: Embedding, **settings: Any) -> ModelMeasurements:
        held.append(isinstance(some.vectors, np.ndarray))
        return measure_model(some, **settings)

    monkeypatch.setattr(moved_vectors, "available_memory", lambda: 0)
    monkeypatch.setattr(trials, "measure_model", seen)
    found = tried(model, suite, tmp_path / "short")
    assert held == [True, False, False]
    for one, other in zip(found.points, expected.points, strict=True):
        assert one.bias_left == pytest.approx(other.bias_left)
        assert one.information_kept == pytest.approx(other.information_kept)
        assert one.displacement == pytest.approx(other.displacement)


def test_a_second_run_measures_nothing(model: Embedding, suite: str, tmp_path: Path) -> None:
    first = tried(model, suite, tmp_path, calibrate=True)
    with patch.object(trials, "measure_model", side_effect=AssertionError("measured again")):
        assert tried(model, suite, tmp_path, calibrate=True) == first
        with pytest.raises(AssertionError, match="measured again"):
            tried(model, suite, tmp_path, seed=1)


def test_what_no_other_test_can_judge_is_not_recommended(
    model: Embedding, suite: str, tmp_path: Path
) -> None:
    found = tried(model, suite, tmp_path, keep=0)
    assert found.survey.unseen is not None
    assert found.survey.unseen.share is None
    assert not any(one.recommended for one in found.points)
    assert "cannot be checked" in found.survey.recommendation


@pytest.mark.parametrize(
    ("method", "fits"), [("linear-projection", [1.0]), ("hard", [1.0, 0.25, 0.5])]
)
def test_a_method_is_fitted_once_and_its_other_strengths_derived(
    model: Embedding, suite: str, tmp_path: Path, method: str, fits: list[float]
) -> None:
    """Only where words have set places is a method fitted at every strength."""
    asked: dict[str, Any] = {"methods": [method], "strengths": (0.25, 0.5, 1.0)}
    with (
        patch.object(trials, "at_strength", lambda *_: None),
        patch.object(trials, "fit_checked", wraps=fit_checked) as refitting,
    ):
        expected = tried(model, suite, tmp_path / "refitted", **asked)
    with patch.object(trials, "fit_checked", wraps=fit_checked) as fitting:
        found = tried(model, suite, tmp_path / "derived", **asked)
    assert [call.args[0].strength for call in fitting.call_args_list] == fits
    assert refitting.call_count == 4
    assert found == expected
    assert len(found.points) == 4


def test_a_method_that_cannot_be_fitted_at_full_strength_may_be_weaker(
    model: Embedding, suite: str, tmp_path: Path
) -> None:
    def weak(method: Any, *given: Any) -> Any:
        if method.strength == 1:
            raise UndefinedError("It is too strong.")
        return fit_checked(method, *given)

    with patch.object(trials, "fit_checked", weak):
        found = tried(model, suite, tmp_path, methods=["linear-projection"], strengths=(0.5, 1.0))
    assert [one.reason for one in found.untried] == ["It is too strong."]
    again = tried(model, suite, tmp_path, methods=["linear-projection"], strengths=(0.5,))
    assert [one.strength for one in again.points] == [0.0, 0.5]


def test_every_fold_is_judged_by_a_choice_without_it(tmp_path: Path) -> None:
    model, suite = kinds_of_words(4, tmp_path)
    found = tried(model, suite, tmp_path / "run", methods=["linear-projection", "hard"], keep=0)
    judged = found.survey.unseen
    assert judged is not None
    assert [fold.tests for fold in judged.folds] == [(f"toy/t{i}",) for i in range(4)]
    assert (judged.apart, judged.clean) == ("targets-anywhere", True)
    for fold in judged.folds:
        (point,) = (one for one in found.points if one.label == fold.chosen)
        (effect,) = (one for one in point.effects if one.test in fold.tests)
        assert (fold.before, fold.left) == (abs(effect.before), abs(effect.after or 0))
    (chosen,) = (one for one in found.points if one.recommended)
    assert found.survey.recommendation.startswith(
        f"{chosen.label}. Choices made without a fold leave"
    )


def kinds_of_words(count: int, folder: Path) -> tuple[Embedding, str]:
    """So many tests, each with target words of its own, all of them leaning along one axis."""
    rng, text = np.random.default_rng(0), ""
    keys: list[str] = []
    leans: list[float] = []
    for role, lean in (("a", 1.0), ("b", -1.0)):
        words = toys.WORDS[role]
        text += f'[sets.{role}]\ntitle = "{role}"\nwords = {words!r}\n'
        keys, leans = [*keys, *words], [*leans, *[lean] * len(words)]
    for i in range(count):
        for role, lean in (("x", 0.6), ("y", -0.6)):
            words = [f"{role}{i}{letter}" for letter in "pqrstuvw"]
            text += f'[sets.{role}{i}]\ntitle = "{role} {i}"\nwords = {words!r}\n'
            keys, leans = [*keys, *words], [*leans, *[lean] * len(words)]
    for i in range(count):
        text += f'[[tests]]\nid = "t{i}"\ntitle = "{i}"\ncategory = "gender"\nkind = "bias"\n'
        text += f'x = "x{i}"\ny = "y{i}"\na = "a"\nb = "b"\n'
    path = folder / "kinds.toml"
    path.write_text(toys.suite_text().partition("[sets")[0] + text, encoding="utf-8")
    extra = [word for pair in PAIRS for word in pair]
    rows = rng.normal(size=(len(keys) + len(extra), 12)) * 0.3
    rows[:, 0] += [*leans, *[1.0, -1.0] * len(PAIRS)]
    return Embedding([*keys, *extra], rows, name="kinds"), str(path)


def test_a_strength_given_twice_is_one_point(model: Embedding, suite: str, tmp_path: Path) -> None:
    found = tried(model, suite, tmp_path, methods=["linear-projection"], strengths=(1.0, 1.0))
    assert [point.strength for point in found.points] == [0.0, 1.0]


def test_an_interrupted_run_goes_on(model: Embedding, suite: str, tmp_path: Path) -> None:
    def stop(done: int, total: int, what: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tried(model, suite, tmp_path, progress=stop)
    assert len(list((tmp_path / "points").glob("*.json"))) == 2
    with patch.object(trials, "measure_model", wraps=measure_model) as measured:
        assert len(tried(model, suite, tmp_path).points) == 3
    assert measured.call_count == 2  # the model before, and the one point that was left


def test_a_broken_point_is_named(model: Embedding, suite: str, tmp_path: Path) -> None:
    tried(model, suite, tmp_path)
    for path in (tmp_path / "points").glob("*.json"):
        path.write_text("{}", encoding="utf-8")
    with pytest.raises(FileFormatError, match="remove it"):
        tried(model, suite, tmp_path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True), mask=st.integers(1, 255), cut=st.booleans())
def test_a_point_that_was_changed_or_copied_is_refused(
    point_files: list[Path], share: float, mask: int, cut: bool
) -> None:
    one, other, *_ = point_files
    content = bytearray(one.read_bytes())
    place = int(share * len(content))
    damaged = content[:place] if cut else content
    if not cut:
        damaged[place] ^= mask
    for text in (bytes(damaged), other.read_bytes()):
        with TemporaryDirectory() as folder:
            path = Path(folder) / one.name
            path.write_bytes(text)
            with pytest.raises(FileFormatError, match="remove it, and run") as refused:
                read_trial(path)
            assert one.name in str(refused.value)
    assert read_trial(one) != read_trial(other)


@pytest.fixture
def point_files(model: Embedding, suite: str, tmp_path: Path) -> list[Path]:
    tried(model, suite, tmp_path)
    return sorted((tmp_path / "points").glob("*.json"))


def test_methods_do_not_see_tested_words(model: Embedding, suite: str) -> None:
    tests = tuple(select_tests([suite]))
    whole = concept([*PAIRS, ("man", "woman")])
    held = whole.without(words_of_tests(tests))
    assert {*LinearProjection().fit(model, held).fitted_on} == {
        word for pair in PAIRS for word in pair
    }


def test_a_concept_of_tested_words_only_is_fitted_on_them_and_reported(
    model: Embedding, suite: str, tmp_path: Path
) -> None:
    given = {"methods": ["linear-projection"], "suites": [suite], "benchmarks": [SET]}
    found = frontier(model, concept([("man", "woman")]), folder=tmp_path, **given)  # type: ignore[arg-type]
    assert "held out" in found.survey.remarks[0]
    assert not any(one.held_out for one in found.points[1:])


def test_calibration_finds_the_zero(model: Embedding, suite: str) -> None:
    tests = tuple(select_tests([suite]))
    leaning = remaining_effect(model, tests)

    def fit(strength: float):  # type: ignore[no-untyped-def]
        return LinearProjection(strength=strength).fit(model, concept(PAIRS))

    nothing = leaning(fit(0.0))
    (before,) = audit(model, suites=suite, categories=False)
    assert isinstance(before, Result)
    assert nothing == pytest.approx(abs(before.effect))
    found, _ = calibrated_strength(fit, leaning)
    if leaning(fit(1.0)) >= 0:
        assert found == 1
    else:
        around = [leaning(fit(found + step)) for step in (-STRENGTH_TOLERANCE, STRENGTH_TOLERANCE)]
        assert around[0] > 0 > around[1]


def test_where_full_strength_is_too_weak_it_is_reported(model: Embedding, suite: str) -> None:
    weak = LinearProjection(strength=0.1).fit(model, concept(PAIRS))
    strength, note = calibrated_strength(
        lambda _: weak, remaining_effect(model, select_tests([suite]))
    )
    assert (strength, "Even at full strength" in note) == (1.0, True)


def test_what_full_strength_removes_is_not_said_to_go_on(model: Embedding, suite: str) -> None:
    fitted = LinearProjection().fit(model, concept(PAIRS))
    in_one_place = replace(fitted, placed=dict.fromkeys(model.keys, model.rows(["he"])[0]))
    leaning = remaining_effect(model, select_tests([suite]))
    strength, note = calibrated_strength(lambda _: in_one_place, leaning)
    assert (strength, "are 0.00 on average" in note) == (1.0, True)


def test_lines_can_be_written_and_read(model: Embedding, suite: str, tmp_path: Path) -> None:
    found = tried(model, suite, tmp_path, calibrate=True)
    assert sum(one.calibrated for one in found.points) == 1
    write_frontier(found.lines, tmp_path)
    again = read_frontier(tmp_path)
    assert again == found.lines
    assert [line for line in again if isinstance(line, FrontierPoint)] == [*found.points]


def test_slips_are_refused_before_any_work(model: Embedding, suite: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="linear-projection"):
        tried(model, suite, tmp_path, methods=["linear-projektion"])
    with pytest.raises(SettingError, match="above 0"):
        tried(model, suite, tmp_path, strengths=(0.0, 1.0))
    with pytest.raises(SettingError, match="keep is 95; it must lie between 0 and 1"):
        tried(model, suite, tmp_path, keep=95)
    with pytest.raises(SettingError, match="retrieval measures a bias, and a frontier"):
        frontier(model, concept(PAIRS), folder=tmp_path, suites=[suite], benchmarks=[QUERIES])
    assert not (tmp_path / "points").exists()


def test_without_a_measure_of_information_there_is_no_frontier(
    model: Embedding, suite: str, tmp_path: Path
) -> None:
    few = Embedding(model.keys[:9], model.vectors[:9], name="few")
    with pytest.raises(UndefinedError, match="measures bias left"):
        frontier(few, concept(PAIRS), folder=tmp_path, suites=[suite], benchmarks=[SET])


def test_a_method_from_outside_is_tried_where_it_is_named(
    model: Embedding, suite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FOREIGN_METHODS, "registered", {})
    register_method(FirstPair)
    found = tried(model, suite, tmp_path, methods=["first-pair"], strengths=(1.0,))
    assert [one.method for one in found.points] == ["none", "first-pair"]
    assert found.survey.versions[FirstPair.__module__].startswith("sha256 ")
    kept = len([*(tmp_path / "points").iterdir()])
    # A new version of its package is another method: its points are found anew.
    monkeypatch.setitem(_ORIGINS, FirstPair, Origin("a-package", "2"))
    newer = tried(model, suite, tmp_path, methods=["first-pair"], strengths=(1.0,))
    assert newer.survey.versions["a-package"] == "2"
    assert len([*(tmp_path / "points").iterdir()]) == kept + 1
    assert "first-pair" not in _methods(None)


# --- Other models stand beside the methods: measured alike, kept by content, never recommended


WORDS = [f"{role}{i}{letter}" for i in range(4) for role in "xy" for letter in "pqrst"]
RATED = SimilaritySet(
    "toy-pairs",
    "Toy pairs",
    "en",
    "Toy (2026)",
    "None needed.",
    tuple(
        RatedPair(one, other, float(one[0] == other[0]) + i / 99)
        for i, (one, other) in enumerate(zip(WORDS, WORDS[3:], strict=False))
    ),
)


def tried_other_models(model: Embedding, suite: str, folder: Path, **beside: Embedding) -> Frontier:
    return frontier(
        model,
        concept(PAIRS),
        folder=folder,
        methods=["linear-projection"],
        strengths=(1.0,),
        suites=[suite],
        benchmarks=[RATED],
        keep=0,
        beside=beside,
    )


@pytest.fixture
def kinds(tmp_path: Path) -> tuple[Embedding, str]:
    return kinds_of_words(4, tmp_path)


def retrained(model: Embedding, *, less: float = 0.0, name: str = "retrained") -> Embedding:
    """The model in a space of its own, with a share less of its first axis, which has the bias."""
    rng = np.random.default_rng(3)
    vectors = np.array(model.vectors, np.float64)
    vectors[:, 0] *= 1 - less
    turn, _ = np.linalg.qr(rng.normal(size=(vectors.shape[1],) * 2))
    return Embedding(model.keys, vectors @ turn, name=name, history=(Step("trained"),))


def test_another_model_is_measured_as_an_audit_of_it_says(
    kinds: tuple[Embedding, str], tmp_path: Path
) -> None:
    model, suite = kinds
    other = retrained(model, less=1.0)
    found = tried_other_models(model, suite, tmp_path / "run", mine=other)
    *_, point = found.points
    effects = {
        one.test.id: one.effect for one in audit(other, suites=suite) if isinstance(one, Result)
    }
    assert {one.test: one.after for one in point.effects} == pytest.approx(effects)
    assert (point.label, point.method, point.settings) == ("mine (another model)", "mine", {})
    assert point.other is not None
    assert point.other.sha256 == other.content_hash
    assert point.model.sha256 == model.content_hash
    assert (point.displacement, "neighbours" in point.kept) == (None, False)
    assert OTHER_MODELS_NOTE in found.survey.remarks


def test_every_point_compares_once_and_pools_nothing(
    kinds: tuple[Embedding, str], tmp_path: Path
) -> None:
    model, suite = kinds
    with count_work() as counts:
        found = tried_other_models(model, suite, tmp_path, mine=retrained(model))
    assert len(found.points) == 3
    assert counts == {"compared": 3}


def test_a_turned_space_has_lost_nothing(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    found = tried_other_models(model, suite, tmp_path / "run", turned=retrained(model))
    first, *_, point = found.points
    assert point.bias_left == pytest.approx(first.bias_left)
    assert point.information_kept == pytest.approx(1)


def test_it_changes_neither_the_front_nor_the_advice(
    kinds: tuple[Embedding, str], tmp_path: Path
) -> None:
    model, suite = kinds
    alone = tried_other_models(model, suite, tmp_path / "one")
    best = retrained(model, less=1.0)
    found = tried_other_models(model, suite, tmp_path / "two", best=best)
    assert found.points[:-1] == alone.points
    assert found.survey.recommendation == alone.survey.recommendation
    assert found.survey.unseen == alone.survey.unseen
    assert found.points[-1].bias_left < min(one.bias_left for one in alone.points)
    assert not any((found.points[-1].on_front, found.points[-1].recommended))


def test_it_is_kept_by_content(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    first = tried_other_models(model, suite, tmp_path, a=retrained(model))
    with patch.object(trials, "measure_model", side_effect=AssertionError("measured again")):
        assert tried_other_models(model, suite, tmp_path, a=retrained(model)) == first
        with pytest.raises(AssertionError, match="measured again"):
            tried_other_models(model, suite, tmp_path, a=retrained(model, less=0.5))


def test_it_is_written_read_and_shown(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    found = tried_other_models(model, suite, tmp_path, **{"<mine>": retrained(model)})
    write_frontier(found.lines, tmp_path)
    assert read_frontier(tmp_path) == found.lines
    page = render_frontier(found.lines)
    assert "&lt;mine&gt; (another model)" in page
    message = page[page.index("<dt>&lt;mine&gt; (another model)</dt>") :].partition("</dd>")[0]
    assert "flat (Euclidean)<br>trained<br>" in message
    assert "<mine>" not in page
    assert retrained(model).content_hash in page


def test_words_on_which_it_was_fitted_are_no_evidence(
    kinds: tuple[Embedding, str], tmp_path: Path
) -> None:
    model, suite = kinds
    seen = Embedding(
        model.keys,
        retrained(model).vectors,
        name="augmented",
        history=(Step("trained", {"fitted_on": (model.keys[0],)}),),
    )
    given = {"augmented": seen, "plain": retrained(model, less=0.1)}
    *_, one, other = tried_other_models(model, suite, tmp_path, **given).points
    assert (one.held_out, other.held_out) == (False, True)


def test_what_cannot_be_held_together_is_reported(
    kinds: tuple[Embedding, str], tmp_path: Path
) -> None:
    model, suite = kinds
    small = np.array(model.vectors) / 10
    ball = Embedding(model.keys, small, Poincare(), name="ball")
    strange = Embedding(["one", "two"], model.vectors[:2], name="strange")
    found = tried_other_models(model, suite, tmp_path, ball=ball, strange=strange)
    reasons = {one.method: one.reason for one in found.untried}
    assert "(similarity cosine, then negative-distance)" in reasons["ball"]
    assert not any(sign in reasons["ball"] for sign in "{}='")
    assert "in strange" in reasons["strange"]
    assert not any(one.other for one in found.points)
    assert not any("Another model" in remark for remark in found.survey.remarks)


def test_that_it_lacks_a_tested_word_is_reported(
    kinds: tuple[Embedding, str], tmp_path: Path
) -> None:
    model, suite = kinds
    rows = [row for row, key in enumerate(model.keys) if key != "x1p"]
    fewer = Embedding([model.keys[row] for row in rows], model.vectors[rows], name="fewer")
    *_, point = tried_other_models(model, suite, tmp_path, fewer=fewer).points
    assert (point.method, point.note) == ("fewer", "It found other words in toy/t1.")
    assert not point.calibrated


@pytest.mark.parametrize("label", ["hard", "none", " "])
def test_a_label_that_is_no_name_of_its_own_is_refused(
    kinds: tuple[Embedding, str], tmp_path: Path, label: str
) -> None:
    model, suite = kinds
    with pytest.raises(SettingError, match="no name of its own"):
        tried_other_models(model, suite, tmp_path, **{label: retrained(model)})


def test_the_model_itself_is_refused(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    with pytest.raises(SettingError, match="itself"):
        tried_other_models(model, suite, tmp_path, again=model)


# --- A task as a family of the frontier ---


TASK = ReviewTask(toy_reviews.reviews(), SentimentTask(passes=2, folds=2))


def model_task() -> Embedding:
    """The words of the toy suite, of the concept and of the reviews."""
    biased, moods = toys.embedding(bias=1.0), toy_reviews.embedding()
    extra = [word for pair in PAIRS for word in pair]
    rows = np.random.default_rng(5).normal(size=(len(extra), 6)) * 0.02
    rows[:, 0] += [0.4, -0.4] * len(PAIRS)
    keys = [*biased.keys, *extra, *moods.keys]
    # What is good and bad lies where gender does: to take one out takes out the other.
    return Embedding(keys, np.vstack([biased.vectors, rows, moods.vectors]), name="toy")


def test_accuracy_is_one_family_and_falls_with_what_carries_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = tmp_path / "toy.toml"
    suite.write_text(toys.suite_text(), encoding="utf-8")
    found = frontier(
        model_task(),
        concept(PAIRS),
        folder=tmp_path / "run",
        methods=["linear-projection"],
        strengths=[1.0],
        suites=[str(suite)],
        benchmarks=[],
        tasks=[TASK],
    )
    reference, point = found.points
    assert reference.kept["sentiment"] == 1
    (figure,) = (one for one in point.figures if one.family == "sentiment")
    assert figure.test == "toy/accuracy"
    assert figure.before > 0.95
    sides = [review.positive for review in TASK.reviews.reviews]
    guessing = max(sides.count(True), sides.count(False)) / len(sides)
    assert figure.chance == pytest.approx(guessing)
    above = (figure.after - guessing) / (figure.before - guessing)
    assert point.kept["sentiment"] == pytest.approx(max(0.0, above))
    assert point.kept["sentiment"] < 0.9


def test_another_task_is_another_point() -> None:
    embedding, about = model_task(), concept(PAIRS)

    def shared(*tasks: ReviewTask) -> dict[str, object]:
        return shared_identity(embedding, about, (), (), held_out=(), seed=0, tasks=tasks)

    others = [
        replace(TASK, reviews=toy_reviews.reviews(seed=1)),
        replace(TASK, task=SentimentTask(MeansNetwork(penalty=2), passes=2, folds=2)),
        replace(TASK, task=SentimentTask(passes=3, folds=2)),
        replace(TASK, task=SentimentTask(passes=2, folds=2, seed=1)),
    ]
    every = [shared(), shared(TASK), *map(shared, others)]
    assert all(one != other for at, one in enumerate(every) for other in every[:at])
    assert shared(TASK) == shared(TASK)
    # Points that were found before there were tasks are found again.
    assert "tasks" not in shared()


def test_reviews_of_another_script_are_refused_before_any_trial(tmp_path: Path) -> None:
    strange = Embedding([f"क{n}" for n in range(54)], toy_reviews.embedding().vectors, name="hi")
    suite = tmp_path / "toy.toml"
    suite.write_text(toys.suite_text(), encoding="utf-8")
    with pytest.raises(SettingError, match="written in LATIN letters and the model in DEVANAGARI"):
        frontier(
            strange,
            concept(PAIRS),
            folder=tmp_path / "run",
            suites=[str(suite)],
            benchmarks=[],
            tasks=[TASK],
        )


# --- What a calibration says of the strength that it found ---


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda s: 1 - 1.2 * s, "−0.20 on average; at 0.832 they are 0.00."),
        (
            lambda s: 0.5 if s < 0.4 else -0.3,
            "sign changes at 0.402, where they are −0.30.",
        ),
        (
            lambda s: 1 - 30 * s,
            "sign changes at 0.035, where they are −0.05.",
        ),
        (lambda s: max(0.0, 1 - 2 * s), "At full strength the effects are 0.00 on average."),
        (lambda s: 1 - 1.001 * s, "At full strength the effects are 0.00 on average."),
        (lambda s: 1 - 0.5 * s, "keep their direction, with 0.50 left on average."),
    ],
    ids=("to 0", "a jump", "steep", "gone before", "hardly below 0", "too weak"),
)
def test_a_calibration_says_what_is_left_there(f: Callable[[float], float], message: str) -> None:
    # f stands for effects that are what it gives of the strength, whatever a transform does.
    strength, note = calibrated_strength(lambda strength: strength, f)  # type: ignore[arg-type, return-value]
    assert message in note
    assert "Only" not in note
    if "are 0.00" in note:
        assert abs(f(strength)) < 0.005
