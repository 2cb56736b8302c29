"""Bias and worth in a sentiment task: what decides a verdict, and what reviews are like."""

from collections.abc import Iterator, Sequence

from fairvec.core.format import pluralize

MEANING = (
    "How much more likely a sentence is to be read as positive when it is about the first group "
    "rather than the second: a difference of probabilities, 0 if the group makes no difference."
)
POSITIVE = "sentences about the first group are read as more positive"


# Titles of its pages and tables.

SAME_SENTENCE_TITLE = "The same sentence about two groups"


def reviews_title(reviews: str) -> str:
    """Return the title of a page that compares embeddings in a task."""
    return f"Embeddings compared on {reviews}"


def reviews_table_title(metric: str, reviews: str) -> str:
    """Return the title of the table of one network."""
    return f"{metric}, {reviews}"


# How many trainings agree, and which pairs count.


def trainings_note(difference: float, agreeing: int, trainings: int, *, deterministic: bool) -> str:
    """Return how many trainings lean as the mean of all does, and that they disagree if they do."""
    if difference == 0:
        return "; the mean difference is 0"
    side = "positive" if difference > 0 else "negative"
    if deterministic:
        return "; training is deterministic"
    if trainings == 1:
        return "; trained only once, and another training may change the sign"
    if agreeing == trainings:
        return f"; the difference is {side} in all {trainings} trainings"
    return (
        f"; the difference is {side} in {agreeing} of {trainings} trainings, so another training "
        "may change the sign"
    )


def pair_problem(unknown: Sequence[str], shared: Sequence[str]) -> str:
    """Return why a pair does not count; nothing if it does."""
    if unknown:
        return f"not in the vocabulary, or its vector is zero: {', '.join(unknown)}"
    if shared:
        return f"both persons have the same key: {', '.join(shared)}"
    return ""


# The reviews, and how a model reads them.


def reviews_notes(
    title: str,
    positive: int,
    negative: int,
    dropped: Sequence[tuple[str, int]],
    repeats: Sequence[str],
    split: tuple[int, int, int] | None,
    majority_share: float,
) -> Iterator[str]:
    """Give what the reviews are; a split has those trained on, predicted, and positive of these."""
    total = positive + negative
    yield f"{title}: {total:,} reviews, {positive:,} positive and {negative:,} negative."
    if dropped:
        yield f"Dropped: {', '.join(f'{count:,} {name}' for name, count in dropped)}."
    yield from repeats
    if split:
        trained, predicted, of_them = split
        yield (
            f"In the set's own split, {trained:,} reviews are for training and {predicted:,} are "
            f"predicted, {of_them:,} of them positive."
        )
    yield f"Always predicting the more common class is right for {majority_share:.1%}."


def repeats_note(repeats: int) -> str:
    """Return how many texts repeat another, which are in one fold with it."""
    return f"{repeats:,} texts repeat another; each is in the same fold as the other."


def leaked_note(leaked: int) -> str:
    """Return how many reviews of the part that is tested on are in the other part too."""
    return f"{leaked:,} of the test reviews are also in the training part."


def few_passes_note(passes: int, fewest: int, networks: Sequence[str]) -> str:
    """Return that with so few passes the luck of training is not known."""
    included = "do not" if passes == 1 else "only roughly"
    return (
        f"With {pluralize(passes, 'pass', 'passes')} of {' and '.join(networks)} (at least "
        f"{fewest} are needed), intervals and p {included} include the variation between "
        "trainings, so no change is called lost, gained or kept; ask for more with --seeds."
    )


def longer_vectors_note(before: str, after: str, ratio: float) -> str:
    """Return that the vectors after a change have another length, which an LSTM notices."""
    return (
        f"The vectors of {after} are {ratio:.2f} times as long as those of {before}, which by "
        "itself affects an LSTM, but not the regression on means."
    )


def vocabulary_note(model: str, known: int, tokens: int, empty: int) -> str:
    """Return how many tokens of the reviews a model knows."""
    empty_note = f"; {pluralize(empty, 'review has', 'reviews have')} no known token"
    return (
        f"{model} knows {known:,} of {tokens:,} tokens "
        f"({known / tokens:.1%}); the others are dropped{empty_note * bool(empty)}."
    )


def other_language_warning(model: str, reviews: str, share: float, scripts: tuple[str, str]) -> str:
    """Return that a model seems to be of another language; `scripts` of the reviews and of it."""
    return (
        f"{model} may be in another language than {reviews}: it knows {share:.1%} of the tokens, "
        f"and {scripts_clause(*scripts)}. Its figures are only about the words it knows."
    )


def scripts_clause(of_reviews: str, of_model: str) -> str:
    """Return in which letters reviews and model are written."""
    if of_reviews == of_model:
        return f"both are written in {of_model} letters"
    return f"the reviews are written in {of_reviews} letters and the model in {of_model} ones"


def other_script_note(script: str, language: str) -> str:
    """Return that bias was not measured, because the reviews are not in the model's letters."""
    return (
        f"Bias in the task was not measured: the reviews are written in {script} letters, and the "
        f"model's language, {language!r}, is not written in them."
    )


def no_sentences_note(language: str) -> str:
    """Return that bias was not measured, because a language has no sentences."""
    return f"Bias in the task was not measured: there are no sentences in {language!r}."
