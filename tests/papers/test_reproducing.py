"""Planted models: figures computed here in a few lines are found again and graded."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import UnknownNameError
from fairvec.geometry import FloatArray
from fairvec.lexicon import select_tests
from fairvec.papers import CellLine, Reproduction, load_paper, parse_paper, reproduce
from fairvec.results import Result
from tests.papers.conftest import Make
from tests.papers.toys import HEAD

TEST = "kumar2020/b1"
KUMAR = ["kumar2020/b1", "kumar2020/b2", "kumar2020/b3"]


def leanings(path: Path, test: str, *, ball: bool = False) -> tuple[FloatArray, FloatArray]:
    """s(w, A, B) of X and Y, straight from the file, by cosine or by the arcosh formula."""
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines()[1:])
    points = {word: np.array(row, float) for word, *row in lines}
    chosen = select_tests([test])[0].test
    x, y, a, b = (np.array([points[w.word] for w in chosen.sets[r].words]) for r in "xyab")

    def alike(u: FloatArray, v: FloatArray) -> FloatArray:
        if not ball:
            return np.asarray(
                u @ v.T / np.outer(np.linalg.norm(u, axis=1), np.linalg.norm(v, axis=1))
            )
        apart = ((u[:, None] - v[None]) ** 2).sum(-1)
        room = np.outer(1 - (u**2).sum(1), 1 - (v**2).sum(1))
        return np.asarray(-np.arccosh(1 + 2 * apart / room))

    return tuple(alike(w, a).mean(1) - alike(w, b).mean(1) for w in (x, y))


def effect(x: FloatArray, y: FloatArray, ddof: int) -> float:
    return float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=ddof))


def p_greater(x: FloatArray, y: FloatArray) -> float:
    """The share of all splits whose X sums at least as high, by brute force."""
    pooled = np.concatenate([x, y])
    sums = [pooled[list(chosen)].sum() for chosen in combinations(range(len(pooled)), len(x))]
    return float(np.mean(np.array(sums) >= x.sum() - 1e-12))


def one_cell(text: str, extra: str = "", similarity: str = "cosine", words: str = "") -> str:
    return f"""{HEAD}[roles.role]
title = "The model"
dimensions = 5
words = "{words}"
origin = "https://example.org"
[[tables]]
id = "table-1"
title = "A table"
metric = "weat"
suite = "kumar2020"
test = "b1"
role = "role"
similarity = "{similarity}"
shows = ["d", "p"]
[tables.columns]
column = {{}}
[tables.rows]
row = {{ cells = ["{text}"] }}
{extra}
"""


KNOWN = " is taken for the paper's own by its "
"""How the note begins that says what a model is known by, after its name."""


def graded(path: Path, text: str, **how: str) -> CellLine:
    """Reproduce a cell on a model that is the paper's own, because it has as many words."""
    how = {"words": path.read_text(encoding="utf-8").split()[0]} | how
    (line,) = reproduce(parse_paper(one_cell(text, **how)), {"role": [str(path)]}).lines
    return line


@pytest.fixture
def model(make_model: Make) -> Path:
    return make_model(KUMAR, dimensions=5)


def test_a_planted_figure_is_matched(model: Path) -> None:
    x, y = leanings(model, TEST)
    d, p = effect(x, y, ddof=0), p_greater(x, y)
    line = graded(model, f"{d:.4f} {p:.4f}")
    assert [answer.grade for answer in line.answers] == ["matched", "matched"]
    assert [answer.ours for answer in line.answers] == pytest.approx([d, p], abs=1e-9)
    assert line.answers[0].default == pytest.approx(effect(x, y, ddof=1))
    assert line.answers[1].default != p
    assert line.answers[0].difference == pytest.approx(0, abs=0.00005)
    assert line.notes == ()


def test_another_convention_is_named(model: Path) -> None:
    x, y = leanings(model, TEST)
    line = graded(model, f"{effect(x, y, ddof=1):.4f} {p_greater(x, y):.4f}")
    assert line.answers[0].grade == "differs by convention"
    assert "d is matched under: caliskan." in line.notes
    in_the_ball = effect(*leanings(model, TEST, ball=True), ddof=0)
    (line,) = reproduce(
        parse_paper(
            one_cell(
                f"{in_the_ball:.4f} -", words=model.read_text(encoding="utf-8").split()[0]
            ).replace("dimensions = 5", 'dimensions = 5\ngeometry = "poincare"')
        ),
        {"role": [str(model)]},
    ).lines
    assert "d is matched under: negative-distance." in line.notes


