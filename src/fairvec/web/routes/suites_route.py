"""GET /api/suites: the published tests that come with fairvec, with their lists."""

from typing import Any

from fairvec.lexicon import Test, shipped_suites
from fairvec.web.asked_lists import ROLES
from fairvec.web.opened import OpenModels


def told_of_suites(_: OpenModels) -> dict[str, Any]:
    """Return each suite with those of its tests that have four lists."""
    return {
        "suites": [
            {
                "id": suite.id,
                "title": suite.title,
                "language": suite.language,
                "source": suite.source,
                "tests": [_told(test) for test in suite.tests if test.sets.keys() >= {*ROLES}],
            }
            for suite in shipped_suites()
        ]
    }


def _told(test: Test) -> dict[str, Any]:
    return {
        "id": test.id,
        "title": test.title,
        "category": test.category,
        "kind": test.kind,
        "sensitive": test.sensitive_reason,
        "titles": {role: test.sets[role].title for role in ROLES},
        "lists": {role: [word.word for word in test.sets[role].words] for role in ROLES},
    }
