"""Detect the language of a text: the one requested if its script fits, else by script and words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from fairvec.core.errors import SettingError
from fairvec.core.text import short_repr
from fairvec.languages.language import (
    Language,
    known_languages,
    language_codes,
    script,
    script_of_language,
)
from fairvec.languages.language import language as language_named
from fairvec.languages.text import without_punctuation

SMALLEST_SHARE = 0.5
"""At least this share of the letters must be of the language's script."""

_ENOUGH_WORDS, _FEWEST_COMMON = 20, 0.04


@dataclass(frozen=True)
class DetectedLanguage:
    """The language of a text, and what a reader should know of how it was found."""

    language: str
    remark: str = ""


def detect_language(text: str, name: str, requested: str | None = None) -> DetectedLanguage:
    """Return the language of a text; one without letters or of another script is refused."""
    letters: Counter[str] = Counter()
    for letter, count in Counter(text).items():
        if letter_script := script(letter):
            letters[letter_script] += count
    if not letters:
        problem = "it is empty" if not text.strip() else "it has no letters"
        raise SettingError(f"{name}: there is nothing to read here ({problem}).")
    main_script, count = letters.most_common(1)[0]
    share = count / letters.total()
    words = _first_words(text)
    if requested is not None:
        (language,) = language_codes(requested)
        expected = script_of_language(language, [])
        if expected and letters[expected] < SMALLEST_SHARE * letters.total():
            raise SettingError(
                f"{name}: {share:.0%} of its letters are {main_script.title()}, and "
                f"{short_repr(language)} is written in {expected.title()}; say another --language, "
                "or leave it out."
            )
        return DetectedLanguage(language, _uncommon_words_remark(words, language))
    language, evidence = _by_script_and_words(words, name, main_script)
    remark = _uncommon_words_remark(words, language)
    assumed = f"The language {language} was assumed, by {evidence}."
    return DetectedLanguage(language, f"{assumed}{remark and ' '}{remark}")


def _by_script_and_words(words: Sequence[str], name: str, main_script: str) -> tuple[str, str]:
    """Return the language of a script, by its commonest words if several have it, and how."""
    shares = {
        known.code: _common_share(words, known)
        for known in known_languages()
        if known.script == main_script
    }
    if not shares:
        raise SettingError(
            f"{name}: most of its letters are {main_script.title()}; documents are read in "
            f"{', '.join(known.code for known in known_languages())}."
        )
    best = [language for language in shares if shares[language] == max(shares.values())]
    if len(best) > 1:
        raise SettingError(
            f"{name}: by its letters and words it may be in {' or '.join(best)}; name its "
            "--language."
        )
    evidence = "the script of the letters"
    return best[0], evidence if len(shares) == 1 else f"{evidence} and the commonest words"


def _uncommon_words_remark(words: Sequence[str], language: str) -> str:
    """Return a remark if a longer text has hardly any of the commonest words of a language."""
    known = language_named(language)
    if not known.function_words or len(words) < _ENOUGH_WORDS:
        return ""
    share = _common_share(words, known)
    if share >= _FEWEST_COMMON:
        return ""
    return (
        f"Only {share:.0%} of its words are among the commonest of {language}: is it another "
        "language, or a list?"
    )


def _first_words(text: str) -> list[str]:
    return text[:200_000].lower().split()


@cache
def _common_words(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _common_share(words: Sequence[str], language: Language) -> float:
    """Return the share of the words that are among the commonest of a language."""
    common = _common_words(language.function_words)
    return sum(without_punctuation(word) in common for word in words) / max(1, len(words))
