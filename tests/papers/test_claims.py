"""Claims of the papers as data, and their answers."""

import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from fairvec.benchmarks import SemBiasSet, benchmark
from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.core.format import MINUS
from fairvec.embedding import Step, read, save
from fairvec.geometry import FloatArray
from fairvec.lexicon import select_tests
from fairvec.papers import PAPERS, ClaimAnswer, load_paper, parse_paper, reproduce
from fairvec.papers.claims.answer import join_reasons
from fairvec.papers.claims.kinds import claims_of, parse_claims
from tests.papers.conftest import Make, write_vectors
from tests.papers.test_grades import TOY as TOY_TEXT_FIGURES
from tests.papers.toys import CLAIM, TOY

# --- Claims as data: what is chosen, and malformed files refused in one sentence ---


def test_a_claim_chooses_the_cells_of_its_column() -> None:
    (claim,) = parse_claims(CLAIM, parse_paper(TOY))
    cells = [cell for (cell,) in claim.test.rows(parse_paper(TOY))]
    assert [(cell.row, cell.column) for cell in cells] == [
        ("first", "plain"),
        ("second", "plain"),
    ]


@pytest.mark.parametrize(("bold", "rows"), [("true", ["first"]), ("false", ["second"])])
def test_a_claim_may_choose_what_is_bold(bold: str, rows: list[str]) -> None:
    text = CLAIM.replace('column = "plain"', f'column = "plain", bold = {bold}')
    (claim,) = parse_claims(text, parse_paper(TOY))
    assert [cell.row for (cell,) in claim.test.rows(parse_paper(TOY))] == rows


def _pair(kind: str, one: str, other: str, more: str = "") -> str:
    names = ("left", "right") if kind == "greater" else ("before", "after")
    return (
        f'test = {{ kind = "{kind}", {names[0]} = {{ table = "table-1", {one} }}, '
        f'{names[1]} = {{ table = "table-1", {other} }}{more} }}'
    )


TEST = CLAIM.splitlines()[-1]
FIRST, SECOND, BOTH = 'column = "plain", rows = ["first"]', 'rows = ["second"]', 'column = "plain"'
SIGN, MARGIN = ', sign = "+"', ", margin = 0.2"
NO_SIGN = (
    'test = { kind = "lowered", before = { table = "table-3", column = "one", rows = ["a"] }, '
    'after = { table = "table-3", column = "one", rows = ["b"] } }'
)
BEST = (
    f'test = {{ kind = "least", sign = "+", best = {{ table = "table-1", {FIRST} }}, '
    f'others = {{ table = "table-1", {BOTH} }}, before = {{ table = "table-1", {BOTH} }} }}'
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param('quote = "it leans"', 'quotes = "it leans"', "quotes", id="an-unknown-key"),
        pytest.param('"leans"', '"loans"', "loans", id="an-unknown-kind"),
        pytest.param('table = "table-1"', 'table = "table-3"', "table-3", id="an-unknown-table"),
        pytest.param('"plain"', '"plane"', "plane", id="an-unknown-column"),
        pytest.param('column = "plain"', 'rows = ["third"]', "third", id="an-unknown-row"),
        pytest.param(
            'column = "plain"', 'column = "other", rows = ["second"]', "no cell", id="no-cell"
        ),
        pytest.param(
            'column = "plain"', 'column = "plain", columns = ["plain"]', "both", id="both"
        ),
        pytest.param('role = "one"', 'role = "three"', "three", id="an-unknown-role"),
        pytest.param('role = "one"', 'role = "two"', "its cells are of one", id="another-role"),
        pytest.param('role = "one"', "", "role or roles", id="no-role"),
        pytest.param('"it-leans"', '"It leans"', "id", id="an-id-with-a-space"),
        pytest.param('sign = "+"', 'sign = "up"', "sign", id="a-sign"),
        pytest.param(
            'table = "table-1", column = "plain"', 'table = "table-2"', "MC", id="no-test"
        ),
        pytest.param(
            TEST, TEST.replace('"leans"', '"each", of = 3'), "2 cells", id="a-wrong-count"
        ),
        pytest.param(TEST, _pair("greater", FIRST, BOTH), "1 cells with 2", id="unequal"),
        pytest.param(TEST, _pair("lowered", FIRST, FIRST), "with itself", id="itself"),
        pytest.param(
            TEST, _pair("lowered", FIRST, SECOND, SIGN), "something else", id="another-test"
        ),
        pytest.param(TEST, _pair("agree", FIRST, SECOND, MARGIN), "something else", id="agree"),
        pytest.param(TEST, NO_SIGN, "needs sign", id="no-sign"),
        pytest.param(TEST, BEST, "in different rows", id="best"),
        pytest.param(
            TEST, BEST.replace(FIRST, 'rows = ["first"]'), "several columns", id="columns"
        ),
        pytest.param(TEST, _pair("kept", FIRST, SECOND), "margin", id="no-margin"),
        pytest.param(
            TEST,
            'test = { kind = "threshold", cells = { table = "table-2" } }',
            "at_least or at_most",
            id="no-limit",
        ),
        pytest.param("[[claims]]", "[[claims", "not TOML", id="no-toml"),
    ],
)
def test_what_cannot_be_answered_is_refused(old: str, new: str, message: str) -> None:
    assert old in CLAIM
    with pytest.raises(LexiconError, match=message) as error:
        parse_claims(CLAIM.replace(old, new), parse_paper(TOY), "toy.toml")
    assert str(error.value).startswith("toy.toml")
    assert re.search(r"[^.?][.?]$", str(error.value))


