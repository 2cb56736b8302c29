"""A model's file while it is open: gone, replaced, written to, cut off."""

from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.core.io.mapped_arrays import is_mapped, mapped_file
from fairvec.embedding import Embedding
from fairvec.web.open_models import OpenModels, open_models, watch_file
from tests import toys
from tests.cli.conftest import write_model
from tests.web.client import Reply, ask, explorer

WORDS = {role: words[:4] for role, words in toys.WORDS.items()}


@pytest.fixture
def mapped(tmp_path: Path) -> Path:
    fairvec.save(toys.embedding(1.0), tmp_path / "toy.fairvec")
    return tmp_path / "toy.fairvec"


def open_page(*files: Path) -> OpenModels:
    return OpenModels(open_models([(str(file), fairvec.load(file)) for file in files]))


def lists_request(models: OpenModels) -> Reply:
    return ask(explorer(models), "/api/ask", question={"model": "toy", **WORDS})


def remarks(models: OpenModels) -> list[str]:
    return list(ask(explorer(models), "/api/remarks").json["remarks"].values())


def test_the_file_of_a_mapped_model_is_known(mapped: Path, tmp_path: Path) -> None:
    model = fairvec.load(mapped)
    assert is_mapped(model.vectors)
    assert mapped_file(model.vectors) == mapped
    assert mapped_file(np.zeros((2, 2))[:1]) is None
    assert watch_file("glove-en-small", np.zeros((2, 2))) is None


@pytest.mark.parametrize("kind", ["mapped", "read"])
@pytest.mark.parametrize("what", ["removed", "replaced"])
def test_a_model_that_vanishes_goes_on_as_it_was(
    mapped: Path, tmp_path: Path, kind: str, what: str
) -> None:
    file = mapped if kind == "mapped" else write_model(tmp_path / "toy.vec", 1.0)
    models = open_page(file)
    before = lists_request(models)
    assert remarks(models) == []
    if what == "removed":
        file.unlink()
    else:
        other = tmp_path / "other"
        other.write_bytes(b"x" * 10)
        other.replace(file)
    after = lists_request(models)
    assert before.status == after.status == 200
    assert before.json["record"]["effect"] == after.json["record"]["effect"]
    (remark,) = remarks(models)
    assert remark.endswith("all figures here are of the model as it was opened.")


@pytest.mark.parametrize("how", ["cut", "written", "emptied"])
def test_a_mapped_model_that_is_written_to_answers_nothing_more(mapped: Path, how: str) -> None:
    models = open_page(mapped)
    assert lists_request(models).status == 200
    content = mapped.read_bytes()
    with mapped.open("r+b") as file:
        if how == "written":
            file.write(b"\xff" * len(content))
        else:
            file.truncate(0 if how == "emptied" else 100)
    reply = lists_request(models)
    assert reply.status == 409
    assert reply.error.endswith("answers nothing more; start 'fairvec explore' again.")
    assert remarks(models) == [reply.error]
    app = explorer(models)
    assert ask(app, "/api/words", {"model": "toy", "beginning": "x"}).status == 409
    assert ask(app, "/api/models").status == 200  # the page can say which


def test_a_model_that_was_read_does_not_mind(tmp_path: Path) -> None:
    file = write_model(tmp_path / "toy.vec", 1.0)
    models = open_page(file)
    before = lists_request(models).json["record"]["effect"]
    file.write_text("nonsense", encoding="utf-8")
    assert lists_request(models).json["record"]["effect"] == before
    assert len(remarks(models)) == 1


def test_models_of_one_name_go_by_their_sources() -> None:
    one, other = toys.embedding(1.0), toys.embedding(0.0)
    third = Embedding(one.keys, one.vectors, name="third")
    models = open_models([("a/toy.vec", one), ("b/toy.vec", other), ("third.vec", third)])
    assert [model.name for model in models] == ["a/toy.vec", "b/toy.vec", "third"]
