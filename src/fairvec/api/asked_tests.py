"""The tests of a call of Python: named, held as objects, or as lists that stand in the call."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairvec.encoders import Representation
from fairvec.evaluation.choosing.own_lists import tests_in_language
from fairvec.ground.errors import SettingError
from fairvec.lexicon import ROLES, Asked, Selector, Test, listed


def asked_tests(
    models: Sequence[Representation],
    *,
    suites: Asked | None = None,
    tests: Test | Iterable[Test] | None = None,
    **said: Any,
) -> list[Selector] | None:
    """Return all that is asked for, in the language of the models where none is said."""
    asked = all_asked(suites=suites, tests=tests, **said)
    return None if asked is None else tests_in_language(asked, models)


def all_asked(
    *, suites: Asked | None = None, tests: Test | Iterable[Test] | None = None, **said: Any
) -> list[Selector] | None:
    """Return all that is asked for together; None where nothing is, and what fits is to be chosen.

    Lists that stand in the call are one more test, of the suite `own`.
    """
    if suites is None and tests is None and not said:
        return None
    asked = _given("suites", suites) + _given("tests", tests)
    if said:
        if not any(role in said for role in ROLES):
            raise SettingError(
                f"{next(iter(said))}= describes lists, and the call has none; give x=, y=, a= and "
                "b=, or say it of the Test."
            )
        asked.append(Test(**said))
    return asked


def refuse_lists(call: str, settings: Mapping[str, Any]) -> None:
    """Say how lists of words are given to a call that takes tests of them alone."""
    for role in ROLES:
        if role in settings:
            raise SettingError(
                f"{call} takes lists as a test; say tests=Test({role}=[...], ...) with all of them."
            )


def _given(name: str, asked: Asked | None) -> list[Selector]:
    found = [] if asked is None else [one for one in listed(asked) if one != ""]
    if asked is not None and not found:
        raise SettingError(
            f"{name}= names no {name[:-1]}; leave it out to use the suites that fit."
        )
    return found
