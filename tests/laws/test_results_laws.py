"""Laws of conditions, records and pages."""

from io import StringIO
from math import comb, log10
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from rich.console import Console

import fairvec
from fairvec.cli.console import to_rich
from fairvec.cli.gates import gate_as_junit, gate_as_markdown
from fairvec.core.errors import ExpressionError, UnknownNameError
from fairvec.core.format import MINUS, capitalize_first, format_p, format_signed
from fairvec.core.text import escape_control
from fairvec.embedding import Embedding
from fairvec.experiments.audit.categories import category_answers
from fairvec.messages.categories import diamond_label
from fairvec.messages.figures import NO_BREAK
from fairvec.messages.test_details import live_figures
from fairvec.messages.verdicts import outcome_line
from fairvec.report import as_csv, as_latex, audit_table
from fairvec.report.notebook import to_html
from fairvec.report.page import render
from fairvec.results import Outcome, PValue, Result
from fairvec.results.conditions.expression import Condition
from fairvec.results.conditions.gate import named_cell, results_gate
from fairvec.results.records import CategoryAnswer, Description, WordScore
from fairvec.results.rows import COLUMNS, to_row
from fairvec.results.store import as_jsonl, read_results, write_results
from fairvec.results.verdicts import effect_magnitude
from tests.experiments.toys import biased
from tests.laws.helpers import examples
from tests.lexicon.lists import suite_text
from tests.loops import loop_over
from tests.report.helpers import ElementTexts
from tests.report.outcomes import TESTS, measured, model, with_answers

# --- Conditions on a row: Python's own answer where all is known, and none that could be wrong


NAMES = ("effect", "p", "p_holm")


def _larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(parts, parts)
    return st.one_of(
        parts.map(lambda a: f"abs({a})"),
        parts.map(lambda a: f"-({a})"),
        two.map(lambda ab: f"({ab[0]} + {ab[1]})"),
        two.map(lambda ab: f"({ab[0]} * {ab[1]})"),
        two.map(lambda ab: f"max({ab[0]}, {ab[1]})"),
        two.map(lambda ab: f"min([{ab[0]}, {ab[1]}])"),
    )


FIGURES = st.recursive(st.sampled_from([*NAMES, "0.5", "1", "0"]), _larger, max_leaves=4)
COMPARED = st.one_of(
    st.tuples(FIGURES, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), FIGURES).map(" ".join),
    st.tuples(FIGURES, FIGURES, FIGURES).map(lambda abc: f"{abc[0]} < {abc[1]} <= {abc[2]}"),
    st.tuples(FIGURES, FIGURES).map(lambda ab: f"{ab[0]} in [{ab[1]}, 1]"),
    st.sampled_from(["suite == 'toy'", "'o' in suite", "suite not in ['toy', 'other']"]),
)
ANY_CONDITION = st.recursive(
    COMPARED,
    lambda parts: st.one_of(
        parts.map(lambda a: f"not ({a})"),
        st.tuples(parts, parts).map(lambda ab: f"({ab[0]}) and ({ab[1]})"),
        st.tuples(parts, parts).map(lambda ab: f"({ab[0]}) or ({ab[1]})"),
    ),
    max_leaves=4,
)


def _can_be_met(text: str) -> bool:
    """Whether a condition is taken; one that nothing meets is refused when it is read."""
    try:
        return bool(Condition(text))
    except ExpressionError:
        return False


CONDITIONS = ANY_CONDITION.filter(_can_be_met)
VALUES = st.sampled_from([-1.5, -0.5, 0.0, 0.25, 0.5, 1.0])
ROWS = st.fixed_dictionaries(
    {**dict.fromkeys(NAMES, VALUES), "suite": st.sampled_from(["toy", "other"])}
).map(lambda row: dict.fromkeys(COLUMNS) | row)


@given(CONDITIONS, ROWS)
def test_what_is_known_is_answered_as_python_would(text: str, row: dict[str, Any]) -> None:
    assert Condition(text).decided(row) is bool(eval(text, {}, row))