def test_two_claims_of_one_id_are_refused() -> None:
    with pytest.raises(LexiconError, match="'it-leans' is that of 2 claims"):
        parse_claims(CLAIM + CLAIM, parse_paper(TOY))


@pytest.mark.parametrize("name", PAPERS)
def test_every_file_of_claims_is_of_its_paper(name: str) -> None:
    for claim in claims_of(name):
        assert all(claim.test.rows(load_paper(name)))
        assert claim.says.endswith(".")
        assert claim.says.count(". ") == 0, "one sentence"


def test_an_unknown_paper_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="pestowa"):
        claims_of("pestowa")


def test_every_bold_cell_of_the_poster_is_in_a_claim() -> None:
    """22 by hand: 7, 3, 6, 5 and 1; the poster prints p below 0.05 in bold."""
    printed = load_paper("pestova")
    bold = [cell for cell in printed.cells() if cell.bold]
    assert len(bold) == 22
    for cell in printed.cells():
        assert cell.bold == ((cell.figures[1].value or 0) < 0.05)
    asked = [
        cell
        for claim in claims_of("pestova")
        if claim.test.kind == "each" and claim.role
        for (cell,) in claim.test.rows(printed)
    ]
    assert len(asked) == 22
    assert {(cell.row, cell.column) for cell in asked} == {(c.row, c.column) for c in bold}


# --- The papers' findings as data: what they name exists, and what they quote is printed ---


WITH_TEXTS = ("kumar2020", "malik2022", "bharti2021")


def claims(name: str) -> list[dict[str, Any]]:
    file = files("fairvec.papers") / "data" / "claims" / f"{name}.toml"
    found: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["claims"]
    return found


