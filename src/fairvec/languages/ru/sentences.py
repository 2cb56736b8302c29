"""A Russian sentence: readings of its words, clauses, quotations, and the case of each noun."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import groupby, pairwise

from fairvec.languages.rewriting import (
    Span,
    edit_word,
    has_word,
    is_within,
    match_case,
    quoted_spans,
    rewrite_table,
)
from fairvec.languages.ru.morphology import WordForm, forms_of
from fairvec.languages.text import Document, SentenceInText
from fairvec.results.documents import Edit

_ENDS_CLAUSE = re.compile(r"[,;:.()\[\]—–«»\"“”„!?…/]|\s-+\s")
_NAMES = {"Name", "Surn", "Patr"}
_LEAST_SCORE = 0.02
_LEAST_NAME_SCORE = 0.05
_LONGEST_INITIAL = 1
_MOSTLY_CAPITALS = 0.6
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
    """The characters between the word before and this one."""
    clause: int
    quoted: bool
    opening: bool
    """Whether a capital letter is uninformative here, as at the start of a sentence."""

    @property
    def lowercase(self) -> str:
        """The word in small letters."""
        return self.text.lower()

    @cached_property
    def forms(self) -> tuple[WordForm, ...]:
        """Every reading."""
        return forms_of(self.lowercase)

    @cached_property
    def likely_forms(self) -> tuple[WordForm, ...]:
        """The readings that are not far-fetched."""
        likely = tuple(form for form in self.forms if form.score >= _LEAST_SCORE)
        if self.text[0].isupper():
            return likely
        return tuple(form for form in likely if not form.tags & {*_NAMES, "Geox"}) or likely

    def may_be(self, *parts: str) -> bool:
        """Whether a likely reading is one of these parts of speech."""
        return any(form.pos in parts for form in self.likely_forms)

    @property
    def abbreviated(self) -> bool:
        """Whether it is written in capitals, in digits or in another script."""
        capitals = len(self.text) > _LONGEST_INITIAL and self.text.isupper()
        return capitals or not re.search("[а-яё]", self.lowercase)

    @property
    def name(self) -> bool:
        """Whether it may be the name of a person, or is written as a name of whatever kind."""
        if not self.text[0].isupper():
            return False
        if self.opening and self.forms[0].lemma in _lemmas():
            return False
        if any(form.tags & _NAMES and form.score >= _LEAST_NAME_SCORE for form in self.forms):
            return True
        if len(self.text) > _LONGEST_INITIAL and self.text.isupper():
            return False
        if self.opening:
            return not self.abbreviated and not any(form.known for form in self.forms)
        return not all(form.tags & {"Geox", "ADJF"} and form.known for form in self.likely_forms)


def phrases_in(text: str, name: str) -> Iterator[Span]:
    """Give where the phrases of a list stand in a plain text, as words."""
    for phrase, pattern in _phrases(name).items():
        if phrase in text:  # most are not, and this is quick
            yield from (match.span() for match in pattern.finditer(text))


@cache
def _phrases(name: str) -> dict[str, re.Pattern[str]]:
    phrases = rewrite_table("ru").lists[name]
    return {phrase: re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)") for phrase in phrases}


@cache
def _bound_stems() -> tuple[str, ...]:
    return tuple(map(plain, rewrite_table("ru").lists["bound"]))


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
    def has_name(self) -> bool:
        """Whether a personal name may stand in it, or one cannot tell because it is in capitals."""
        letters = [letter for letter in self.text if letter.isalpha()]
        in_capitals = sum(letter.isupper() for letter in letters) > _MOSTLY_CAPITALS * len(letters)
        return in_capitals or any(word.name for word in self.words)

    @cached_property
    def bound(self) -> bool:
        """Whether a word stands in it that body, law or custom binds to one gender."""
        return any(plain(word.text).startswith(_bound_stems()) for word in self.words)

    @cached_property
    def fixed(self) -> frozenset[int]:
        """The words that belong to a fixed expression, which is left alone."""
        places = set()
        for start, end in phrases_in(plain(self.text), "fixed"):
            first, last = start + self.start, end + self.start
            places |= {w.index for w in self.words if w.start < last and w.end > first}
        friends = [
            word.index
            for word in self.words
            if word.lowercase.startswith(("друг", "друз"))
            and any(form.lemma == "друг" for form in word.forms)
        ]
        for one, other in pairwise(friends):
            if other - one <= 2:  # друг друга, друг с другом
                places |= {one, other}
        return frozenset(places)


def paragraphs_with(
    wanted: Callable[[str], bool], document: Document, *, whole: bool
) -> Iterator[tuple[list[RussianSentence], bool]]:
    """Give the sentences that have a wanted word, or with `whole` all sentences of its paragraph.

    They come by paragraph; one without an end comes in parts, which is said.
    """
    for first, last in document.sentences.paragraph_ranges:
        paragraph = document.sentences[first:last]
        if not any(has_word(sentence, wanted) for sentence in paragraph.in_parts()):
            continue
        quoted = quoted_spans(document.text, paragraph[0].start, paragraph[-1].end)
        for part in paragraph.paragraph_parts():
            read = [
                _read_sentence(document.text, sentence, quoted)
                for sentence in part
                if whole or has_word(sentence, wanted)
            ]
            yield read, paragraph.endless


def _read_sentence(text: str, sentence: SentenceInText, quoted: Sequence[Span]) -> RussianSentence:
    words = []
    clause = 0
    done = sentence.start
    for index, token in enumerate(sentence.tokens):
        gap = text[done : token.start]
        clause += bool(index and _ENDS_CLAUSE.search(gap))
        inside = is_within(quoted, token.start)
        opening = index == 0 or (bool(re.search(r"[«\"“„:.!?…]", gap)))
        place = (token.start, token.end, gap, clause, inside, opening)
        words.append(RussianWord(index, token.text, *place))
        done = token.end
    return RussianSentence(tuple(words), text[sentence.start : sentence.end], sentence.start)


def modifiers_before(
    sentence: RussianSentence, word: RussianWord, nouns: Iterable[WordForm]
) -> tuple[tuple[RussianWord, ...], tuple[WordForm, ...]]:
    """Return the words directly before a noun that agree with it, and the readings they leave."""
    run: list[RussianWord] = []
    forms = tuple(nouns)
    relative = rewrite_table("ru").lists["relative"]
    for index in range(word.index - 1, -1, -1):
        near = sentence.words[index]
        if near.clause != word.clause or near.quoted != word.quoted:
            break
        agreeing = tuple(noun for noun in forms if any(agree(f, noun) for f in near.forms))
        if not agreeing and all(form.pos == "ADVB" for form in near.likely_forms):
            continue
        if not agreeing or any(f.lemma in relative for f in near.forms):
            break
        run.insert(0, near)
        forms = agreeing
    return tuple(run), forms


def agree(form: WordForm, noun: WordForm) -> bool:
    """Whether an adjective's reading agrees with a noun's."""
    if form.pos not in {"ADJF", "PRTF"} or (form.case, form.number) != (noun.case, noun.number):
        return False
    other = "inan" if "anim" in noun.tags else "anim"
    return other not in form.tags and (noun.number == "plur" or form.gender == noun.gender)


def word_before(
    sentence: RussianSentence, run: tuple[RussianWord, ...], word: RussianWord
) -> RussianWord | None:
    """Return the word of its clause before a noun and its run, if there is one."""
    first = run[0] if run else word
    before = sentence.words[first.index - 1] if first.index else None
    return before if before is not None and before.clause == word.clause else None


def governed_cases(
    sentence: RussianSentence, run: tuple[RussianWord, ...], word: RussianWord
) -> frozenset[str]:
    """Return the cases that a preposition before a noun and its run allows, or none without one."""
    before = word_before(sentence, run, word)
    cases = rewrite_table("ru").tables["prepositions"]
    return frozenset(cases.get(before.lowercase, "").split()) if before is not None else frozenset()


def may_be_subject(sentence: RussianSentence, word: RussianWord, form: WordForm) -> bool:
    """Whether a reading of a noun in the nominative fits what stands before it."""
    if form.pos != "NOUN" or form.case != "nomn":
        return False
    run, readings = modifiers_before(
        sentence, word, [near for near in word.likely_forms if near.pos == "NOUN"]
    )
    return form in readings and not governed_cases(sentence, run, word)


def head_noun(sentence: RussianSentence, word: RussianWord) -> int:
    """Return the place of the noun after an adjective with which it agrees, or 0 for none."""
    for near in sentence.words[word.index + 1 :]:
        if near.clause != word.clause:
            return 0
        nouns = [form for form in near.likely_forms if form.pos == "NOUN"]
        if any(agree(form, noun) for form in word.likely_forms for noun in nouns):
            return near.index
        if not near.may_be("ADJF", "PRTF", "ADVB", "PREP", "NUMR") and not nouns:
            return 0
        if nouns and not near.may_be("ADJF", "PRTF"):
            return 0
    return 0


def disambiguate_case(
    sentence: RussianSentence,
    word: RussianWord,
    run: tuple[RussianWord, ...],
    forms: tuple[WordForm, ...],
) -> tuple[WordForm, ...]:
    """Return the readings that the words around leave."""
    if cases := governed_cases(sentence, run, word):
        return tuple(form for form in forms if form.case in cases)
    forms = tuple(form for form in forms if form.case != "loct")
    before = word_before(sentence, run, word)
    for case, number, applies in (
        ("nomn", "sing", _is_singular_subject(sentence, run, word, before)),
        ("nomn", "plur", _is_plural_subject(sentence, word, before)),
        ("accs", "", _is_object_of(sentence, before, forms)),
        ("datv", "", _is_recipient(before)),
        (
            "gent",
            "",
            _is_possessor(sentence, word, before)
            and not _may_be_plural_subject(sentence, word, forms),
        ),
    ):
        remaining = tuple(f for f in forms if f.case == case and f.number in {number or f.number})
        if applies and remaining:
            return remaining
    if before is not None and (before.may_be("NUMR") or before.text.isdigit()):
        return tuple(form for form in forms if form.case not in {"accs", "nomn"}) or forms
    return forms


def _is_singular_subject(
    sentence: RussianSentence,
    run: tuple[RussianWord, ...],
    word: RussianWord,
    before: RussianWord | None,
) -> bool:
    """Whether a noun like мать, alike in two cases, is the subject of a verb next to it."""
    if before is not None and before.lowercase == "и" and before.index:
        # Отец и мать: both stand in the case of the first.
        first = sentence.words[before.index - 1]
        if first.clause == word.clause and all(
            form.pos == "NOUN" and form.case == "nomn" for form in first.likely_forms
        ):
            return True
    own = frozenset({word.index, *(near.index for near in run)})
    clause = sentence.clause(word.clause)
    after = [n for n in clause if n.index > word.index and not n.may_be("ADVB", "PRCL")][:1]
    follows = bool(after) and _verb_of_one(after[0])
    if follows and (before is None or before.may_be("CONJ", "PRCL")):
        return not any(
            _may_be_other_subject(sentence, near, word) for near in clause if near.index not in own
        )
    speech = rewrite_table("ru").lists["speech_verbs"]
    return (
        before is not None
        and _verb_of_one(before)
        and all("intr" in form.tags or form.lemma in speech for form in before.likely_forms)
        and len(clause) == len(own) + 1
    )


def _may_be_other_subject(sentence: RussianSentence, near: RussianWord, word: RussianWord) -> bool:
    """Whether another word may be the subject; after the verb what may be an object is one."""
    for form in near.likely_forms:
        if form.case == "nomn" and form.pos == "NPRO":
            return True
        if may_be_subject(sentence, near, form):
            objects = any(other.case == "accs" for other in near.likely_forms)
            return not (objects and near.index > word.index)
    return False


def _is_plural_subject(
    sentence: RussianSentence, word: RussianWord, before: RussianWord | None
) -> bool:
    """Whether a noun opens its clause before a verb in the plural: сёстры поют."""
    after = sentence.words[word.index + 1 : word.index + 2]
    with_genitive = rewrite_table("ru").lists["genitive_verbs"]
    return (
        before is None
        and bool(after)
        and after[0].clause == word.clause
        and all(
            form.pos == "VERB" and form.number == "plur" and form.lemma not in with_genitive
            for form in after[0].likely_forms
        )
    )


def _verb_of_one(word: RussianWord) -> bool:
    return all(
        form.pos == "VERB" and form.number == "sing" and form.tags & {"femn", "3per"}
        for form in word.likely_forms
    )


def _is_object_of(
    sentence: RussianSentence, verb: RussianWord | None, forms: tuple[WordForm, ...]
) -> bool:
    """Whether what follows a verb is its object: it takes the accusative and is not denied."""
    if verb is None or any(word.lowercase in {"не", "ни", "нет"} for word in sentence.words):
        return False
    verbs = [form for form in verb.likely_forms if form.pos in {"VERB", "INFN", "GRND"}]
    if len(verbs) != len(verb.likely_forms):
        return False
    hers = {form.case for form in forms} == {"nomn", "accs"}
    if hers and all(form.gender == "masc" and "tran" in form.tags for form in verbs):
        return True
    known = rewrite_table("ru").lists["accusative_verbs"]
    if any(form.lemma not in known or form.lemma.endswith("ся") for form in verbs):
        return False
    # "Увидела мать" may be what the mother saw: a verb that could be hers must have a subject.
    if not hers or all(form.pos in {"INFN", "GRND"} for form in verbs):
        return True
    before = sentence.words[verb.index - 1] if verb.index else None
    return (
        before is not None
        and before.clause == verb.clause
        and any(
            form.case == "nomn" and form.pos in {"NOUN", "NPRO"} for form in before.likely_forms
        )
    )


def _may_be_plural_subject(
    sentence: RussianSentence, word: RussianWord, forms: tuple[WordForm, ...]
) -> bool:
    """Whether several people may be the subject: в школе девочки учатся."""
    many = any((form.case, form.number) == ("nomn", "plur") for form in forms)
    return many and any(
        form.number == "plur" and form.pos in {"VERB", "ADJS", "PRTS"}
        for near in sentence.clause(word.clause)
        for form in near.likely_forms
    )


def _is_recipient(verb: RussianWord | None) -> bool:
    """Whether what follows a verb of one person is to whom something is said or given."""
    verbs = rewrite_table("ru").lists["dative_verbs"]
    return verb is not None and all(
        form.lemma in verbs and form.pos in {"VERB", "INFN"} and form.number != "plur"
        for form in verb.likely_forms
    )


def _is_possessor(sentence: RussianSentence, word: RussianWord, before: RussianWord | None) -> bool:
    """Whether a noun follows another one, and no word of the clause can have it for an object."""
    if before is None or before.abbreviated:
        return False
    if any(form.pos != "NOUN" for form in before.likely_forms):
        return False
    clause = sentence.clause(word.clause)
    if not any(
        "tran" in form.tags or form.pos in {"INFN", "PRTS"}
        for near in clause
        for form in near.likely_forms
    ):
        return True
    # После смерти отца: the verb has an object of its own, and this ends the clause.
    things = all("inan" in form.tags for form in before.likely_forms)
    return (
        things
        and word is clause[-1]
        and bool(governed_cases(sentence, _modifiers(sentence, before), before))
        and any(_may_be_object(sentence, near) for near in clause if near.index < before.index)
    )


def _modifiers(sentence: RussianSentence, word: RussianWord) -> tuple[RussianWord, ...]:
    return modifiers_before(
        sentence, word, [form for form in word.likely_forms if form.pos == "NOUN"]
    )[0]


def _may_be_object(sentence: RussianSentence, word: RussianWord) -> bool:
    """Whether a thing may be the object of a verb: in the accusative, and after no preposition."""
    return all(form.pos == "NOUN" and "inan" in form.tags for form in word.likely_forms) and (
        any(form.case == "accs" for form in word.likely_forms)
        and not governed_cases(sentence, _modifiers(sentence, word), word)
    )


def spell_edits(
    document: Document, sentence: RussianSentence, changes: Mapping[int, str]
) -> tuple[Edit, ...]:
    """Return the edits that put each new word in the place of the old one."""
    uses_yo = _uses_yo(document.text)
    edits = []
    for index, new in sorted(changes.items()):
        word = sentence.words[index]
        spelled = match_case(word.text, new if uses_yo else new.replace("ё", "е"))
        if spelled != word.text:
            edits.append(edit_word(word, spelled))
    return tuple(edits)


@lru_cache(maxsize=1)
def _uses_yo(text: str) -> bool:
    """Whether a text uses ё; cached, because every change of a long text needs it."""
    return "ё" in text.lower()
