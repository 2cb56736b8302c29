"""Arguments of the public calls: what is accepted, and what is refused in one sentence."""

import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec import Concept, FairvecError, FairvecWarning, Suite, Test
from fairvec.mitigation.methods.hard import HardDebiasing
from tests import toys
from tests.api.toys import GENDER, JOBS, LISTS, TEST
from tests.loops import loop_over

# --- Settings of another kind: numbers of numpy are numbers, and all else is refused in a sentence


CALLS: Any = fairvec
MODEL: Any = toys.embedding(0.5)
STRENGTHS = [np.float32(0.5), np.float64(0.5), Fraction(1, 2)]


def audit(**arguments: Any) -> Any:
    return fairvec.audit(MODEL, tests=TEST, **arguments)


def debias(**arguments: Any) -> Any:
    settings: Any = {"benchmarks": [], "method": "linear-projection"} | arguments
    return fairvec.debias(MODEL, GENDER, tests=TEST, **settings)


def frontier(**arguments: Any) -> Any:
    settings: Any = {"strengths": 1.0, "methods": "linear-projection"} | arguments
    return fairvec.frontier(MODEL, GENDER, tests=TEST, benchmarks=[], **settings)


@pytest.mark.parametrize(
    ("settings", "plain"),
    [
        ({"seed": np.int64(3)}, {"seed": 3}),
        ({"samples": np.uint32(500), "method": "sampled"}, {"samples": 500, "method": "sampled"}),
        ({"level": np.float32(0.5)}, {"level": 0.5}),
        ({"alpha": Fraction(1, 4)}, {"alpha": 0.25}),
        ({"robust": np.bool_(True), "categories": np.bool_(False)}, {"robust": True}),
    ],
    ids=["seed", "samples", "level", "fraction", "flags"],
)
def test_numbers_of_numpy_are_numbers(settings: dict[str, Any], plain: dict[str, Any]) -> None:
    expected = audit(**{"categories": "categories" not in settings} | plain)
    assert [one.model_dump_json() for one in audit(**settings)] == [
        one.model_dump_json() for one in expected
    ]


@pytest.mark.parametrize("strength", STRENGTHS, ids=["float32", "float64", "fraction"])
def test_a_model_debiased_by_numbers_of_numpy_can_be_saved(strength: Any, tmp_path: Path) -> None:
    done = debias(strength=strength, seed=np.int16(2))
    assert type(done.transform.settings["strength"]) is float
    done.save(tmp_path / "model.fairvec")
    assert fairvec.load(tmp_path / "model.fairvec").history[:-1] == done.model.history


def test_points_of_numpy_are_points() -> None:
    found = frontier(strengths=np.array([0.5, 1], dtype=np.float32), seed=np.int64(1))
    assert [point.label for point in found.points[1:]] == [
        "linear-projection at 0.5",
        "linear-projection at 1",
    ]


def test_settings_of_a_method_become_plain() -> None:
    strength: Any = np.float32(0.5)
    method = HardDebiasing(strength=strength)
    assert repr(method) == repr(HardDebiasing(strength=0.5))


