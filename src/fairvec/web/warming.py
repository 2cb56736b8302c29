"""What is worked out once for each model, before somebody has to wait for it."""

from threading import Timer

from fairvec.embedding import lookup_of
from fairvec.ground.errors import FairvecError
from fairvec.ground.fault_log import unexpected_and_logged
from fairvec.web.asking import rehearse
from fairvec.web.guards.guarded import FAULTS
from fairvec.web.opened import OpenModel, OpenModels

NO_WORD = "\u2205 \u2205"
"""Is sought in vain, which indexes all spellings."""


SECONDS_TO_PAINT = 1.0
"""The page is drawn first."""


def warming(models: OpenModels) -> Timer:
    """Return a thread that works it out beside the questions, and ends with the program."""
    soon = Timer(SECONDS_TO_PAINT, warm, (models,))
    soon.daemon = True
    return soon


def warm(models: OpenModels) -> None:
    """Sort the words, hash the content, index the spellings and rank the points of every model."""
    for model in models.every:
        try:
            _warm(model)
        except FairvecError as error:  # who asks is told; nobody has asked here
            FAULTS.error("%s could not be prepared: %s", model.name, error)
        except Exception as error:  # as above
            told = unexpected_and_logged(error, f"explore: preparing {model.name}")
            FAULTS.error("%s could not be prepared: %s", model.name, told)


def _warm(model: OpenModel) -> None:
    found = model.checked()
    found.completion.of("a")
    _ = found.embedding.content_hash
    for language in found.languages or ("",):
        lookup_of(found.embedding, language).find([NO_WORD])
    rehearse(found)
    _ = found.ranking
