"""Tables for terminals and LaTeX."""

import csv
import re
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from fairvec.cli.console import to_rich
from fairvec.report import as_csv, as_latex, audit_table
from fairvec.report.latex import (
    LONGEST,
    engine_comment,
    escape_latex,
    is_bold,
    non_latin_scripts,
    protect_row_start,
)
from fairvec.results import Interval, Outcome, Result, Skipped
from fairvec.results.identities import TestIdentity
from fairvec.results.records import CategoryAnswer, Description, PooledTest
from fairvec.results.rows import COLUMNS
from fairvec.results.verdicts import Verdict
from tests.report.outcomes import TESTS, a_run, measured, model, skipped

# --- tables ---


def terminal_text(outcomes: list[Outcome], width: int) -> str:
    console = Console(width=width, file=StringIO(), color_system=None)
    console.print(to_rich(audit_table(outcomes, width=width)))
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def test_csv_reads_back_unrounded() -> None:
    rows = list(csv.DictReader(StringIO(as_csv(a_run()))))
    assert list(rows[0]) == list(COLUMNS)
    for row, outcome in zip(rows, a_run(), strict=True):
        assert row["title"] == outcome.test.title
        if isinstance(outcome, Result):
            assert float(row["effect"]) == outcome.effect
            assert float(row["p"]) == outcome.p.value
        elif isinstance(outcome, Skipped):
            assert (row["effect"], row["reason"]) == ("", outcome.reason)


def test_no_text_of_a_csv_is_a_formula_and_numbers_stay() -> None:
    one = measured(model("=HYPERLINK(1)"), TESTS[1], lean=-3)
    test = one.test.model_copy(update={"title": "@SUM(A1)", "category": "-x", "tags": ("+x",)})
    (row,) = csv.DictReader(StringIO(as_csv([one.model_copy(update={"test": test})])))
    assert (row["model"], row["title"], row["category"]) == ("'=HYPERLINK(1)", "'@SUM(A1)", "'-x")
    assert float(row["effect"]) == one.effect < 0
    assert not [cell for cell in row.values() if cell[:1] in ("=", "+", "@")]


def test_csv_of_no_rows_is_its_heading() -> None:
    assert as_csv([]) == ",".join(COLUMNS) + "\n"


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_terminal_shows_complete_verdicts_and_numbers(width: int) -> None:
    text = terminal_text(a_run(), width)
    assert max(cell_len(line) for line in text.splitlines()) <= width
    for word in ("Biased", "Associated", "No evidence", "Too few words", "Skipped", "−1.64"):
        assert word in text
    assert "…" not in text
    assert ("Interval" in text) == (width == 120)


@pytest.mark.parametrize(
    ("width", "headings"),
    [
        (60, ["d", "p, Holm"]),
        (70, ["d", "p", "p, Holm"]),
        (80, ["d", "p", "p, Holm"]),
        (100, ["d", "Interval", "p", "p, Holm"]),
        (140, ["d", "Interval", "p", "p, Holm"]),
    ],
)
def test_p_is_shown_in_a_terminal_of_common_width(width: int, headings: list[str]) -> None:
    """Also beside long ids, titles off the Latin script, and p-values with powers of ten."""
    outcome = measured(model("m"), TESTS[5], lean=3)
    title = "पुरुष और महिला के नाम, करियर और परिवार के शब्द"
    test = outcome.test.model_copy(update={"title": title, "id": f"suite/{'long-' * 12}id"})
    p = outcome.p.model_copy(update={"value": 1.23e-11})
    text = terminal_text([outcome.model_copy(update={"test": test, "p": p})], width)
    assert re.split(r"\s{2,}", text.splitlines()[0].strip())[2:] == headings
    assert max(cell_len(line) for line in text.splitlines()) <= width
    assert ("1.2\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻¹¹" in text) == ("p" in headings)
    assert "…" not in text


