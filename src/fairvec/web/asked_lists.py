"""The lists of a question as a test; those that began as published ones keep what is known."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from fairvec.evaluation.choosing.own_lists import language_of_words
from fairvec.ground.errors import UnknownNameError
from fairvec.languages.scripts import script_of_language
from fairvec.lexicon import Suite, Test, Word, WordSet, shipped_suites
from fairvec.lexicon.in_python import UNSAID, as_words, as_wordset
from fairvec.lexicon.suite_lists.own_tests import version_of
from fairvec.web.questions import AskedLists, RoleOfList

ROLES: tuple[RoleOfList, ...] = ("x", "y", "a", "b")
SOURCE = "Lists put together in fairvec explore."


def lists_of(question: AskedLists) -> dict[str, WordSet]:
    """Return the lists that have words, by role."""
    found = ((role, _list(role, question)) for role in ROLES)
    return {role: wordset for role, wordset in found if wordset is not None}


def as_test(question: AskedLists, spoken: Sequence[str]) -> Test:
    """Return the test, or refuse lists that can measure nothing, as a test in Python does."""
    sets = lists_of(question)
    said = {name: value for name in ("title", "category") if (value := getattr(question, name))}
    lists: dict[str, Any] = {role: sets.get(role, ()) for role in ROLES}
    language = language_of_lists(question, sets.values(), spoken)
    return Test(**lists, kind=question.kind, language=language, **said)


def suite_of(test: Test) -> Suite:
    """Return the suite of one test of one's own."""
    return Suite(tests=[test], id=test.suite, version=version_of(test.sets), source=SOURCE)


def language_of_lists(question: AskedLists, lists: Iterable[WordSet], spoken: Sequence[str]) -> str:
    """Return the language of the published lists if the words are written in it, else the model's.

    `spoken` are the languages of the model; unsaid where neither tells.
    """
    words = [word for wordset in lists for word in wordset.words]
    texts = [word.word for word in words]
    published = {_test(id).language for id in question.sources.values()}
    fitting = {
        language
        for language in published
        if script_of_language(language, texts) == script_of_language("", texts)
    }
    return fitting.pop() if len(fitting) == 1 else language_of_words(words, spoken) or UNSAID


def _list(role: RoleOfList, question: AskedLists) -> WordSet | None:
    words = as_words(role, getattr(question, role), some=False)
    title = question.titles.get(role, "")
    id = question.sources.get(role)
    if not words:
        return None
    if id is None:
        return as_wordset(role, words, title)
    source = _test(id).sets.get(role)
    if source is None:
        raise UnknownNameError(f"list of {id}", role, _test(id).sets)
    known = {word.word: word for word in source.words}
    words = tuple(known.get(word.word, word) for word in words)
    return as_wordset(role, words, title).model_copy(update=_kept(source, words))


def _kept(source: WordSet, words: Iterable[Word]) -> dict[str, object]:
    """Return what a list keeps of the one that it began as."""
    pos = source.pos if all(word.pos == source.pos for word in words) else None
    return {
        "concept": source.concept,
        "pos": pos,
        "sensitive": source.sensitive,
        "sensitive_reason": source.sensitive_reason,
    }


def _test(id: str) -> Test:
    """Return a shipped test; no file is ever read by a name that comes over the wire."""
    if id not in _shipped():
        raise UnknownNameError("test", id, _shipped())
    return _shipped()[id]


@cache
def _shipped() -> dict[str, Test]:
    return {test.id: test for suite in shipped_suites() for test in suite.tests}
