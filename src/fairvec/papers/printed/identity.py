"""Whether a model is the one that a paper measured, as far as anything published tells."""

from pathlib import Path

from fairvec import catalogue
from fairvec.embedding import Embedding
from fairvec.ground.disk.files import checksum_of
from fairvec.papers.printed.count import is_exact, is_rounded_to
from fairvec.papers.printed.schema import ModelRole

_CHANGED = {
    "trained": "it was trained with fairvec",
    "subset": "it was cut to some words",
    "distil": "it was distilled from an encoder",
    "debias": "it was debiased with fairvec",
}


def ruled_out(role: ModelRole, embedding: Embedding) -> str:
    """Say what shows that a model is not the paper's own; empty if nothing does."""
    if role.dimensions not in (None, embedding.dimensions):
        return f"it has {embedding.dimensions} dimensions, not {role.dimensions}"
    if role.geometry != embedding.geometry.name:
        return f"its geometry is {embedding.geometry.name}"
    for words in filter(None, (exact_words(role), role.words)):
        if not is_rounded_to(_words_in_file(embedding), words):
            return f"it has {_words_in_file(embedding):,} words, not {words}"
    return ""


def made_otherwise(role: ModelRole, embedding: Embedding) -> str:
    """Say what a model's history tells of how it was made, if the paper's own was not made so."""
    for step in embedding.history:
        if "words_wanted" in step.details:
            return _CHANGED["subset"]
        if step.action in _CHANGED and not (step.action == "debias" and role.made_from):
            return _CHANGED[step.action]
    return ""


def recognised_by(role: ModelRole, path: Path | None, embedding: Embedding) -> str:
    """Say what a model that is not ruled out is known by; empty if any other could pass as well.

    A known fingerprint decides alone: SHA-256 of the file, or of keys and vectors as results have
    it. Else the exact number of words does. Dimensions, space and a rounded number never do:
    whoever trains a model chooses those.
    """
    if known := _fingerprints(role):
        hashes = {embedding.content_hash, *([checksum_of(path)] if path else ())}
        return "its SHA-256" if hashes & known else ""
    words = exact_words(role)
    return f"its {words} words and {embedding.dimensions} dimensions alone" if words else ""


def exact_words(role: ModelRole) -> str:
    """Return how many words the model has, where paper, origin or catalogue say exactly."""
    if role.counted:
        return f"{role.counted:,}"
    if is_exact(role.words):
        return role.words
    known = catalogue.find(role.model).words if role.model else None
    return f"{known:,}" if known else ""


def _fingerprints(role: ModelRole) -> frozenset[str]:
    kept = catalogue.find(role.model).sha256 if role.model else None
    return frozenset((*role.sha256, *([kept] if kept else ())))


def _words_in_file(embedding: Embedding) -> int:
    """Count the words of a file, repeated ones too, which a paper had no reason to leave out."""
    repeated = (step.details.get("duplicates", 0) for step in embedding.history)
    return len(embedding) + sum(count for count in repeated if isinstance(count, int))
