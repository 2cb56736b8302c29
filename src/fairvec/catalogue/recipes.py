"""Recipes of models that are trained: the kind of model, its settings, and from which text.

A paper names the recipes of the models that can stand in for its own; fairvec.training.recipes
follows them.
"""

from functools import cache
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, NonNegativeInt, PositiveInt, model_validator

from fairvec.catalogue.entries import DATA, CatalogueEntry, Text, read_entries
from fairvec.core.errors import UnknownNameError
from fairvec.core.validation import FrozenModel


class TextPart(FrozenModel):
    """A file of text below FAIRVEC_DATA, whole or in part.

    With `of` parts the lines 1, 1 + of, 1 + 2 of ... are part 1, the lines after these part 2, and
    so on; those named in `parts` are read.
    """

    file: Text
    of: PositiveInt = 1
    parts: Annotated[tuple[NonNegativeInt, ...], Field(min_length=1)] = (1,)

    @model_validator(mode="after")
    def _parts_are_there(self) -> Self:
        if not all(1 <= part <= self.of for part in self.parts):
            raise ValueError(f"parts are numbered from 1 to {self.of}")
        return self


class Recipe(CatalogueEntry):
    """How a model is trained: settings of `fairvec train` by their names there, and the text.

    Settings that are left out are those of the kind. Where FAIRVEC_DATA has the model `unless`,
    which was trained so, nothing is trained.
    """

    shelf: ClassVar[str] = "recipes"

    model: Text
    dimensions: PositiveInt
    window: PositiveInt
    words: Text = "plain"
    min_count: PositiveInt = 5
    max_words: PositiveInt | None = None
    epochs: PositiveInt | None = None
    texts: Annotated[tuple[TextPart, ...], Field(min_length=1)]
    unless: str = ""


@cache
def recipes() -> tuple[Recipe, ...]:
    """Return every recipe."""
    return read_entries(DATA / "recipes.toml", Recipe, "docs/reproduction.md")


def recipe(name: str) -> Recipe:
    """Return the recipe of this name, or raise UnknownNameError with the nearest names."""
    for known in recipes():
        if known.name == name:
            return known
    raise UnknownNameError("recipe", name, (known.name for known in recipes()))


def _check_name(name: str) -> str:
    try:
        return recipe(name).name
    except UnknownNameError as error:
        raise ValueError(str(error).removesuffix(".")) from None


RecipeName = Annotated[str, AfterValidator(_check_name)]
"""The name of a recipe, checked where another file of data refers to it."""
