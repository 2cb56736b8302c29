"""The figures of one document, or of several together.

mentions   share of group b among mentions of people
near       log2 ratio of a word's frequency in sentences about a and about b (Sengupta et al. 2021)
coded      masculine less feminine coded words (Gaucher, Friesen & Kay 2011)
leaning    mean s(w, A, B) of describing words and occupations in a model (Caliskan et al. 2017)
terms      gendered terms that a rule is certain how to change

Intervals and p-values are over units: the paragraphs of one document, or whole documents.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import log2
from operator import itemgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import UndefinedError
from fairvec.core.format import is_significant
from fairvec.core.numeric import IntArray
from fairvec.core.text import short_repr
from fairvec.documents.find import Entry, WordMatches, coded_word_matcher, word_matcher
from fairvec.embedding import Embedding
from fairvec.geometry import default_similarity
from fairvec.languages.people import ROLE_TITLES, CodedWords, PeopleLists, forms_listed
from fairvec.languages.text import Document
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Test, concept, resolve
from fairvec.messages.documents import (
    CODED_GROUPS,
    CODED_MADE_FOR,
    aim_name,
    by_role,
    count_sentence,
    figure_meaning,
    figure_title,
    leaning_sentence,
    near_overall_sentence,
    near_sentence,
    not_among_all,
    terms_sentence,
)
from fairvec.metrics.bias.weat import attribute_similarities, leanings
from fairvec.results import Interval
from fairvec.results.documents import ALPHA, Aim, DocumentIdentity, DocumentMeasure, Suggestion
from fairvec.stats import holm
from fairvec.stats.paired import sign_flip_test
from fairvec.stats.proportions import (
    clustered_mean_interval,
    clustered_share_interval,
    fisher_table,
)

LEVEL = 0.95


@dataclass(frozen=True)
class MatchedDocument:
    """A document and the listed words in it."""

    document: Document
    found: WordMatches
    coded: WordMatches


def match_document(document: Document, *, names: bool = True) -> MatchedDocument:
    """Return a document with the words that were found in it."""
    return MatchedDocument(
        document,
        WordMatches(word_matcher(document.language, names).find(document)),
        WordMatches(coded_word_matcher(document.language).find(document)),
    )


Unit = Literal["paragraphs", "documents"]


class Sample:
    """One document whose paragraphs are the units, or several that are units themselves.

    Words of a paragraph depend on one another (a person is named once and then called she), and so
    do those of a document; what stands apart is nearer to independent. Of the texts only the places
    of words are kept.
    """

    def __init__(self, texts: Sequence[MatchedDocument] = (), unit: Unit | None = None) -> None:
        self.unit: Unit = unit or ("paragraphs" if len(texts) == 1 else "documents")
        """The units' name, in the plural."""
        self.texts = 0
        self.found, self.coded = WordMatches(), WordMatches()
        self._units = array("I")
        for text in texts:
            self.add(text)

    def add(self, text: MatchedDocument) -> None:
        """Add the words of a text."""
        sentences = text.document.sentences
        if self.unit == "paragraphs":
            self.found, self.coded = text.found, text.coded
            self._units = sentences.paragraphs
        else:
            self.found.extend(text.found, len(self._units))
            self.coded.extend(text.coded, len(self._units))
            self._units.extend(array("I", [self.texts]) * len(sentences))
        self.texts += 1

    def units_of(self, words: WordMatches) -> NDArray[np.uint32]:
        """Return the number of each word's unit; it never falls."""
        return as_numbers(self._units)[as_numbers(words.sentences)]


def as_numbers(column: "array[int]") -> NDArray[np.uint32]:
    """Return a column as numbers that share its memory."""
    return np.frombuffer(column, np.uint32)


@dataclass(frozen=True)
class GroupCounts:
    """How often two groups occur, unit by unit."""

    counts: IntArray
    """One row a unit: of a, of b; units with neither are left out."""

    @cached_property
    def a(self) -> int:
        """How often a occurs."""
        return int(self.counts[:, 0].sum())

    @cached_property
    def b(self) -> int:
        """How often b occurs."""
        return int(self.counts[:, 1].sum())

    @property
    def share(self) -> float:
        """The share of b."""
        return self.b / (self.a + self.b)

    @cached_property
    def informative_units(self) -> int:
        """The number of units in which one group is more frequent: only these inform the test."""
        return int((self.counts[:, 0] != self.counts[:, 1]).sum())

    @cached_property
    def interval(self) -> Interval | None:
        """Where the share would lie in other units of the same kind; None with too few."""
        return clustered_share_interval(self.counts, level=LEVEL)

    @cached_property
    def p(self) -> float | None:
        """Exact p of a and b being equally frequent; None where these units could not decide."""
        if 0.5 ** max(self.informative_units - 1, 0) > ALPHA:
            return None
        return sign_flip_test(self.counts[:, 0] - self.counts[:, 1])[0]


