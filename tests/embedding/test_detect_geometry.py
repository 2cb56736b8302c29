"""A ball is not read as flat without a word, and flat vectors are asked no question."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec import FairvecWarning, as_model, audit, catalogue, load, neighbours
from fairvec.core.errors import FileFormatError
from fairvec.embedding import read
from fairvec.embedding.detect_geometry import ball_extent, remark_on_space
from fairvec.embedding.saving import save
from fairvec.geometry import Euclidean, Poincare, ProductOfBalls
from tests.loops import loop_over

WORDS = np.array([f"w{n}" for n in range(40)])


def points(farthest: float, nearest: float = 0.1) -> np.ndarray:
    """Points in all directions, at distances from the nearest to the farthest."""
    rows = np.random.default_rng(0).normal(size=(len(WORDS), 6))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows * np.linspace(nearest, farthest, len(WORDS))[:, None]


@pytest.fixture
def ball(tmp_path: Path) -> Path:
    path = tmp_path / "ball.npz"
    np.savez(path, words=WORDS, vectors=points(0.9).astype(np.float32))
    return path


def test_points_within_the_unit_ball_are_asked_about_once(ball: Path) -> None:
    found = read(ball)
    assert found.geometry == Euclidean()
    assert remark_on_space(found) == (
        "ball is read as flat, but all its points lie within the unit ball (the farthest at 0.9) "
        "and nothing says which it is: if it is a Poincaré ball, say --geometry poincare, else "
        "--geometry euclidean."
    )
    for named in ("euclidean", "poincare"):
        assert remark_on_space(load(ball, geometry=named)) == ""


def test_in_python_the_question_is_a_warning_at_the_line_of_the_call(ball: Path) -> None:
    lists: dict[str, Any] = {"x": WORDS[:4], "y": WORDS[4:8], "a": WORDS[8:12], "b": WORDS[12:16]}
    question = r"^ball is read as flat, .* say fairvec\.load\(\.\.\., geometry='poincare'\), else"
    for call in (
        lambda: load(ball),
        lambda: as_model(str(ball)),
        lambda: audit(ball, **lists),
        lambda: neighbours(ball, "w1"),
    ):
        with pytest.warns(FairvecWarning, match=question) as caught:
            call()
        assert [one.filename for one in caught] == [__file__]
    declared = load(ball, geometry="poincare")
    assert declared.geometry == as_model(ball, geometry="poincare").geometry == Poincare(1.0)


def test_in_python_a_file_that_may_be_cut_off_is_warned_of(tmp_path: Path) -> None:
    text = "".join(f"w{n} {n + 0.123456:.6f} {n + 0.654321:.6f}\n" for n in range(200))
    (tmp_path / "cut.txt").write_text(text[:-5])
    with pytest.warns(FairvecWarning, match="The last line break of cut is missing after 199.6"):
        load(tmp_path / "cut.txt")
    (tmp_path / "whole.txt").write_text(text)
    load(tmp_path / "whole.txt")


@loop_over(
    ("farthest", "nearest", "asked"),
    [
        (0.9, 0.1, True),
        (0.6, 0.3, True),
        (0.9999995, 0.02, True),
        (1.01, 0.1, False),
        (5.0, 0.1, False),
        (0.1, 0.01, False),
        (0.9999, 0.9995, False),
        (1.0000001, 0.9999999, False),
    ],
)
@loop_over("precision", [np.float32, np.float64])
def test_what_looks_like_a_ball(
    farthest: float, nearest: float, asked: bool, precision: type
) -> None:
    reach = ball_extent(points(farthest, nearest).astype(precision))
    assert (reach is not None) is asked
    assert reach is None or reach == pytest.approx(farthest, abs=1e-6)


def test_one_long_vector_among_many_shows_that_they_are_flat() -> None:
    rows = np.tile(points(0.9), (2000, 1))
    assert ball_extent(rows) is not None
    rows[54_321] *= 20
    assert ball_extent(rows) is None


@pytest.mark.parametrize("name", [m.name for m in catalogue.models() if m.source.kind == "shipped"])
def test_no_shipped_model_is_asked_about(name: str, tmp_path: Path) -> None:
    model = load(name)
    assert remark_on_space(model) == ""
    if isinstance(model.geometry, Euclidean):
        save(model, tmp_path / "again.vec")
        assert remark_on_space(load(tmp_path / "again.vec")) == ""


def test_real_balls_are_asked_about(shared_data: Path) -> None:
    for path, reach in (
        ("emb_glove_and_poincare_glove_en/poincare_glove_enwiki2_50k_100d.npz", "0.585953"),
        ("emb_poincare_wordnet_mammals/poincare_mammals_1182x5.vec", "0.999999"),
    ):
        assert f"the farthest at {reach}" in remark_on_space(read(shared_data / path))
    twin = "emb_glove_and_poincare_glove_en/glove_enwiki2_50k_100d.npz"
    assert remark_on_space(load(shared_data / twin)) == ""


@pytest.mark.parametrize("space", [Poincare(1.0), Poincare(0.5), ProductOfBalls(3, 2.0)])
def test_an_npz_file_says_in_which_ball_its_points_lie(
    space: Poincare | ProductOfBalls, tmp_path: Path
) -> None:
    there = load(points(0.5), keys=[*WORDS], geometry=space)
    save(there, tmp_path / "said.npz")
    found = load(tmp_path / "said.npz")
    assert found.geometry == space
    curvature = f"{space.curvature:g}"
    assert remark_on_space(found) == (
        f"said lies in the {space.name} ball of curvature {curvature}, as its file says."
    )
    flat = load(tmp_path / "said.npz", geometry="euclidean")
    assert flat.geometry == Euclidean()
    assert remark_on_space(flat) == (
        f"said is read as euclidean, as asked, though its file says {space.name}."
    )


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"geometry": "lorentz"}, "says that its geometry is 'lorentz'"),
        ({"geometry": "poincare", "curvature": -1.0}, "its curvature -1.0"),
        ({"geometry": "poincare", "curvature": [1.0, 2.0]}, "which is no space"),
        ({"geometry": "poincare", "curvature": "much"}, "which is no space"),
    ],
)
def test_a_space_that_cannot_be_is_refused(
    entries: dict[str, object], message: str, tmp_path: Path
) -> None:
    arrays: dict[str, Any] = {name: np.array(one) for name, one in entries.items()}
    np.savez(tmp_path / "odd.npz", words=WORDS, vectors=points(0.9), **arrays)
    with pytest.raises(FileFormatError, match=message):
        load(tmp_path / "odd.npz")


def test_somebodys_own_array_of_that_name_is_left_alone(tmp_path: Path) -> None:
    np.savez(tmp_path / "own.npz", words=WORDS, vectors=points(3.0), geometry=np.eye(3))
    assert load(tmp_path / "own.npz").geometry == Euclidean()


@pytest.mark.parametrize("text", [b"poincare", "Poincare", ["poincare"]])
def test_a_space_may_be_written_in_several_ways(text: object, tmp_path: Path) -> None:
    np.savez(tmp_path / "own.npz", words=WORDS, vectors=points(0.9), geometry=np.array(text))
    assert load(tmp_path / "own.npz").geometry == Poincare(1.0)
