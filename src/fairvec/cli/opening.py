"""Opening a model from a command that judges it, and what has to be said before."""

from collections.abc import Iterable

from fairvec.cli.console import progress_bar, say
from fairvec.embedding import AS_FOUND, Embedding, Reading, read
from fairvec.encoders import Representation
from fairvec.evaluation.remarks import other_languages, what_goes_unmeasured


def opened(model: str, how: Reading = AS_FOUND, *, words: Iterable[str] | None = None) -> Embedding:
    """Return the model, or some of its words, with a bar while it is read or fetched."""
    with progress_bar(f"reading {model}") as progress:
        return read(model, how, words=words, progress=progress)


def say_other_languages(embedding: Representation) -> None:
    """Say so where a model of several languages is measured in one that nobody named."""
    if remark := other_languages(embedding):
        say(remark)


def say_what_goes_unmeasured(embedding: Embedding) -> None:
    """Say so where no benchmark of the model's languages is on this machine."""
    if remark := what_goes_unmeasured(embedding):
        say(remark)