def count_groups(
    sample: Sample, words: WordMatches, chosen: Callable[[Entry], bool]
) -> GroupCounts | None:
    """Count the chosen words of either side, unit by unit; None if there are none."""
    chosen_entries = [chosen(entry) for entry in words.entries]
    if not any(chosen_entries):
        return None
    has_side = np.array(chosen_entries, bool)
    of_b = np.array([entry.side == "b" for entry in words.entries], bool)
    numbers, units = as_numbers(words.numbers), sample.units_of(words)
    rows = []
    for first in range(0, len(numbers), _BLOCK):
        block = numbers[first : first + _BLOCK]
        counted = has_side[block]
        if counted.any():
            rows.append(_sums_by_unit(units[first : first + _BLOCK][counted], of_b[block[counted]]))
    counts = np.concatenate(rows)
    starts = _starts(counts[:, 0])
    return GroupCounts(np.add.reduceat(counts[:, 1:], starts, axis=0))


_BLOCK = 2**16
"""Words that are counted at once, so that what is computed on the way stays small."""


def _sums_by_unit(units: NDArray[np.uint32], of_b: NDArray[np.bool_]) -> IntArray:
    """Return each unit, and how many of its words are of a and of b."""
    starts = _starts(units)
    b = np.add.reduceat(of_b, starts, dtype=np.int64)
    a = np.diff(starts, append=len(units)) - b
    return np.stack([units[starts].astype(np.int64), a, b], axis=1)


def _starts(units: NDArray[np.uint32] | IntArray) -> IntArray:
    """Return where each unit starts in numbers that never fall."""
    return np.flatnonzero(np.diff(units, prepend=units[:1] + 1))


def apply_holm(figures: tuple[DocumentMeasure, ...], among: str) -> tuple[DocumentMeasure, ...]:
    """Return the figures with Holm's correction over those that have a p.

    What is significant alone and not `among` all that was asked (words, roles) says so.
    """
    p_values = [figure.p for figure in figures if figure.p is not None]
    corrected = iter(holm(np.array(p_values, np.float64)).tolist())
    return tuple(
        figure if figure.p is None else _add_correction(figure, figure.p, next(corrected), among)
        for figure in figures
    )


def _add_correction(
    figure: DocumentMeasure, p: float, p_holm: float, among: str
) -> DocumentMeasure:
    sentence = figure.sentence
    if is_significant(p, ALPHA) and not is_significant(p_holm, ALPHA):
        sentence = not_among_all(sentence, among, p_holm)
    return figure.model_copy(update={"p_holm": p_holm, "sentence": sentence})


def mention_figures(
    of: DocumentIdentity, sample: Sample, lists: PeopleLists
) -> tuple[DocumentMeasure, ...]:
    """Return the share of group b among the mentions of people, in all and by role.

    share = mentions of b / (mentions of a and of b); 1: only b, 0: only a, 0.5: both as often. Its
    interval is over units (paragraphs of one document, or documents), and p asks by exact sign
    flips of a - b, unit by unit, whether the two are mentioned equally often. Roles without a
    mention are left out; they are corrected for one another, and the whole, which is one question,
    is not.
    """
    overall = [*_mention_figures(of, sample, lists, ("all",))]
    roles = tuple(_mention_figures(of, sample, lists, tuple(ROLE_TITLES)))
    alone = (figure.model_copy(update={"p_holm": figure.p}) for figure in overall)
    return (*alone, *apply_holm(roles, "roles"))


