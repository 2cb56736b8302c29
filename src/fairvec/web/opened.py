"""The models that were named on the command line, open for questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.web.completion import Completion
from fairvec.web.turns import Turns


@dataclass(frozen=True, eq=False)
class OpenModel:
    """A model, what it is called here, what was named to open it and how it was read."""

    name: str
    asked: str
    embedding: Embedding
    reading: Reading = AS_FOUND
    turns: Turns = field(default_factory=Turns)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages in which it is measured; found once, since all its keys are looked at."""
        return languages_of(self.embedding)

    @cached_property
    def completion(self) -> Completion:
        """Its words in an order in which those that begin alike stand together."""
        return Completion(self.embedding.keys)


class OpenModels(Mapping[str, OpenModel]):
    """The models by their names, in the order in which they were named; nothing else is opened."""

    def __init__(self, models: Sequence[OpenModel]) -> None:
        if not models:
            raise SettingError("No model was given; name one, as in: fairvec explore MODEL.")
        self._models: dict[str, OpenModel] = {}
        for model in models:
            if model.name in self._models:
                raise SettingError(
                    f"Two models are called {model.name!r}; give one of their files another name."
                )
            self._models[model.name] = model

    def __getitem__(self, name: str) -> OpenModel:
        if name not in self._models:
            raise UnknownNameError("open model", name, self._models)
        return self._models[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._models)

    def __len__(self) -> int:
        return len(self._models)