def plain(text: str) -> str:
    """A text without its marks of emphasis, and with one kind of space and of apostrophe."""
    return re.sub(
        r"\s+", " ", text.replace("*", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    )


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_every_quotation_is_printed(name: str, shared_data: Path) -> None:
    texts = list((shared_data.parent / "papers").glob(f"{name}-*.txt"))
    if not texts:
        pytest.skip("the papers' texts are not beside this checkout")
    text = plain(texts[0].read_text(encoding="utf-8"))
    absent = [one["id"] for one in claims(name) if plain(one["quote"]) not in text]
    assert absent == []


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_every_finding_is_reported_once_and_in_one_sentence(name: str) -> None:
    found = claims(name)
    for key in ("id", "says"):
        values = [one[key] for one in found]
        assert len(set(values)) == len(values)
    for one in found:
        assert re.fullmatch(r"(?:[^.]|\.\d)+\.", one["says"]), one["says"]
        assert one["quote"], one["id"]
        assert len(one["quote"].split()) <= 25, one["id"]


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_every_cell_named_is_there(name: str) -> None:
    assert [one["id"] for one in claims(name)] == [one.id for one in claims_of(name)]
    tables = {table.id: table for table in load_paper(name).tables}
    for one in claims(name):
        test = one["test"]
        named = [
            test[side]
            for side in ("cells", "left", "right", "before", "after", "best", "others")
            if side in test
        ]
        assert named, one["id"]
        for choice in named:
            table = tables[choice["table"]]
            columns = {*choice.get("columns", ()), *filter(None, [choice.get("column")])}
            printed = {*table.columns, *(cell.column for cell in table.cells())}
            assert columns <= printed, one["id"]
            assert set(choice.get("rows", ())) <= table.rows.keys(), one["id"]


# --- Planted models: what was planted is found, and what cannot be asked is said ---


TESTS = ("kumar2020/b1", "kumar2020/b2")
PLAIN = 'cells = { table = "table-1", column = "plain" }'


def planted(path: Path, lean: float, *, seed: int = 1) -> Path:
    """A model whose X leans to A and Y to B by `lean`; at 0 every second word of a list does."""
    draw = np.random.default_rng(seed)
    words: dict[str, FloatArray] = {}
    for name in TESTS:
        sets = select_tests([name])[0].test.sets
        for role, along in (("a", 3.0), ("b", -3.0), ("x", lean), ("y", -lean)):
            for place, word in enumerate(sets[role].words):
                step = along or 3.0 * (-1) ** place
                words.setdefault(word.word, draw.normal(size=20) + step * np.eye(20)[0])
    return write_vectors(path, words, np.array([*words.values()]))


def answers(
    test: str, models: dict[str, list[Path]], *, roles: str = 'role = "one"'
) -> list[ClaimAnswer]:
    text = CLAIM.replace('role = "one"', roles).splitlines()
    chosen = parse_paper(TOY)
    claims = parse_claims("\n".join([*text[:-1], f"test = {{ {test} }}"]), chosen)
    given = {role: [str(path) for path in paths] for role, paths in models.items()}
    return list(reproduce(chosen, stand_ins=given, claims=claims).claims)


@pytest.mark.parametrize("kind", ["leans", "each"])
@pytest.mark.parametrize(("lean", "sign", "grade"), [(2.0, "+", "holds"), (2.0, "-", "fails")])
def test_what_was_planted_is_found(
    tmp_path: Path, kind: str, lean: float, sign: str, grade: str
) -> None:
    model = planted(tmp_path / "planted.txt", lean)
    (answer,) = answers(f'kind = "{kind}", sign = "{sign}", {PLAIN}', {"one": [model]})
    assert answer.decision.grade == grade
    assert answer.models == ("planted",)
    assert not answer.is_the_papers
    assert (answer.decision.p or 1) <= 0.05
    assert answer.decision.method
    assert answer.decision.method.n > 1


def test_one_test_has_its_own_exact_p(tmp_path: Path) -> None:
    """Against all 12,870 ways to regroup the words, taken from the file itself."""
    model = planted(tmp_path / "model.txt", 0.2)
    one = 'cells = { table = "table-1", column = "plain", rows = ["first"] }'
    (answer,) = answers(f'kind = "leans", sign = "+", {one}', {"one": [model]})
    lines = (line.split() for line in model.read_text(encoding="utf-8").splitlines()[1:])
    rows = {word: np.array(row, np.float32).astype(float) for word, *row in lines}
    sets = select_tests([TESTS[0]])[0].test.sets
    x, y, a, b = (np.array([rows[w.word] for w in sets[role].words]) for role in "xyab")
    words, a, b = (
        each / np.linalg.norm(each, axis=1, keepdims=True)
        for each in (np.concatenate([x, y]), a, b)
    )
    s = (words @ a.T).mean(axis=1) - (words @ b.T).mean(axis=1)
    observed = s[: len(x)].sum() - s.sum() / 2
    sums = [s[list(some)].sum() - s.sum() / 2 for some in combinations(range(len(s)), len(x))]
    assert answer.decision.p == pytest.approx(
        np.mean(np.abs(sums) >= abs(observed) - 1e-12), rel=1e-6
    )
    d = (s[: len(x)].mean() - s[len(x) :].mean()) / s.std(ddof=1)
    assert answer.decision.figures["d"] == pytest.approx(d, abs=1e-6)


def test_every_stand_in_answers_for_itself(tmp_path: Path) -> None:
    models = [planted(tmp_path / "to-a.txt", 2.0), planted(tmp_path / "to-b.txt", -2.0)]
    found = answers(f'kind = "leans", sign = "+", {PLAIN}', {"one": models})
    assert [(one.models, one.decision.grade) for one in found] == [
        (("to-a",), "holds"),
        (("to-b",), "fails"),
    ]


BOTH_MODELS = 'before = { table = "table-1", column = "plain", rows = ["first"] }, '
BOTH_MODELS += 'after = { table = "table-1", column = "other", rows = ["first"] }'


@pytest.mark.parametrize(
    ("kind", "after", "grade"),
    [
        pytest.param('"lowered", sign = "+"', 0.0, "holds", id="lowered"),
        pytest.param('"lowered", sign = "-"', 0.0, "undecided", id="no-such-tie"),
        pytest.param('"not-lowered", sign = "+"', 0.0, "fails", id="lowered-after-all"),
        pytest.param('"raised", sign = "+"', 0.0, "fails", id="not-raised"),
        pytest.param('"kept", margin = 0.2', 0.0, "fails", id="not-kept"),
        pytest.param('"lowered", sign = "+"', None, "fails", id="not-lowered"),
        pytest.param('"not-lowered", sign = "+"', None, "holds", id="as-denied"),
        pytest.param('"kept", margin = 0.2', None, "holds", id="kept"),
    ],
)
def test_a_change_is_found_between_two_roles(
    tmp_path: Path, kind: str, after: float | None, grade: str
) -> None:
    """Before: planted; after: nothing there any more, or the very same vectors."""
    before = planted(tmp_path / "before.txt", 3.0)
    changed = before if after is None else planted(tmp_path / "after.txt", after, seed=5)
    (answer,) = answers(
        f"kind = {kind}, {BOTH_MODELS}",
        {"one": [before], "two": [changed]},
        roles='roles = ["one", "two"]',
    )
    assert answer.decision.grade == grade, answer.decision.sentence


@pytest.mark.parametrize("kind", ["lowered", "not-lowered"])
@pytest.mark.parametrize("after", [-0.2, -3.0])
def test_a_tie_that_is_not_there_is_neither_lowered_nor_kept(
    tmp_path: Path, after: float, kind: str
) -> None:
    """By neither rule: -2 is no tie that -0.2 could be less of, or -3 more."""
    models = [planted(tmp_path / "one.txt", -2.0), planted(tmp_path / "two.txt", after, seed=3)]
    (answer,) = answers(
        f'kind = "{kind}", sign = "+", {BOTH_MODELS}',
        {"one": models[:1], "two": models[1:]},
        roles='roles = ["one", "two"]',
    )
    for decision in (answer.decision, answer.by_paper):
        assert decision.grade == "undecided"
        assert "no such tie" in decision.sentence


def test_effects_of_two_models_are_over_the_words_of_both(tmp_path: Path) -> None:
    """Two words that one model lacks are no difference, and the sentence names the models."""
    whole = planted(tmp_path / "whole.txt", 1.0)
    lines = whole.read_text(encoding="utf-8").splitlines()[1:]
    lacking = {word.word for word in select_tests([TESTS[0]])[0].test.sets["x"].words[:2]}
    kept = [line.split() for line in lines if line.split()[0] not in lacking]
    vectors = np.array([row[1:] for row in kept], float)
    part = write_vectors(tmp_path / "part.txt", [row[0] for row in kept], vectors)
    roles = 'roles = ["one", "two"]'
    (answer,) = answers(
        f'kind = "lowered", sign = "+", {BOTH_MODELS}', {"one": [whole], "two": [part]}, roles=roles
    )
    assert answer.decision.method is not None
    assert answer.decision.method.n == 14
    assert "in whole" in answer.decision.sentence
    assert "in part" in answer.decision.sentence
    assert answer.decision.method.how.startswith("each word's change permuted between the lists")
    scores = {}
    for path in (whole, part):
        rows = {
            row.split()[0]: np.array(row.split()[1:], np.float32).astype(float)
            for row in path.read_text(encoding="utf-8").splitlines()[1:]
        }
        units = {word: row / np.linalg.norm(row) for word, row in rows.items()}
        sets = select_tests([TESTS[0]])[0].test.sets
        a, b = (np.mean([units[w.word] for w in sets[role].words], axis=0) for role in "ab")
        x, y = (
            {w.word: units[w.word] @ (a - b) for w in sets[role].words if w.word in units}
            for role in "xy"
        )
        spread = np.std([*x.values(), *y.values()], ddof=1)
        shared = [x[word] for word in x if word not in lacking]
        scores[path.stem] = (np.mean(shared) - np.mean([*y.values()])) / spread
    figures = answer.decision.figures["before"], answer.decision.figures["after"]
    assert figures == pytest.approx((scores["whole"], scores["part"]), abs=1e-6)


def test_a_claim_about_two_roles_needs_a_model_in_each(tmp_path: Path) -> None:
    models = [planted(tmp_path / f"m{n}.txt", 1.0 + n) for n in range(3)]
    ask = f'kind = "lowered", sign = "+", {BOTH_MODELS}'
    roles = 'roles = ["one", "two"]'
    (alone,) = answers(ask, {"one": models[:1]}, roles=roles)
    assert (alone.decision.grade, alone.models) == ("not tried", ())
    assert "--model two=" in alone.decision.sentence
    (unequal,) = answers(ask, {"one": models, "two": models[:2]}, roles=roles)
    assert unequal.decision.grade == "not tried"
    assert "one has 3, two has 2" in unequal.decision.sentence
    several = answers(ask, {"one": models[:1], "two": models[1:]}, roles=roles)
    assert [one.models for one in several] == [("m0", "m1"), ("m0", "m2")]


def test_words_that_are_missing_are_the_reason(tmp_path: Path) -> None:
    words = ["he", "she"]
    model = write_vectors(tmp_path / "tiny.txt", words, np.eye(2))
    (answer,) = answers(f'kind = "each", sign = "+", {PLAIN}', {"one": [model]})
    assert (answer.decision.grade, answer.models) == ("not tried", ("tiny",))
    assert "could be found" in answer.decision.sentence or "words" in answer.decision.sentence


def test_data_that_is_not_available_is_the_reason(tmp_path: Path) -> None:
    model = planted(tmp_path / "model.txt", 1.0)
    (answer,) = answers(
        'kind = "threshold", at_least = 0.5, cells = { table = "table-2" }', {"one": [model]}
    )
    assert answer.decision.grade == "not tried"
    assert "fairvec benchmarks get mc30" in answer.decision.sentence


def test_a_limit_is_held_against_the_interval(tmp_path: Path) -> None:
    model = planted(tmp_path / "model.txt", 2.0)
    low, high, within = (
        answers(f'kind = "threshold", at_least = {limit}, {PLAIN}', {"one": [model]})[0]
        for limit in (-1.5, 1.99, 1.4)
    )
    assert [low.decision.grade, high.decision.grade, within.decision.grade] == [
        "holds",
        "fails",
        "undecided",
    ]


SIX_PAIRS = 'left = { table = "table-3", column = "one" }, '
SIX_PAIRS += 'right = { table = "table-3", column = "two" }'


def test_pairs_that_ask_one_test_count_once(tmp_path: Path) -> None:
    """Six cells of one test are no six witnesses."""
    model, other = planted(tmp_path / "model.txt", 2.0), planted(tmp_path / "other.txt", 0.1)
    (answer,) = answers(
        f'kind = "greater", by = "size", {SIX_PAIRS}',
        {"one": [model], "two": [other]},
        roles='roles = ["one", "two"]',
    )
    assert (answer.decision.grade, answer.decision.p) == ("undecided", 1.0)
    assert answer.decision.figures["pairs"] == 1
    assert answer.decision.figures["difference"] > 0
    assert "so few pairs cannot decide: it takes 6" in answer.decision.sentence


@pytest.mark.parametrize(("turned", "grade"), [(False, "holds"), (True, "fails")])
def test_one_test_of_two_models_is_compared_word_by_word(
    tmp_path: Path, turned: bool, grade: str
) -> None:
    """One pair of figures decides nothing, its sixteen words do."""
    models = [planted(tmp_path / "leans.txt", 3.0), planted(tmp_path / "none.txt", 0.0, seed=5)]
    one, two = reversed(models) if turned else models
    (answer,) = answers(
        'kind = "greater", left = { table = "table-1", column = "plain", rows = ["first"] }, '
        'right = { table = "table-1", column = "other", rows = ["first"] }',
        {"one": [one], "two": [two]},
        roles='roles = ["one", "two"]',
    )
    assert answer.decision.grade == grade, answer.decision.sentence
    assert answer.decision.method is not None
    assert (answer.decision.method.n, answer.decision.method.unit) == (16, "words")
    assert answer.by_paper.grade == grade


TWO_TESTS = 'table = "table-1", column = "plain"'


@pytest.mark.parametrize(("share", "grade"), [(0.3, "holds"), (3.0, "fails"), (1.0, "undecided")])
def test_an_effect_is_compared_with_that_of_other_tests(
    tmp_path: Path, share: float, grade: str
) -> None:
    model = planted(tmp_path / "model.txt", 2.0)
    (answer,) = answers(
        f'kind = "comparable", share = {share}, left = {{ {TWO_TESTS}, rows = ["first"] }}, '
        f'right = {{ {TWO_TESTS}, rows = ["second"] }}',
        {"one": [model]},
    )
    assert answer.decision.grade == grade, answer.decision.sentence
    figures = answer.decision.figures
    assert figures["share"] == pytest.approx(figures["d"] / figures["d_of_others"])
    expected = figures["share"] >= share
    assert answer.by_paper.grade == ("holds" if expected else "fails")


def test_words_are_looked_for_in_the_vocabulary(tmp_path: Path) -> None:
    test = f'kind = "absent", cells = {{ {TWO_TESTS}, rows = ["first"] }}'
    there = planted(tmp_path / "there.txt", 1.0)
    sets = select_tests([TESTS[0]])[0].test.sets
    lines = there.read_text(encoding="utf-8").splitlines()[1:]
    listed = {word.word for word in sets["x"].words}
    rows = [line.split() for line in lines if line.split()[0] not in listed]
    vectors = np.array([row[1:] for row in rows], float)
    without = write_vectors(tmp_path / "without.txt", [row[0] for row in rows], vectors)
    for model, grade, found in ((there, "fails", len(listed)), (without, "holds", 0)):
        (answer,) = answers(test, {"one": [model]})
        assert (answer.decision.grade, answer.by_paper.grade) == (grade, grade)
        assert answer.decision.figures == {"found": found, "words": len(listed)}


def test_several_reasons_are_sentences_in_a_row() -> None:
    """Behind a command there is no full stop, which would be read as part of it."""
    first, second = "One is not at hand; get it.", "Two is not at hand; run: fairvec get two"
    assert join_reasons([first, second, first]) == f"{first} {second}; {first}"
    assert join_reasons([second]) == second
    assert join_reasons([]) == ""


# --- Claims about figures of a text: one made of two cells, and a number of words ---


CLAIM_TEXT_FIGURES = """
[[claims]]
id = "twice"
says = "One is twice the other."
where = "section 1"
role = "role"
test = { kind = "threshold", at_least = 2, cells = { table = "text" } }
"""


@pytest.fixture
def model(make_model: Make) -> Path:
    return make_model(["kumar2020/b1", "kumar2020/b2"], dimensions=5)


def test_a_figure_made_of_two_is_held_against_the_limit(model: Path) -> None:
    toy = parse_paper(TOY_TEXT_FIGURES)
    found = reproduce(toy, {"role": [str(model)]}, claims=parse_claims(CLAIM_TEXT_FIGURES, toy))
    (answer,) = found.claims
    one, two, made = (line.answers[0].default for line in found.lines)
    assert isinstance(one, float)
    assert isinstance(two, float)
    assert made == pytest.approx(one / two)
    assert answer.decision.grade == ("holds" if one / two >= 2 else "fails")
    assert f"{one / two:.3g}".replace("-", MINUS) in answer.decision.sentence
    assert "no uncertainty is known" in answer.decision.sentence


def test_it_is_not_tried_where_one_of_the_two_is_missing(make_model: Make) -> None:
    toy = parse_paper(TOY_TEXT_FIGURES)
    half = make_model(["kumar2020/b1"], dimensions=5, name="half")
    (answer,) = reproduce(
        toy, {"role": [str(half)]}, claims=parse_claims(CLAIM_TEXT_FIGURES, toy)
    ).claims
    assert answer.decision.grade == "not tried"


# --- Claims about a benchmark whose items the models do not all know ---


TABLE = """
[[tables]]
id = "choices"
title = "SemBias"
shows = ["%"]
benchmark = "sembias"
[tables.columns]
one = { role = "one" }
two = { role = "two" }
[tables.rows]
Def = { part = "definition", cells = ["90", "90"] }
Ster = { part = "stereotype", cells = ["10", "10"] }
"""

CLAIM_SHARED_ITEMS = """
[[claims]]
id = "a-claim"
says = "A claim."
where = "Table"
"""


@pytest.fixture
def data(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))


