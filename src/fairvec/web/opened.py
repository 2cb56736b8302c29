"""What was named on the command line, open for questions: models, and folders of results."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.geometry import natural_similarity
from fairvec.geometry.ranking import RankedPoints, ranked_points
from fairvec.ground.errors import FairvecError, SettingError, UnknownNameError
from fairvec.ground.text.whole_characters import whole
from fairvec.web.change.kept import KeptWork
from fairvec.web.completion import Completion
from fairvec.web.results_folders import ResultsFolders
from fairvec.web.turns import Turns
from fairvec.web.watched import WatchedFile, watched_file


class ChangedModelError(FairvecError):
    """A model's file was written to while it was open, so that nobody knows what it holds."""


@dataclass(frozen=True, eq=False)
class OpenModel:
    """A model, what it is called here, what was named to open it and how it was read."""

    name: str
    asked: str
    embedding: Embedding
    file: WatchedFile | None = None
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

    @cached_property
    def ranking(self) -> RankedPoints:
        """Its points, ready to be asked for their nearest one after the other."""
        space = self.embedding.geometry
        return ranked_points(self.embedding.vectors, space, natural_similarity(space))

    @property
    def remark(self) -> str:
        """What has become of its file, in a sentence; nothing where all is as it was."""
        if self.file is None or not (self.file.overwritten or self.file.replaced):
            return ""
        if self.file.mapped and self.file.overwritten:
            return (
                f"{self.asked} was written to while it was open, and answers nothing more; "
                "start 'fairvec explore' again."
            )
        return (
            f"{self.asked} is no longer on the disk as it was; all figures here are of the model "
            "as it was opened."
        )

    def checked(self) -> "OpenModel":
        """Return the model, or refuse one whose memory is a file that was written to."""
        if self.file is not None and self.file.mapped and self.file.overwritten:
            raise ChangedModelError(self.remark)
        return self


def open_models(
    read: Sequence[tuple[str, Embedding]], reading: Reading = AS_FOUND
) -> list[OpenModel]:
    """Return models, each with what was asked for it; those of one name are called by that."""
    called = Counter(one.name for _, one in read)
    return [
        OpenModel(
            one.name if called[one.name] == 1 else whole(asked),
            asked,
            one,
            watched_file(asked, one.vectors),
            reading,
        )
        for asked, one in read
    ]


class OpenModels(Mapping[str, OpenModel]):
    """The models by their names, in the order in which they were named; nothing else is opened.

    `kept` is what was worked out about them, `write_to` the one folder into which models may be
    written; none without it.
    """

    def __init__(
        self,
        models: Sequence[OpenModel],
        results: ResultsFolders | None = None,
        *,
        write_to: Path | None = None,
    ) -> None:
        self.kept = KeptWork()
        self.write_to = write_to
        self.results = results or ResultsFolders(())
        if not (models or self.results.folders):
            raise SettingError("No model was given; name one, as in: fairvec explore MODEL.")
        self._models: dict[str, OpenModel] = {}
        for model in models:
            if model.name in self._models:
                raise SettingError(f"{model.name} is named twice; name each model once.")
            self._models[model.name] = model

    def __getitem__(self, name: str) -> OpenModel:
        if name not in self._models:
            raise UnknownNameError("open model", name, self._models)
        return self._models[name].checked()

    def __iter__(self) -> Iterator[str]:
        return iter(self._models)

    def __len__(self) -> int:
        return len(self._models)

    @property
    def every(self) -> tuple[OpenModel, ...]:
        """All of them, also one that answers nothing more."""
        return tuple(self._models.values())
