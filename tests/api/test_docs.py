"""Documentation pages about Python: names, examples and figures are those of the code."""

import doctest
import re
from functools import cache
from inspect import Parameter, getdoc, signature
from pathlib import Path
from types import FunctionType
from typing import Any, get_type_hints

import pytest

import fairvec
from fairvec.embedding import Embedding
from fairvec.embedding.formats import FORMATS, writable_formats
from fairvec.experiments.noun_gender import noun_genders
from fairvec.languages.people import paired_names
from fairvec.lexicon import concept, counterparts
from tests.loading import BEHIND_DOORS, loaded_after
from tests.loops import loop_over

# --- The page of names has them all, and what it and the docstrings show runs as it stands ---


PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.+?) \| `(.+)` \|$", PAGE, re.MULTILINE)
PUBLIC = [
    "Concept",
    "CategoryAnswer",
    "Change",
    "DebiasingTransformer",
    "Description",
    "Embedding",
    "Encoder",
    "Endpoint",
    "FairvecError",
    "FairvecWarning",
    "Result",
    "Results",
    "Skipped",
    "Suite",
    "Test",
    "__version__",
    "analogy",
    "as_model",
    "audit",
    "benchmark",
    "biased_analogies",
    "check_documents",
    "check_text",
    "compare",
    "debias",
    "distil",
    "explore",
    "frontier",
    "list_benchmarks",
    "list_concepts",
    "list_models",
    "list_suites",
    "load",
    "neighbours",
    "open_encoder",
    "read_results",
    "register_method",
    "register_metric",
    "reproduce",
    "sample_size",
    "save",
    "sentiment_task",
    "study",
    "train",
    "write_report",
    "write_results",
]
CALLS = [
    name
    for name in PUBLIC
    if name in ("Test", "Suite", "Concept") or getattr(fairvec, name).__class__ is FunctionType
]
WITHOUT_EXAMPLE = [
    "as_model",
    "load",
    "open_encoder",
    "read_results",
    "register_method",
    "register_metric",
    "save",
    "write_report",
    "write_results",
]


def test_the_public_names_are_these() -> None:
    assert sorted(fairvec.__all__) == sorted(PUBLIC)
    assert len(PUBLIC) == 46


def test_every_public_name_has_one_row_and_an_example() -> None:
    assert sorted(name for name, _, _ in ROWS) == sorted(fairvec.__all__)
    assert all(len(purpose) > 10 for _, purpose, _ in ROWS)
    unlike = [name for name, _, example in ROWS if name.lower() not in example.lower()]
    assert unlike == ["Embedding"]


@loop_over("name", [name for name, _, _ in ROWS])
def test_the_example_of_a_name_is_python(name: str) -> None:
    (example,) = (example for each, _, example in ROWS if each == name)
    compile(f"try: pass\n{example} pass" if example.startswith("except") else example, name, "exec")


def test_the_page_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec("\n".join(blocks), {})
    printed = capsys.readouterr().out
    assert "d = +" in printed
    assert "spaceperson" in printed
    assert "x is one string; give a list of words" in printed
    assert (tmp_path / "debiased.fairvec.run" / "report.html").exists()
    assert len(blocks) == PAGE.count("```") / 2


