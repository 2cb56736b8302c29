"""English sentences as words, with names, quotations and idioms marked; words replaced in place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import compress
from typing import NamedTuple, Protocol

from fairvec.languages.en.spelling import article
from fairvec.languages.people import paired_names
from fairvec.languages.rewriting import (
    GenderedTerm,
    RewriteTable,
    Span,
    edit_word,
    has_word,
    is_within,
    match_case,
    quoted_spans,
    rewrite_table,
)
from fairvec.languages.text import (
    Document,
    SentenceInText,
    SentencesInText,
    parse_document,
    token_pattern,
    wrapped_paragraphs,
)
from fairvec.results.documents import Edit, Side


def table() -> RewriteTable:
    """Return the table of English."""
    return rewrite_table("en")


@cache
def listed(*names: str) -> frozenset[str]:
    """Return the words of the lists of these names."""
    return frozenset(word for name in names for word in table().lists[name])


@cache
def terms() -> dict[str, GenderedTerm]:
    """Return the gendered terms but pronouns, by each of their two sides."""
    chosen = [term for term in table().terms if term.rule != "pronoun"]
    return {side: term for term in chosen for side in (term.a, term.b) if side}


@cache
def side_of(word: str) -> Side:
    """Return the group that a term or pronoun is of, a or b; empty if it is of neither."""
    for term in table().terms:
        if word in (term.a, term.b):
            return "a" if word == term.a else "b"
    return ""


def counterpart(word: str) -> str:
    """Return the term of the other group, or nothing."""
    term = terms()[word]
    return term.b if word == term.a else term.a


@cache
def function_words() -> frozenset[str]:
    """Return the words after which no noun phrase goes on: prepositions, auxiliaries and more."""
    return listed("prepositions", "conjunctions", "determiners", "auxiliaries", "modals")


class Capitalised(Protocol):
    """A word of which it is asked."""

    @property
    def text(self) -> str: ...  # noqa: D102 - the name says it
    @property
    def lowercase(self) -> str: ...  # noqa: D102 - the name says it
    @property
    def possessive(self) -> str: ...  # noqa: D102 - the name says it
    @property
    def gap(self) -> str: ...  # noqa: D102 - the name says it


def name_positions(words: Sequence[Capitalised]) -> frozenset[int]:
    """Return the places of words that may be a name: capitals that no list explains.

    A capital after in, at or near (in Paris, at New College) is a place's, unless it is possessive,
    and so is one after University of and the like.
    """
    found: set[int] = set()
    of_place: set[int] = set()
    for place, word in enumerate(words):
        if not word.text[0].isupper():
            continue
        if _is_place_name(words, place, of_place):
            of_place.add(place)
        elif not (_needs_no_name(word) if place == 0 else _is_never_name(word)):
            found.add(place)
    return frozenset(found)


class FirstNamePositions(NamedTuple):
    """The places of first names with a counterpart, and of the surnames after them."""

    first: frozenset[int]
    surnames: frozenset[int]


def find_first_names(words: Sequence[Capitalised], named: frozenset[int]) -> FirstNamePositions:
    """Return the listed first names among what may be names.

    Not after another capital (Mary Thomas, King George): there it may be a surname or a title's.
    """
    first = frozenset(
        place
        for place in named
        if words[place].lowercase in name_counterparts()
        and not _continues_name(words, place, named)
    )
    after = (place + 1 for place in first if not words[place].possessive)
    return FirstNamePositions(
        first, frozenset(place for place in after if place in named and words[place].gap == " ")
    )


def _continues_name(words: Sequence[Capitalised], place: int, named: frozenset[int]) -> bool:
    """Whether a name follows a capital that is not only that of a sentence's first word."""
    if place == 0 or words[place].gap != " " or not words[place - 1].text[0].isupper():
        return False
    return place > 1 or 0 in named or words[0].lowercase in terms()


@cache
def name_counterparts() -> dict[str, str]:
    """Return the counterpart of each listed first name, in small letters."""
    return dict(paired_names("en"))


def _is_never_name(word: Capitalised) -> bool:
    short = word.text.isupper() and 2 <= len(word.text) <= 5
    return short or word.lowercase in listed("not_names")


def _needs_no_name(word: Capitalised) -> bool:
    """Whether a first word needs no name to be capital."""
    if word.lowercase in listed("also_names"):
        return False
    if word.lowercase in listed(
        "known_words", "adverbs", "plural_people", "person_nouns", "not_names"
    ):
        return True
    term = terms().get(word.lowercase)
    if term:
        # King was born in 1950: without an article a rank in the singular is a name.
        return term.rule not in ("person", "kinship") or word.lowercase.endswith(("s", "en"))
    return word.lowercase in function_words()


