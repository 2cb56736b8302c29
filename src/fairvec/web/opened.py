"""The models that were named on the command line, open for questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fairvec.embedding import Embedding
from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.web.change.kept import KeptWork
from fairvec.web.completion import Completion


@dataclass(frozen=True, eq=False)
class OpenModel:
    """A model, what it is called here and what was named to open it."""

    name: str
    asked: str
    embedding: Embedding

    @cached_property
    def completion(self) -> Completion:
        """Its words in an order in which those that begin alike stand together."""
        return Completion(self.embedding.keys)


class OpenModels(Mapping[str, OpenModel]):
    """The models by their names, in the order in which they were named; nothing else is opened.

    `kept` is what was worked out about them, `write_to` the one folder into which models may be
    written; none without it.
    """

    def __init__(self, models: Sequence[OpenModel], *, write_to: Path | None = None) -> None:
        self.kept = KeptWork()
        self.write_to = write_to
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
