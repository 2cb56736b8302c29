"""A Russian sentence: the readings of its words, its clauses, what is quoted or a name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby, pairwise

from fairvec.lexicon.rewrites import rewrite_table
from fairvec.tasks.documents.document import Document, SentenceInText
from fairvec.tasks.documents.rewriting.russian.morphology import WordForm, forms_of

_ENDS_CLAUSE = re.compile(r"[,;:.()\[\]—–«»\"“”„!?…/]|\s-+\s")
_NAMES = {"Name", "Surn", "Patr"}
_LIKELY = 0.02
_LIKELY_NAME = 0.05
_LONGEST_INITIAL = 1
_SHOUTED = 0.6
_MOST_WORDS = 120


@cache
def _lemmas() -> frozenset[str]:
    return frozenset(lemma for term in rewrite_table("ru").terms for lemma in (term.a, term.b))


def plain(text: str) -> str:
    """Return a text in small letters, with е for ё."""
    return text.lower().replace("ё", "е")


@dataclass(frozen=True)
class RussianWord:
    """A word of a sentence: its place there and in the text, its readings, and its clause."""

    index: int
    text: str
    start: int
    end: int
    gap: str
    """What stands between the word before and this one."""
    clause: int
    quoted: bool
    opening: bool
    """Whether a capital letter says nothing here."""

    @property
    def low(self) -> str:
        """The word in small letters."""
        return self.text.lower()

    @cached_property
    def forms(self) -> tuple[WordForm, ...]:
        """Every reading."""
        return forms_of(self.low)

    @cached_property
    def likely(self) -> tuple[WordForm, ...]:
        """The readings that are not far-fetched."""
        likely = tuple(form for form in self.forms if form.score >= _LIKELY)
        if self.text[0].isupper():
            return likely
        return tuple(form for form in likely if not form.tags & {*_NAMES, "Geox"}) or likely

    def may_be(self, *parts: str) -> bool:
        """Whether a likely reading is one of these parts of speech."""
        return any(form.pos in parts for form in self.likely)

    @property
    def abbreviated(self) -> bool:
        """Whether it is written in capitals, in digits or in another script."""
        capitals = len(self.text) > _LONGEST_INITIAL and self.text.isupper()
        return capitals or not re.search("[а-яё]", self.low)

    @property
    def name(self) -> bool:
        """Whether it may be the name of a person, or is written as a name of whatever kind."""
        if not self.text[0].isupper():
            return False
        if self.opening and self.forms[0].lemma in _lemmas():
            return False
        if any(form.tags & _NAMES and form.score >= _LIKELY_NAME for form in self.forms):
            return True
        if len(self.text) > _LONGEST_INITIAL and self.text.isupper():
            return False
        if self.opening:
            return not self.abbreviated and not any(form.known for form in self.forms)
        return not all(form.tags & {"Geox", "ADJF"} and form.known for form in self.likely)


@dataclass(frozen=True)
class RussianSentence:
    """The words of a sentence."""

    words: tuple[RussianWord, ...]
    text: str
    start: int

    def clause(self, number: int) -> tuple[RussianWord, ...]:
        """Return the words of a clause."""
        return self._by_clause[number]

    @cached_property
    def _by_clause(self) -> tuple[tuple[RussianWord, ...], ...]:
        groups = groupby(self.words, key=lambda word: word.clause)
        return tuple(tuple(words) for _, words in groups)

    @property
    def clauses(self) -> range:
        """The numbers of its clauses."""
        return range(len(self._by_clause))

    @property
    def long(self) -> bool:
        """Whether it has so many words that it is a list, or no sentence at all."""
        return len(self.words) > _MOST_WORDS

    @cached_property
    def named(self) -> bool:
        """Whether a personal name may stand in it, or one cannot tell because it is in capitals."""
        letters = [letter for letter in self.text if letter.isalpha()]
        shouted = sum(letter.isupper() for letter in letters) > _SHOUTED * len(letters)
        return shouted or any(word.name for word in self.words)

    @cached_property
    def bound(self) -> bool:
        """Whether a word stands in it that body, law or custom binds to one gender."""
        stems = tuple(map(plain, rewrite_table("ru").lists["bound"]))
        return any(plain(word.text).startswith(stems) for word in self.words)

    @cached_property
    def fixed(self) -> frozenset[int]:
        """The words that belong to a fixed expression, which is left alone."""
        text = plain(self.text)
        found = set()
        for phrase in rewrite_table("ru").lists["fixed"]:
            for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text):
                first, last = match.start() + self.start, match.end() + self.start
                found |= {w.index for w in self.words if w.start < last and w.end > first}
        friends = [w.index for w in self.words if any(f.lemma == "друг" for f in w.forms)]
        for one, other in pairwise(friends):
            if other - one <= 2:  # друг друга, друг с другом
                found |= {one, other}
        return frozenset(found)


def sentences_of_document(document: Document) -> Iterator[tuple[int, RussianSentence]]:
    """Give the sentences of a document, each with the number of its paragraph."""
    quoted = _quoted(document.text)
    for sentence in document.sentences:
        yield sentence.paragraph, _read(document.text, sentence, quoted)


def _read(text: str, sentence: SentenceInText, quoted: bytearray) -> RussianSentence:
    words = []
    clause = 0
    done = sentence.start
    for index, token in enumerate(sentence.tokens):
        gap = text[done : token.start]
        clause += bool(index and _ENDS_CLAUSE.search(gap))
        inside = bool(quoted[token.start])
        opening = index == 0 or (bool(re.search(r"[«\"“„:.!?…]", gap)))
        place = (token.start, token.end, gap, clause, inside, opening)
        words.append(RussianWord(index, token.text, *place))
        done = token.end
    return RussianSentence(tuple(words), text[sentence.start : sentence.end], sentence.start)


def _quoted(text: str) -> bytearray:
    """Mark each character within quotation marks; what is left open ends with its line."""
    marked = bytearray(len(text))
    start = 0
    for line in text.splitlines(keepends=True):
        depth = 0
        straight = False
        first_close = line.find("»")
        if first_close >= 0 and not 0 <= line.find("«") < first_close:
            depth = 1
        for place, letter in enumerate(line):
            if letter in "«„" or (letter == "“" and not depth):
                depth += 1
            elif letter in "»”“":
                depth = max(0, depth - 1)
            elif letter == '"':
                straight = not straight
            marked[start + place] = depth > 0 or straight
        start += len(line)
    return marked
