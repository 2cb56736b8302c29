"""The questions that the interface answers, each on functions that the shell calls."""

from typing import Any

from fairvec.web.questions.ask import answer_to_lists, answer_with_other_lists, reproduce_snippets
from fairvec.web.questions.change import (
    answer_to_change,
    answer_to_writing,
    concepts_of_model,
    list_methods,
    map_before_and_after,
    neighbours_before_and_after,
    usefulness_before_and_after,
)
from fairvec.web.questions.compare import answer_to_comparison, tests_for_pair
from fairvec.web.questions.lists import (
    AskedBeginning,
    AskedRun,
    AskedSpelling,
    complete_word,
    list_file_remarks,
    list_models,
    list_results,
    list_suites,
    records_of_run,
    suggest_spellings,
)
from fairvec.web.questions.maps import (
    AskedAxes,
    AskedMap,
    AskedScores,
    answer_to_map,
    answer_to_neighbours,
    answer_to_scores,
    list_axes,
)
from fairvec.web.schemas import (
    AskedChange,
    AskedConcepts,
    AskedForPair,
    AskedLists,
    AskedMovedMap,
    AskedMovedNeighbours,
    AskedNeighbours,
    AskedPair,
    AskedRoute,
    AskedWriting,
)

TEST = "caliskan2017/weat-7"
CHANGE: dict[str, Any] = {
    "model": "glove-en-small",
    "concept": "en/gender",
    "method": "linear-projection",
    "strength": 0.5,
    "tests": [TEST],
}

CHANGE_ROUTES: tuple[AskedRoute, ...] = (
    AskedRoute("methods", list_methods, "The debiasing methods and their settings."),
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


SHIPPED = "glove-en-small"
"""The model of the examples."""

FOUR_LISTS = {
    "x": ["math", "algebra", "geometry"],
    "y": ["poetry", "art", "dance"],
    "a": ["male", "man", "boy"],
    "b": ["female", "woman", "girl"],
}

MATHS = "caliskan2017/weat-7"
"""The shipped test of mathematics and arts, whose lists of men and women others may replace."""

ROUTES: tuple[AskedRoute, ...] = (
    AskedRoute("models", list_models, "The models that are open."),
    AskedRoute("remarks", list_file_remarks, "What has become of the files of the open models."),
    AskedRoute("results", list_results, "The runs in the folders that were named."),
    AskedRoute(
        "run",
        records_of_run,
        "The records of a run.",
        AskedRun,
        example={"name": "runs/results.jsonl"},
        records=("records",),
    ),
    AskedRoute(
        "words",
        complete_word,
        "The words of a model that begin as what was typed.",
        AskedBeginning,
        example={"model": SHIPPED, "beginning": "phys"},
    ),
    AskedRoute(
        "ask",
        answer_to_lists,
        "Four lists put to a model: the record of an audit, and what the linter says of them.",
        AskedLists,
        "POST",
        example={"model": SHIPPED, **FOUR_LISTS},
        records=("record",),
    ),
    AskedRoute("suites", list_suites, "The published tests of four lists, with their lists."),
    AskedRoute(
        "swaps",
        answer_with_other_lists,
        "The same question with other published lists for the same concepts.",
        AskedLists,
        "POST",
        example={"model": SHIPPED, **FOUR_LISTS, "sources": {"a": MATHS, "b": MATHS}},
    ),
    AskedRoute(
        "written",
        reproduce_snippets,
        "The same question as a suite file, a command line and a program in Python.",
        AskedLists,
        "POST",
        example={"model": SHIPPED, **FOUR_LISTS},
    ),
    AskedRoute(
        "spellings",
        suggest_spellings,
        "The words of a model that are written almost like one that it does not have.",
        AskedSpelling,
        example={"model": SHIPPED, "word": "phisics"},
    ),
    AskedRoute(
        "axes",
        list_axes,
        "The axes on which a model's words can be seen: concepts, and two lists of a test.",
        AskedAxes,
        example={"model": SHIPPED},
    ),
    AskedRoute(
        "map",
        answer_to_map,
        "Where words lie on two axes, on principal components or on the Poincaré disc.",
        AskedMap,
        "POST",
        example={"model": SHIPPED, "axes": ["en/gender", "en/religion"], "first": 10},
    ),
    AskedRoute(
        "neighbours",
        answer_to_neighbours,
        "The nearest words of one, and how similar each is.",
        AskedNeighbours,
        "POST",
        example={"model": SHIPPED, "word": "nurse", "count": 5},
    ),
    AskedRoute(
        "concept-scores",
        answer_to_scores,
        "Words over several axes at once, on one scale.",
        AskedScores,
        "POST",
        example={"model": SHIPPED, "axes": ["en/gender", "en/religion"], "first": 10},
    ),
    *CHANGE_ROUTES,
)
"""Every question of the interface; the OpenAPI document is made of these."""
