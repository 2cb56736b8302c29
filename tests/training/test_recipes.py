"""A recipe is followed once: its text in parts, its time, and a model that is kept."""

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from fairvec.catalogue.recipes import Recipe, TextPart, recipe, recipes
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.embedding import load
from fairvec.training import recipes as module
from fairvec.training.recipes import PACES, model_of, plan_training, train_by_recipe
from fairvec.training.train import KINDS, TrainingText
from tests.loops import loop_over
from tests.training.toys import write_text

TOY = Recipe(
    name="toy-glove",
    title="GloVe of a toy",
    language="en",
    licence="None needed",
    origin="tests",
    model="glove",
    dimensions=4,
    window=3,
    min_count=2,
    epochs=2,
    texts=(TextPart(file="toy.txt"),),
)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """FAIRVEC_DATA with one text."""
    folder = tmp_path / "data"
    folder.mkdir()
    write_text(folder / "toy.txt", 60)
    monkeypatch.setenv("FAIRVEC_DATA", str(folder))
    return folder


def changed(**fields: object) -> Recipe:
    return Recipe.model_validate(TOY.model_dump() | fields)


@loop_over("each", recipes())
def test_every_recipe_can_be_followed(each: Recipe, tmp_path: Path) -> None:
    """The catalogue knows neither kinds of models nor of words; training does."""
    kind = model_of(each)
    assert (kind.name, kind.dimensions) == (each.model, each.dimensions)
    text = write_text(tmp_path / "text.txt")
    TrainingText((text,), each.language, words=each.words)  # type: ignore[arg-type]


def test_every_kind_has_a_pace() -> None:
    assert {*PACES} == {*KINDS}


def test_an_unknown_recipe_is_refused_with_the_nearest() -> None:
    assert recipe("hi-wiki-cbow").model == "cbow"
    with pytest.raises(UnknownNameError, match="did you mean hi-wiki-cbow"):
        recipe("hi-wiki-cbw")
    with pytest.raises(ValueError, match="numbered from 1 to 2"):
        TextPart(file="x", of=2, parts=(3,))


@pytest.mark.usefixtures("data")
def test_a_model_is_trained_once_and_repeats(tmp_path: Path) -> None:
    planned = plan_training(TOY, tmp_path / "models")
    assert planned is not None
    assert (planned.is_kept, planned.words) == (False, 12 * 60 + 1)
    assert planned.seconds > 0
    path = train_by_recipe(planned)
    assert [file.name for file in path.parent.iterdir()] == ["toy-glove.fairvec"]
    model = load(path)
    assert (model.name, model.dimensions, len(model)) == ("toy-glove", 4, 22)
    again = plan_training(TOY, tmp_path / "models")
    assert again is not None
    assert (again.is_kept, again.words, again.seconds) == (True, 0, 0)
    with patch.object(module, "train_embedding", side_effect=AssertionError):
        assert train_by_recipe(again) == path
    elsewhere = plan_training(TOY, tmp_path / "others")
    assert elsewhere is not None
    assert train_by_recipe(elsewhere).read_bytes() == path.read_bytes()


def test_a_model_of_another_recipe_or_text_is_not_taken(data: Path, tmp_path: Path) -> None:
    planned = plan_training(TOY, tmp_path)
    assert planned is not None
    train_by_recipe(planned)
    for other in (
        changed(window=2),
        changed(epochs=3),
        changed(texts=[{"file": "toy.txt", "of": 2}]),
    ):
        with pytest.raises(SettingError, match="by another recipe or of another text"):
            plan_training(other, tmp_path)
    # Titles say nothing about the vectors.
    kept = plan_training(changed(title="Another title"), tmp_path)
    assert kept is not None
    assert kept.is_kept
    write_text(data / "toy.txt", 61)
    with pytest.raises(SettingError, match="move it away"):
        plan_training(TOY, tmp_path)


def test_the_parts_of_a_text_are_the_whole_and_share_no_line(data: Path, tmp_path: Path) -> None:
    whole = (data / "toy.txt").read_text(encoding="utf-8").splitlines()
    read: list[list[str]] = []
    for parts in ([1], [2, 3]):
        halved = changed(
            name=f"part-{parts[0]}", texts=[{"file": "toy.txt", "of": 3, "parts": parts}]
        )
        planned = plan_training(halved, tmp_path)
        assert planned is not None

        def read_text(text: TrainingText, *_: object, **__: object) -> None:
            read.append(text.files[0].read_text(encoding="utf-8").splitlines())

        with (
            patch.object(module, "train_embedding", read_text),
            pytest.raises(SettingError, match="An Embedding is saved"),
        ):
            train_by_recipe(planned)
    assert read[0] == whole[::3]
    assert sorted(read[0] + read[1]) == sorted(whole)
    assert not [*tmp_path.glob("*.fairvec")]


def test_another_text_can_be_named_and_none_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FAIRVEC_DATA", raising=False)
    assert plan_training(TOY, tmp_path) is None
    own = write_text(tmp_path / "own.txt", 30)
    planned = plan_training(TOY, tmp_path, [own])
    assert planned is not None
    assert planned.words == 12 * 30 + 1
    assert np.isfinite(load(train_by_recipe(planned)).vectors).all()
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(SettingError, match="which is no folder"):
        plan_training(TOY, tmp_path)
