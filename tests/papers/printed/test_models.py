from dataclasses import replace
from pathlib import Path

import pytest

from fairvec import load
from fairvec.catalogue import cache_folder, find
from fairvec.catalogue.cache import kept_at
from fairvec.catalogue.model import Url
from fairvec.embedding.embedding import Step
from fairvec.embedding.saving import save
from fairvec.papers.printed.models import players, remedy
from fairvec.papers.printed.schema import ModelRole
from tests.papers.conftest import Make

FLAT = ModelRole(title="Flat", model="ruscorpora", dimensions=5, stand_ins=("navec-ru-small",))
BALL = ModelRole(title="Ball", origin="https://example.org", dimensions=5, geometry="poincare")


def test_a_given_file_is_taken_for_the_papers_own(make_model: Make) -> None:
    (player,) = players(FLAT, [str(make_model(["pestova/e1"], dimensions=5))], [])
    assert player.is_the_papers
    assert player.embedding.name == "small"


def test_other_dimensions_show_that_a_file_is_not_the_papers(make_model: Make) -> None:
    (player,) = players(FLAT, [str(make_model(["pestova/e1"], dimensions=4))], [])
    assert not player.is_the_papers
    assert player.because == "stands in for Flat, because it has 4 dimensions, not 5"


def test_another_number_of_words_shows_that_a_file_is_not_the_papers(make_model: Make) -> None:
    path = make_model(["kumar2020/b1"], dimensions=5)
    (player,) = players(FLAT.model_copy(update={"words": "189,533"}), [str(path)], [])
    assert player.because == "stands in for Flat, because it has 32 words, not 189,533"
    (player,) = players(FLAT.model_copy(update={"words": "32"}), [str(path)], [])
    assert player.is_the_papers


def test_a_model_that_was_trained_here_is_not_the_papers(make_model: Make, tmp_path: Path) -> None:
    like = load(make_model(["pestova/e1"], dimensions=5))
    for name, action in (("trained", "trained"), ("moved", "moved")):
        save(replace(like, history=(Step(action), Step("moved"))), tmp_path / f"{name}.fairvec")
    (player,) = players(FLAT, [str(tmp_path / "trained.fairvec")], [])
    assert player.because == "stands in for Flat, because it was trained with fairvec"
    (player,) = players(FLAT, [str(tmp_path / "moved.fairvec")], [])
    assert player.is_the_papers


def test_another_name_of_the_catalogue_is_not_the_papers() -> None:
    (player,) = players(FLAT, ["navec-ru-small"], [])
    assert player.because == "stands in for Flat"


def test_stand_ins_are_never_the_papers(make_model: Make) -> None:
    own, other = players(
        FLAT,
        [str(make_model(["pestova/e1"], dimensions=5))],
        [str(make_model(["pestova/e1"], dimensions=5, name="other"))],
    )
    assert own.is_the_papers
    assert not other.is_the_papers


def test_a_file_in_the_role_of_a_ball_is_a_ball(make_model: Make) -> None:
    path = str(make_model(["kumar2020/b1"], dimensions=5))
    (ball,) = players(BALL, [path], [])
    assert (ball.embedding.geometry.name, ball.is_the_papers) == ("poincare", True)
    (flat,) = players(FLAT, [path], [])
    assert flat.embedding.geometry.name == "euclidean"


def test_a_space_that_is_not_the_papers_shows() -> None:
    role = ModelRole(title="Flat", model="poincare-glove-en-small")
    (player,) = players(role, ["poincare-glove-en-small"], [])
    assert player.because == "stands in for Flat, because its geometry is poincare"


def test_without_a_given_model_what_is_local_plays() -> None:
    (player,) = players(FLAT, [], [])
    assert (player.embedding.name, player.is_the_papers) == ("navec-ru-small", False)
    assert players(BALL, [], []) == []


def test_the_papers_own_model_goes_before_its_stand_in(make_model: Make) -> None:
    model = find("ruscorpora")
    assert isinstance(model.source, Url)
    kept = kept_at(model, model.source)
    kept.parent.mkdir(parents=True)
    assert cache_folder() in kept.parents
    Path(make_model(["pestova/e1"], dimensions=5)).rename(kept)
    (player,) = players(FLAT, [], [])
    assert (player.embedding.name, player.is_the_papers) == ("ruscorpora", True)


@pytest.mark.parametrize(
    ("role", "text"),
    [
        (FLAT, "run: fairvec models get ruscorpora"),
        (
            BALL,
            "download it from https://example.org, say as r.txt, and run: "
            "fairvec reproduce toy --model r=r.txt",
        ),
        (
            ModelRole(title="Made"),
            "get its vectors, say as r.txt, and run: fairvec reproduce toy --model r=r.txt",
        ),
        (
            ModelRole(title="Read", encoder=True),
            "get its folder and run: fairvec reproduce toy --model r=FOLDER",
        ),
    ],
)
def test_the_remedy_is_an_exact_command(role: ModelRole, text: str) -> None:
    assert remedy("toy", "r", role) == text
