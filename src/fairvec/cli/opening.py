"""Opening a model from a command that judges it, and what has to be said before."""

from typing import Any

from fairvec.cli.console import progress_bar, say
from fairvec.embedding import Embedding, load
from fairvec.evaluation.remarks import other_languages, what_goes_unmeasured


def opened(model: str, **how: Any) -> Embedding:
    """Return the model, with a bar while it is read or fetched; `how` are the settings of load."""
    with progress_bar(f"reading {model}") as progress:
        return load(model, progress=progress, **how)


def say_other_languages(embedding: Embedding) -> None:
    """Say so where a model of several languages is measured in one that nobody named."""
    if remark := other_languages(embedding):
        say(remark)


def say_what_goes_unmeasured(embedding: Embedding) -> None:
    """Say so where no benchmark of the model's languages is on this machine."""
    if remark := what_goes_unmeasured(embedding):
        say(remark)