def _mention_figures(
    of: DocumentIdentity, sample: Sample, lists: PeopleLists, roles: tuple[str, ...]
) -> Iterator[DocumentMeasure]:
    for role in roles:
        counts = count_groups(
            sample,
            sample.found,
            lambda entry: entry.kind == "person" and role in ("all", entry.role),  # noqa: B023
        )
        if counts is None:
            continue
        by = by_role(role)
        yield DocumentMeasure(
            document=of,
            measure="mentions",
            what=role,
            title=figure_title("mentions", lists.groups, by),
            value=counts.share,
            neutral=0.5,
            meaning=figure_meaning("mentions", lists.groups),
            count_a=counts.a,
            count_b=counts.b,
            unit=sample.unit,
            interval=counts.interval,
            p=counts.p,
            sentence=_compare_counts(
                counts, lists.groups, sample.unit, (f"mention{by}", f"mentions{by}")
            ),
            source=lists.source,
        )


def _compare_counts(
    counts: GroupCounts, groups: tuple[str, str], unit: str, items: tuple[str, str]
) -> str:
    return count_sentence(
        (counts.a, counts.b),
        groups,
        items,
        unit=unit,
        informative=counts.informative_units,
        interval=counts.interval,
        p=counts.p,
    )


SMOOTHING = 0.5
GENBIT = (
    "Kinshuk Sengupta, Rana Maher, Declan Groves and Chantal Olieman (2021). GenBiT: measure and "
    "mitigate gender bias in language datasets. Microsoft Journal of Applied Research 16, 63-71."
)
_KINDS = ("describing", "occupation")


@dataclass(frozen=True)
class CoOccurrence:
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
    def expected_by_chance(self) -> float:
        """The mean of |score| if it were chance in which sentences the word stands."""
        tables = fisher_table(self.only_a, self.only_b, self.near_a + self.near_b)
        all_near = self.near_a + self.near_b
        scores = [
            abs(_score(int(count), all_near - int(count), self.only_a, self.only_b))
            for count in tables.counts
        ]
        return float(np.dot(scores, tables.chances))

    @property
    def p(self) -> float | None:
        """Fisher's exact two-sided p; None where no table with these margins reaches the level."""
        tables = fisher_table(self.only_a, self.only_b, self.near_a + self.near_b)
        return tables.p(self.near_a) if is_significant(tables.smallest, ALPHA) else None


def _score(near_a: int, near_b: int, only_a: int, only_b: int) -> float:
    of_a = (near_a + SMOOTHING) / (only_a + 2 * SMOOTHING)
    of_b = (near_b + SMOOTHING) / (only_b + 2 * SMOOTHING)
    return log2(of_a / of_b)


def co_occurrences(sample: Sample) -> tuple[CoOccurrence, ...]:
    """Return every describing word and occupation that stands near a or b, the commonest first.

    Near is: in a sentence that mentions people of one group only. A sentence counts once, however
    often it has the word.
    """
    near: dict[str, Counter[str]] = {}
    only: Counter[str] = Counter()
    entries = sample.found.entries
    places = zip(sample.found.sentences, sample.found.numbers, strict=True)
    for _, group in groupby(places, key=itemgetter(0)):
        found = [entries[number] for number in {number for _, number in group}]
        sides = {entry.side for entry in found if entry.kind == "person"}
        if len(sides) == 1:
            (side,) = sides
            only[side] += 1
            for word in {entry.word for entry in found if entry.kind in _KINDS}:
                near.setdefault(word, Counter())[side] += 1
    counted = [
        CoOccurrence(word, counts["a"], counts["b"], only["a"], only["b"])
        for word, counts in near.items()
    ]
    return tuple(sorted(counted, key=lambda item: (-item.near_a - item.near_b, item.word)))


def near_figures(
    of: DocumentIdentity, sample: Sample, lists: PeopleLists
) -> tuple[DocumentMeasure, ...]:
    """Return a figure for every word that stands near somebody, and one for all of them.

    p is Fisher's exact test of the table of sentences (of a only or of b only, with the word or
    without), corrected by Holm over the words whose margins could reach the level; the others have
    none. Sentences count as independent, which those of one passage are not quite. Sengupta et al.
    (2021) count words near gendered ones in this way and take the mean of |log ratio|, which few
    occurrences make large by themselves: beside it stands what chance alone would give.
    """
    found = co_occurrences(sample)
    if not found or not (found[0].only_a and found[0].only_b):
        return ()
    return (
        *apply_holm(tuple(_word_figures(of, found, lists)), "words"),
        _near_overall_figure(of, found, lists),
    )