@pytest.mark.parametrize("name", CALLS)
def test_the_examples_of_a_docstring_are_true(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    finder = doctest.DocTestFinder(recurse=False)
    (found,) = finder.find(getattr(fairvec, name), name, globs={})
    assert found.examples or name in WITHOUT_EXAMPLE
    failures: list[str] = []
    outcome = doctest.DocTestRunner().run(found, out=failures.append)
    assert outcome.failed == 0, "".join(failures)


@pytest.mark.parametrize("name", [name for name in CALLS if name.islower()])
def test_every_argument_of_a_call_has_a_type_and_a_line(name: str) -> None:
    call = getattr(fairvec, name)
    parameters = signature(call).parameters
    assert {*get_type_hints(call)} == {*parameters, "return"}
    assert not [each for each in parameters.values() if each.kind is Parameter.VAR_KEYWORD]
    if "Args:" in (about := getdoc(call) or ""):
        described = re.findall(r"^ {4}(\w+): ", about, re.MULTILINE)
        assert described == [*parameters]


def test_an_audit_in_python_loads_no_more_than_one_in_the_shell() -> None:
    lists = "x=['boss', 'captain'], y=['nurse', 'maid'], a=['he', 'man'], b=['she', 'woman']"
    loaded = loaded_after(f"import fairvec\nfairvec.audit('glove-en-small', {lists})")
    assert "fairvec.api.measure" in loaded
    away = {*BEHIND_DOORS, "pandas", "polars", "jinja2", "rich", "click"}
    assert not loaded & {*away, "fairvec.mitigation", "fairvec.papers", "fairvec.report"}


def test_making_lists_needs_no_statistics() -> None:
    loaded = loaded_after("import fairvec\nfairvec.Test(x=['a'], y=['b'], a=['c'], b=['d'])")
    assert not loaded & {*BEHIND_DOORS, "scipy", "fairvec.stats", "fairvec.metrics"}


def test_what_is_offered_on_completion_is_public() -> None:
    offered = {name for name in dir(fairvec) if not name.startswith("__")}
    assert {"audit", "Results", "metrics"} <= offered
    assert not offered & {"TYPE_CHECKING", "lazy_exports", "version"}


# --- The page about models from what people hold tells the truth ---


PAGE_ADAPTERS = Path(__file__).parents[2] / "docs" / "holding.md"


def test_its_example_runs() -> None:
    (program,) = re.findall(
        r"```python\n(.*?)```", PAGE_ADAPTERS.read_text(encoding="utf-8"), re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(program, names)
    model = names["model"]
    assert isinstance(model, Embedding)
    (first, most), (second, less) = model.most_similar("doctor", 2)
    row = re.search(r'\("(\w+)", ([0-9.]+?)\.\.\.\), \("(\w+)", ([0-9.]+?)\.\.\.\)', program)
    assert row is not None
    assert (row[1], row[3]) == (first, second)
    assert most == pytest.approx(float(row[2]), abs=1e-3)
    assert less == pytest.approx(float(row[4]), abs=1e-3)


def test_its_table_lists_the_formats_that_are_read_and_written() -> None:
    text = PAGE_ADAPTERS.read_text(encoding="utf-8").partition("## From files")[2]
    rows = [line.split("|")[1:] for line in text.splitlines() if line.startswith("| `")]
    writable = {
        name: cells[3].strip() == "yes"
        for cells in rows
        for name in re.findall(r"`(.+?)`", cells[0])
    }
    known = {each.name for each in FORMATS}
    others = {name for name in known if name.startswith(("gensim", "fasttext", "navec"))}
    assert set(writable) == known - others
    assert {name for name, yes in writable.items() if yes} == {
        each.name for each in writable_formats()
    }


# --- Figures that pages give of shipped models and lists are those of the code ---


DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return " ".join((DOCS / name).read_text(encoding="utf-8").split())


@cache
def effects(model: str, suite: str) -> dict[str, fairvec.Result]:
    """Return the results of a suite by the names that its tests have there."""
    found = fairvec.audit(model, suites=suite, categories=False)
    return {one.test.id.partition("/")[2]: one for one in found if isinstance(one, fairvec.Result)}


def signed(number: float) -> str:
    return f"{number:+.2f}".replace("-", "−")


@pytest.mark.parametrize(
    ("model", "suite", "test"),
    [
        ("glove-hi-small", "malik2022", "caste-occupations"),
        ("glove-hi-small", "malik2022", "caste-adjectives"),
        *(("glove-en-small", "caliskan2017", f"weat-{number}") for number in (3, 4, 5, 6)),
    ],
)
def test_the_effects_whose_words_are_counted(model: str, suite: str, test: str) -> None:
    found = effects(model, suite)[test]
    assert found.interval is not None
    assert found.p is not None
    ends = (found.interval.low, found.interval.high)
    low, high = (f"{end:.2f}".replace("-", "−") for end in ends)
    row = rf"\| {test}[^|]*(?:\| \d+ \+ \d+ )?\| (\S+) \((\S+) to (\S+)\) \| ([^|]+) \|"
    figures_row = re.search(row, page("words-needed.md"))
    assert figures_row is not None
    assert figures_row.groups()[:3] == (signed(found.effect), low, high)
    p = figures_row[4].replace(" × 10⁻⁷", "e-7")
    digits = len(p.partition("e")[0].replace(".", "").lstrip("0"))
    assert float(f"{found.p.value:.{digits - 1}e}") == float(p)


def test_nouns_of_varying_gender() -> None:
    text, found = page("noun-gender.md"), noun_genders(fairvec.load("glove-hi-small"))
    figures = f"{found.varying_away:.3f}, p = {found.p.value:.3f}".replace("= 0.", "= .")
    assert f"(`glove-hi-small`, which lacks one of them: {figures}.)" in text
    assert (len(found.missing), found.told_right) == (1, 1.0)
    assert "**All 36 certain nouns stand on their own side" in text
    places = {each.transliteration: signed(each.leaning) for each in found.nouns}
    places_on_page = dict(re.findall(r"\*(\w+)\*(?:, \w+)? \((?:\w+, )?([−+][0-9.]+)\)", text))
    assert len(places_on_page) == 8
    assert places_on_page == {name: places[name] for name in places_on_page}
    assert f"masculine side, at {places['dahi']}," in text


def test_what_counterfactual_text_swaps() -> None:
    text = page("augmentation.md")
    assert f"`en/gender` gives {len(counterparts(concept('en/gender'))) // 2} pairs" in text
    half = len(paired_names("en")) // 2
    assert f"{half} names of men and {half} of women" in text