def test_a_claimed_effect_has_its_size_next_to_or_under_the_verdict() -> None:
    large, small = (
        measured(model("m"), TESTS[5], lean=3).model_copy(update={"effect": effect})
        for effect in (-1.64, 0.3)
    )
    assert large.verdict.kind == "biased"
    assert terminal_text([large], 140).splitlines()[2].startswith("Biased, large ")
    assert terminal_text([small], 140).splitlines()[2].startswith("Biased, small ")
    assert [line.split()[0] for line in terminal_text([large], 80).splitlines()[2:4]] == [
        "Biased",
        "large",
    ]
    silent = large.verdict.model_copy(update={"kind": "no-evidence"})
    assert "large" not in terminal_text([large.model_copy(update={"verdict": silent})], 140)
    plain = large.convention.model_copy(update={"denominator": "none"})
    assert "large" not in terminal_text([large.model_copy(update={"convention": plain})], 140)


def test_the_verdict_comes_first_and_markup_is_only_text() -> None:
    text = terminal_text([measured(model("[red]m"), TESTS[1]), measured(model("n"), TESTS[1])], 100)
    heading = text.splitlines()[0].split()
    assert heading[:2] == ["Verdict", "Test"]
    assert "[red]m" in text


def test_one_model_needs_no_name_in_the_table() -> None:
    assert "lonely" not in terminal_text([measured(model("lonely"), TESTS[1])], 100)


# --- latex ---


GENDER = [test for test in TESTS if (test.language, test.category) == ("en", "gender")]


def pooled(tests: list[Result], kind: Any = "biased", **changes: Any) -> CategoryAnswer:
    """An answer for the category of some results; its figures are made up."""
    first = tests[0]
    fields: dict[str, Any] = {
        "test": TestIdentity(
            **first.test.model_dump()
            | {"suite": "category", "id": f"category/{first.test.category}", "kind": "category"}
        ),
        "model": first.model,
        "metric": first.metric,
        "similarity": first.similarity,
        "coverage": (),
        "seed": 7,
        "versions": first.versions,
        "convention": first.convention,
        "effect": 1.11,
        "size": "large",
        "interval": Interval(low=0.5, high=1.5, level=0.95, kind="inverted", method="inverted"),
        "between": 0.0,
        "inconsistency": 0.0,
        "prediction": None,
        "p": first.p.model_copy(update={"value": 0.0123}),
        "p_holm": 0.0246,
        "family": 2,
        "tests": tuple(
            PooledTest(
                test=one.test.id, title=one.test.title, effect=1.0, weight=0.5, verdict="biased"
            )
            for one in tests
        ),
        "verdict": Verdict(kind=kind, sentence="Biased.", p=0.0123, p_holm=0.0246, alpha=0.05),
    }
    return CategoryAnswer(**fields | changes)


def described(of: str, test: Any) -> Description:
    known = measured(model(of), test)
    return Description(
        **known.model_dump(include={"test", "model", "coverage", "seed", "versions"}),
        metric="rnd",
        similarity="negative-distance",
        value=-0.25,
        neutral=0,
        meaning="far",
        interval=None,
        words=(),
    )


def without_colours(line: str) -> str:
    """A line without its comment; an escaped percent sign begins none."""
    return re.sub(r"(?<!\\)%.*", "", line).rstrip()


def rows_of(table: str) -> list[str]:
    """The rows between the rules, without comments."""
    inside = table[table.index(r"\toprule") : table.index(r"\bottomrule")]
    return [row for line in inside.splitlines() if (row := without_colours(line)).endswith(r"\\")]


def cells(row: str) -> int:
    """How many columns a row fills, one that spans several counted as so many."""
    spans = sum(int(many) - 1 for many in re.findall(r"\\multicolumn\{(\d+)\}", row))
    return len(re.findall(r"(?<!\\)&", row)) + 1 + spans


def well_formed(table: str) -> None:
    text = "\n".join(map(without_colours, table.splitlines()))
    depth = 0
    for sign in re.findall(r"\\.|[{}]", text, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"(?<!\\)\$", text)) % 2 == 0
    opened = re.findall(r"\\begin\{(\w+)\}", text)
    assert opened == re.findall(r"\\end\{(\w+)\}", text)[::-1] == ["table", "tabular"]
    assert {cells(row) for row in rows_of(table)} <= {5}
    for row in rows_of(table):
        assert row[0] not in "[*"


def test_a_run_of_five_models_is_one_well_formed_table() -> None:
    table = as_latex(a_run())
    well_formed(table)
    results = [one for one in a_run() if isinstance(one, Result)]
    assert table.count(r"\mathbf") == sum(map(is_bold, results)) > 0
    assert r"$\mathbf{-1.64}$ & $[-2.00, -0.64]$" in table
    assert r"& \multicolumn{4}{l}{skipped} \\" in table
    assert table.count("Test & $d$ & Interval & $p$ & $p_\\mathrm{Holm}$ \\\\") == 1


