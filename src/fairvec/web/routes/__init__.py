"""What the interface answers: one file a question, each on the functions that the shell calls."""

from fairvec.web.questions import AskedLists, AskedNeighbours
from fairvec.web.route import AskedRoute
from fairvec.web.routes.ask_route import answer_to_lists
from fairvec.web.routes.axes_route import AskedAxes, told_of_axes
from fairvec.web.routes.change_routes import CHANGE_ROUTES
from fairvec.web.routes.map_route import AskedMap, answer_to_map
from fairvec.web.routes.models_route import told_of_files, told_of_models
from fairvec.web.routes.neighbours_route import answer_to_neighbours
from fairvec.web.routes.results_route import AskedRun, records_of_run, told_of_results
from fairvec.web.routes.scores_route import AskedScores, answer_to_scores
from fairvec.web.routes.spellings_route import AskedSpelling, words_spelt_like
from fairvec.web.routes.suites_route import told_of_suites
from fairvec.web.routes.swaps_route import answer_with_other_lists
from fairvec.web.routes.words_route import AskedBeginning, words_like
from fairvec.web.routes.written_route import written

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
    AskedRoute("models", told_of_models, "The models that are open."),
    AskedRoute("remarks", told_of_files, "What has become of the files of the open models."),
    AskedRoute("results", told_of_results, "The runs in the folders that were named."),
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
        words_like,
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
    AskedRoute("suites", told_of_suites, "The published tests of four lists, with their lists."),
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
        written,
        "The same question as a suite file, a command line and a program in Python.",
        AskedLists,
        "POST",
        example={"model": SHIPPED, **FOUR_LISTS},
    ),
    AskedRoute(
        "spellings",
        words_spelt_like,
        "The words of a model that are written almost like one that it does not have.",
        AskedSpelling,
        example={"model": SHIPPED, "word": "phisics"},
    ),
    AskedRoute(
        "axes",
        told_of_axes,
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