@given(ANY_CONDITION, ROWS)
@example("effect < 0.5 <= effect", dict.fromkeys(NAMES, 0.5) | {"suite": "toy"})
@example("suite == 'toy' and suite not in ['toy', 'o']", dict.fromkeys(NAMES, 1) | {"suite": "toy"})
def test_a_condition_that_is_refused_is_met_by_no_row(text: str, row: dict[str, Any]) -> None:
    """But where a part that nothing meets stands in a larger condition, the part is refused."""
    try:
        Condition(text)
    except ExpressionError as refused:
        part = str(refused).partition(" is met by nothing")[0]
        assert not eval(part, {}, row)


@given(CONDITIONS, ROWS, ROWS, st.sets(st.sampled_from([*NAMES, "suite"])))
def test_an_answer_holds_whatever_the_missing_values_are(
    text: str, row: dict[str, Any], other: dict[str, Any], missing: set[str]
) -> None:
    condition = Condition(text)
    answer = condition.decided(row | dict.fromkeys(missing))
    filled = condition.decided(row | {name: other[name] for name in missing})
    assert filled is not None
    assert answer is None or answer is filled


@given(CONDITIONS, st.lists(ROWS, min_size=1, max_size=8))
def test_a_count_asks_each_row_the_same(text: str, rows: list[dict[str, Any]]) -> None:
    assume(_can_be_met(f"not ({text})"))
    met = sum(Condition(text)(row) for row in rows)
    assert Condition(f"count({text}) == {met}").ruling(rows).answers == (True,)
    assert Condition(f"count({text}) + count(not ({text})) == count()").ruling(rows).answers == (
        True,
    )
    share = Condition(f"mean({text}) >= 0").ruling(rows).figures[0].value
    assert share == met / len(rows)


MARKS = ["effect", "p_holm", "verdict", "'biased'", "abs(", "max(", "min(", "count(", "mean("]
MARKS += ["where=", ")", "(", "[", "]", ",", "+", "-", "*", "/", "**", "<", ">=", "==", "in", "not"]
MARKS += ["and", "or", "1", "0.5", "1e999", "9" * 400, "True", "None", "lambda:", "if", ":=", "1j"]
MARKS += [
    "f'{1}'",
    "'\\ud800'",
    "\\",
    "\n",
    "\x00",
    "\u202e",
    "{",
    "'",
    "#",
    "await",
    "effect.real",
]


@examples(400)
@given(st.lists(st.sampled_from(MARKS), max_size=14).map(" ".join), st.lists(ROWS, max_size=2))
def test_any_text_is_a_condition_or_refused_in_one_sentence(
    text: str, rows: list[dict[str, Any]]
) -> None:
    message = ""
    try:
        Condition(text).ruling(rows)
    except (ExpressionError, UnknownNameError) as error:
        message = str(error)
    assert "\n" not in message
    assert len(message) < 1500


@pytest.mark.parametrize(
    "text",
    [
        "effect > " + "1 + " * 900 + "1",
        "effect > " + "-" * 900 + "1",
        "not " * 900 + "effect > 1",
        "(" * 900 + "effect > 1" + ")" * 900,
        "abs(" * 90 + "effect" + ")" * 90 + " > 1",
        "effect > " + "9" * 400,
        "effect > " + "9" * 5000,
        "effect > 1e999",
        "effect > -1e999",
        "verdict == '" + "x" * 9000 + "'",
        "x" * 9000 + " > 1",
        "effect > 1" + " or effect > 1" * 900,
    ],
    ids=range(12),
)
def test_what_is_too_deep_too_long_or_too_large_is_refused(text: str) -> None:
    with pytest.raises((ExpressionError, UnknownNameError)) as refused:
        Condition(text)
    assert len(str(refused.value)) < 1500


# --- Lists of any length end in records that read back and in a page that stays readable ---


KNOWN = 4000
LARGEST_PAGE = 500_000
"""Bytes of the page about one test, however many words it has."""


@pytest.fixture(scope="module")
def embedding() -> Embedding:
    """A model of some thousand words."""
    vectors = np.random.default_rng(5).normal(size=(KNOWN, 4))
    return Embedding([f"w{n}" for n in range(KNOWN)], vectors, name="some words")


SIZES = st.one_of(st.integers(1, 12), st.integers(1, 80), st.integers(80, 3000))


