"""The questions about change and comparison."""

from typing import Any

from fairvec.web.change.change_questions import (
    AskedChange,
    AskedConcepts,
    AskedForPair,
    AskedMovedMap,
    AskedMovedNeighbours,
    AskedPair,
    AskedWriting,
)
from fairvec.web.route import AskedRoute
from fairvec.web.routes.change_around_route import (
    map_before_and_after,
    neighbours_before_and_after,
    usefulness_before_and_after,
)
from fairvec.web.routes.change_route import answer_to_change
from fairvec.web.routes.compare_route import answer_to_comparison, tests_for_pair
from fairvec.web.routes.concepts_route import concepts_of_model
from fairvec.web.routes.methods_route import told_of_methods
from fairvec.web.routes.write_route import answer_to_writing

TEST = "caliskan2017/weat-7"
CHANGE: dict[str, Any] = {
    "model": "glove-en-small",
    "concept": "en/gender",
    "method": "linear-projection",
    "strength": 0.5,
    "tests": [TEST],
}

CHANGE_ROUTES: tuple[AskedRoute, ...] = (
    AskedRoute("methods", told_of_methods, "The debiasing methods and their settings."),
    AskedRoute(
        "concepts",
        concepts_of_model,
        "What can be taken out of a model, and the tests that judge that.",
        AskedConcepts,
        example={"model": "glove-en-small"},
    ),
    AskedRoute(
        "change",
        answer_to_change,
        "A method at a strength: records before and after, and what became of each test.",
        AskedChange,
        "POST",
        example=CHANGE,
        records=("before", "after", "changes"),
    ),
    AskedRoute(
        "change/map",
        map_before_and_after,
        "Where words lie before and after a change, on axes of the model as it is.",
        AskedMovedMap,
        "POST",
        example=CHANGE,
    ),
    AskedRoute(
        "change/neighbours",
        neighbours_before_and_after,
        "The nearest words of a word before and after a change.",
        AskedMovedNeighbours,
        "POST",
        example={**CHANGE, "word": "doctor"},
    ),
    AskedRoute(
        "change/usefulness",
        usefulness_before_and_after,
        "What a change does to the benchmarks of similarity that are on this machine.",
        AskedChange,
        "POST",
        example=CHANGE,
        records=("changes",),
    ),
    AskedRoute(
        "write",
        answer_to_writing,
        "Write the debiased model into the folder of --write-to, under a new name.",
        AskedWriting,
        "POST",
        example={**CHANGE, "file": "debiased.fairvec"},
    ),
    AskedRoute(
        "compare",
        answer_to_comparison,
        "Two models beside each other: the records of both and, of the same lists, what differs.",
        AskedPair,
        "POST",
        example={"models": ["glove-en-small", "glove-hi-small"], "tests": [TEST]},
    ),
    AskedRoute(
        "compare/tests",
        tests_for_pair,
        "The tests that two models can both be asked.",
        AskedForPair,
        example={"model": "glove-en-small", "other": "glove-hi-small"},
    ),
)
"""Every question of the views Change and Compare."""
