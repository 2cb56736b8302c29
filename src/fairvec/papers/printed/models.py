"""Which model plays which role: the paper's own if it is at hand, else a labelled stand-in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fairvec import catalogue
from fairvec.embedding import Embedding, load
from fairvec.encoders import Representation
from fairvec.encoders.naming import names_an_encoder
from fairvec.encoders.opening import open_encoder
from fairvec.ground.errors import SettingError
from fairvec.papers.measuring.debiasing import Debiasing
from fairvec.papers.printed.count import is_rounded_to
from fairvec.papers.printed.paper import Cell
from fairvec.papers.printed.schema import ModelRole


@dataclass(frozen=True, eq=False)
class Player:
    """A model in a role; `because` says why it is not the paper's own, and is empty if it is.

    With `made_by` the model of the role is what that makes of the embedding.
    """

    model: Representation
    because: str = ""
    made_by: Debiasing | None = None

    @property
    def embedding(self) -> Embedding:
        """The word vectors in the role."""
        if isinstance(self.model, Embedding):
            return self.model
        raise SettingError(f"{self.model.name} is an encoder where word vectors are needed.")

    @property
    def is_the_papers(self) -> bool:
        """Whether the paper measured this very model, as far as can be told."""
        return not self.because

    def measuring(self, cell: Cell) -> Cell:
        """Return a cell with the debiasing that makes the model of its role."""
        if self.made_by is None:
            return cell
        return replace(cell, settings=cell.settings.model_copy(update={"debias": self.made_by}))


def players(role: ModelRole, models: Sequence[str], stand_ins: Sequence[str]) -> list[Player]:
    """Return the models of a role: those given, else the paper's own, else a stand-in, if local.

    A model given in `models` is taken for the paper's own unless its name, its dimensions, its
    space, its number of words or its history say otherwise; one given in `stand_ins` never is.
    Nothing is fetched that was not named.
    """
    if models or stand_ins:
        return [
            *(_claimed(role, model) for model in models),
            *(Player(_loaded(role, model), _stands_in(role)) for model in stand_ins),
        ]
    if role.model and catalogue.is_local(role.model):
        return [_claimed(role, role.model)]
    at_hand = [model for model in role.stand_ins if catalogue.is_local(model)]
    return [Player(load(model), _stands_in(role)) for model in at_hand[:1]]


def _claimed(role: ModelRole, model: str) -> Player:
    embedding = _loaded(role, model)
    if not isinstance(embedding, Embedding):
        # Nothing that is printed of an encoder tells one from another.
        return Player(embedding, _stands_in(role))
    if _by_name(model) and model != role.model:
        return Player(embedding, _stands_in(role))
    if role.dimensions not in (None, embedding.dimensions):
        differs = f"it has {embedding.dimensions} dimensions, not {role.dimensions}"
        return Player(embedding, f"{_stands_in(role)}, because {differs}")
    if role.geometry != embedding.geometry.name:
        space = f"its geometry is {embedding.geometry.name}"
        return Player(embedding, f"{_stands_in(role)}, because {space}")
    if role.words and not is_rounded_to(len(embedding), role.words):
        counted = f"it has {len(embedding):,} words, not {role.words}"
        return Player(embedding, f"{_stands_in(role)}, because {counted}")
    if any(step.action == "trained" for step in embedding.history):
        return Player(embedding, f"{_stands_in(role)}, because it was trained with fairvec")
    return Player(embedding)


def _loaded(role: ModelRole, model: str) -> Representation:
    """Read a model; a file in the role of a ball is a ball, the catalogue knows its own spaces."""
    if names_an_encoder(model):
        if not role.encoder:
            raise SettingError(
                f"{model} is an encoder, and the role {role.title} is played by word vectors; make "
                "some with 'fairvec distil'."
            )
        return open_encoder(model)
    ball = role.geometry == "poincare" and not _by_name(model)
    return load(model, geometry="poincare" if ball else None)


def _by_name(model: str) -> bool:
    return model in catalogue.names() and not Path(model).is_file()


def _stands_in(role: ModelRole) -> str:
    return f"stands in for {role.title}"


def remedy(paper: str, name: str, role: ModelRole) -> str:
    """Say how to bring the paper's own model into its role, with the exact command."""
    if role.model:
        return f"run: fairvec models get {role.model}"
    if role.encoder:
        found = f"get its folder from {role.origin}" if role.origin else "get its folder"
        return f"{found} and run: fairvec reproduce {paper} --model {name}=FOLDER"
    first = f"download it from {role.origin}" if role.origin else "get its vectors"
    file = f"{name}.txt"
    return f"{first}, say as {file}, and run: fairvec reproduce {paper} --model {name}={file}"
