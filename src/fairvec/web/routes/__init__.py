"""What the interface answers: one file a question, each on the functions that the shell calls."""

from fairvec.web.questions import AskedLists
from fairvec.web.route import AskedRoute
from fairvec.web.routes.ask_route import answer_to_lists
from fairvec.web.routes.models_route import told_of_models
from fairvec.web.routes.words_route import AskedBeginning, words_like

SHIPPED = "glove-en-small"
"""The model of the examples."""

FOUR_LISTS = {
    "x": ["math", "algebra", "geometry"],
    "y": ["poetry", "art", "dance"],
    "a": ["male", "man", "boy"],
    "b": ["female", "woman", "girl"],
}

ROUTES: tuple[AskedRoute, ...] = (
    AskedRoute("models", told_of_models, "The models that are open."),
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
)
"""Every question of the interface; the OpenAPI document is made of these."""
