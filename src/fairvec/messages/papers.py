"""What became of a paper's figures: grades, notes, models and conventions."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

from fairvec.core.format import (
    capitalize_first,
    format_duration,
    format_p,
    format_signed,
    join_words,
    pluralize,
)
from fairvec.core.text import escape_control
from fairvec.messages.remarks import among_cut
from fairvec.results.identities import ModelIdentity
from fairvec.results.reproduction import (
    FigureLine,
    Grade,
    PlayedBy,
    PlayedRole,
    ReproductionRecords,
    TableAgreement,
)

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


# Figures as a table shows them.


def cell_lines(figures: Iterable[FigureLine]) -> list[list[FigureLine]]:
    """Return the figures of each cell on each model: d and p stand together."""
    lines: list[list[FigureLine]] = []
    key: tuple[str, ...] = ()
    for figure in figures:
        own_key = (figure.table, figure.row, figure.column, figure.model)
        if own_key == key and all(figure.quantity != other.quantity for other in lines[-1]):
            lines[-1].append(figure)
        else:
            lines.append([figure])
        key = own_key
    return lines


def join_figures(line: Sequence[FigureLine], text: Callable[[FigureLine], str]) -> str:
    """Write d and p as `d (p)`, whichever the paper prints first, and any other figure alone."""
    texts = {figure.quantity: text(figure) for figure in line}
    if not any(texts.values()):
        return ""
    return (
        f"{texts['d']} ({texts['p']})" if {"d", "p"} == texts.keys() else ", ".join(texts.values())
    )


def format_value(figure: FigureLine, value: float | str | None, sign: str = "") -> str:
    """Write a number with the digits the paper has, a p with four at least; a word as it is.

    A number of words is whole.
    """
    if value is None or isinstance(value, str):
        return value or ""
    if figure.quantity == "words":
        return f"{value:{sign},.0f}"
    decimals = max(figure.decimals, 4 if figure.quantity == "p" else 2)
    if figure.quantity == "p" and not sign and 0 < value < 10**-decimals:
        return f"{value:.0e}"
    return f"{value:{sign}.{decimals}f}"


# The models.

TRAINING_SETTINGS = ("words", "window", "min_count", "most_words", "epochs", "seed")
"""Settings of a training that are shown beside its kind and its text."""


def model_lines(records: ReproductionRecords) -> list[str]:
    """Name the models measured and their roles."""
    roles = (role for role in records.head.roles if role.model)
    lines = (f"{role.role}: {role.model}{model_size(records, role)}" for role in roles)
    return [escape_control(line, but="") for line in lines]


def model_size(records: ReproductionRecords, role: PlayedRole) -> str:
    """Return in brackets what is known of the model that plays a role; empty if nothing is."""
    # Figures that are no test (readings of a table, completed analogies) leave no identity.
    known = (model for model in records.head.models if model.name == role.made_from)
    return next((f" ({_describe_model(model)})" for model in known), "")


# What is to bring, and how far the figures agree.


def opening_sentences(records: ReproductionRecords) -> list[str]:
    """Return who plays the roles, and what to bring for those that lack their own model."""
    remedies = (f"{role.role}: {role.remedy}" for role in own_roles(records) if role.remedy)
    sentences = (players_sentence(records), *remedies, missing_data_sentence(records))
    return [escape_control(sentence, but="") for sentence in sentences if sentence]


_PLAYERS: dict[PlayedBy, tuple[str, str]] = {
    "the paper's": ("{} is here", "{} are here"),
    "yours": ("{} is a model of yours", "{} are models of yours"),
    "a stand-in": ("{} has a stand-in", "{} have stand-ins"),
    "none": ("{} is missing", "{} are missing"),
}


def players_sentence(records: ReproductionRecords) -> str:
    """Return how many of the paper's models are here, and what takes the place of the others."""
    counts = Counter({role.role: role.played_by for role in own_roles(records)}.values())
    total = counts.total()
    if counts["the paper's"] == total:
        return f"The paper's own {pluralize(total, 'model')} {'is' if total == 1 else 'are'} here."
    if counts["none"] == total:
        return f"No model of the {total} that the paper measured is here."
    parts = [
        forms[counts[kind] > 1].format(counts[kind])
        for kind, forms in _PLAYERS.items()
        if counts[kind]
    ]
    if not counts["the paper's"]:
        parts.insert(0, "none is here")
    sentence = f"Of the paper's {pluralize(total, 'model')} {join_words(parts)}."
    if counts.keys() <= {"the paper's", "none"}:
        return sentence
    return (
        f"{sentence} Figures of other models say whether the findings are seen again, not whether "
        "the printed figures are right."
    )


def own_roles(records: ReproductionRecords) -> list[PlayedRole]:
    """Return the roles without those that are played by a change of another role's model."""
    return [role for role in records.head.roles if role.model == role.made_from]


def missing_data_sentence(records: ReproductionRecords) -> str:
    """Return how many figures need data that is not at hand, and how to get it; empty if none."""
    missing = records.head.missing_data
    if not missing:
        return ""
    count = sum(figure.grade == "no data" for figure in records.figures)
    return (
        f"{count} of {pluralize(len(records.figures), 'printed figure')} "
        f"{'needs' if count == 1 else 'need'} data that is not at hand ({', '.join(missing)}): run "
        "'fairvec benchmarks get NAME' for each, or point FAIRVEC_DATA to a folder that has them."
    )


