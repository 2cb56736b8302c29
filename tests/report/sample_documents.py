"""Documents made by hand: texts of our own in three languages, with marks, changes and figures."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from fairvec.results import Interval
from fairvec.results.documents import (
    AnnotatedDocument,
    Annotation,
    DocumentIdentity,
    DocumentLine,
    DocumentMeasure,
    Edit,
    TextChange,
)

GROUPS = ("men", "women")
HERE: dict[str, Any] = {"file": "text", "line": 1, "column": 1}

ENGLISH = """The chairman opened the meeting, and he thanked the nurses & the <engineers>.
"She is a gentle nurse," he said; "my wife says she cares for everyone." 👩‍🚀

Our ideal salesman is a competitive, dominant leader who knows his market. He works with
a supportive secretary, and she keeps his diary. The engineer showed her drawings 🙂 to him.
"""
HINDI = """अध्यापक ने कहा कि वह कल आएगा। उसकी पत्नी एक अच्छी नर्स है और वह घर सँभालती है।
इंजीनियर साहब दफ़्तर गए; उनकी माँ ने खाना बनाया। क्‍या राष्‍ट्रपति महोदया आज आएँगी?
"""
RUSSIAN = """Инженер сказал, что он устал. Его жена, добрая медсестра, работала всю ночь.
Учительница пришла рано: она любит детей. Директор был строг, и секретарша его боялась.
"""


def identity(name: str, text: str, language: str = "en") -> DocumentIdentity:
    return DocumentIdentity(
        name=name,
        sha256=sha256(text.encode()).hexdigest(),
        language=language,
        characters=len(text),
        paragraphs=len(text.splitlines()),
        sentences=len(re.findall(r"[.!?।]", text)),
        words=len(text.split()),
    )


def mark(**fields: Any) -> Annotation:
    return Annotation(**HERE, **fields)


def marks_of(text: str, words: Sequence[tuple[str, str, str, str, str]]) -> list[Annotation]:
    """Return a mark for every place where a word stands: (word, kind, side, role, why)."""
    found = [
        mark(
            start=match.start(),
            end=match.end(),
            kind=kind,
            side=side,
            role=role,
            reason=why,
        )
        for word, kind, side, role, why in words
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
    ]
    return sorted(found, key=lambda mark: (mark.start, mark.end))


def edit(text: str, old: str, new: str, nth: int = 0) -> Edit:
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", text)]
    return Edit(start=places[nth], end=places[nth] + len(old), old=old, new=new)


def change(
    name: str, edits: Sequence[Edit], why: str = "A reason to change it.", **more: Any
) -> TextChange:
    return TextChange.model_validate(
        {
            **HERE,
            "id": name,
            "start": edits[0].start,
            "end": edits[0].end,
            "aim": "neutral",
            "rule": "a-rule",
            "reason": why,
            "edits": tuple(edits),
            **more,
        }
    )


def flag(name: str, start: int, end: int, **more: Any) -> TextChange:
    known = {"aim": "neutral", "rule": "a-flag", "reason": "No rule is certain here.", "edits": ()}
    return TextChange.model_validate(
        {**HERE, "id": name, "start": start, "end": end, **known, **more}
    )


def document(
    name: str,
    text: str,
    language: str = "en",
    marks: Sequence[Annotation] = (),
    changes: Sequence[TextChange] = (),
    **more: Any,
) -> AnnotatedDocument:
    return AnnotatedDocument(
        document=identity(name, text, language),
        groups=GROUPS,
        text=text,
        marks=tuple(marks),
        changes=tuple(changes),
        versions={"fairvec": "0.0", "python": "3.12"},
        **more,
    )


def figure(of: DocumentIdentity, measure: str = "mentions", **more: Any) -> DocumentMeasure:
    values = {
        "document": of,
        "measure": measure,
        "title": "Share of mentions that are of women",
        "value": 0.25,
        "neutral": 0.5,
        "meaning": "1: only women are mentioned, 0: only men, 0.5: as many of each.",
        "count_a": 9,
        "count_b": 3,
        "unit": "paragraphs",
        "sentence": "Of 12 mentions 3 are of women.",
        **more,
    }
    return DocumentMeasure.model_validate(values)


def figures(of: DocumentIdentity) -> list[DocumentMeasure]:
    """Return figures of every kind."""
    by_role = [
        figure(
            of,
            what=role,
            count_a=men,
            count_b=women,
            value=women / (men + women),
            interval=Interval(low=low, high=high, level=0.95, kind="korn-graubard", method="Wilson")
            if high
            else None,
            p=p,
            p_holm=None if p is None else min(1.0, 3 * p),
            title=f"Share of {role} mentions that are of women",
            sentence=f"Of {men + women} mentions ({role}) {women} are of women.",
        )
        for role, men, women, low, high, p in (
            ("all", 14, 6, 0.15, 0.52, 0.115),
            ("pronoun", 9, 4, 0.13, 0.58, 0.27),
            ("title", 5, 0, 0.0, 0.43, 0.004),
            ("kinship", 0, 2, None, None, None),
        )
    ]
    near = [
        figure(
            of,
            "near",
            what=word,
            count_a=a,
            count_b=b,
            value=score,
            neutral=0.0,
            p=p,
            p_holm=min(1.0, 5 * p),
            title=f"How much nearer {word} stands to men",
            meaning="Positive: nearer to men than chance would have it; negative: to women.",
            sentence=f"{word} stands near men {a} times and near women {b} times.",
        )
        for word, a, b, score, p in (
            ("gentle", 0, 6, -1.84, 0.0031),
            ("leader", 5, 1, 0.92, 0.22),
            ("market", 2, 1, 0.31, 0.71),
        )
    ]
    overall = figure(
        of,
        "near-overall",
        value=0.41,
        neutral=0.0,
        p=0.034,
        title="How far words near men differ from those near women",
        meaning="0: the same words stand near both.",
        sentence="The words near men and near women differ more than chance would have it.",
        source="GenBit, Sengupta et al. 2021",
    )
    return [*by_role, overall, *near]


def english() -> AnnotatedDocument:
    text = ENGLISH
    words = [
        ("chairman", "person", "a", "title", "A word for a man; chair and chairperson say no sex."),
        ("he", "person", "a", "pronoun", "A pronoun for a man."),
        ("him", "person", "a", "pronoun", "A pronoun for a man."),
        ("his", "person", "a", "pronoun", "A pronoun for a man."),
        ("she", "person", "b", "pronoun", "A pronoun for a woman."),
        ("her", "person", "b", "pronoun", "A pronoun for a woman."),
        ("wife", "person", "b", "kinship", "A word for a woman."),
        ("nurse", "occupation", "b", "", "Stands near women 3 of 3 times."),
        ("engineer", "occupation", "", "", "Stands near both."),
        ("gentle", "describing", "b", "", "Stands near women 1 of 1 times."),
        ("competitive", "coded", "a", "", "On the list of masculine-coded words, Gaucher 2011."),
        ("dominant", "coded", "a", "", "On the list of masculine-coded words, Gaucher 2011."),
        ("supportive", "coded", "b", "", "On the list of feminine-coded words, Gaucher 2011."),
    ]
    start = text.index("Our ideal")
    end = text.index("market.") + len("market.")
    leaning = mark(
        start=start,
        end=end,
        kind="leaning",
        side="a",
        score=0.213,
        reason="The sentence leans to men in the model glove-en-small.",
    )
    changes = [
        change(
            "n1",
            [edit(text, "chairman", "chairperson"), edit(text, "he", "they")],
            "A chair may be anybody; the pronoun goes with it.",
            rule="noun-neutral",
            side="a",
        ),
        change("n2", [edit(text, "salesman", "salesperson")], side="a", rule="noun-neutral"),
        change("n3", [edit(text, "competitive, dominant", "ambitious")], rule="coded"),
        change("n4", [edit(text, "dominant leader", "guide")], rule="coded"),
        change("n5", [edit(text, "him", "them")], "After an emoji, places must not shift."),
        flag("n6", text.index("her drawings"), text.index("her drawings") + 3),
        change("s1", [edit(text, "chairman", "chairwoman"), edit(text, "he", "she")], aim="swap"),
        change("s2", [edit(text, "wife", "husband"), edit(text, "she", "he")], aim="swap"),
    ]
    return document(
        "letters/letter.txt",
        text,
        marks=sorted([*marks_of(text, words), leaning], key=lambda mark: (mark.start, -mark.end)),
        changes=changes,
        remarks=("Names were not counted: no list of names was asked for.",),
    )


def hindi() -> AnnotatedDocument:
    words = [
        ("पत्नी", "person", "b", "kinship", "A word for a woman."),
        ("माँ", "person", "b", "kinship", "A word for a woman."),
        ("साहब", "person", "a", "title", "A title for a man."),
        ("महोदया", "person", "b", "title", "A title for a woman."),
        ("नर्स", "occupation", "b", "", "Stands near women 1 of 1 times."),
        ("अध्यापक", "occupation", "a", "", "Masculine in grammar; may be meant for anybody."),
        ("राष्‍ट्रपति", "occupation", "", "", "With a joiner inside, as people type it."),
    ]
    at = HINDI.index("वह कल")
    changes = [
        change("h1", [edit(HINDI, "अध्यापक", "शिक्षक")], side="a"),
        flag(
            "h2",
            at,
            at + 2,
            reason="वह says no gender, and the verb आएगा does: one would have to ask.",
        ),
    ]
    return document("पत्र.txt", HINDI, "hi", marks_of(HINDI, words), changes)


def russian() -> AnnotatedDocument:
    words = [
        ("он", "person", "a", "pronoun", "A pronoun for a man."),
        ("его", "person", "a", "pronoun", "A pronoun for a man."),
        ("она", "person", "b", "pronoun", "A pronoun for a woman."),
        ("жена", "person", "b", "kinship", "A word for a woman."),
        ("медсестра", "occupation", "b", "", "Feminine in grammar."),
        ("учительница", "occupation", "b", "", "Feminine in grammar."),
    ]
    edits = [edit(RUSSIAN, "Учительница", "Учитель"), edit(RUSSIAN, "пришла", "пришёл")]
    changes = [change("r1", [*edits, edit(RUSSIAN, "она", "он")], aim="swap", side="b")]
    return document("письмо.txt", RUSSIAN, "ru", marks_of(RUSSIAN, words), changes)


def a_folder() -> list[DocumentLine]:
    reads = [english(), hindi(), russian(), document("empty-handed.md", "It rains.\n")]
    folder_text = identity("", "".join(read.text for read in reads))
    own = [one for read in reads[:3] for one in figures(read.document)]
    return [*figures(folder_text), *reads, *own]
