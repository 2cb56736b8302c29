"""What the options.json of an ELMo says, checked."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from fairvec.ground.disk.files import text_of
from fairvec.ground.errors import FileFormatError

MARKS_OF_A_WORD = 2
"""Every word begins with one mark and ends with another."""

Size = Annotated[int, Field(ge=1, le=1 << 14)]
"""Four times the widest layer of a published ELMo; what is computed takes far more than weights."""

Clip = Annotated[float, Field(ge=0)]


class _Said(BaseModel):
    # What was said for training alone (dropout, batch size, vocabulary) may stand there too.
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class CharacterVectors(_Said):
    """How long the vector of a character is."""

    dim: Size


class CharacterCnn(_Said):
    """How a word's characters become one vector: filters of (width, number), then highways."""

    embedding: CharacterVectors
    filters: Annotated[tuple[tuple[Size, Size], ...], Field(min_length=1)]
    activation: Literal["relu", "tanh"]
    n_highway: Annotated[int, Field(ge=0, le=100)] = 0
    # The file counts 261; 262 says that the row of padding is added when it is run.
    n_characters: Literal[261, 262] = 262
    max_characters_per_token: Annotated[int, Field(ge=MARKS_OF_A_WORD + 1, le=10_000)] = 50

    @model_validator(mode="after")
    def _filters_fit(self) -> Self:
        if max(width for width, _ in self.filters) > self.max_characters_per_token:
            raise ValueError("a filter is wider than max_characters_per_token")
        return self

    @property
    def features(self) -> int:
        """How many numbers all filters give together."""
        return sum(number for _, number in self.filters)


class Lstm(_Said):
    """The layers that read a sentence forwards, and as many that read it backwards.

    A clip of 0 is none: the cell, or what it gives after projection, may then grow without bound.
    """

    dim: Size
    projection_dim: Size
    n_layers: Annotated[int, Field(ge=1, le=100)]
    cell_clip: Clip | None = None
    proj_clip: Clip | None = None
    use_skip_connections: bool = False


class ElmoOptions(_Said):
    """The shape of an ELMo, as bilm-tf writes it and AllenNLP reads it."""

    char_cnn: CharacterCnn
    lstm: Lstm

    @property
    def bytes_a_word(self) -> int:
        """So many bytes of a word are read; the rest is cut off."""
        return self.char_cnn.max_characters_per_token - MARKS_OF_A_WORD


def read_options(path: Path) -> ElmoOptions:
    """Return what a file of options says."""
    text = text_of(path, "options", FileFormatError)
    try:
        return ElmoOptions.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FileFormatError(
            f"{path}{f', {where}' if where else ''}: {first['msg']}; it must be the options.json "
            "that came with the weights of an ELMo over characters."
        ) from None