def table_agreement(records: ReproductionRecords, table: str) -> list[str]:
    """Return how far the figures of a table agree, in a sentence for each set of models."""
    agreed = [one for one in records.agreements if one.table == table]
    if not agreed:
        return [_no_agreement_sentence(records, table)]
    among = _among_sentences(records, table)
    if len(agreed) == 1:
        return [agreement_sentence(agreed[0]), *among]
    return [
        *(
            escape_control(f"{', '.join(one.models)}: {agreement_sentence(one)}", but="")
            for one in agreed
        ),
        *among,
    ]


def _among_sentences(records: ReproductionRecords, table: str) -> list[str]:
    """Return which figures of a table looked at the words of a cut alone, and at how many."""
    figures = [figure for figure in records.figures if figure.table == table]
    rows: dict[tuple[str, int], dict[str, None]] = {}
    for figure in figures:
        if figure.among is not None:
            rows.setdefault((figure.model, figure.among), {})[figure.row] = None
    computed = {figure.row for figure in figures if figure.ours is not None}
    return [
        escape_control(
            f"{capitalize_first(among_cut(words))} ({model})"
            f"{'' if computed == {*names} else f': {join_words([*names])}'}.",
            but="",
        )
        for (model, words), names in rows.items()
    ]


def agreement_sentence(agreement: TableAgreement) -> str:
    """Return in one line how far the figures of a table agree with the printed ones."""
    counts = (
        ("same sign", agreement.same_sign, agreement.effects),
        ("same significance", agreement.same_significance, agreement.p_values),
        ("same word", agreement.same_words, agreement.words),
    )
    parts = [f"{what} {same} of {total}" for what, same, total in counts if total]
    if agreement.rank_correlation is not None:
        rho = format_signed(agreement.rank_correlation)
        parts.append(f"rank correlation {rho} over {agreement.ranked} figures")
    if not parts:
        printed = "one" if agreement.figures == 1 else "ones"
        parts = [f"{pluralize(agreement.figures, 'figure')} beside the printed {printed}"]
    if agreement.figures < agreement.printed:
        parts.append(f"{agreement.figures} of {agreement.printed} figures computed")
    return f"{capitalize_first(', '.join(parts))}."


def _no_agreement_sentence(records: ReproductionRecords, table: str) -> str:
    """Return why no figure of a table is computed."""
    grades = [figure.grade for figure in records.figures if figure.table == table]
    reasons = [_NOT_COMPUTED[grade] for grade in dict.fromkeys(grades) if grade in _NOT_COMPUTED]
    return f"Nothing is computed: {' and '.join(reasons)}." if reasons else "Nothing is computed."


_NOT_COMPUTED: dict[str, str] = {
    "no data": "the data is not at hand",
    "no model": "no model is at hand",
    "skipped": "the model does not know enough of the words",
}


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


def absent_model_note(title: str, remedies: Sequence[str]) -> str:
    """Return that no model plays a role, and what helps; empty remedies are none."""
    return f"{title}: not at hand; {'; or '.join(filter(None, remedies))}"


def how_to_train(paper: str) -> str:
    """Return the command that trains a stand-in."""
    return f"train a stand-in: fairvec reproduce {paper} --train-stand-ins FOLDER"


def absent_benchmark_note(name: str, *, published: bool) -> str:
    """Return that a benchmark is not on this machine, and how to get it."""
    if published:
        return f"The benchmark {name} is not at hand (run: fairvec benchmarks get {name})."
    return (
        f"The benchmark {name} is not at hand, and nobody publishes its file (point "
        "FAIRVEC_DATA to a folder that has it)."
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


def training_sentences(
    trainings: Sequence[tuple[str, str, str, int, float]], kept: Sequence[str], folder: str
) -> list[str]:
    """Return what is trained before it is, and about how long that takes on one core.

    A training is a name, what it is, the model whose place it takes, its words and seconds.
    """
    lines = []
    if trainings:
        seconds = sum(training[-1] for training in trainings)
        lines.append(
            f"{pluralize(len(trainings), 'stand-in')} will be trained and kept in {folder}, which "
            f"takes about {format_duration(seconds)} on one core:"
        )
    lines += [
        f"  {name} ({what}; {words / 1e6:.1f} million words) for {title}: about "
        f"{format_duration(seconds)}"
        for name, what, title, words, seconds in trainings
    ]
    if kept:
        are = "is" if len(kept) == 1 else "are"
        lines.append(f"{join_words(kept)} {are} kept in {folder} and not trained again.")
    return lines or ["Every role has a model; nothing is trained."]


def recipe_description(model: str, dimensions: int, window: int, words: str) -> str:
    """Return a kind of model and its settings, as in `cbow, 300 dimensions, window 20, lemmas`."""
    of_words = "" if words == "plain" else f", {words}"
    return f"{model}, {dimensions} dimensions, window {window}{of_words}"


def no_text_note(models: Sequence[str], roles: Sequence[str]) -> str:
    """Return which stand-ins are not trained for want of their text."""
    return (
        f"The text of {join_words(models)} is not at hand: point FAIRVEC_DATA to a folder that has "
        f"it, or name another with --corpus {roles[0]}=FILE."
    )


def training_label(model: str, count: int, reviews: str) -> str:
    """Return what progress says while networks are trained on reviews."""
    return f"{model}: training {pluralize(count, 'LSTM')} side by side on {reviews}"


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