def chooser(path: Path, *, stereotyped: int = 0, without: int = 0) -> Path:
    """A model that answers every row as defined, or for some defining pairs by the stereotype.

    The last `stereotyped` defining pairs lie across the axis of he and she, and the last `without`
    of them are unknown.
    """
    rows = cast(SemBiasSet, benchmark("sembias")).rows
    sides = {"he": [1.0, 0.0, 0.5], "she": [-1.0, 0.0, 0.5]}
    defining = list(dict.fromkeys(row.definition for row in rows))
    for row in rows:
        for pair in row.pairs:
            for word, sign in zip(pair, (1, -1), strict=True):
                sides.setdefault(word, [0.1 * sign, 0.2 * sign, 0.5])
        for word, sign in zip(row.stereotype, (1, -1), strict=True):
            sides[word] = [0.4 * sign, 0.2 * sign, 0.5]
    for place, pair in enumerate(defining):
        across = place >= len(defining) - stereotyped
        for word, sign in zip(pair, (1, -1), strict=True):
            sides[word] = [0.0, float(sign), 0.5] if across else [float(sign), 0.0, 0.5]
    for pair in defining[len(defining) - without :]:
        for word in pair:
            sides.pop(word, None)
    return write_vectors(path, sides, np.array([*sides.values()]))


