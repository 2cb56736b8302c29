"""The tests by which a change is judged, and the words of a model that they look at."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.evaluation.auditing import audit
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.evaluation.choosing.measured_words import words_of
from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.lexicon import Selected, Test, select, shipped_suites
from fairvec.results import Outcome
from fairvec.web.asked_lists import ROLES, as_test
from fairvec.web.change.change_questions import AskedTests
from fairvec.web.questions import AskedLists


@dataclass(frozen=True, eq=False)
class JudgedWords:
    """Tests, the few words of a model that they look at, and what the model says to them."""

    tests: tuple[Selected, ...]
    words: Embedding
    before: tuple[Outcome, ...]


def tests_asked(question: AskedTests, models: Sequence[Representation]) -> tuple[Selected, ...]:
    """Return shipped tests by their ids, or the lists as a test in the language of the models."""
    if bool(question.tests) == bool(question.lists):
        raise SettingError("Choose tests or give four lists of words: one of the two.")
    if question.lists:
        return tuple(select([_own_test(question, models)]))
    known = {test.id: test for suite in shipped_suites() for test in suite.tests}
    for id in question.tests:
        if id not in known:
            raise UnknownNameError("test", id, known)
    return tuple(select([known[id] for id in question.tests]))


def _own_test(question: AskedTests, models: Sequence[Representation]) -> Test:
    """Return the test that Ask makes of these lists: its words are found as they are there."""
    lists: dict[str, Any] = {role: question.lists.get(role, []) for role in ROLES}
    said: dict[str, Any] = {"sources": question.sources, "kind": question.kind}
    spoken = dict.fromkeys(language for model in models for language in languages_of(model))
    return as_test(AskedLists(model="any", **lists, **said), tuple(spoken))


def judged_words(model: Embedding, tests: tuple[Selected, ...]) -> JudgedWords:
    """Take the words of the tests out of a model, and measure them as they are."""
    words = words_of(model, tests)
    return JudgedWords(tests, words, measured(words, tests))


def measured(words: Embedding, tests: Sequence[Selected], **how: Any) -> tuple[Outcome, ...]:
    """Return the records of the tests: what `fairvec.audit` of these words gives."""
    return tuple(audit(words, suites=[each.test for each in tests], categories=False, **how))
