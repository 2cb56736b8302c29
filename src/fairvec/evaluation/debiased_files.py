"""The files of a debiased model: the embedding, and beside it FILE.run with what was found."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from fairvec.embedding import save
from fairvec.evaluation.debiasing import Debiased
from fairvec.ground.disk.files import Progress, write_text
from fairvec.ground.disk.places import refuse_file, refuse_folder, taken
from fairvec.ground.disk.together import replacing_together
from fairvec.ground.errors import SettingError
from fairvec.mitigation import save_transform
from fairvec.mitigation.transform.file_to_file import debias_file
from fairvec.results import PAGE, write_results
from fairvec.results.store import FILE_NAME

LEARNT = "learnt_words"
"""The remark of a transform whose specific words were learnt: too many to print."""


@dataclass(frozen=True)
class DebiasedFiles:
    """Where the parts of a debiased model lie."""

    model: Path

    @property
    def folder(self) -> Path:
        """Where all but the model lies."""
        return self.model.with_name(f"{self.model.name}.run")

    @property
    def transform(self) -> Path:
        """What the method learnt."""
        return self.folder / "transform.safetensors"

    @property
    def learnt(self) -> Path:
        """The specific words, where the method learnt them."""
        return self.folder / "specific.txt"

    @property
    def report(self) -> Path:
        """The page, if whoever called `write_debiased` had one."""
        return self.folder / PAGE

    def refuse_taken(self, *, force: bool = False) -> None:
        """Raise where something is there already that is not to be, or cannot be, written over."""
        refuse_file(self.model, force=force)
        if taken(self.folder) and not force:
            raise SettingError(
                f"{self.folder} exists already; choose another name, or say --force (force=True)."
            )
        parts = (self.transform, self.learnt, self.report, self.folder / FILE_NAME)
        refuse_folder(self.folder, *(part.name for part in parts))


def write_debiased(
    done: Debiased,
    output: str | PathLike[str],
    *,
    force: bool = False,
    page: str = "",
    progress: Progress | None = None,
) -> DebiasedFiles:
    """Write model, transform, results and page whole or not at all, and return where they lie.

    The ending of `output` chooses the format of the model, as in `save`; what lies there is written
    over only by `force`. All take their places together, so that a reader of the results learns if
    a model is of another run. `progress` is called with (done, in all) while the model is written.
    """
    files = DebiasedFiles(Path(output))
    files.refuse_taken(force=force)
    # What the run that this one writes over has, and this one has not.
    has = {files.report: bool(page), files.learnt: LEARNT in done.transform.remarks}
    gone = [path.name for path, there in has.items() if not there]
    with replacing_together(files.folder, gone=gone, around=True) as place:
        drafts = DebiasedFiles(place / files.model.name)
        _write(done, drafts, progress)
        if page:
            write_text(drafts.report, page)
    return files


def _write(done: Debiased, files: DebiasedFiles, progress: Progress | None) -> None:
    if done.max_memory:
        limit = done.max_memory
        debias_file(done.transform, done.before, files.model, max_memory=limit, progress=progress)
    else:
        save(done.after, files.model, progress=progress)
    save_transform(done.transform, files.transform)
    if LEARNT in done.transform.remarks:
        write_text(files.learnt, "\n".join([*done.transform.remarks[LEARNT], ""]))
    write_results(done.outcomes, files.folder)
