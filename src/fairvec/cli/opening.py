"""Opening a model from a command that judges it, and what has to be said before."""

from typing import Any

from fairvec.cli.console import progress_bar, say
from fairvec.embedding import Embedding, load
from fairvec.evaluation import languages_of, spoken
from fairvec.lexicon import benchmarks_of


def opened(model: str, **how: Any) -> Embedding:
    """Return the model, with a bar while it is read or fetched; `how` are the settings of load."""
    with progress_bar(f"reading {model}") as progress:
        return load(model, progress=progress, **how)


def say_other_languages(embedding: Embedding) -> None:
    """Say so where a model of several languages is measured in one that nobody named."""
    found = spoken(embedding)
    if found.others:
        every = " ".join(f"--language {each}" for each in (*found.languages, *found.others))
        say(
            f"{embedding.name} is measured in {found.languages[0]} and fits "
            f"{', '.join(found.others)} as well: say {every} for all, or the one it is in."
        )


def say_what_goes_unmeasured(embedding: Embedding) -> None:
    """Say so where no benchmark of the model's languages is on this machine."""
    languages = languages_of(embedding)
    absent = [name for each in languages for name in benchmarks_of(each, at_hand=False)]
    if absent and not any(benchmarks_of(each, at_hand=True) for each in languages):
        say(
            f"No benchmark of the language of {embedding.name} is on this machine, so what a "
            "change costs is measured by tests alone; fetch some ('fairvec benchmarks get "
            f"{absent[0]}') or set FAIRVEC_DATA."
        )