def test_what_nothing_explains_differs(model: Path) -> None:
    assert {answer.grade for answer in graded(model, "1.9999 0.0001").answers} == {"differs"}


def test_a_remark_explains_what_does_not_match(model: Path) -> None:
    remark = '[[tables.remarks]]\nrow = "row"\ninconsistent = true\nnote = "Contradicts itself."'
    line = graded(model, "- 0.00001", extra=remark)
    assert {answer.grade for answer in line.answers} == {"inconsistent in the paper"}
    assert line.answers[0].difference is None
    assert "Contradicts itself." in line.notes


def test_a_remark_on_one_quantity_leaves_the_other(model: Path) -> None:
    remark = '[[tables.remarks]]\nrow = "row"\nquantity = "p"\ninconsistent = true\nnote = "Odd."'
    (line,) = reproduce(parse_paper(one_cell("0.1 0.4", extra=remark))).lines
    assert [answer.grade for answer in line.answers] == ["no model", "inconsistent in the paper"]
    assert graded(model, "0.1 0.4", extra=remark).answers[0].grade == "differs"


def test_a_pair_that_does_not_belong_together_is_inconsistent(model: Path) -> None:
    line = graded(model, "1.9999 0.4")
    assert {answer.grade for answer in line.answers} == {"inconsistent in the paper"}
    assert line.notes[0].startswith("d = 1.9999 goes with p near 0.00005 (normal approximation)")


def test_a_stand_in_is_computed_and_labelled(model: Path) -> None:
    x, y = leanings(model, TEST)
    d, p = effect(x, y, ddof=0), p_greater(x, y)
    chosen = parse_paper(one_cell(f"{d:.4f} {p:.4f}"))
    (line,) = reproduce(chosen, stand_ins={"role": [str(model)]}).lines
    assert {answer.grade for answer in line.answers} == {"different model"}
    assert line.answers[0].ours == pytest.approx(d)
    assert (line.model, line.notes) == ("small", ())


@pytest.mark.parametrize("printed", ["planted", "1.9999 0.0001"])
def test_a_model_that_nothing_tells_from_another_is_yours(model: Path, printed: str) -> None:
    x, y = leanings(model, TEST)
    d, p = effect(x, y, ddof=0), p_greater(x, y)
    text = f"{d:.4f} {p:.4f}" if printed == "planted" else printed
    line = graded(model, text, words="")
    assert {answer.grade for answer in line.answers} == {"your model"}
    assert [answer.ours for answer in line.answers] == pytest.approx([d, p], abs=1e-9)
    assert line.notes == ()


def test_who_plays_a_role_stands_once_with_how_that_is_known(model: Path) -> None:
    words = model.read_text(encoding="utf-8").split()[0]
    known = parse_paper(one_cell("0.1 0.4", words=words))
    unknown = parse_paper(one_cell("0.1 0.4"))
    given = {"role": [str(model)]}
    remedy = (
        "download it from https://example.org, say as role.txt, and run: "
        "fairvec reproduce toy --model role=role.txt"
    )
    for found, played_by, reason, to_do in (
        (
            reproduce(known, given),
            "the paper's",
            f"small{KNOWN}{words} words and 5 dimensions alone.",
            "",
        ),
        (
            reproduce(unknown, stand_ins=given),
            "a stand-in",
            "small stands in for The model.",
            remedy,
        ),
        (
            reproduce(unknown, given),
            "yours",
            "small is your model in the place of The model: nothing that is published tells "
            "whether it is the paper's own, so that its figures neither confirm the paper's nor "
            "contradict them.",
            remedy,
        ),
        (reproduce(unknown), "none", "", remedy),
    ):
        (role,) = found.roles
        assert (role.played_by, role.reason, role.remedy) == (played_by, reason, to_do)
        assert (role.role, role.model) == ("role", "" if played_by == "none" else "small")


def test_a_missing_model_gives_a_reason_and_a_command_and_no_number() -> None:
    (line,) = reproduce(parse_paper(one_cell("0.1 0.4"))).lines
    assert line.model == ""
    assert {(answer.grade, answer.ours, answer.default) for answer in line.answers} == {
        ("no model", None, None)
    }
    assert line.notes == (
        "The model: not at hand; download it from https://example.org, say as role.txt, and run: "
        "fairvec reproduce toy --model role=role.txt",
    )