@settings(max_examples=12, deadline=None)
@given(
    sizes=st.tuples(SIZES, SIZES, st.integers(1, 40), st.integers(1, 40)),
    starts=st.tuples(*[st.integers(0, KNOWN)] * 4),
    missing=st.sampled_from([0.0, 0.1, 0.6]),
    twice=st.sampled_from([0.0, 0.2]),
    metric=st.sampled_from(["weat", "weat", "direct-bias"]),
)
@example((516, 516, 8, 8), (0, 600, 2000, 3000), 0.0, 0.0, "weat")
@example((3000, 2900, 30, 40), (0, 100, 3000, 3100), 0.1, 0.2, "weat")
@example((3000, 3000, 8, 8), (0, 1000, 3000, 3500), 0.0, 0.0, "direct-bias")
@example((1, 1, 1, 1), (0, 0, 0, 0), 0.0, 0.2, "weat")
def test_an_audit_of_any_lists_ends_reads_back_and_is_displayed(
    embedding: Embedding,
    sizes: tuple[int, ...],
    starts: tuple[int, ...],
    missing: float,
    twice: float,
    metric: str,
) -> None:
    chance = np.random.default_rng(sum(sizes))
    lists = {}
    for role, size, start in zip("xyab", sizes, starts, strict=True):
        words = [f"w{(start + n) % KNOWN}" for n in range(size)]
        words = [f"no-{word}" if chance.random() < missing else word for word in words]
        lists[role] = [*words, *(word.upper() for word in words if chance.random() < twice)]
    with TemporaryDirectory() as folder:
        suite = Path(folder) / "mine.toml"
        suite.write_text(suite_text(**lists), encoding="utf-8")
        outcomes = fairvec.audit(
            embedding, suites=str(suite), metrics=[metric], samples=100, resamples=100
        )
        tests, answers = outcomes[:1], outcomes[1:]
        assert [one.status for one in answers] == ["pooled"] * isinstance(tests[0], Result)
        write_results(outcomes, folder)
        assert read_results(folder) == outcomes
        page = fairvec.write_report(outcomes, Path(folder) / "report.html")
        assert page.stat().st_size < LARGEST_PAGE
    for table in (as_csv, as_latex, audit_table):
        table(outcomes)


@given(st.integers(1, 10_000), st.integers(1, 10_000))
@example(516, 516)
@example(8000, 8000)
def test_p_values_of_any_sizes_read_back(nx: int, ny: int) -> None:
    splits = comb(nx + ny, nx)
    p = a_p_value(splits)
    assert PValue.model_validate_json(p.model_dump_json()) == p
    assert p.log10_partitions == pytest.approx(log10(splits))
    assert p.partitions == (splits if splits < 10**300 else None)
    before = p.model_dump(exclude={"log10_partitions"}) | {"partitions": splits}
    assert PValue.model_validate(before) == p


def a_p_value(partitions: int) -> PValue:
    return PValue(
        value=0.01,
        low=0.009,
        high=0.011,
        method="sampled",
        sides="two",
        ties=">=",
        partitions=partitions,
        smallest=2 / partitions,
        samples=100,
        standard_error=0.001,
        seed=0,
    )


def large(words: int) -> Result:
    """A result of two lists of this length, half of another list missing, all of them shared."""
    result = measured(model("m"), TESTS[1])
    generator = np.random.default_rng(words)
    scores = generator.normal(size=(2, words, 2)).tolist()
    listed = tuple(
        WordScore(word=f"{role}<{n}>", key=f"k{n}", role=role, score=score, without=without)
        for role, rows in zip("xy", scores, strict=True)
        for n, (score, without) in enumerate(rows)
    )
    names = [f"gone {n}" for n in range(words)]
    coverage = tuple(
        group.model_copy(
            update={
                "wanted": 2 * words,
                "found": words,
                "missing": dict.fromkeys(names, "not in the vocabulary"),
                "merged": tuple(names),
                "shared": tuple(names),
                "matched": {name: name.upper() for name in names},
                "how": dict.fromkeys(names, "case"),
            }
        )
        for group in result.coverage
    )
    p = a_p_value(comb(2 * words, words))
    fitted = tuple(names)
    changes = {"words": listed, "coverage": coverage, "p": p, "fitted_words": fitted}
    return result.model_copy(update=changes)


def described(words: int, metric: str = "direct-bias") -> Description:
    """The same words as a metric describes them."""
    one = large(words)
    shared = {name: getattr(one, name) for name in Description.model_fields if hasattr(one, name)}
    own = {"metric": metric, "value": 0.1, "neutral": 0.0, "meaning": "0: none."}
    return Description(**{**shared, **own, "status": "described"})


