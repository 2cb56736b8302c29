"""What became of a paper's figures: grades, notes, models and conventions."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

from fairvec.core.format import (
    format_p,
)
from fairvec.core.text import escape_control
from fairvec.results.identities import ModelIdentity
from fairvec.results.reproduction import Grade, ReproductionRecords

GRADES: tuple[Grade, ...] = get_args(Grade)

GRADE_MEANINGS: dict[Grade, str] = {
    "matched": "the paper's own model under the paper's convention gives the printed figure",
    "differs by convention": "the paper's own model gives it under another convention, named",
    "differs": "the paper's own model gives another figure under every named convention",
    "inconsistent in the paper": "the paper contradicts itself here",
    "in words": "the paper prints no number: read ours beside its words",
    "different model": "computed, but on a model that is not the paper's",
    "your model": "computed, but nothing published tells whether the model is the paper's",
    "skipped": "the model does not know enough of the words",
    "no model": "no model at hand; the note has the command that gets one",
    "no data": "the benchmark is not at hand; the note has the command that gets it",
}


def grade_counts(records: ReproductionRecords) -> str:
    """Count the figures by grade."""
    counts = Counter(figure.grade for figure in records.figures)
    return ", ".join(f"{counts[grade]} {grade}" for grade in GRADES if counts[grade])


# The models.

TRAINING_SETTINGS = ("words", "window", "min_count", "most_words", "epochs", "seed")
"""Settings of a training that are shown beside its kind and its text."""


def model_lines(records: ReproductionRecords) -> list[str]:
    """Name the models measured and their roles."""
    pairs = dict.fromkeys((figure.role, figure.model) for figure in records.figures)
    # Figures that are no test (readings of a table, completed analogies) leave no identity.
    described = {model.name: f" ({_describe_model(model)})" for model in records.head.models}
    lines = (f"{role}: {model}{described.get(model, '')}" for role, model in pairs if model)
    return [escape_control(line, but="") for line in lines]


def _describe_model(model: ModelIdentity) -> str:
    """Say how large a model is, where its vectors live and how it was trained, if that is known.

    Of an encoder: how it is read.
    """
    dimensions = f"{model.dimensions} dimensions"
    if model.encoder is not None:
        return f"encoder, {dimensions}: {', '.join(f'{k} {v}' for k, v in model.encoder.items())}"
    space = f"{model.words:,} words, {dimensions}, {model.geometry}"
    return "; ".join(filter(None, (space, describe_training(model))))


def describe_training(model: ModelIdentity) -> str:
    """Describe how fairvec trained a model and on what text, with its hash; empty if it did not.

    A history is read from a file, which may have been written by anything: what it does not say is
    left out.
    """
    step = next((step for step in model.history if step.get("action") == "trained"), None)
    if step is None:
        return ""
    known = {name: step[name] for name in TRAINING_SETTINGS if step.get(name) is not None}
    settings = [f"{name.replace('_', ' ')} {value}" for name, value in known.items()]
    hashed = f" (SHA-256 {step['corpus_sha256']})" if step.get("corpus_sha256") else ""
    text = f" on {_format_corpus(step['corpus'])}{hashed}" if step.get("corpus") else ""
    return ", ".join([f"trained with fairvec as {step.get('by', 'another kind')}{text}", *settings])


def _format_corpus(corpus: Any) -> str:
    return " + ".join(map(str, corpus)) if isinstance(corpus, list | tuple) else str(corpus)


# Notes on printed figures.


def other_unit_note(d: str, p: str, fitting: str, unit: str) -> str:
    """Return that a printed d and p fit if other things had been permuted."""
    return (
        f"d = {d} and p = {p} belong together if {fitting} were permuted, not if {unit} were "
        "(normal approximation)."
    )


def mismatch_note(d: str, p: str, expected: dict[str, float]) -> str:
    """Return which p would go with a printed d, by what is permuted."""
    texts = " or ".join(
        f"{format_p(value)}{f' by {unit}' if len(expected) > 1 else ''}"
        for unit, value in expected.items()
    )
    return f"d = {d} goes with p near {texts} (normal approximation), not with {p}."


def printed_note(quantity: str, printed: Sequence[tuple[str, str]]) -> str:
    """Return the texts that a paper prints of one figure, each with its place."""
    places = ", ".join(f"{text} in {label}" for label, text in printed)
    return f"The paper prints {quantity} = {places}."


def made_of_note(first: str, second: str) -> str:
    """Return which two figures a third is made of."""
    return f"Made of {first} and of {second}."


def matched_under_note(subject: str, conventions: str) -> str:
    """Return the convention under which a figure is matched."""
    return f"{subject} is matched under: {conventions}."


# Whose place a model takes, and what it lacks.

FROM_HISTORY = {
    "trained": "it was trained with fairvec",
    "subset": "it was cut to some words",
    "distil": "it was distilled from an encoder",
    "debias": "it was debiased with fairvec",
}
"""What in a model's history shows that it is not the paper's own, by the step."""


def unverified_reason(title: str) -> str:
    """Return that nothing published tells whether a model is the paper's own."""
    return (
        f"is your model in the place of {title}: nothing that is published tells whether it "
        "is the paper's own, so that its figures neither confirm the paper's nor contradict them."
    )