@loop_over(
    ("call", "message"),
    [
        (lambda: audit(seed=True), "seed is True; it must be a whole number"),
        (lambda: audit(seed=1.5), "seed is 1.5; it must be a whole number"),
        (lambda: audit(progress=True), "progress is True; it must be a function"),
        (lambda: audit(categories="no"), "categories is 'no'; it must be true or false"),
        (lambda: audit(robust="no"), "robust is 'no'; it must be true or false"),
        (lambda: audit(similarity=3), "no similarity named 3; known: "),
        (lambda: audit(convention=["caliskan"]), r"named \['caliskan'\]; known: "),
        (lambda: audit(sides=2), "sides is 2; it must be 'two', 'greater' or 'less'"),
        (lambda: audit(language=3), "A language is named by its code such as en, .* not 3"),
        (lambda: audit(language=[b"en"]), "A language is named by its code such as en, "),
        (lambda: CALLS.Test(**LISTS, titles="men"), "titles is an object of the kind str"),
        (lambda: CALLS.Test(**LISTS, titles=3), "titles is an object of the kind int"),
        (lambda: debias(holdout="no"), "holdout is 'no'; it must be true or false"),
        (lambda: debias(progress=3), "progress is 3; it must be a function"),
        (lambda: debias(on_remark="x"), "on_remark is 'x'; it must be a function"),
        (lambda: debias(benchmarks=[3]), "A benchmark is no object of the kind int"),
        (
            lambda: debias(benchmarks=Path("none.tsv")),
            "none.tsv: the benchmark file cannot be",
        ),
        (lambda: frontier(strengths="all"), "strengths is .*; it must hold what can each be a fin"),
        (lambda: frontier(folder=3), "A path is text, not an object of the kind int; say frontier"),
        (lambda: frontier(beside=["b"]), "beside is .*; it must be an object of the kind Mapping"),
        (lambda: frontier(tasks=3), "tasks is .*; it must hold what can each be a word or"),
        (lambda: frontier(tasks="imbd"), "no benchmark named 'imbd'"),
        (lambda: frontier(methods=[3]), "named 3"),
        (lambda: frontier(keep="all"), "keep is 'all'; it must be a finite number"),
        (lambda: CALLS.as_model(MODEL, geometry=3), "A geometry is no object of the kind int"),
        (lambda: CALLS.load({"he": [1.0]}, geometry=dict), "is no object of the kind type"),
        (lambda: MODEL.with_name(3), "The name is 3; give text"),
        (lambda: MODEL.rows(3), "rows.. takes a list of keys, not 3"),
        (lambda: CALLS.Concept(pairs=[("he", "she")], id=3), "The id of a concept is text, not "),
        (lambda: CALLS.Results(Path("run")), "not <PosixPath>; give a list of them, or read"),
        (lambda: CALLS.compare(["run"], ["run"]), "A run holds records, not 'run'"),
    ],
)
def test_another_kind_is_refused_in_a_sentence(call: Any, message: str) -> None:
    with pytest.raises(FairvecError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


# --- Slips of whoever calls from Python: each is answered by one sentence, and nothing is written


MODEL_MISTAKES = toys.embedding(0.5)
TOYS: dict[str, Any] = {**toys.WORDS}
RECORDS: Any = fairvec.audit(MODEL_MISTAKES, tests=Test(**TOYS, language="en"), categories=False)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda any: any.Embedding.most_similar(MODEL_MISTAKES, "man", topn=5),
            "did you mean count",
        ),
        (
            lambda any: any.Embedding.most_similar(MODEL_MISTAKES, "man", cuont=5),
            "did you mean count",
        ),
        (lambda any: any.neighbours(MODEL_MISTAKES, "man", topn=5), "did you mean count"),
        (
            lambda any: any.save("m.npz", MODEL_MISTAKES),
            r"of the kind Embedding; say save\(model, ",
        ),
        (lambda any: any.save("glove-en-small", "m.npz"), "of the kind str; make one with"),
        (lambda any: any.save(MODEL_MISTAKES, 3), r"of the kind int; say save\(model, "),
        (lambda any: any.save(MODEL_MISTAKES, b"m.npz"), "of the kind bytes"),
        (lambda any: any.read_results(3), "of the kind int; name the folder of a run"),
        (lambda any: any.read_results(None), "of the kind NoneType"),
        (lambda any: any.Results.read(RECORDS), "of the kind Results"),
        (lambda any: any.write_results("run", RECORDS), r"Results; say write_results\(records, "),
        (lambda any: any.write_results(3, "run"), "Written are records, not 3"),
        (lambda any: any.write_results(["weat"], "run"), "Written are records, not 'weat'"),
        (lambda any: any.write_report("p.html", RECORDS), r"Results; say write_report\(records, "),
        (lambda any: RECORDS.save(3), r"of the kind int; say results\.save\("),
    ],
    ids=lambda one: "" if callable(one) else None,
)
def test_a_slip_is_one_sentence(
    call: Callable[[Any], object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FairvecError, match=message) as caught:
        call(fairvec)
    assert "\n" not in str(caught.value)
    assert not [*tmp_path.iterdir()]


def test_one_record_alone_is_written_too(tmp_path: Path) -> None:
    record: Any = RECORDS[0]
    fairvec.write_results(record, tmp_path)
    assert fairvec.read_results(tmp_path) == [RECORDS[0]]


def test_frozen_objects_are_hashable() -> None:
    def test() -> Test:
        return Test(**JOBS, id="jobs")

    def concept() -> Concept:
        return Concept(pairs=[("he", "she")], id="gender")

    assert test() == test()
    assert len({test(), test(), Test(**JOBS, id="others")}) == 2
    assert len({Suite(tests=[test()]), Suite(tests=[test()]), Suite(tests=[test()], id="b")}) == 2
    assert len({concept(), concept(), Concept(pairs=[("man", "woman")], id="gender")}) == 2


@pytest.mark.parametrize(
    ("code", "offered"),
    [("xx", "known: en, hi, ru"), ("enn", "did you mean en"), ("rus", "did you mean ru")],
)
@pytest.mark.parametrize("settings", [{"suites": "caliskan2017/weat-6"}, {}], ids=["suite", "none"])
def test_a_code_that_is_no_language_is_refused(
    code: str, offered: str, settings: dict[str, Any]
) -> None:
    for language in (code, ["en", code]):
        with pytest.raises(FairvecError, match=f"no language named '{code}'; {offered}"):
            fairvec.audit(MODEL_MISTAKES, **settings, language=language)


def test_own_lists_are_in_any_language_that_there_is() -> None:
    own = Test(**TOYS)
    with pytest.raises(FairvecError, match="no language named 'xx'"):
        fairvec.audit(MODEL_MISTAKES, tests=own, language="xx")
    with warnings.catch_warnings():
        warnings.simplefilter("error", FairvecWarning)
        for code in ("hi", "fr", "bho"):
            (found, *_) = fairvec.audit(MODEL_MISTAKES, tests=own, language=code)
            # They are in it unless it is known to be written in other letters.
            assert found.test.language == ("und" if code == "hi" else code)
        fairvec.audit(MODEL_MISTAKES, tests=Test(**TOYS, language="xx"), language="xx")
        fairvec.audit(MODEL_MISTAKES, tests=own)


def test_a_language_that_no_list_is_in_is_warned_of() -> None:
    english = Test(**TOYS, language="en")
    message = "The language was given as fr, .* Shipped suites are in en, hi, ru"
    for language in ("fr", ["en", "fr"]):
        with pytest.warns(FairvecWarning, match=message) as warned:
            fairvec.audit(MODEL_MISTAKES, tests=english, language=language)
        assert [one.filename for one in warned] == [__file__]
    with pytest.raises(FairvecError, match="no shipped suite is in fr"):
        fairvec.audit(MODEL_MISTAKES, language="fr")
