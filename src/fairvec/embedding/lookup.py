"""Find a word among the keys of an embedding, and say by which rules it was found.

`Lookup` tries spellings in a fixed order; `near_spellings` suggests keys for a missing word.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import islice, product

from fairvec.languages.language import language as language_named
from fairvec.languages.spelling import UPOS, case_variants, edit_distance

# Tried in this order when a word's part of speech is not given; a capitalised word starts at PROPN.
OPEN_CLASSES = ("NOUN", "ADJ", "VERB", "ADV", "PROPN")

_SAMPLE_SIZE = 1000


@dataclass(frozen=True)
class Match:
    """The key that was found for a word, and the rules that led to it.

    An entry of several words that is no key itself has the keys of its parts as `parts`, and
    joined by ` + ` as `key`; its vector is their mean.
    """

    key: str
    how: str
    parts: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the embedding that the word stands for: one, or those of its parts."""
        return self.parts or (self.key,)


class Lookup:
    """The keys of one embedding, searched by the spelling rules of one language.

    Tried in this order, and recorded in `how`: `exact` (in NFC, without joiners where the language
    ignores them); `variant` (a listed spelling variant); the language's rules (`nukta`, `nasal`,
    `yo`); `case` (lower, Title, UPPER); case and rules together. Accents are never stripped. Where
    most keys are tagged (`мужчина_NOUN`) the word's tag is added and `how` says `tagged`. Parts are
    joined by `+`, as in `variant+yo+tagged`. Among several keys the nearest spelling wins, then the
    earliest key.

    An entry of several words is tried as it is and with underscores (`underscore`), then part by
    part; if every part is found it is the `mean of parts`.

    Keys are indexed when the first word needs it; a dict that is keyed by them (such as
    `Embedding.positions`) is used as it is.
    """

    def __init__(self, keys: Iterable[str], language: str = "") -> None:
        self.language = language
        self.spelling = language_named(language).spelling
        self._keys = keys
        self._cache: dict[tuple[tuple[str, ...], str | None], Match | None] = {}

    def find(self, spellings: Sequence[str], pos: str | None = None) -> Match | None:
        """Return the key of the word written as one of `spellings`, the listed one first."""
        query = (tuple(spellings), pos)
        # The same words are looked up for coverage, by each metric, and again after a change.
        if query not in self._cache:
            self._cache[query] = self._find_entry(spellings, pos) or self._find_parts(spellings)
        return self._cache[query]

    def _find_entry(self, spellings: Sequence[str], pos: str | None) -> Match | None:
        searches = (self._find_same, self._find_respelt)[: 1 + bool(self.spelling.rules)]
        for recased, search in product((False, True), searches):
            for text, tag, marks in self._forms(spellings, pos, recased):
                if (key := search(text + tag)) is not None:
                    marks = [*marks, *self.spelling.rules_between(text + tag, key)]
                    marks += ["case"] * recased + ["tagged"] * (tag != "")
                    return Match(key, "+".join(marks) or "exact")
        return None

    def _find_parts(self, spellings: Sequence[str]) -> Match | None:
        for number, spelling in enumerate(spellings):
            if len(words := spelling.split()) < 2:
                continue
            # The entry's part of speech is not that of its parts.
            found = [match for word in words if (match := self._find_entry([word], None))]
            if len(found) == len(words):
                rules = (rule for match in found for rule in match.how.split("+"))
                marks = ["variant"] * (number > 0) + [rule for rule in rules if rule != "exact"]
                keys = tuple(match.key for match in found)
                how = "+".join(dict.fromkeys([*marks, "mean of parts"]))
                return Match(" + ".join(keys), how, keys)
        return None

    @cached_property
    def tagged(self) -> bool:
        """Whether most keys end in a universal part of speech, as in `мужчина_NOUN`."""
        step = max(1, len(self._positions) // _SAMPLE_SIZE)
        sample = list(islice(self._positions, None, None, step))
        tags = sum("_" in key and key.rpartition("_")[2] in UPOS for key in sample)
        return 2 * tags > len(sample)

    def _forms(
        self, spellings: Sequence[str], pos: str | None, recased: bool
    ) -> Iterator[tuple[str, str, list[str]]]:
        """Yield each spelling as listed or in other cases, each tag, and the rules applied."""
        for number, spelling in enumerate(spellings):
            for text in case_variants(spelling) if recased else (spelling,):
                for form in dict.fromkeys((text, text.replace(" ", "_"))):
                    marks = ["variant"] * (number > 0) + ["underscore"] * (form != text)
                    for tag in self._tags(spelling, pos):
                        yield form, tag, marks

    def _tags(self, spelling: str, pos: str | None) -> Iterator[str]:
        # Untagged first: the entry may itself be written with its tag.
        yield ""
        if self.tagged:
            proper_noun = ("PROPN",) if spelling[:1].isupper() else ()
            for tag in (pos,) if pos else dict.fromkeys((*proper_noun, *OPEN_CLASSES)):
                yield f"_{tag}"

    def _find_same(self, text: str) -> str | None:
        if text in self._positions:
            return text
        text = self.spelling.normalize(text)
        return text if text in self._positions else self._by_normal_form.get(text)

    def _find_respelt(self, text: str) -> str | None:
        fold = self.spelling.fold(text)
        candidates = list(self._by_folded_form.get(fold, ()))
        if (same := self._find_same(fold)) is not None:
            candidates.append(same)
        normalize = self.spelling.normalize
        text = normalize(text)
        return min(
            candidates,
            key=lambda key: (edit_distance(text, normalize(key)), self._positions[key]),
            default=None,
        )

    @cached_property
    def _positions(self) -> dict[str, int]:
        if isinstance(self._keys, dict):
            return self._keys
        return {key: row for row, key in enumerate(dict.fromkeys(self._keys))}

    @cached_property
    def _by_normal_form(self) -> dict[str, str]:
        """The earliest key of each normal form, for the few keys that are not normalised."""
        index: dict[str, str] = {}
        normalize = self.spelling.normalize
        for key in self._positions:
            if not key.isascii() and (form := normalize(key)) != key:
                index.setdefault(form, key)
        return index

    @cached_property
    def _by_folded_form(self) -> dict[str, list[str]]:
        """The keys of each folded form, for those keys that folding changes."""
        index: dict[str, list[str]] = {}
        for key in self._positions:
            if not key.isascii() and (fold := self.spelling.fold(key)) != key:
                index.setdefault(fold, []).append(key)
        return index


MOST_SUGGESTIONS = 3
MAX_LENGTH_DIFFERENCE = 2


def near_spellings(word: str, keys: Iterable[str]) -> list[str]:
    """Return up to three keys that are written most like a word, the most alike first.

    Only keys with its first letter and about its length are compared, which keeps it fast.
    """
    first = word[:1].lower()
    candidates = [
        key
        for key in keys
        if key[:1].lower() == first and abs(len(key) - len(word)) <= MAX_LENGTH_DIFFERENCE
    ]
    return get_close_matches(word.lower(), candidates, n=MOST_SUGGESTIONS)