def answer(claim: str, **models: Path) -> ClaimAnswer:
    chosen = parse_paper(TOY + TABLE)
    given = {role: [str(path)] for role, path in models.items()}
    (found,) = reproduce(
        chosen, stand_ins=given, claims=parse_claims(f"{CLAIM_SHARED_ITEMS}{claim}", chosen)
    ).claims
    return found


BETWEEN = (
    'roles = ["one", "two"]\n'
    'test = { kind = "lowered", before = { table = "choices", column = "one", rows = ["Ster"] }, '
    'after = { table = "choices", column = "two", rows = ["Ster"] } }'
)


@pytest.mark.usefixtures("data")
def test_two_models_are_compared_over_the_items_of_both(tmp_path: Path) -> None:
    """What only one of them was asked is no difference between the two."""
    whole = chooser(tmp_path / "whole.txt", stereotyped=11)
    half = chooser(tmp_path / "half.txt", stereotyped=11, without=11)
    found = answer(BETWEEN, one=whole, two=half)
    assert found.decision.method is not None
    assert found.decision.method.n < 440
    assert (found.decision.figures["before"], found.decision.figures["after"]) == pytest.approx(
        (0, 0)
    )
    assert found.decision.grade == "undecided"
    assert "0 in whole, 0 in half" in found.decision.sentence
    assert found.decision.method.how == "Student's t over the pairs that items combine, two-sided"


