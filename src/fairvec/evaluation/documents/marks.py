"""The marks of a document: every word that was counted, and why."""

from fairvec.ground.numbers import signed
from fairvec.lexicon.people import ROLE_TITLES, PeopleLists
from fairvec.results import Side, TextMark
from fairvec.tasks.documents.measures.leaning import ModelLeanings
from fairvec.tasks.documents.measures.texts import WordsOfText
from fairvec.tasks.documents.words import WordFound

MOST_MARKS = 20_000
"""So many places of one document are marked; what is counted does not depend on it."""

_CODED = {"a": "masculine", "b": "feminine"}


def marks_of(
    text: WordsOfText, lists: PeopleLists, model: ModelLeanings | None
) -> tuple[TextMark, ...]:
    """Return the marks of a text, in its order; with a model those of leaning sentences too."""
    marks = [_word(each, lists, model) for each in (*text.found, *text.coded)]
    if model:
        marks += _sentences(text, lists, model)
    marks.sort(key=lambda mark: (mark.start, -mark.end, mark.kind))
    return tuple(marks[:MOST_MARKS])


def _word(found: WordFound, lists: PeopleLists, model: ModelLeanings | None) -> TextMark:
    entry = found.entry
    if entry.kind == "person":
        group = lists.groups[entry.side == "b"]
        why = f"Counted as a mention of {group}, among the {ROLE_TITLES[entry.role]}."  # type: ignore[index]
        return TextMark(
            start=found.start,
            end=found.end,
            kind="person",
            side=entry.side,
            role=entry.role,
            why=why,
        )
    if entry.kind == "coded":
        why = (
            f"Coded {_CODED[entry.side]} in job advertisements ({entry.word}; Gaucher, Friesen & "
            "Kay 2011)."
        )
        return TextMark(start=found.start, end=found.end, kind="coded", side=entry.side, why=why)
    what = "An occupation" if entry.kind == "occupation" else f"A word of {entry.role}"
    why = f"{what}; where it stands near {lists.groups[0]} or {lists.groups[1]}, that is counted."
    score = model.scores.get(entry.word) if model else None
    if model and score is None:
        why += f" {model.model} does not know it."
    return TextMark(
        start=found.start,
        end=found.end,
        kind=entry.kind,
        side=_side(score, model),
        role=entry.role,
        score=score,
        why=why,
    )


def _sentences(text: WordsOfText, lists: PeopleLists, model: ModelLeanings) -> list[TextMark]:
    """Return a mark for each sentence with words that the model knows: their mean leaning."""
    scores: dict[int, list[float]] = {}
    for found in text.found:
        if found.entry.kind != "person" and found.entry.word in model.scores:
            scores.setdefault(found.sentence, []).append(model.scores[found.entry.word])
    marks = []
    for number, some in scores.items():
        sentence = text.document.sentences[number]
        mean = sum(some) / len(some)
        side = _side(mean, model)
        than = f"more to {lists.groups[side == 'b']} than" if side else "as"
        marks.append(
            TextMark(
                start=sentence.start,
                end=sentence.end,
                kind="leaning",
                side=side,
                score=mean,
                why=(
                    f"{_leaning(len(some))} {signed(mean, 3)} in {model.model}, {than} listed "
                    f"words do ({signed(model.usual, 3)})."
                ),
            )
        )
    return marks


def _leaning(words: int) -> str:
    if words == 1:
        return "The describing word or occupation of this sentence leans"
    return f"The {words} describing words and occupations of this sentence lean on average"


def _side(score: float | None, model: ModelLeanings | None) -> Side:
    if score is None or model is None or score == model.usual:
        return ""
    return "a" if score > model.usual else "b"
