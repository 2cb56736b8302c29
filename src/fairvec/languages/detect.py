"""Detect the language of a text: the one requested if its script fits, else by its script."""

from collections import Counter
from dataclasses import dataclass

from fairvec.core.errors import SettingError
from fairvec.core.text import short_repr
from fairvec.languages.language import language_codes, script, script_of_language

LANGUAGE_OF_SCRIPT = {"LATIN": "en", "CYRILLIC": "ru", "DEVANAGARI": "hi"}
"""The language that is assumed of each script."""

SMALLEST_SHARE = 0.5
"""At least this share of the letters must be of the language's script."""

_COMMON_WORDS = {
    "en": "the of and to in a is was for that on with as it at by",
    "hi": "के में की है और से का को हैं ने पर यह कि भी एक नहीं",
    "ru": "и в на не что с по как он это она но за к из а",
}
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
    if requested is not None:
        (language,) = language_codes(requested)
        expected = script_of_language(language, [])
        if expected and letters[expected] < SMALLEST_SHARE * letters.total():
            raise SettingError(
                f"{name}: {share:.0%} of its letters are {main_script.title()}, and "
                f"{short_repr(language)} is written in {expected.title()}; say another --language, "
                "or leave it out."
            )
        return DetectedLanguage(language, _uncommon_words_remark(text, language))
    if main_script not in LANGUAGE_OF_SCRIPT:
        raise SettingError(
            f"{name}: most of its letters are {main_script.title()}; documents are read in "
            f"{', '.join(sorted(LANGUAGE_OF_SCRIPT.values()))}."
        )
    language = LANGUAGE_OF_SCRIPT[main_script]
    remark = _uncommon_words_remark(text, language)
    assumed = f"The language {language} was assumed, by the script of the letters."
    return DetectedLanguage(language, f"{assumed}{remark and ' '}{remark}")


def _uncommon_words_remark(text: str, language: str) -> str:
    """Return a remark if a longer text has hardly any of the commonest words of a language."""
    words = text[:200_000].lower().split()
    if language not in _COMMON_WORDS or len(words) < _ENOUGH_WORDS:
        return ""
    common = frozenset(_COMMON_WORDS[language].split())
    share = sum(word.strip(".,;:!?()\"'«»।") in common for word in words) / len(words)
    if share >= _FEWEST_COMMON:
        return ""
    return (
        f"Only {share:.0%} of its words are among the commonest of {language}: is it another "
        "language, or a list?"
    )