def test_bold_means_what_the_caption_says() -> None:
    outcomes = [one for one in a_run() if isinstance(one, Result)]
    (caption,) = (line for line in as_latex(outcomes).splitlines() if line.startswith(r"\caption"))
    assert "two-sided $p$, Holm-corrected" in caption
    assert "at most 0.05" in caption
    for one in outcomes:
        holm = one.verdict.p_holm
        decided = one.verdict.kind != "too-few-words"
        assert is_bold(one) == (decided and holm is not None and holm <= 0.05)


def test_one_tail_is_named_over_its_column_and_in_the_caption() -> None:
    one = measured(model("m"), TESTS[1])
    table = as_latex([one.model_copy(update={"p": one.p.model_copy(update={"sides": "greater"})})])
    assert r"$p$ (greater) & $p_\mathrm{Holm}$ (greater) \\" in table
    assert "one tail" in table
    assert "one tail" not in as_latex([one])


def test_every_metric_has_a_heading_of_its_own() -> None:
    outcomes: list[Outcome] = [measured(model("m"), test) for test in TESTS[:3]]
    outcomes += [described("m", test) for test in TESTS[:3]]
    table = as_latex(outcomes)
    well_formed(table)
    first, second = (table.index(rf"Test, by \texttt{{{name}}} & ") for name in ("weat", "rnd"))
    assert first < second
    assert r"\texttt{rnd} & Value & Interval &  &  \\" in table
    assert r"\texttt{weat} & $d$ & Interval & $p$" in table
    values = [place.start() for place in re.finditer(re.escape("$-0.25$"), table)]
    assert len(values) == 3
    assert min(values) > second


def test_the_answer_for_a_category_follows_its_tests() -> None:
    of = model("m")
    tests = [measured(of, test) for test in TESTS if test.language == "en"]
    gender = [one for one in tests if one.test.category == "gender" and one.test.kind == "bias"]
    answer = pooled(gender)
    table = as_latex([answer, *tests])
    well_formed(table)
    rows = [line for line in table.splitlines() if "% " in line and "&" in line]
    at = next(place for place, row in enumerate(rows) if "category/gender" in row)
    assert [row.split("% ")[1] for row in rows[at - len(gender) : at]] == [
        one.test.id for one in gender
    ]
    assert rows[at].startswith(rf"\textit{{All of gender, {len(gender)} tests}} & ")
    assert r"$\mathbf{1.11}$ & $[0.50, 1.50]$ & $0.012$ & $0.025$ \\" in rows[at]
    assert "one joint $p$" in table
    mixed = as_latex([*tests, pooled(gender, kind="mixed")])
    assert "& $1.11$ &" in mixed
    assert rf"\textit{{All of gender, {len(gender)} tests: mixed}} & " in mixed
    assert "Mixed: " in mixed
    assert "ixed" not in table
    assert "one joint $p$" not in as_latex(tests)


def test_an_answer_appears_only_with_effects_of_its_convention() -> None:
    usual = [measured(model("m"), test) for test in GENDER]
    other = usual[0].convention.model_copy(update={"name": "population", "ddof": 0})
    population = [one.model_copy(update={"convention": other}) for one in usual]
    table = as_latex([*usual, *population, pooled(usual)])
    assert table.count("category/gender") == 1


def test_a_category_has_its_cells_in_csv() -> None:
    tests = [measured(model("m"), test) for test in GENDER]
    *_, row = csv.DictReader(StringIO(as_csv([*tests, pooled(tests)])))
    expected = {"status": "pooled", "kind": "category", "effect": "1.11", "interval_low": "0.5"}
    expected |= {"p": "0.0123", "p_holm": "0.0246", "verdict": "biased", "size": "large"}
    expected |= {"category": "gender", "test": "category/gender", "family": "2"}
    assert {name: row[name] for name in expected} == expected
    # No list was looked up for the answer itself, which is not the same as none found.
    assert (row["words_found"], row["words_wanted"], row["coverage"]) == ("", "", "")