def _is_place_name(words: Sequence[Capitalised], place: int, of_place: set[int]) -> bool:
    word = words[place]
    if place == 0 or word.possessive or word.gap != " ":
        return False
    before = words[place - 1].lowercase
    if word.lowercase in listed("countries") and before in ("to", "from", "for"):
        return True
    if before in ("in", "at", "near") or place - 1 in of_place:
        return True
    of_what = words[place - 2].lowercase if place > 1 else ""
    return before == "of" and of_what in listed("institutions")


_MOST_WORDS = 200


class EnglishWord(NamedTuple):
    """A word, its small letters without a possessive ending, and what stands before it."""

    text: str
    start: int
    end: int
    lowercase: str
    possessive: str
    gap: str
    """The characters since the word before it."""
    quoted: bool = False
    in_idiom: bool = False
    """Whether it is in a fixed expression."""

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital."""
        return self.text[0].isupper()


@dataclass(frozen=True)
class EnglishSentence:
    """The words of a sentence; `names` are the places of those that may be of a proper name."""

    text: str
    start: int
    words: tuple[EnglishWord, ...]
    tail: str
    """What follows the last word."""
    names: frozenset[int]
    first_names: frozenset[int] = frozenset()
    """The places of first names that are to be swapped, which are none of `names`."""
    in_part: bool = False
    """Whether it is of a paragraph that was read in parts, as it has no end."""

    def after(self, place: int, gap: str = " ") -> EnglishWord | None:
        """Return the next word, if nothing but `gap` stands between."""
        follows = place + 1 < len(self.words)
        return self.words[place + 1] if follows and self.words[place + 1].gap == gap else None

    def before(self, place: int, gap: str = " ") -> EnglishWord | None:
        """Return the word before, if nothing but `gap` stands between."""
        return self.words[place - 1] if place > 0 and self.words[place].gap == gap else None

    def gap_after(self, place: int) -> str:
        """Return the characters between a word and the next one."""
        return self.words[place + 1].gap if place + 1 < len(self.words) else self.tail

    @property
    def too_long(self) -> bool:
        """Whether it has more words than a sentence has: a list, or a text without stops."""
        return len(self.words) > _MOST_WORDS

    def has_phrase(self, place: int, *cores: str) -> bool:
        """Whether these words stand in a row from a place on, with spaces between."""
        here = self.words[place : place + len(cores)]
        return tuple(word.lowercase for word in here) == cores and all(
            word.gap == " " for word in here[1:]
        )


@dataclass(frozen=True, eq=False)
class Paragraph:
    """A paragraph with a gendered word, or a part of one without an end.

    Sentences without such a word are read only when they are needed.
    """

    document: Document
    found: Sequence[SentenceInText]
    quotes: Sequence[Span]
    swap_names: bool
    in_part: bool

    @cached_property
    def gendered(self) -> tuple[EnglishSentence, ...]:
        """The sentences with a gendered word; all, where first names may be such words."""
        return tuple(map(self._read, compress(self.found, self._has_gendered_word)))

    @cached_property
    def sentences(self) -> tuple[EnglishSentence, ...]:
        """All sentences."""
        gendered = iter(self.gendered)
        each = zip(self.found, self._has_gendered_word, strict=True)
        return tuple(next(gendered) if known else self._read(found) for found, known in each)

    @cached_property
    def _has_gendered_word(self) -> list[bool]:
        return [self.swap_names or _is_gendered(sentence) for sentence in self.found]

    def _read(self, found: SentenceInText) -> EnglishSentence:
        text = self.document.text
        sentence = _read_sentence(text, found, self.quotes, in_part=self.in_part)
        return _with_first_names(sentence) if self.swap_names else sentence


def read_paragraphs(document: Document, *, swap_names: bool = False) -> Iterator[Paragraph]:
    """Give the paragraphs with a gendered word, in the order of the text.

    Lines that break a sentence are one paragraph; one without an end comes in parts. With
    `swap_names` first names that have a counterpart are gendered words, and no names.
    """
    for sentences in _unwrap_lines(document):
        if swap_names or any(map(_is_gendered, sentences.in_parts())):
            quotes = quoted_spans(document.text, sentences[0].start, sentences[-1].end)
            for part in sentences.paragraph_parts():
                yield Paragraph(document, part, quotes, swap_names, sentences.endless)


def _is_gendered(sentence: SentenceInText) -> bool:
    """Whether a sentence, or a part of one, may hold a gendered word, first names aside."""
    return has_word(sentence, _may_be_gendered)


@lru_cache(20_000)
def _may_be_gendered(token: str) -> bool:
    core = token.lower().replace("’", "'")
    forms = {core, core.removesuffix("'s"), core.removesuffix("'s").rpartition("-")[2]}
    return not forms.isdisjoint(_gendered_forms())


@cache
def _gendered_forms() -> frozenset[str]:
    """Return the pronouns, and the first words of terms."""
    return listed("pronouns") | {term.split()[0] for term in terms()}


def _unwrap_lines(document: Document) -> Iterator[SentencesInText]:
    for first, last in wrapped_paragraphs(document):
        lines = document.sentences[first:last]
        if lines.paragraphs[0] == lines.paragraphs[-1]:
            yield lines
        else:
            span = (lines[0].start, lines[-1].end)
            yield parse_document(document.text, document.language, blocks=(span,)).sentences


def _read_sentence(
    text: str, sentence: SentenceInText, quotes: Sequence[Span], *, in_part: bool = False
) -> EnglishSentence:
    words: list[EnglishWord] = []
    done = sentence.start
    quoted = False
    for match in token_pattern().finditer(sentence.read, sentence.start, sentence.end):
        token, (start, end) = match.group(), match.span()
        core, ending = _without_possessive(token)
        if quotes:
            quoted = is_within(quotes, start)
        gap = text[done:start]
        if gap != " " and gap.isspace():
            gap = " "
        words.append(EnglishWord(token, start, end, core, ending, gap, quoted))
        done = end
    for place in set(_idiom_positions(words)):
        words[place] = words[place]._replace(in_idiom=True)
    inside = text[sentence.start : sentence.end]
    # Capitals throughout hide which words are names, so that each may be one.
    names = frozenset(range(len(words))) if inside.isupper() else name_positions(words)
    tail = text[done : sentence.end]
    return EnglishSentence(inside, sentence.start, tuple(words), tail, names, in_part=in_part)


@lru_cache(20_000)
def _without_possessive(token: str) -> tuple[str, str]:
    """Return a token in small letters without its possessive ending, and that ending."""
    core = token.lower().replace("’", "'")
    is_own_form = core in listed("pronouns", "contracted") or core in ("'s", "s's")
    if is_own_form or not core.endswith("'s"):
        return core, ""
    return core.removesuffix("'s"), token[-2:]


def _with_first_names(sentence: EnglishSentence) -> EnglishSentence:
    if sentence.text.isupper():
        return sentence
    first, surnames = find_first_names(sentence.words, sentence.names)
    return replace(sentence, names=sentence.names - first - surnames, first_names=first)


def _idiom_positions(words: list[EnglishWord]) -> Iterator[int]:
    openings = _idiom_openings()
    for place, word in enumerate(words):
        if word.lowercase not in openings:
            continue
        forms = [
            near.lowercase + near.possessive.replace("’", "'") for near in words[place : place + 4]
        ]
        for length in (2, 3, 4):
            if " ".join(forms[:length]) in listed("fixed"):
                yield from range(place, min(place + length, len(words)))


@cache
def _idiom_openings() -> frozenset[str]:
    return frozenset(idiom.split()[0].removesuffix("'s") for idiom in listed("fixed"))


def replace_word(word: EnglishWord, new: str, old: str = "") -> Edit:
    """Return the edit that puts `new` for a word, or for the part `old` at its end.

    The possessive 's stays, and is an apostrophe after a plural in s: workmen's, workers'.
    """
    end = word.end - len(word.possessive)
    start = end - len(old) if old else word.start
    text = word.text[: len(word.text) - len(word.possessive)][start - word.start :]
    ending = word.possessive
    plural = word.lowercase.endswith(("men", "s")) and not word.lowercase.endswith("ss")
    if ending and plural and new.endswith("s"):
        ending = ending[0]
    return Edit(
        start=start, end=word.end, old=text + word.possessive, new=match_case(text, new) + ending
    )


def fix_article(sentence: EnglishSentence, place: int, new: str) -> tuple[Edit, ...]:
    """Return the edit of an a or an right before where `new` shall stand, if it needs one."""
    before = sentence.before(place)
    if before is None or before.lowercase not in ("a", "an") or before.possessive:
        return ()
    if before.lowercase == article(new):
        return ()
    return (edit_word(before, match_case(before.text, article(new))),)