@pytest.mark.parametrize("make", [large, described])
def test_a_page_hardly_grows_with_its_words(make: object) -> None:
    assert callable(make)
    pages = [len(render([make(words)])) for words in (1000, 8000)]
    assert pages[1] < min(LARGEST_PAGE, 1.1 * pages[0])


def test_a_flat_model_next_to_a_ball_model_stays_readable() -> None:
    flat_one = described(4000, "signed-direct-bias")
    ball = flat_one.model.model_copy(update={"name": "ball", "curvature": 1.0, "sha256": "1" * 64})
    curved = flat_one.model_copy(update={"metric": "gyrocosine-bias", "model": ball})
    page = render([flat_one, curved])
    assert len(page) < LARGEST_PAGE
    assert "not drawn" in page


def test_omitted_lines_are_counted() -> None:
    page = render([large(8000)])
    assert "7,880 of 8,000" in page
    assert page.count("and 7,940 more") >= 4
    assert "16,000 words" in page


def test_every_table_takes_a_large_test() -> None:
    outcomes: list[Outcome] = [large(8000), described(8000)]
    for table in (as_csv, as_latex, as_jsonl, audit_table):
        table(outcomes)
    assert to_row(outcomes[0])["p_smallest"] == 0.0


# --- Whatever a category is called, its answer is on the page ---


LETTERS = st.characters(exclude_categories=("Cs", "Cc"))
ODD = st.sampled_from(
    ["gender", "Gender", "GENDER", "[bold]x[/bold]", "a: biased", "<b>", "кaste ☃", "x" * 300, "ß"]
)
NAMES_ANSWERS = st.lists(ODD | st.text(LETTERS, min_size=1, max_size=20), min_size=1, max_size=45)
KINDS = st.sampled_from(["biased", "mixed", "inconclusive", "no-evidence", "too-few-words"])


def run(names: list[str], models: int, languages: list[str], kinds: list[str]) -> list[Outcome]:
    found = []
    for number in range(models):
        one = measured(model(f"m{number}"), TESTS[1])
        for place, name in enumerate(dict.fromkeys(names)):
            asked = {
                "id": f"s/{place}",
                "category": name,
                "language": languages[place % len(languages)],
            }
            found.append(one.model_copy(update={"test": one.test.model_copy(update=asked)}))
    answers = (one for one in with_answers(found))
    return [_with_sentence(one, kinds[n % len(kinds)], n) for n, one in enumerate(answers)]


def _with_sentence(one: Outcome, kind: str, number: int) -> Outcome:
    if not isinstance(one, CategoryAnswer):
        return one
    sentence = (
        f"{capitalize_first(one.test.category)}: {kind.replace('-', ' ')} {number} (d +1.2, 95 % 1 "
        "to 2)."
    )
    verdict = one.verdict.model_copy(update={"kind": kind, "sentence": sentence})
    heading = capitalize_first(one.test.category)
    return one.model_copy(update={"verdict": verdict, "heading": heading})


@settings(max_examples=25, deadline=None)
@given(
    NAMES_ANSWERS,
    st.integers(1, 3),
    st.sampled_from([["en"], ["en", "hi"]]),
    st.lists(KINDS, min_size=1),
)
def test_every_sentence_is_on_the_page(
    names: list[str], models: int, languages: list[str], kinds: list[str]
) -> None:
    outcomes = run(names, models, languages, kinds)
    page = render(outcomes)
    body = " ".join(ElementTexts(page, "body").found).replace(NO_BREAK, " ")
    short = " ".join(ElementTexts(page, "said").found).replace(NO_BREAK, " ")
    for one in outcomes:
        if isinstance(one, CategoryAnswer):
            sentence = escape_control(one.verdict.sentence).replace(NO_BREAK, " ")
            assert sentence in body
            if one.verdict.kind in ("biased", "mixed", "inconclusive"):
                assert sentence in short


# --- A size in words is that of the number beside it ---