def test_long_titles_are_shortened_and_similar_ones_distinguished() -> None:
    one = measured(model("m"), TESTS[1])
    long = "European and African American names of a labour market study, pleasant and unpleasant"
    tests = [
        one.model_copy(
            update={"test": one.test.model_copy(update={"title": long, "id": f"{suite}/{name}"})}
        )
        for suite, name in (("s", "w_4"), ("s", "w-5"), ("t", "w-5"))
    ]
    rows = [row for row in rows_of(as_latex(tests)) if "dots" in row]
    names = [row.split(" & ")[0] for row in rows]
    assert [name.rpartition(" (")[2] for name in names] == [
        r"\texttt{w\_4})",
        r"\texttt{s/w-5})",
        r"\texttt{t/w-5})",
    ]
    assert all(len(name.partition("~")[0]) <= LONGEST for name in names)
    assert r"\dots" not in as_latex([one])


@given(title=st.text(min_size=1), name=st.text(min_size=1), test=st.text(min_size=1))
def test_no_title_name_or_id_breaks_the_table(title: str, name: str, test: str) -> None:
    one = measured(model("m"), TESTS[1])
    strange = {
        "test": one.test.model_copy(update={"title": title, "id": test}),
        "model": one.model.model_copy(update={"name": name}),
    }
    table = as_latex([one.model_copy(update=strange), skipped(one.model, TESTS[2])])
    well_formed(table)
    # A heading, and of each model its name and its test.
    assert len(rows_of(table)) == (4 if name == "m" else 5)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"50%_{a}&#$~^\<b>", r"50\%\_\{a\}\&\#\$\textasciitilde{}\textasciicircum{}"
         r"\textbackslash{}\textless{}b\textgreater{}"),
        ("a--b - c''d", "a-{}-b - c'{}'d"),
        ("two\n\nlines\tand\x00more", "two lines and more"),
        ("a\u202eb\ud800c\u200bd", "a b c d"),
        ("a,,b, c", "a,{},b, c"),
        ('`a"|', r"\symbol{96}a\symbol{34}\textbar{}"),
    ],
    ids=["signs", "ligatures", "lines", "unseen", "commas", "quotes"],
)  # fmt: skip
def test_latex_reads_text_as_text(text: str, expected: str) -> None:
    assert escape_latex(text) == expected


def test_a_row_never_begins_with_an_option() -> None:
    assert protect_row_start("[2em] title") == "{}[2em] title"
    assert protect_row_start("* title") == "{}* title"
    assert protect_row_start("title [a]") == "title [a]"


@pytest.mark.parametrize(
    "title", ["[2em] x", "*", " [x]", "\x1b[31m", "\\\\[1ex]", "%", "\u200b[x"]
)
def test_no_row_of_a_table_begins_with_an_option(title: str) -> None:
    r"""After \\\\, \\addlinespace and \\midrule a [ on the next line would be read as one, too."""
    one = measured(model(title), TESTS[1])
    test = one.test.model_copy(update={"title": title, "id": f"s/{title}", "category": title})
    table = as_latex([one.model_copy(update={"test": test, "metric": title})])
    well_formed(table)
    assert not [line for line in table.splitlines() if line.lstrip()[:1] in ("[", "*")]
    assert table.isprintable() or {*table} - {"\n"} == {*filter(str.isprintable, table)}


def test_the_engine_is_named_where_it_matters() -> None:
    assert engine_comment("plain, naïve, Poincaré") == ""
    assert "T2A" in engine_comment("Мужчины")
    assert "pdfLaTeX has none" in engine_comment("पुरुष और महिला")
    assert non_latin_scripts("पुरुष Мужчины") == ["Devanagari", "Cyrillic"]
    one = measured(model("m"), TESTS[1])
    hindi = one.test.model_copy(update={"title": "पुरुष"})
    first, second = as_latex([one.model_copy(update={"test": hindi})]).splitlines()[:2]
    assert r"\usepackage{booktabs}" in first
    assert second.startswith("% Devanagari: XeLaTeX or LuaLaTeX")


def test_the_label_is_plain_and_no_rows_make_an_empty_table() -> None:
    table = as_latex([measured(model("Модель_1 {x}"), TESTS[1])])
    assert re.search(r"\\label\{tab:[a-z0-9-]+\}", table)
    well_formed(as_latex([]))
