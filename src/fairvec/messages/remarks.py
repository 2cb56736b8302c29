"""What to know before reading: other languages, missing benchmarks, words left out, cut models."""

from collections.abc import Mapping, Sequence

from fairvec.core.format import (
    format_number,
    format_p,
    format_percent_floor,
    is_significant,
    join_first,
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
        f"{model} is measured in {measured[0]}, but also fits {', '.join(others)}. Use {options} "
        "to measure all, or name the one it is in."
    )


def suites_chosen_note(model: str, coverage: Mapping[str, float]) -> str:
    """Return which suites a model fits, and which share of their words it has."""
    suites = ", ".join(
        f"{suite} ({format_percent_floor(share)} of its words)" for suite, share in coverage.items()
    )
    return f"{model} fits {suites}"


def same_lists_note(test: str, others: Sequence[str]) -> str:
    """Return which tests were left out because another one has the same lists."""
    return f"{test} also stands for {', '.join(others)}, which have the same lists."


def unknown_language_note(unknown: Sequence[str], shipped: Sequence[str]) -> str:
    """Return that nothing that is asked is in the language that was named."""
    return (
        f"The language was given as {' or '.join(unknown)}, but none of the requested tests is in "
        f"it. Shipped suites are in {', '.join(shipped)}; lists in another language name it "
        f"themselves (language={unknown[0]!r})."
    )


_NAME_A_SUITE = "Name a suite or write one with 'fairvec suites new'."
UNTOLD_LANGUAGE = (
    "its language cannot be told from its keys; name it with --language en (language='en'), or "
    "whichever it is."
)


def no_suite_in(languages: str) -> str:
    """Return that no shipped suite is in the languages of a model."""
    return f"no shipped suite is in {languages}. {_NAME_A_SUITE}"


def no_suite_of_script(script: str, language: str) -> str:
    """Return that no suite is in a language of the keys' script, though one in another fits."""
    return (
        f"most of its keys are {script}, and no shipped suite is in a language of that script; to "
        f"measure it in {language}, use --language {language} (language={language!r})."
    )


def no_suite_fits(languages: str, nearest: str, coverage: float, keys: str) -> str:
    """Return that no suite has enough words in the model; `keys` are examples of its own."""
    in_language = f" in {languages}" if languages else ""
    coverage_text = (
        f"of the nearest{in_language}, {nearest}, {format_percent_floor(coverage)} of the words are"
        if coverage
        else f"no word of any suite{in_language} is"
    )
    return f"no shipped suite fits; {coverage_text} in the model{keys}. {_NAME_A_SUITE}"


def key_examples(keys: Sequence[str], *, tagged: bool) -> str:
    """Return the first keys of a model, and advice where they carry tags."""
    advice = "; only universal tags are understood, as in woman_NOUN" if tagged else ""
    return f", whose keys begin with {', '.join(short_repr(key, 20) for key in keys)}{advice}"


def missing_benchmarks_note(model: str, benchmark: str) -> str:
    """Return that no benchmark of a model's language is on this machine, and which to fetch."""
    return (
        f"No benchmark in the language of {model} is on this machine, so the cost of a change is "
        "measured by the tests alone; fetch one ('fairvec benchmarks get "
        f"{benchmark}') or set FAIRVEC_DATA."
    )


# Words.


def composed_words_note(model: str, words: int) -> str:
    """Return how many words were composed while a model was read."""
    return (
        f"{model}: {words} of the requested words are not in its vocabulary and were composed from "
        "their pieces; the history in each record names them."
    )


def among_cut(words: int) -> str:
    """Return among which words a measure of the whole vocabulary looked, where that is a cut's."""
    return f"among the {words:,} words of this cut"


def cut_model_note(model: str, words: int) -> str:
    """Return that a model is a subset, so that nearer words may be left out."""
    return (
        f"{model} has only {words:,} words of a larger model, in which other words may be nearer."
    )


