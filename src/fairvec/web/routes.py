"""All routes of the interface: each question with the function that answers it."""

from typing import Any

from fairvec.web.questions.ask import answer_to_lists, answer_with_other_lists, reproduce_snippets
from fairvec.web.questions.change import (
    answer_to_change,
    answer_to_writing,
    map_before_and_after,
    neighbours_before_and_after,
    usefulness_before_and_after,
)
from fairvec.web.questions.compare import answer_to_comparison, tests_for_pair
from fairvec.web.questions.lists import (
    complete_word,
    concepts_of_model,
    list_file_remarks,
    list_methods,
    list_models,
    list_results,
    list_suites,
    records_of_run,
    suggest_spellings,
)
from fairvec.web.questions.maps import (
    answer_to_map,
    answer_to_neighbours,
    answer_to_scores,
    list_axes,
)
from fairvec.web.schemas import (
    ChangeMapRequest,
    ChangeNeighboursRequest,
    ChangeRequest,
    CommonTestsRequest,
    ComparisonRequest,
    CompletionRequest,
    ListsRequest,
    MapRequest,
    ModelRequest,
    NeighboursRequest,
    Question,
    RunRequest,
    ScoresRequest,
    SpellingRequest,
    WriteRequest,
)

TEST = "caliskan2017/weat-7"
CHANGE: dict[str, Any] = {
    "model": "glove-en-small",
    "concept": "en/gender",
    "method": "hard",
    "strength": 0.5,
    "tests": [TEST],
}

CHANGE_ROUTES: tuple[Question, ...] = (
    Question("methods", list_methods, "The debiasing methods and their settings."),
    Question(
        "concepts",
        concepts_of_model,
        "What can be taken out of a model, and the tests that judge that.",
        ModelRequest,
        example={"model": "glove-en-small"},
    ),
    Question(
        "change",
        answer_to_change,
        "A method at a strength: records before and after, and what became of each test.",
        ChangeRequest,
        "POST",
        example=CHANGE,
        record_fields=("before", "after", "changes"),
    ),
    Question(
        "change/map",
        map_before_and_after,
        "Where words lie before and after a change, on axes of the model as it is.",
        ChangeMapRequest,
        "POST",
        example=CHANGE,
    ),
    Question(
        "change/neighbours",
        neighbours_before_and_after,
        "The nearest words of a word before and after a change.",
        ChangeNeighboursRequest,
        "POST",
        example={**CHANGE, "word": "doctor"},
    ),
    Question(
        "change/usefulness",
        usefulness_before_and_after,
        "What a change does to the benchmarks of similarity that are on this machine.",
        ChangeRequest,
        "POST",
        example=CHANGE,
        record_fields=("changes",),
    ),
    Question(
        "write",
        answer_to_writing,
        "Write the debiased model into the folder of --write-to, under a new name.",
        WriteRequest,
        "POST",
        example={**CHANGE, "file": "debiased.fairvec"},
    ),
    Question(
        "compare",
        answer_to_comparison,
        "Two models beside each other: the records of both and, of the same lists, what differs.",
        ComparisonRequest,
        "POST",
        example={"models": ["glove-en-small", "glove-hi-small"], "tests": [TEST]},
    ),
    Question(
        "compare/tests",
        tests_for_pair,
        "The tests that two models can both be asked.",
        CommonTestsRequest,
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

ROUTES: tuple[Question, ...] = (
    Question("models", list_models, "The models that are open."),
    Question("remarks", list_file_remarks, "What has become of the files of the open models."),
    Question("results", list_results, "The runs in the folders that were named."),
    Question(
        "run",
        records_of_run,
        "The records of a run.",
        RunRequest,
        example={"name": "runs/results.jsonl"},
        record_fields=("records",),
    ),
    Question(
        "words",
        complete_word,
        "The words of a model that begin as what was typed.",
        CompletionRequest,
        example={"model": SHIPPED, "beginning": "phys"},
    ),
    Question(
        "ask",
        answer_to_lists,
        "Four lists put to a model: the record of an audit, and what the linter says of them.",
        ListsRequest,
        "POST",
        example={"model": SHIPPED, **FOUR_LISTS},
        record_fields=("record",),
    ),
    Question("suites", list_suites, "The published tests of four lists, with their lists."),
    Question(
        "swaps",
        answer_with_other_lists,
        "The same question with other published lists for the same concepts.",
        ListsRequest,
        "POST",
        example={"model": SHIPPED, **FOUR_LISTS, "sources": {"a": MATHS, "b": MATHS}},
    ),
    Question(
        "written",
        reproduce_snippets,
        "The same question as a suite file, a command line and a program in Python.",
        ListsRequest,
        "POST",
        example={"model": SHIPPED, **FOUR_LISTS},
    ),
    Question(
        "spellings",
        suggest_spellings,
        "The words of a model that are written almost like one that it does not have.",
        SpellingRequest,
        example={"model": SHIPPED, "word": "phisics"},
    ),
    Question(
        "axes",
        list_axes,
        "The axes on which a model's words can be seen: concepts, and two lists of a test.",
        ModelRequest,
        example={"model": SHIPPED},
    ),
    Question(
        "map",
        answer_to_map,
        "Where words lie on two axes, on principal components or on the Poincaré disc.",
        MapRequest,
        "POST",
        example={"model": SHIPPED, "axes": ["en/gender", "en/religion"], "first": 10},
    ),
    Question(
        "neighbours",
        answer_to_neighbours,
        "The nearest words of one, and how similar each is.",
        NeighboursRequest,
        "POST",
        example={"model": SHIPPED, "word": "nurse", "count": 5},
    ),
    Question(
        "concept-scores",
        answer_to_scores,
        "Words over several axes at once, on one scale.",
        ScoresRequest,
        "POST",
        example={"model": SHIPPED, "axes": ["en/gender", "en/religion"], "first": 10},
    ),
    *CHANGE_ROUTES,
)
"""Every question of the interface; the OpenAPI document is made of these."""
