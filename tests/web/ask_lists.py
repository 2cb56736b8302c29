"""Four lists, and the questions that the page makes of them."""

import json
from functools import cache
from typing import Any

from fairvec.embedding import load
from fairvec.lexicon import shipped_suites
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.questions.ask import answer_to_lists
from fairvec.web.schemas import AskedLists

LISTS: dict[str, Any] = {
    "x": ["engineer", "mechanic", "carpenter", "captain", "programmer"],
    "y": ["nurse", "receptionist", "librarian", "housekeeper", "secretary"],
    "a": ["he", "man", "boy", "father"],
    "b": ["she", "woman", "girl", "mother"],
}
HOSTILE = ["$(touch owned)", "`id`", 'say "no"', "it's", "back\\slash", "<img src=x onerror=a()>"]


@cache
def models(*names: str) -> OpenModels:
    return OpenModels([OpenModel(name, name, load(name)) for name in names or ("glove-en-small",)])


def asked(model: str = "glove-en-small", /, **said: Any) -> AskedLists:
    return AskedLists.model_validate({"model": model, **LISTS, **said})


def answer(model: str = "glove-en-small", /, **said: Any) -> dict[str, Any]:
    found = answer_to_lists(models(model), asked(model, **said))
    json.dumps(found, allow_nan=False)
    return found


def published(id: str) -> dict[str, Any]:
    """A shipped test as the page asks it."""
    (test,) = (test for suite in shipped_suites() for test in suite.tests if test.id == id)
    lists = {role: [word.word for word in test.sets[role].words] for role in "xyab"}
    titles = {role: test.sets[role].title for role in "xyab"}
    return {**lists, "titles": titles, "sources": dict.fromkeys("xyab", id), "title": test.title}