def identified_note(model: str, by: str) -> str:
    """Return by what a model is known as the paper's own."""
    return f"{model} is taken for the paper's own by {by}."


def found_words_note(model: str, found: int, wanted: int, test: str) -> str:
    """Return how many words of a test a model has."""
    return f"{model} has {found} of the {wanted} words of {test}."


def benchmark_items_note(model: str, found: int, wanted: int, title: str) -> str:
    """Return how many items of a benchmark a model was asked."""
    return f"{model} was asked {found:,} of the {wanted:,} {title}."


def inexact_p_note(model: str, *, certified: bool) -> str:
    """Return how a p is known that is not exact."""
    how = "a proven upper bound" if certified else "sampled"
    return f"p on {model} is {how}, not exact."


def absent_benchmark_note(name: str, *, published: bool) -> str:
    """Return that a benchmark is not on this machine, and how to get it."""
    if published:
        return (
            f"The benchmark {name} is not at hand; run: fairvec benchmarks get {name}, or point "
            "FAIRVEC_DATA to a folder that has it."
        )
    return (
        f"The benchmark {name} is not at hand, and nobody publishes its file; point "
        "FAIRVEC_DATA to a folder that has it."
    )


def moved_words_note(model: str, words: int, default: str, published: str) -> str:
    """Return how many words a debiasing moves, by default and as published."""
    return (
        f"Of the {words:,} words of {model} there move, by default, {default}; as published, "
        f"{published}."
    )


def best_answers_note(model: str, answers: Sequence[str]) -> str:
    """Return the best answers of a model to an analogy."""
    return f"The best answers of {model}: {', '.join(answers)}."


def chosen_t_note(t: float, model: str, similarity: str, published: float) -> str:
    """Return how t was chosen, beside the paper's."""
    by = f" by {similarity}" if similarity else ""
    return (
        f"t = {t:g} on {model}{by}, chosen by two-fold cross-validation on "
        f"the definition pairs of SemBias; the paper has {published:g}."
    )


def published_t_note(t: float, reason: str) -> str:
    """Return why t is the paper's."""
    return f"t = {t:g}, as published: {reason}"


def conventions_sentence(
    effect_size: str, sides: str, ties: str, splits: tuple[int | None, int | None], note: str
) -> str:
    """Return how a paper computed its figures, and how fairvec does.

    `splits` are those that the paper draws at random, and those of its code where they differ.
    """
    drawn, in_code = splits
    text = f" (the paper drew {drawn:,} random splits)" if drawn else ""
    if drawn and in_code:
        text = (
            f" (the paper's text says {drawn:,} random splits, its authors' code draws {in_code:,})"
        )
    of_sides = "two-sided" if sides == "two" else f"one-sided ({sides})"
    return (
        f"Ours is computed the paper's way: {effect_size} effect size, p {of_sides}, ties "
        f"counted by {ties}{text}. The default is fairvec's: caliskan effect size, p "
        "two-sided, ties counted by >=. Both p are exact wherever the lists allow. "
        f"{note}"
    )
