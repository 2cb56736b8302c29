"""Which describing words and occupations stand near whom."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

import numpy as np

from fairvec.ground.level import significant
from fairvec.ground.numbers import counted, p_value
from fairvec.lexicon.people import PeopleLists
from fairvec.results import DocumentFigure, DocumentIdentity
from fairvec.stats.fisher import two_by_two
from fairvec.tasks.documents.measures.holm_corrected import holm_corrected
from fairvec.tasks.documents.measures.texts import ALPHA, Texts

SMOOTHING = 0.5
GENBIT = (
    "Kinshuk Sengupta, Rana Maher, Declan Groves and Chantal Olieman (2021). GenBiT: measure and "
    "mitigate gender bias in language datasets. Microsoft Journal of Applied Research 16, 63-71."
)
_KINDS = ("describing", "occupation")


@dataclass(frozen=True)
class Nearness:
    """In how many sentences that mention only a, or only b, a word stands."""

    word: str
    near_a: int
    near_b: int
    only_a: int
    only_b: int

    @property
    def score(self) -> float:
        """log2 of P(word | sentence of a) over P(word | sentence of b), smoothed.

        P = (sentences with the word + 1/2) / (sentences + 1). Positive: nearer to a; negative:
        nearer to b; 0: no difference; 1: twice as frequent.
        """
        return _score(self.near_a, self.near_b, self.only_a, self.only_b)

    @property
    def by_chance(self) -> float:
        """The mean of |score| if it were chance in which sentences the word stands."""
        tables = two_by_two(self.only_a, self.only_b, self.near_a + self.near_b)
        all_near = self.near_a + self.near_b
        scores = [
            abs(_score(int(count), all_near - int(count), self.only_a, self.only_b))
            for count in tables.counts
        ]
        return float(np.dot(scores, tables.chances))

    @property
    def p(self) -> float | None:
        """Fisher's exact two-sided p; None where no table with these margins reaches the level."""
        tables = two_by_two(self.only_a, self.only_b, self.near_a + self.near_b)
        return tables.p(self.near_a) if significant(tables.smallest, ALPHA) else None


def _score(near_a: int, near_b: int, only_a: int, only_b: int) -> float:
    of_a = (near_a + SMOOTHING) / (only_a + 2 * SMOOTHING)
    of_b = (near_b + SMOOTHING) / (only_b + 2 * SMOOTHING)
    return log2(of_a / of_b)


def nearness(texts: Texts) -> tuple[Nearness, ...]:
    """Return every describing word and occupation that stands near a or b, the commonest first.

    Near is: in a sentence that mentions people of one group only. A sentence counts once, however
    often it has the word.
    """
    near: dict[str, Counter[str]] = {}
    only: Counter[str] = Counter()
    for text in texts.texts:
        sides: dict[int, set[str]] = {}
        words: dict[int, set[str]] = {}
        for each in text.found:
            if each.entry.kind == "person":
                sides.setdefault(each.sentence, set()).add(each.entry.side)
            elif each.entry.kind in _KINDS:
                words.setdefault(each.sentence, set()).add(each.entry.word)
        for sentence, there in sides.items():
            if len(there) == 1:
                (side,) = there
                only[side] += 1
                for word in words.get(sentence, ()):
                    near.setdefault(word, Counter())[side] += 1
    found = [
        Nearness(word, counts["a"], counts["b"], only["a"], only["b"])
        for word, counts in near.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.near_a - one.near_b, one.word)))


def near_figures(
    of: DocumentIdentity, texts: Texts, lists: PeopleLists
) -> tuple[DocumentFigure, ...]:
    """Return a figure for every word that stands near somebody, and one for all of them.

    p is Fisher's exact test of the table of sentences (of a only or of b only, with the word or
    without), corrected by Holm over the words whose margins could reach the level; the others have
    none. Sentences count as independent, which those of one passage are not quite. Sengupta et al.
    (2021) count words near gendered ones in this way and take the mean of |log ratio|, which few
    occurrences make large by themselves: beside it stands what chance alone would give.
    """
    found = nearness(texts)
    if not found or not (found[0].only_a and found[0].only_b):
        return ()
    return (
        *holm_corrected(tuple(_figures(of, found, lists)), "words"),
        _overall(of, found, lists),
    )


def _figures(
    of: DocumentIdentity, found: tuple[Nearness, ...], lists: PeopleLists
) -> Iterator[DocumentFigure]:
    a, b = lists.groups
    for one in found:
        p, shown = one.p, "" if one.p is None else p_value(one.p, level=ALPHA)
        lead = (
            f"{one.word!r} stands in {one.near_a:,} of {one.only_a:,} sentences that mention only "
            f"{a}, and in {one.near_b:,} of {one.only_b:,} that mention only {b}"
        )
        if p is None:
            said = f"{lead}; that is too seldom to tell it from chance."
        elif significant(p, ALPHA):
            said = f"{lead} (p = {shown} alone)."
        else:
            said = f"{lead}; chance alone could make such a difference (p = {shown})."
        yield DocumentFigure(
            document=of,
            measure="near",
            what=one.word,
            title=f"{one.word}, near {a} against near {b}",
            value=one.score,
            neutral=0.0,
            meaning=f"Positive: nearer to {a}; negative: nearer to {b}; 1: twice as frequent.",
            count_a=one.near_a,
            count_b=one.near_b,
            unit="sentences",
            p=p,
            sentence=said,
            source=GENBIT,
        )


def _overall(
    of: DocumentIdentity, found: tuple[Nearness, ...], lists: PeopleLists
) -> DocumentFigure:
    mean = sum(abs(one.score) for one in found) / len(found)
    chance = sum(one.by_chance for one in found) / len(found)
    return DocumentFigure(
        document=of,
        measure="near-overall",
        what="all",
        title="Mean |log2 ratio| of the words near people",
        value=mean,
        neutral=chance,
        meaning=(
            "How unevenly words are shared out between the groups; beside it the value that chance "
            "alone would give with so few occurrences."
        ),
        count_a=sum(one.near_a for one in found),
        count_b=sum(one.near_b for one in found),
        unit="sentences",
        sentence=(
            f"The {counted(len(found), 'word')} near {lists.groups[0]} or {lists.groups[1]} "
            f"{'has' if len(found) == 1 else 'have'} a mean |log2 ratio| of {mean:.2f}; chance "
            f"alone would give {chance:.2f}."
        ),
        source=GENBIT,
    )
