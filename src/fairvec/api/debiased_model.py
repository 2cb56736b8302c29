"""What fairvec.debias gives back."""

from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path

from fairvec.api.results_list import Results
from fairvec.encoders import Representation
from fairvec.encoders.encoder_reading import AS_USUAL
from fairvec.evaluation.debiased_encoder_files import write_debiased_encoder
from fairvec.evaluation.debiased_files import write_debiased
from fairvec.evaluation.debiasing import Debiased
from fairvec.evaluation.debiasing_encoders import DebiasedEncoder
from fairvec.ground.errors import SettingError
from fairvec.mitigation import Transform
from fairvec.report import render


@dataclass(frozen=True, eq=False)
class DebiasedModel:
    """A debiased model, what moved it, and what was found before and after."""

    done: Debiased | DebiasedEncoder
    source: str = ""
    """Where an encoder lies, which a saved one names; empty if it was no name or folder."""

    @property
    def before(self) -> Representation:
        """The model as it was."""
        return self.done.before

    @property
    def model(self) -> Representation:
        """The debiased model."""
        return self.done.after

    @property
    def transform(self) -> Transform:
        """What the method learnt; it moves other models of the same space too."""
        return self.done.transform

    @cached_property
    def results(self) -> Results:
        """What was measured before and after, and a Change for what became of each figure."""
        return Results(self.done.outcomes)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person should know before reading the results, in sentences."""
        return self.done.remarks

    def save(self, path: str | PathLike[str], *, force: bool = False) -> Path:
        """Write what the command `fairvec debias` writes, and return where the model lies.

        Of word vectors that is the model, in the format of its ending, and beside it PATH.run with
        the transform, results.jsonl and report.html. Of an encoder it is a folder.
        """
        if isinstance(self.done, Debiased):
            page = render(self.results, title=self.done.title)
            return write_debiased(self.done, path, force=force, page=page).model
        if not self.source:
            raise SettingError(
                f"{self.before.name} was given as an object, and a saved encoder names where the "
                "original lies; debias it by its folder or name, or save the transform."
            )
        if force:
            raise SettingError("A folder of an encoder is not written over; choose another name.")
        page = render(self.results, title=self.done.title)
        return write_debiased_encoder(self.done, self.source, AS_USUAL, path, page=page)

    def __repr__(self) -> str:
        return f"DebiasedModel({self.model!r}, {len(self.results)} records)"
