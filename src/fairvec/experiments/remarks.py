"""Remarks that belong before the figures: languages left out, benchmarks that are missing."""

from collections.abc import Callable, Sequence

from fairvec.benchmarks import benchmarks_for_language
from fairvec.core.errors import UnknownNameError
from fairvec.core.validation import as_list
from fairvec.encoders import Representation
from fairvec.experiments.audit.languages import languages_of, model_languages
from fairvec.languages.language import is_two_letter_code, language_codes
from fairvec.lexicon import Selectors, select_tests, shipped_suites
from fairvec.lexicon.python_lists import UNSAID
from fairvec.messages import remarks as messages
from fairvec.messages.remarks import other_languages_note, unknown_language_note


class Remarks:
    """Remarks on a run, passed to a callback as soon as they are known."""

    def __init__(self, on_remark: Callable[[str], None] | None) -> None:
        self.texts: list[str] = []
        self._on_remark = on_remark

    def add(self, text: str) -> None:
        """Add a remark; an empty text is ignored."""
        if text:
            self.texts.append(text)
            if self._on_remark:
                self._on_remark(text)


def other_languages(embedding: Representation) -> str:
    """Say so where a model of several languages is measured in one that nobody named; else ""."""
    detected = model_languages(embedding)
    if not detected.others:
        return ""
    return other_languages_note(embedding.name, detected.languages, detected.others)


def check_language(language: str | Sequence[str] | None, selectors: Selectors | None) -> str:
    """Refuse a code that is no language's; warn where no suite and no test asked is in a real one.

    Lists that do not say their language are in the model's, whichever that is. No warning where no
    test is asked: an audit then says that it finds no suite.
    """
    if language is None:
        return ""
    shipped = dict.fromkeys(sorted(suite.language for suite in shipped_suites()))
    tests = [] if selectors is None else select_tests(as_list(selectors))
    languages = {selected.test.language for selected in tests}
    unknown = [code for code in language_codes(language) if code not in {*shipped, *languages}]
    for code in unknown:
        if not (is_two_letter_code(code) or (UNSAID in languages and len(code) > 2)):
            own = f"Lists of another language say so themselves (language={code!r})."
            hint = own if len(code) > 2 else "Codes of two letters are those of ISO 639-1."
            raise UnknownNameError("language", code, shipped, hint=hint)
    if not unknown or selectors is None or UNSAID in languages:
        return ""
    return unknown_language_note(unknown, list(shipped))


def missing_benchmarks_note(embedding: Representation) -> str:
    """Say so where no benchmark of the model's languages is on this machine; else ""."""
    languages = languages_of(embedding)
    missing = [
        name for language in languages for name in benchmarks_for_language(language, at_hand=False)
    ]
    if not missing or any(
        benchmarks_for_language(language, at_hand=True) for language in languages
    ):
        return ""
    return messages.missing_benchmarks_note(embedding.name, missing[0])
