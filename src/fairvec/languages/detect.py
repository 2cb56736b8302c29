"""In which language a text is written: what was said, else what its letters say."""

from collections import Counter
from dataclasses import dataclass

from fairvec.core.errors import SettingError
from fairvec.core.text import short_repr
from fairvec.languages.language import language_codes, script, script_of_language

OF_SCRIPT = {"LATIN": "en", "CYRILLIC": "ru", "DEVANAGARI": "hi"}
"""The language that is assumed of each script."""

MOSTLY = 0.5
"""At least this share of the letters must be of the language's script."""

_COMMON = {
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


def detect_language(read: str, name: str, said: str | None = None) -> DetectedLanguage:
    """Return the language of a text, or say that it has no words or is of another script."""
    letters: Counter[str] = Counter()
    for letter, count in Counter(read).items():
        if written := script(letter):
            letters[written] += count
    if not letters:
        what = "it is empty" if not read.strip() else "it has no letters"
        raise SettingError(f"{name}: there is nothing to read here ({what}).")
    most, count = letters.most_common(1)[0]
    share = count / letters.total()
    if said is not None:
        (language,) = language_codes(said)
        expected = script_of_language(language, [])
        if expected and letters[expected] < MOSTLY * letters.total():
            raise SettingError(
                f"{name}: {share:.0%} of its letters are {most.title()}, and "
                f"{short_repr(language)} is written in {expected.title()}; say another --language, "
                "or leave it out."
            )
        return DetectedLanguage(language, _doubt(read, language))
    if most not in OF_SCRIPT:
        raise SettingError(
            f"{name}: most of its letters are {most.title()}; documents are read in "
            f"{', '.join(sorted(OF_SCRIPT.values()))}."
        )
    language = OF_SCRIPT[most]
    doubt = _doubt(read, language)
    return DetectedLanguage(
        language,
        f"The language {language} was assumed, by the script of the letters.{doubt and ' '}{doubt}",
    )


def _doubt(read: str, language: str) -> str:
    """Say so if a text of some length has hardly any of the commonest words of a language."""
    words = read[:200_000].lower().split()
    if language not in _COMMON or len(words) < _ENOUGH_WORDS:
        return ""
    common = frozenset(_COMMON[language].split())
    share = sum(word.strip(".,;:!?()\"'«»।") in common for word in words) / len(words)
    if share >= _FEWEST_COMMON:
        return ""
    return (
        f"Only {share:.0%} of its words are among the commonest of {language}: is it another "
        "language, or a list?"
    )
