"""fairvec.debias, frontier, compare and neighbours in Python."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec import Concept, Test
from fairvec.core.errors import LexiconError, SettingError, UndefinedError, UnknownNameError
from fairvec.encoders import encoder_from_function
from fairvec.experiments.comparison.compare import compare as compare_runs
from fairvec.experiments.debiasing.debias import debias_model
from fairvec.lexicon import concept
from fairvec.mitigation import debiaser, load_transform
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.results.records import Change
from tests import toys
from tests.api.toys import JOBS, PLANTS, figures

MODEL = "glove-en-small"
SUITE = "caliskan2017/weat-6"
TOYS: dict[str, Any] = {**toys.WORDS}


@pytest.fixture(scope="module")
def debiased() -> Any:
    return fairvec.debias(MODEL, "en/gender", strength=0.5, suites=SUITE, benchmarks=[])


def test_debias_is_the_workflow_of_the_shell(debiased: Any) -> None:
    model, method = fairvec.load(MODEL), debiaser("hard", strength=0.5)
    done = debias_model(model, concept("en/gender"), method, suites=SUITE, benchmarks=[])
    assert debiased.results == list(done.outcomes)
    assert isinstance(debiased.results, fairvec.Results)
    assert debiased.model.content_hash == done.after.content_hash != debiased.before.content_hash
    assert (debiased.model.vectors == debiased.transform.transform(model).vectors).all()


def test_a_debiased_model_is_saved_with_its_files(debiased: Any, tmp_path: Path) -> None:
    path = debiased.save(tmp_path / "new.fairvec")
    assert fairvec.load(path).content_hash == debiased.model.content_hash
    run = tmp_path / "new.fairvec.run"
    assert fairvec.read_results(run) == debiased.results
    assert "<html" in (run / "report.html").read_text(encoding="utf-8")
    moved = load_transform(run / "transform.safetensors").transform(debiased.before)
    assert (moved.vectors == debiased.model.vectors).all()
    with pytest.raises(SettingError, match=r"exists already.*force=True"):
        debiased.save(path)
    assert debiased.save(path, force=True) == path


def test_a_method_is_a_name_or_an_object() -> None:
    model = toys.embedding(0.5)
    own = Concept(pairs=[("man", "woman"), ("boy", "girl")], id="gender", language="en")
    test = Test(**TOYS, language="en")
    settings: dict[str, Any] = {"strength": 0.5, "lengths": "kept"}
    nothing: dict[str, Any] = {}
    methods: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((HardDebiasing(**settings),), nothing),
        (("hard",), {"strength": 0.5, "settings": {"lengths": "kept"}}),
        ((), {"strength": 0.5, "settings": {"lengths": "kept"}}),
    ]
    ways = [
        fairvec.debias(model, own, *method, tests=test, benchmarks=[], **settings)
        for method, settings in methods
    ]
    assert len({way.model.content_hash for way in ways}) == 1
    assert [one.test.id for one in ways[0].results if isinstance(one, Change)] == [test.id]
    with pytest.raises(SettingError, match="hard is an object, and strength= is said beside it"):
        fairvec.debias(model, own, HardDebiasing(), strength=0.5, tests=test)
    with pytest.raises(SettingError, match="is no method; give a name"):
        fairvec.debias(model, own, HardDebiasing, tests=test)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="did you mean lengths"):
        fairvec.debias(model, own, "hard", settings={"length": "kept"}, tests=test)
    with pytest.raises(UnknownNameError, match="did you mean strength"):
        fairvec.debias(model, own, "hard", strenght=0.5, tests=test)  # type: ignore[call-arg]
    with pytest.raises(UnknownNameError, match="no debiasing method named 'hrad'"):
        fairvec.debias(model, own, "hrad", tests=test)
    with pytest.raises(LexiconError, match="no object of the kind list; give a name"):
        fairvec.debias(model, [("he", "she")], tests=test)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="contexts= is for encoders"):
        fairvec.debias(model, own, tests=test, contexts=print)  # type: ignore[arg-type]


def test_a_concept_without_a_language_has_that_of_the_model() -> None:
    pairs = [("पिता", "मां"), ("भाई", "बहन"), ("राजा", "रानी")]
    keys = ["पिता", "माँ", "भाई", "बहन", "राजा", "रानी", *toys.WORDS["x"], *toys.WORDS["y"]]
    vectors = np.random.default_rng(0).normal(size=(len(keys), 5))
    model = fairvec.load(vectors, keys=keys, language="hi")
    test = Test(words=keys[6:], a=["पिता"], b=["बहन"])
    done = fairvec.debias(model, Concept(pairs=pairs), tests=test, benchmarks=[])
    assert "माँ" in done.transform.fitted_on  # which is found by the rules of Hindi
    debiased = fairvec.debias(model, Concept(pairs=pairs, language="ru"), tests=test, benchmarks=[])
    assert "माँ" not in debiased.transform.fitted_on


def test_an_encoder_is_debiased_and_saved_by_its_name_alone(tmp_path: Path) -> None:
    encoder = encoder_from_function(_lengths, "lengths", "en")
    done = fairvec.debias(encoder, "en/gender", "leace", suites=SUITE, benchmarks=[])
    assert isinstance(done.model, fairvec.Encoder)
    assert any(isinstance(one, Change) for one in done.results)
    with pytest.raises(SettingError, match="was given as an object"):
        done.save(tmp_path / "encoder")
    assert not (tmp_path / "encoder").exists()


def _lengths(texts: list[str]) -> Any:
    seeds = [[ord(letter) for letter in text] for text in texts]
    return np.stack([np.random.default_rng(seed).normal(size=8) for seed in seeds])


def test_runs_are_compared_from_memory_and_from_files(debiased: Any, tmp_path: Path) -> None:
    before = fairvec.audit(MODEL, suites=SUITE)
    fairvec.write_results(before, tmp_path / "before")
    debiased.save(tmp_path / "new.fairvec")
    places = [tmp_path / "before", tmp_path / "new.fairvec.run"]
    found = fairvec.compare(before, debiased.results)
    for way in (
        fairvec.compare(list(before), list(debiased.results)),
        fairvec.compare(*places),
        fairvec.compare(*map(str, places)),
        fairvec.compare(places[0] / "results.jsonl", debiased.results),
    ):
        assert way.pairs == found.pairs
    change, of_category_too = found.changes
    judged, of_category = (one for one in debiased.results if isinstance(one, Change))
    assert isinstance(change, Change)
    assert isinstance(of_category_too, Change)
    assert of_category_too.test.kind == "category"
    assert (of_category_too.kind, of_category_too.value_after) == (change.kind, change.value_after)
    assert (of_category.kind, of_category.value_after) == (change.kind, change.value_after)
    assert (change.kind, change.value_after) == (judged.kind, judged.value_after)
    assert found.pairs == compare_runs(before, [debiased.results[1]]).pairs


def test_a_comparison_shows_itself_briefly(debiased: Any) -> None:
    found = fairvec.compare(debiased.results[:1], debiased.results)
    assert repr(found).startswith(f"RunComparison({len(found.pairs)} test")
    assert len(repr(found)) < 80


def test_conditions_are_checked_on_a_comparison(debiased: Any) -> None:
    found = fairvec.Results(fairvec.compare(debiased.results[:1], debiased.results).changes)
    kinds = {change.kind for change in found if isinstance(change, Change)}
    assert found.check(f"change in {sorted(kinds)}").exit_code == 1
    assert found.check("change == 'introduced'").exit_code == 0


@pytest.mark.parametrize("call", [fairvec.debias, fairvec.frontier])
def test_lists_are_judged_by_as_a_test(call: Any) -> None:
    with pytest.raises(SettingError, match=r"takes lists as a test; say tests=Test\(x=\[\.\.\.\]"):
        call(MODEL, "en/gender", **JOBS)


def test_what_is_no_run_is_refused(debiased: Any, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"DebiasedModel is no run; give its \.results"):
        fairvec.compare(debiased, debiased)
    with pytest.raises(SettingError, match="kind int is no run; give results"):
        fairvec.compare(5, [])  # type: ignore[arg-type]
    with pytest.raises(fairvec.FairvecError, match="nowhere"):
        fairvec.compare(tmp_path / "nowhere", [])


def test_a_frontier_keeps_its_points_in_the_named_folder(tmp_path: Path) -> None:
    tests = [Test(**JOBS, category="gender", id="jobs"), Test(**PLANTS, kind="baseline", id="kept")]
    settings: dict[str, Any] = {"methods": "linear-projection", "strengths": 0.5, "tests": tests}
    found = fairvec.frontier(MODEL, "en/gender", **settings, benchmarks=[], folder=tmp_path)
    saved = {one.name: one.read_bytes() for one in (tmp_path / "points").iterdir()}
    assert len(saved) == len(found.points) == 2
    assert found.survey.tests == ("own/jobs",)
    assert json.loads(next(iter(saved.values())))["record"]["model"]["name"] == MODEL
    forgotten = fairvec.frontier(MODEL, "en/gender", **settings, benchmarks=[])
    assert forgotten.points == found.points


def test_mistakes_in_a_frontier_are_reported() -> None:
    with pytest.raises(UnknownNameError, match="did you mean methods"):
        fairvec.frontier(MODEL, "en/gender", method="hard")  # type: ignore[call-arg]
    with pytest.raises(SettingError, match="is an encoder and has no vocabulary"):
        fairvec.frontier(encoder_from_function(_lengths, "f", "en"), "en/gender")
    with pytest.raises(UnknownNameError, match="no concept named 'gendre'"):
        fairvec.frontier(MODEL, "gendre")


def test_neighbours_are_those_of_every_cosine() -> None:
    model = fairvec.load(MODEL)
    rows = model.rows(list(model.keys))
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = unit @ unit[model.positions["doctor"]]
    cosines[model.positions["doctor"]] = -1
    nearest = np.argsort(-cosines)[:5]
    found = fairvec.neighbours(MODEL, "doctor", 5)
    assert [near.word for near in found] == [model.keys[row] for row in nearest]
    assert [near.similarity for near in found] == pytest.approx(cosines[nearest])
    assert (found.key, found.similarity) == ("doctor", "cosine")
    assert fairvec.neighbours(model, "doctor", 5) == found


def test_a_word_found_by_another_spelling_is_reported() -> None:
    found = fairvec.neighbours(MODEL, "Doctor", 1)
    assert found.key == "doctor"
    assert any("Doctor is doctor here" in remark for remark in found.remarks)
    far = fairvec.neighbours(MODEL, "doctor", 2, similarity="negative-distance")
    assert 0 > far[0].similarity >= far[1].similarity


def test_mistakes_in_neighbours_are_reported() -> None:
    with pytest.raises(UnknownNameError, match=r"no word in glove-en-small named 'docter'.*doctor"):
        fairvec.neighbours(MODEL, "docter")
    with pytest.raises(SettingError, match="give one word as text"):
        fairvec.neighbours(MODEL, ["doctor"])  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="count is 0; it must be 1 or more"):
        fairvec.neighbours(MODEL, "doctor", 0)
    with pytest.raises(SettingError, match=r"count is 2\.5; it must be a whole number"):
        fairvec.neighbours(MODEL, "doctor", 2.5)  # type: ignore[arg-type]
    with pytest.raises(UndefinedError, match="ask for fewer"):
        fairvec.neighbours(toys.embedding(), "man", 100)


def test_a_model_is_left_as_it_is() -> None:
    model = toys.embedding(0.5)
    was = model.vectors.copy()
    own = Concept(pairs=[("man", "woman"), ("boy", "girl")])
    fairvec.debias(model, own, LinearProjection(), tests=Test(**TOYS), benchmarks=[])
    assert (model.vectors == was).all()


def test_the_same_call_gives_the_same_record() -> None:
    runs = [fairvec.audit(MODEL, **JOBS, metrics="seat")[0] for _ in range(2)]
    assert figures(runs[0]) == figures(runs[1])
    assert runs[0] == runs[1]


def test_a_debiased_encoder_is_a_model_again(tmp_path: Path) -> None:
    source = "python:tests.experiments.toys:encode_biased"
    done = fairvec.debias(source, "en/gender", "leace", suites=SUITE, benchmarks=[], language="en")
    folder = done.save(tmp_path / "encoder")
    assert (folder / "report.html").exists()
    (again, *_), (was, *_) = (fairvec.audit(one, suites=SUITE) for one in (folder, done.model))
    assert figures(again) == figures(was)
    assert figures(was) != figures(fairvec.audit(source, suites=SUITE, language="en")[0])
    with pytest.raises(SettingError, match="exists already"):
        done.save(folder)
    with pytest.raises(SettingError, match="not written over"):
        done.save(folder, force=True)