def holdout_note(
    concept: str, known: int, left: int, model: str = "", *, apart: bool = False
) -> str:
    """Return how many defining words of a concept are left without the tested ones.

    `apart`: its variant of that name keeps them all.
    """
    defining = pluralize(known, "word that defines", "words that define")
    in_model = f" in {model}" if model else ""
    remedy = "; its variant 'apart' has no tested word and keeps them all" if apart else ""
    return (
        f"Fitted without any tested word: of the {defining} {concept}{in_model}, "
        f"{pluralize(left, 'is', 'are')} left, and few words give a poor direction{remedy}."
    )


# A change.


def fitted_on_note(words: Sequence[str], most: int) -> str:
    """Return on how many words a method was fitted, and the first of them."""
    return f"Fitted on {len(words):,} words: {join_first(words, most)}"


def not_kept_note(lost: Sequence[str]) -> str:
    """Return what a format does not keep of a model."""
    return f"This format does not keep: {', '.join(lost)}; .fairvec keeps everything."


def default_method_note(method: str, of_words: bool) -> str:
    """Return which method was taken because none was named."""
    of = "word vectors" if of_words else "sentences"
    return f"Method: {method}, the default for {of}, because none was named."


def block_by_block_note(model: str, size: str) -> str:
    """Return that vectors of this size are moved block by block."""
    return (
        f"The vectors of {model} ({size}) do not fit the free memory; they are changed block by "
        "block, which takes longer and gives the same figures."
    )


# Nouns of varying gender.


def noun_gender_sentence(
    told_right: float, distances: tuple[float, float], p: float, *, fewest: float, alpha: float
) -> str:
    """Return how many certain nouns stand on their side, and where varying ones stand.

    With fewer than the `fewest` on their side the model cannot be asked about the varying ones.
    """
    told_right_text = f"{told_right:.0%} of the nouns of one gender lie on the side of that gender"
    if told_right < fewest:
        return (
            f"Only {told_right_text}, so this model cannot be tested for nouns of varying gender."
        )
    figures = (
        f"mean distance {format_number(distances[0], 3)} against "
        f"{format_number(distances[1], 3)}, p = {format_p(p)}"
    )
    if not is_significant(p, alpha):
        return (
            "No evidence that nouns of varying gender lie nearer to or farther from the middle "
            f"({figures}). {told_right_text}."
        )
    where = "nearer to" if distances[0] < distances[1] else "farther from"
    return f"Nouns of varying gender lie {where} the middle ({figures}). {told_right_text}."


# What a map of words keeps of where they lie.

OWN_LEANINGS = (
    "Each coordinate is the word's own leaning; the angle between the two axes is not drawn."
)
DRAWN_AS_IT_IS = "The ball has two dimensions and is drawn without loss."


def components_note(first: float, second: float) -> str:
    """Return how much the two components hold of what the shown words differ in."""
    return (
        f"The two components explain {first:.1%} and {second:.1%} of the differences between the "
        "directions of the words shown; their signs have no meaning, and words that look near may "
        "be far apart."
    )


def disc_note(share: float) -> str:
    """Return what the disc keeps of a ball of more dimensions."""
    return (
        "A word's distance from the centre is its true distance from the origin; its angle is that "
        f"of its part in the plane, which holds {share:.1%} of the words' squared lengths, so that "
        "distances between words are distorted."
    )


# What a command could not measure.

NOTHING_MEASURED = "Nothing was measured; each test above says why it was skipped."


def faults_note(faults: int, results: int, test: str, reason: str) -> str:
    """Return how many results met a fault, and the first of them."""
    return f"error: {faults} of {results} results met a fault, the first {test}: {reason}"


def skipped_rows_note(skipped: int) -> str:
    """Return how many rows that a condition looks at were skipped, behind its headline."""
    without = pluralize(skipped, "of them was skipped and has", "of them were skipped and have")
    return f" ({without} no effect)" if skipped else ""