@given(st.floats(-3, 3) | st.sampled_from([0.195, 0.1949999, 0.495, 0.4951, 0.795, 0.7949, 0.805]))
def test_a_size_in_words_is_that_of_the_printed_effect(effect: float) -> None:
    printed = float(format_signed(effect).replace(MINUS, "-"))
    legend = {"small": 0.2, "medium": 0.5, "large": 0.8}
    expected = [word for word, begins in legend.items() if abs(printed) >= begins]
    assert effect_magnitude(effect) == (expected[-1] if expected else "negligible")
    assert effect_magnitude(-effect) == effect_magnitude(effect)


@loop_over("hundredths", range(-200, 201))
def test_effects_that_print_alike_have_one_size(hundredths: int) -> None:
    effects = [(hundredths + share) / 100 for share in (-0.49, -0.2, 0, 0.2, 0.49)]
    assert len({format_signed(effect) for effect in effects}) == 1
    assert len({effect_magnitude(effect) for effect in effects}) == 1


# --- A p that random draws cannot undercut is a bound wherever it is written ---


def _sampled_p(p: float, samples: int, method: str) -> Result:
    """A result whose p, alone and corrected over four tests, is as given."""
    one = measured(model("m"), TESTS[1])
    fields = {"value": p, "low": 0.0, "high": p, "method": method, "samples": samples}
    return one.model_copy(
        update={
            "p": one.p.model_copy(update=fields),
            "p_holm": 4 * p,
            "verdict": one.verdict.model_copy(update={"p": p, "p_holm": 4 * p}),
        }
    )


@given(st.sampled_from([999, 9_999, 100_000]), st.sampled_from([1, 2, 7]), st.booleans())
@settings(max_examples=12, deadline=None)
def test_a_sampled_p_is_a_bound_where_no_draw_was_as_extreme(
    samples: int, found: int, exact: bool
) -> None:
    p, method = found / (samples + 1), "exact" if exact else "sampled"
    result = _sampled_p(p, samples, method)
    relation = "≤" if found == 1 and not exact else "="
    uncorrected, corrected = format_p(p), format_p(4 * p)
    corrected_text = f"≤ {corrected}" if relation == "≤" else corrected
    line = f"p {relation} {uncorrected}"
    assert f"{line}, {corrected_text} corrected (Holm)" in str(result)
    assert f"{line}, corrected {corrected_text}" in outcome_line(result)
    assert live_figures(result)["p"] == (f"≤ {uncorrected}" if relation == "≤" else uncorrected)
    latex = as_latex([result])
    bound = r"\le " if relation == "≤" else ""
    assert f"${bound}{uncorrected}$ & ${bound}{corrected}$" in latex
    console = Console(width=300, file=StringIO())
    console.print(to_rich(audit_table([result], width=300)))
    table = console.file.getvalue()  # type: ignore[attr-defined]
    for text in (table, to_html([result]), render([result]).replace(NO_BREAK, " ")):
        assert (f"≤ {uncorrected}" in text) == (relation == "≤")
        assert (f"≤ {corrected}" in text) == (relation == "≤")


def test_a_pooled_p_that_draws_cannot_undercut_is_a_bound() -> None:
    (answer,) = (one for one in category_answers(biased(1.0)) if isinstance(one, CategoryAnswer))
    assert answer.p.method == "sampled"
    assert answer.p.value == pytest.approx(1 / 100_001)
    assert "; sampled p ≤ 0.00001)" in answer.verdict.sentence
    assert "p ≤ 0.00001, sampled" in diamond_label(answer)
    assert "p ≤ 0.00001, ≤ 0.00001 corrected" in str(answer)


@pytest.mark.parametrize(("found", "method"), [(1, "sampled"), (2, "sampled"), (1, "exact")])
def test_a_gate_writes_a_sampled_p_as_the_bound_it_is(found: int, method: str) -> None:
    p = found / 1_000
    low = 0.0 if (found, method) == (1, "sampled") else p / 2
    result = _sampled_p(p, 999, method)
    result = result.model_copy(update={"p": result.p.model_copy(update={"low": low})})
    gate = results_gate([result], Condition("p < 0.05"))
    bound = (found, method) == (1, "sampled")
    sign = "≤ " if bound else ""
    assert f", p {sign}{p:g}, p_holm {sign}{4 * p:g}, " in gate_as_junit(gate)
    assert f"| {sign}{p:g} | {sign}{4 * p:g} |" in gate_as_markdown(gate)
    assert named_cell(gate.rows[0], "p") == f"p{'≤' if bound else '='}{p:g}"
