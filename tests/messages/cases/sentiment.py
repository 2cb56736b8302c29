"""Sentences about the sentiment task."""

from collections.abc import Iterator

from fairvec.messages import sentiment as m
from tests.messages.snapshot_files import Case


def sentences() -> Iterator[Case]:
    """Give every sentence about the sentiment task."""
    yield "MEANING", "always", m.MEANING
    yield "POSITIVE", "always", m.POSITIVE
    yield "SAME_SENTENCE_TITLE", "always", m.SAME_SENTENCE_TITLE
    yield "reviews_title", "films", m.reviews_title("Films")
    yield "reviews_table_title", "films", m.reviews_table_title("sentiment-lstm", "Films")
    notes = {
        "equal": (0.0, 0, 5, False),
        "no luck": (0.1, 2, 2, True),
        "trained once": (0.1, 1, 1, False),
        "all agree": (-0.1, 5, 5, False),
        "they disagree": (0.1, 3, 5, False),
    }
    for kind, (difference, agreeing, trainings, fixed) in notes.items():
        message = m.trainings_note(difference, agreeing, trainings, deterministic=fixed)
        yield "trainings_note", kind, message
    yield "pair_problem", "none", m.pair_problem([], [])
    yield "pair_problem", "unknown", m.pair_problem(["aunt"], [])
    yield "pair_problem", "shared", m.pair_problem([], ["cousin"])
    plain = m.reviews_notes("Films", 600, 400, (), [], None, 0.6)
    yield "reviews_notes", "plain", plain
    dropped = (("empty", 2), ("neutral", 1_000))
    repeats = [m.leaked_note(3)]
    yield (
        "reviews_notes",
        "split",
        m.reviews_notes("Films", 600, 400, dropped, repeats, (800, 200, 120), 0.6),
    )
    yield "repeats_note", "several", m.repeats_note(1_200)
    yield "leaked_note", "several", m.leaked_note(3)
    yield "few_passes_note", "one", m.few_passes_note(1, 5, ["means"])
    yield "few_passes_note", "several", m.few_passes_note(3, 5, ["means", "lstm"])
    yield "longer_vectors_note", "longer", m.longer_vectors_note("glove", "glove, hard", 1.3)
    for empty in (0, 1, 2):
        message = m.vocabulary_note("glove", 540, 630, empty)
        yield "vocabulary_note", f"{empty} without a token", message
    scripts = ("Cyrillic", "Latin")
    yield "other_language_warning", "scripts", m.other_language_warning("g", "Films", 0.3, scripts)
    yield "scripts_clause", "two", m.scripts_clause(*scripts)
    yield "scripts_clause", "one", m.scripts_clause("Latin", "Latin")
    yield "other_script_note", "Latin", m.other_script_note("Latin", "hi")
    yield "no_sentences_note", "fr", m.no_sentences_note("fr")