@pytest.mark.usefixtures("data")
def test_a_difference_is_reported_over_the_items_of_both(tmp_path: Path) -> None:
    """Three quarters of the shared items, whatever the first model says of the others."""
    whole = chooser(tmp_path / "whole.txt", stereotyped=19)
    half = chooser(tmp_path / "half.txt", without=11)
    found = answer(BETWEEN, one=whole, two=half)
    assert found.decision.grade == "holds"
    assert found.decision.figures["before"] == pytest.approx(100 * 8 / 11)
    ends = found.decision.interval
    assert ends is not None
    assert ends.low <= found.decision.figures["change"] <= ends.high
    # As far below the change as above it, but for what no change of a share can be.
    mirrored = 2 * found.decision.figures["change"] - ends.high
    assert ends.low == pytest.approx(max(-100, mirrored), abs=2)


@pytest.mark.usefixtures("data")
def test_a_share_of_nothing_is_no_certain_one(tmp_path: Path) -> None:
    """Resampled rows that are all alike say nothing of other rows."""
    test = 'kind = "threshold", at_most = 0.05, cells = { table = "choices", column = "one", '
    found = answer(
        f'role = "one"\ntest = {{ {test} rows = ["Ster"] }} }}',
        one=chooser(tmp_path / "sure.txt"),
    )
    assert found.decision.grade == "holds"
    assert found.decision.figures["value"] == 0
    assert "by the number alone, no uncertainty is known" in found.decision.sentence