def test_words_that_are_missing_are_counted_or_the_cell_is_skipped(
    make_model: Make, model: Path
) -> None:
    lines = model.read_text(encoding="utf-8").splitlines()
    fewer = [line for line in lines[1:] if line.split()[0] != "salary"]
    model.write_text("\n".join([f"{len(fewer)} 5", *fewer]) + "\n", encoding="utf-8")
    assert "small has 31 of the 32 words of kumar2020/b1." in graded(model, "0.1 0.2").notes
    line = graded(make_model(["kumar2020/b2"], dimensions=5), "0.1 0.2")
    assert {(answer.grade, answer.ours) for answer in line.answers} == {("skipped", None)}
    assert any("Only 0 of 8" in note for note in line.notes)


def test_several_models_of_a_role_have_a_line_each(make_model: Make, model: Path) -> None:
    other = make_model(KUMAR, dimensions=4, name="other")
    found = reproduce(
        parse_paper(one_cell("0.1 0.2")), {"role": [str(model)]}, {"role": [str(other)]}
    )
    assert [line.model for line in found.lines] == ["small", "other"]
    assert len(found.outcomes) == 4


def test_an_unknown_role_is_offered_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean e-glove"):
        reproduce(load_paper("kumar2020"), {"eglove": ["x"]})


def kumar(model: Path) -> Reproduction:
    roles = ("e-glove", "p-glove", "pgd-glove")
    chosen = load_paper("kumar2020")
    words = model.read_text(encoding="utf-8").split()[0]
    sized = {name: one.model_copy(update={"words": words}) for name, one in chosen.roles.items()}
    small = chosen.model_copy(update={"roles": sized})
    return reproduce(small, {role: [str(model)] for role in roles})


def test_a_whole_paper_on_a_planted_model(make_model: Make) -> None:
    """Each row of Kumar's appendix by its own similarity, against the formulas above."""
    path = make_model(KUMAR, dimensions=100)
    found = kumar(path)
    lines = {(line.cell.row, line.cell.column): line for line in found.lines}
    for row, ball in (
        ("Euclidean GloVe", False),
        ("Poincaré GloVe (cosdist)", False),
        ("Poincaré GloVe (-pdistance)", True),
        ("PGD GloVe (-pdistance)", True),
    ):
        for column, test in zip(("B1: Career vs Family", "B2: Math vs Art"), KUMAR, strict=False):
            x, y = leanings(path, test, ball=ball)
            ours = {one.figure.quantity: one.ours for one in lines[row, column].answers}
            assert ours["d"] == pytest.approx(effect(x, y, ddof=0), abs=1e-9)
    tested = [line for line in found.lines if line.cell.settings.metric]
    assert {answer.grade for line in tested for answer in line.answers} <= {
        "differs",
        "differs by convention",
    }
    assert all(isinstance(one, Result) for one in found.outcomes if one.test.suite == "kumar2020")


@pytest.mark.parametrize(
    ("off", "grade"),
    [
        pytest.param(0.0, "matched", id="near"),
        pytest.param(0.02, "differs by convention", id="within-the-code's-error"),
        pytest.param(0.2, "differs", id="far"),
    ],
)
def test_fewer_splits_of_the_code_explain_a_p_and_do_not_match_it(
    model: Path, off: float, grade: str
) -> None:
    """The text's number of splits decides; that of the code is named where only it explains."""
    p = p_greater(*leanings(model, TEST))
    words = model.read_text(encoding="utf-8").split()[0]
    text = one_cell(f"- {p + off:.4f}", words=words).replace(
        'ties = ">="', 'ties = ">="\nsamples = 1_000_000\nsamples_in_code = 500'
    )
    (line,) = reproduce(parse_paper(text), {"role": [str(model)]}).lines
    assert line.answers[1].grade == grade
    noted = any("the error of 500 random splits" in note for note in line.notes)
    assert noted == (grade == "differs by convention")


def test_how_far_a_model_is_never_falls(model: Path) -> None:
    """One plain number from the first test to the last, and all of them are told."""
    reports: list[tuple[int, int, str]] = []
    (table,) = (one for one in load_paper("kumar2020").tables if one.id == "appendix-table-2")
    chosen = load_paper("kumar2020").model_copy(update={"tables": (table,)})
    given = {"e-glove": [str(model)]}
    reproduce(chosen, stand_ins=given, progress=lambda *how_far: reports.append(how_far))
    measure_model = [(done, every) for done, every, what in reports if what.startswith("small: ")]
    assert measure_model == [(done, 6) for done in range(6)]
    cells = [(done, every) for done, every, what in reports if what.startswith("kumar2020: ")]
    assert cells == [(done, 15) for done in range(15)]