def _word_figures(
    of: DocumentIdentity, found: tuple[CoOccurrence, ...], lists: PeopleLists
) -> Iterator[DocumentMeasure]:
    for item in found:
        yield DocumentMeasure(
            document=of,
            measure="near",
            what=item.word,
            title=figure_title("near", lists.groups, item.word),
            value=item.score,
            neutral=0.0,
            meaning=figure_meaning("near", lists.groups),
            count_a=item.near_a,
            count_b=item.near_b,
            unit="sentences",
            p=item.p,
            sentence=near_sentence(
                item.word,
                (item.near_a, item.near_b),
                (item.only_a, item.only_b),
                lists.groups,
                item.p,
            ),
            source=GENBIT,
        )


def _near_overall_figure(
    of: DocumentIdentity, found: tuple[CoOccurrence, ...], lists: PeopleLists
) -> DocumentMeasure:
    mean = sum(abs(item.score) for item in found) / len(found)
    chance = sum(item.expected_by_chance for item in found) / len(found)
    return DocumentMeasure(
        document=of,
        measure="near-overall",
        what="all",
        title=figure_title("near-overall"),
        value=mean,
        neutral=chance,
        meaning=figure_meaning("near-overall"),
        count_a=sum(item.near_a for item in found),
        count_b=sum(item.near_b for item in found),
        unit="sentences",
        sentence=near_overall_sentence(len(found), lists.groups, mean, chance),
        source=GENBIT,
    )


def coded_figures(
    of: DocumentIdentity, sample: Sample, lists: CodedWords | None
) -> tuple[DocumentMeasure, ...]:
    """Return how much more of the coded words are coded masculine than feminine.

    value = (masculine - feminine) / (masculine + feminine): the difference of the two shares. 1:
    all masculine, -1: all feminine, 0: as many. None where nothing is coded or there is no list.
    """
    counts = count_groups(sample, sample.coded, lambda _: True)
    if counts is None or lists is None:
        return ()
    interval = counts.interval
    sentence = _compare_counts(counts, CODED_GROUPS, sample.unit, ("coded word", "coded words"))
    return (
        DocumentMeasure(
            document=of,
            measure="coded",
            what="all",
            title=figure_title("coded"),
            value=(counts.a - counts.b) / (counts.a + counts.b),
            neutral=0.0,
            meaning=figure_meaning("coded"),
            count_a=counts.a,
            count_b=counts.b,
            unit=sample.unit,
            interval=interval and interval.scaled(-2, offset=1),
            p=counts.p,
            p_holm=counts.p,
            sentence=f"{sentence} {CODED_MADE_FOR}",
            source=lists.source,
        ),
    )


@dataclass(frozen=True)
class ModelLeanings:
    """s(w, A, B) of every listed word that a model knows, and what was compared with what."""

    model: str
    scores: Mapping[str, float]
    unknown: frozenset[str]
    compared: str

    @property
    def baseline(self) -> float:
        """The mean leaning of all listed words in this model."""
        return float(np.mean([*self.scores.values()]))


def model_leanings(embedding: Embedding, lists: PeopleLists) -> ModelLeanings:
    """Return s(w, A, B) = mean_a sim(w, a) - mean_b sim(w, b) of the listed words.

    A and B are the defining pairs of the language's concept gender, men first. Positive: the word
    leans to a; negative: to b. Caliskan, Bryson & Narayanan (2017), Science 356, 183-186.
    """
    gender = concept(f"{lists.language}/gender")
    listed = {
        **{word: ("NOUN", forms) for word, forms in lists.occupations.items()},
        **{
            word: ("ADJ", forms)
            for described in lists.describing.values()
            for word, forms in described.items()
        },
    }
    words = [
        Word(word=word, variants=forms_listed(forms), pos=pos)
        for word, (pos, forms) in listed.items()
    ]
    pairs = gender.definition.pairs or ()
    sets = {
        "words": WordSet(id="words", title="listed words", words=tuple(words)),
        "a": WordSet(id="a", title=lists.groups[0], words=tuple(pair[0] for pair in pairs)),
        "b": WordSet(id="b", title=lists.groups[1], words=tuple(pair[1] for pair in pairs)),
    }
    test = Test(
        id="document/leaning",
        title="words of a document",
        category="gender",
        kind="bias",
        language=lists.language,
        sets=sets,
    )
    groups = resolve(test, embedding)
    targets, a, b = groups["words"], groups["a"], groups["b"]
    if not (len(targets.found) and len(a.found) and len(b.found)):
        raise UndefinedError(
            f"{embedding.name} knows {len(targets.found)} of {len(words)} listed words, and "
            f"{len(a.found)} and {len(b.found)} of those that stand for {lists.groups[0]} and "
            f"{lists.groups[1]}; choose a model of the language {short_repr(lists.language)}."
        )
    similarity = default_similarity(embedding.geometry)
    similarities = attribute_similarities(
        targets.vectors, a.vectors, b.vectors, similarity, embedding.geometry
    )
    scores = dict(
        zip(
            (found.word.word for found in targets.found),
            leanings(similarities.means).tolist(),
            strict=True,
        )
    )
    by_key = {found.key: scores[found.word.word] for found in targets.found}
    scores |= {found.word.word: by_key[found.key] for found in targets.merged}
    return ModelLeanings(
        embedding.name,
        scores,
        frozenset(word.word for word in words if word.word not in scores),
        f"{similarity.name} with the defining pairs of {gender.id}",
    )