# --- lists of ours: what fails with them may hold with the paper's ---


@pytest.mark.parametrize("ours", ["lists", "models"])
def test_what_fails_with_lists_or_models_of_ours_is_undecided(tmp_path: Path, ours: str) -> None:
    """And what holds says that it rests on them."""
    path = planted(tmp_path / "model.txt", 2.0)
    if ours == "models":
        model = read(path)
        trained = replace(model, history=(*model.history, Step("trained", {})))
        path = tmp_path / "trained.fairvec"
        save(trained, path)
    for sign, grade in (("+", "holds"), ("-", "undecided")):
        test = f'test = {{ kind = "leans", sign = "{sign}", {PLAIN} }}'
        text = "\n".join([*CLAIM.splitlines()[:-1], test])
        chosen = parse_paper(TOY)
        claims = parse_claims(f"{text}\nour_lists = true" if ours == "lists" else text, chosen)
        (answer,) = reproduce(chosen, stand_ins={"one": [str(path)]}, claims=claims).claims
        assert answer.decision.grade == grade
        note = "published nowhere" if ours == "lists" else "trained with fairvec (model)"
        assert note in answer.decision.sentence
        assert ("speaks against it" in answer.decision.sentence) == (sign == "-")


def test_claims_about_lists_that_are_published_nowhere_say_so() -> None:
    marked = 0
    for name in PAPERS:
        paper = load_paper(name)
        for claim in claims_of(name):
            notes = [
                cell.settings.debias.note
                for row in claim.test.rows(paper)
                for cell in row
                if cell.settings.debias
            ]
            unpublished = any("published nowhere" in note for note in notes)
            assert claim.our_lists or not unpublished, claim.id
            marked += claim.our_lists
    assert marked == 15
