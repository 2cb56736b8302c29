"""Other models stand beside the methods: measured alike, kept by content, never recommended."""

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from fairvec.benchmarks import RatedPair, SimilaritySet
from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.embedding.embedding import Step
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.frontier import frontier as trials
from fairvec.experiments.frontier.frontier import Frontier, frontier
from fairvec.geometry import Poincare
from fairvec.report.frontier import render_frontier
from fairvec.results import Result, read_frontier, write_frontier
from tests.evaluation.frontiers.test_frontier import PAIRS, concept, kinds_of_words

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


def tried(model: Embedding, suite: str, folder: Path, **beside: Embedding) -> Frontier:
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
    found = tried(model, suite, tmp_path / "run", mine=other)
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
    assert any("none of them" in remark for remark in found.survey.remarks)


def test_a_turned_space_has_lost_nothing(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    found = tried(model, suite, tmp_path / "run", turned=retrained(model))
    first, *_, point = found.points
    assert point.bias_left == pytest.approx(first.bias_left)
    assert point.information_kept == pytest.approx(1)


def test_it_changes_neither_the_front_nor_the_advice(
    kinds: tuple[Embedding, str], tmp_path: Path
) -> None:
    model, suite = kinds
    alone = tried(model, suite, tmp_path / "one")
    best = retrained(model, less=1.0)
    found = tried(model, suite, tmp_path / "two", best=best)
    assert found.points[:-1] == alone.points
    assert found.survey.recommendation == alone.survey.recommendation
    assert found.survey.unseen == alone.survey.unseen
    assert found.points[-1].bias_left < min(one.bias_left for one in alone.points)
    assert not any((found.points[-1].on_front, found.points[-1].recommended))


def test_it_is_kept_by_content(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    first = tried(model, suite, tmp_path, a=retrained(model))
    with patch.object(trials, "measure_model", side_effect=AssertionError("measured again")):
        assert tried(model, suite, tmp_path, a=retrained(model)) == first
        with pytest.raises(AssertionError, match="measured again"):
            tried(model, suite, tmp_path, a=retrained(model, less=0.5))


def test_it_is_written_read_and_shown(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    found = tried(model, suite, tmp_path, **{"<mine>": retrained(model)})
    write_frontier(found.lines, tmp_path)
    assert read_frontier(tmp_path) == found.lines
    page = render_frontier(found.lines)
    assert "&lt;mine&gt; (another model)" in page
    said = page[page.index("<dt>&lt;mine&gt; (another model)</dt>") :].partition("</dd>")[0]
    assert "flat (Euclidean)<br>trained<br>" in said
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
    *_, one, other = tried(model, suite, tmp_path, **given).points
    assert (one.held_out, other.held_out) == (False, True)


def test_what_cannot_be_held_together_is_said(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    small = np.array(model.vectors) / 10
    ball = Embedding(model.keys, small, Poincare(), name="ball")
    strange = Embedding(["one", "two"], model.vectors[:2], name="strange")
    found = tried(model, suite, tmp_path, ball=ball, strange=strange)
    reasons = {one.method: one.reason for one in found.untried}
    assert "(similarity cosine, then negative-distance)" in reasons["ball"]
    assert not any(sign in reasons["ball"] for sign in "{}='")
    assert "in strange" in reasons["strange"]
    assert not any(one.other for one in found.points)
    assert not any("Another model" in remark for remark in found.survey.remarks)


def test_that_it_lacks_a_tested_word_is_said(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    rows = [row for row, key in enumerate(model.keys) if key != "x1p"]
    fewer = Embedding([model.keys[row] for row in rows], model.vectors[rows], name="fewer")
    *_, point = tried(model, suite, tmp_path, fewer=fewer).points
    assert (point.method, point.note) == ("fewer", "It has other words in toy/t1.")
    assert not point.calibrated


@pytest.mark.parametrize("label", ["hard", "none", " "])
def test_a_label_that_is_no_name_of_its_own_is_refused(
    kinds: tuple[Embedding, str], tmp_path: Path, label: str
) -> None:
    model, suite = kinds
    with pytest.raises(SettingError, match="no name of its own"):
        tried(model, suite, tmp_path, **{label: retrained(model)})


def test_the_model_itself_is_refused(kinds: tuple[Embedding, str], tmp_path: Path) -> None:
    model, suite = kinds
    with pytest.raises(SettingError, match="itself"):
        tried(model, suite, tmp_path, again=model)