def leaning_figures(
    of: DocumentIdentity, sample: Sample, lists: PeopleLists, model: ModelLeanings
) -> tuple[DocumentMeasure, ...]:
    """Return the mean leaning of the describing words and occupations of a text.

    Positive: they lean to a in the model; negative: to b. Beside it stands the mean over all listed
    words. It says what the model has learnt, and not what the text says of anybody.
    """
    scores = [
        model.scores.get(entry.word) if entry.kind in _KINDS else None
        for entry in sample.found.entries
    ]
    may_lean = np.array([entry.kind in _KINDS for entry in sample.found.entries], bool)
    has_score = np.array([score is not None for score in scores], bool)
    if not has_score.any():
        return ()
    numbers = as_numbers(sample.found.numbers)
    scored = has_score[numbers]
    unknown = int(may_lean[numbers].sum()) - int(scored.sum())
    of_words = np.array([score or 0.0 for score in scores])[numbers[scored]]
    starts = _starts(sample.units_of(sample.found)[scored])
    to_a, to_b = int((of_words > model.baseline).sum()), int((of_words < model.baseline).sum())
    known = len(of_words)
    sums, sizes = np.add.reduceat(of_words, starts), np.diff(starts, append=known)
    mean = float(sums.sum()) / known
    interval = clustered_mean_interval(sums, sizes, level=LEVEL)
    sentence = leaning_sentence(
        model.model,
        known,
        unknown,
        mean,
        model.baseline,
        lists.groups,
        unit=sample.unit,
        interval=interval,
    )
    return (
        DocumentMeasure(
            document=of,
            measure="leaning",
            what="all",
            title=figure_title("leaning"),
            value=mean,
            neutral=model.baseline,
            meaning=figure_meaning("leaning", lists.groups, model.compared),
            count_a=to_a,
            count_b=to_b,
            unit=sample.unit,
            interval=interval,
            sentence=sentence,
            source=lists.source,
            model=model.model,
        ),
    )


@dataclass(frozen=True)
class TermCounts:
    """How many terms a rule is certain how to change, how many are flagged, and of which group."""

    certain: int = 0
    flagged: int = 0
    of_a: int = 0
    of_b: int = 0

    def __add__(self, other: "TermCounts") -> "TermCounts":
        return TermCounts(
            self.certain + other.certain,
            self.flagged + other.flagged,
            self.of_a + other.of_a,
            self.of_b + other.of_b,
        )


def count_terms(suggested: Iterable[Suggestion]) -> TermCounts:
    """Count suggestions by certainty and group."""
    counts = Counter((each.certain, str(each.side)) for each in suggested)
    of = {group: counts[True, group] + counts[False, group] for group in ("a", "b")}
    certain = sum(number for (is_certain, _), number in counts.items() if is_certain)
    return TermCounts(certain, counts.total() - certain, of["a"], of["b"])


def term_figures(
    of: DocumentIdentity, counts: TermCounts, aim: Aim, lists: PeopleLists, unit: str
) -> tuple[DocumentMeasure, ...]:
    """Return how many terms a rule is certain how to change.

    Flags, of which no rule is certain, are counted beside them in the sentence only.
    """
    return (
        DocumentMeasure(
            document=of,
            measure="terms",
            what=aim,
            title=figure_title("terms", what=aim_name(aim)),
            value=counts.certain,
            neutral=None,
            meaning=figure_meaning("terms"),
            count_a=counts.of_a,
            count_b=counts.of_b,
            unit=unit,
            sentence=terms_sentence(counts.certain, counts.flagged, aim),
            source=f"Rules of fairvec for {lists.language}.",
        ),
    )
