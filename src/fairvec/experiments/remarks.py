"""What a person should hear before figures: languages left out, and what goes unmeasured."""

from collections.abc import Callable, Sequence

from fairvec.benchmarks import benchmarks_for_language
from fairvec.encoders import Representation
from fairvec.experiments.audit.languages import languages_of, model_languages
from fairvec.languages.language import language_codes
from fairvec.lexicon import Selectors, as_list, select_tests, shipped_suites


class Remarks:
    """What a person should know before reading outcomes, told as soon as it is known."""

    def __init__(self, on_remark: Callable[[str], None] | None) -> None:
        self.said: list[str] = []
        self._on_remark = on_remark

    def add(self, text: str) -> None:
        """Tell one; an empty one is none."""
        if text:
            self.said.append(text)
            if self._on_remark:
                self._on_remark(text)


def other_languages(embedding: Representation) -> str:
    """Say so where a model of several languages is measured in one that nobody named; else ""."""
    found = model_languages(embedding)
    if not found.others:
        return ""
    every = " ".join(f"--language {each}" for each in (*found.languages, *found.others))
    return (
        f"{embedding.name} is measured in {found.languages[0]} and fits "
        f"{', '.join(found.others)} as well: say {every} for all, or the one it is in."
    )


def unknown_language_note(said: str | Sequence[str] | None, asked: Selectors | None) -> str:
    """Say so where a model is said to be in a language that no suite and no test asked is in.

    Nothing where no test is asked: an audit then says that it finds no suite.
    """
    if said is None or asked is None:
        return ""
    shipped = dict.fromkeys(sorted(suite.language for suite in shipped_suites()))
    known = {*shipped, *(each.test.language for each in select_tests(as_list(asked)))}
    unheard = [code for code in language_codes(said) if code not in known]
    if not unheard:
        return ""
    return (
        f"No suite and no test asked is in {' or '.join(unheard)}, which is said to be the "
        f"language: shipped ones are in {', '.join(shipped)}, and lists of another language say so "
        f"themselves (language={unheard[0]!r})."
    )


def missing_benchmarks_note(embedding: Representation) -> str:
    """Say so where no benchmark of the model's languages is on this machine; else ""."""
    languages = languages_of(embedding)
    absent = [name for each in languages for name in benchmarks_for_language(each, at_hand=False)]
    if not absent or any(benchmarks_for_language(each, at_hand=True) for each in languages):
        return ""
    return (
        f"No benchmark of the language of {embedding.name} is on this machine, so what a "
        "change costs is measured by tests alone; fetch some ('fairvec benchmarks get "
        f"{absent[0]}') or set FAIRVEC_DATA."
    )
