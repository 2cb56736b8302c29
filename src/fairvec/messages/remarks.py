"""What to know before reading: other languages, missing benchmarks, words left out, cut models."""

from collections.abc import Sequence

from fairvec.core.format import (
    format_number,
    format_p,
    format_percent_floor,
    is_significant,
    pluralize,
)
from fairvec.core.text import short_repr


def coverage_remedy(other: str, models: str = "a model that knows") -> str:
    """Return what to do where too few words of a list are found, as a clause."""
    return f"use {models} these words or {other}"


# Languages and suites.


def other_languages_note(model: str, measured: Sequence[str], others: Sequence[str]) -> str:
    """Return that a model is measured in one language and fits others as well."""
    options = " ".join(f"--language {code}" for code in (*measured, *others))
    return (
        f"{model} is measured in {measured[0]} and fits "
        f"{', '.join(others)} as well: say {options} for all, or the one it is in."
    )


def unknown_language_note(unknown: Sequence[str], shipped: Sequence[str]) -> str:
    """Return that nothing that is asked is in the language that was named."""
    return (
        f"No suite and no test asked is in {' or '.join(unknown)}, which is said to be the "
        f"language: shipped ones are in {', '.join(shipped)}, and lists of another language say so "
        f"themselves (language={unknown[0]!r})."
    )


_NAME_A_SUITE = "Name a suite or write one with 'fairvec suites new'."
UNTOLD_LANGUAGE = (
    "what it is made of does not tell its language; say --language en (language='en'), or "
    "whichever it is."
)


def no_suite_in(languages: str) -> str:
    """Return that no shipped suite is in the languages of a model."""
    return f"no shipped suite is in {languages}. {_NAME_A_SUITE}"


def no_suite_of_script(script: str, language: str) -> str:
    """Return that no suite is in a language of the keys' script, though one in another fits."""
    return (
        f"no shipped suite is in a language of its keys, which are {script} for the most "
        f"part; if it is to be measured in {language}, say --language {language} "
        f"(language={language!r})."
    )


def no_suite_fits(languages: str, nearest: str, coverage: float, keys: str) -> str:
    """Return that no suite has enough words in the model; `keys` are examples of its own."""
    in_language = f" in {languages}" if languages else ""
    coverage_text = (
        f"the nearest{in_language}, {nearest}, has {format_percent_floor(coverage)} of its words"
        if coverage
        else f"none{in_language} has a word"
    )
    return f"no shipped suite fits; {coverage_text} in the model{keys}. {_NAME_A_SUITE}"


def key_examples(keys: Sequence[str], *, tagged: bool) -> str:
    """Return the first keys of a model, and advice where they carry tags."""
    advice = "; of tags the universal ones are understood, as in woman_NOUN" if tagged else ""
    return f", whose keys begin with {', '.join(short_repr(key, 20) for key in keys)}{advice}"


def missing_benchmarks_note(model: str, benchmark: str) -> str:
    """Return that no benchmark of a model's language is on this machine, and which to fetch."""
    return (
        f"No benchmark of the language of {model} is on this machine, so what a "
        "change costs is measured by tests alone; fetch some ('fairvec benchmarks get "
        f"{benchmark}') or set FAIRVEC_DATA."
    )


# Words.


def composed_words_note(model: str, words: int) -> str:
    """Return how many words were composed while a model was read."""
    return (
        f"{model}: {words} of the words asked for are not in its vocabulary and were "
        "composed from their pieces; the history in each record names them."
    )


def among_cut(words: int) -> str:
    """Return among which words a measure of the whole vocabulary looked, where that is a cut's."""
    return f"among the {words:,} words of this cut"


def cut_model_note(model: str, words: int) -> str:
    """Return that a model is a subset, so that nearer words may be left out."""
    return f"{model} is a cut of {words:,} words of a larger model; other words may be nearer."


def holdout_note(
    concept: str, known: int, left: int, model: str = "", *, apart: bool = False
) -> str:
    """Return how many defining words of a concept are left without the tested ones.

    `apart`: its variant of that name keeps them all.
    """
    defining = pluralize(known, "word that defines", "words that define")
    in_model = f" in {model}" if model else ""
    remedy = "; its variant apart has no tested word and keeps them all" if apart else ""
    return (
        f"Fitted without any tested word: of the {defining} {concept}{in_model} "
        f"{pluralize(left, 'is', 'are')} left, and few words make a poor direction{remedy}."
    )


# A change.


def default_method_note(method: str, of_words: bool) -> str:
    """Return which method was taken because none was named."""
    of = "word vectors" if of_words else "sentences"
    return f"Method: {method}, the default for {of}, because none was named."


def block_by_block_note(model: str, size: str) -> str:
    """Return that vectors of this size are moved block by block."""
    return (
        f"The vectors of {model} ({size}) are too many for "
        "the memory that is free: they are moved block by block, which takes longer and "
        "changes no figure."
    )


# Nouns of varying gender.


def noun_gender_sentence(
    told_right: float, distances: tuple[float, float], p: float, *, fewest: float, alpha: float
) -> str:
    """Return how many certain nouns stand on their side, and where varying ones stand.

    With fewer than the `fewest` on their side the model cannot be asked about the varying ones.
    """
    told_right_text = f"{told_right:.0%} of the certain nouns stand on the side of their gender"
    if told_right < fewest:
        return f"Only {told_right_text}, so that this model cannot be asked about the varying ones."
    figures = (
        f"{format_number(distances[0], 3)} from the middle against "
        f"{format_number(distances[1], 3)}, p {format_p(p)}"
    )
    if not is_significant(p, alpha):
        return (
            f"{told_right_text}; there is no evidence that varying ones stand nearer to or farther "
            f"from the middle ({figures})."
        )
    where = "nearer to" if distances[0] < distances[1] else "farther from"
    return f"{told_right_text}; varying ones stand {where} the middle ({figures})."


# What a map of words keeps of where they lie.

OWN_LEANINGS = "Each coordinate is the word's own leaning; what lies between two axes is not drawn."
DRAWN_AS_IT_IS = "The ball has two dimensions and is drawn as it is."


def components_note(first: float, second: float) -> str:
    """Return how much the two components hold of what the shown words differ in."""
    return (
        f"The two components hold {first:.1%} and {second:.1%} of what the directions of the shown "
        "words differ in; their signs mean nothing, and words that seem near may not be."
    )


def disc_note(share: float) -> str:
    """Return what the disc keeps of a ball of more dimensions."""
    return (
        "A word's distance from the centre is its true distance from the origin; its angle is that "
        f"of its part in the plane, which holds {share:.1%} of the words' squared lengths, so "
        "that distances between words are not true."
    )
