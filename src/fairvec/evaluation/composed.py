"""Words that were in no vocabulary and were composed from their pieces while a model was read."""

from fairvec.encoders import Representation

COMPOSED = "composed from pieces"


def composed_words(model: Representation) -> frozenset[str]:
    """Return the words that the model's history calls composed."""
    return frozenset(word for step in model.history for word in step.details.get("composed", ()))
