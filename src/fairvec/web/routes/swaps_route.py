"""POST /api/swaps: the same question with other published lists for the same concepts."""

from typing import Any

from fairvec.evaluation.runs.asked_metrics import asked_metrics
from fairvec.evaluation.runs.other_lists import with_other_lists
from fairvec.evaluation.runs.plan import Statistics
from fairvec.evaluation.runs.robustness import tried_lists
from fairvec.geometry import natural_similarity
from fairvec.ground.numbers import p_value, signed
from fairvec.lexicon import resolve
from fairvec.results import Swap
from fairvec.web.asked_lists import as_test
from fairvec.web.opened import OpenModels
from fairvec.web.questions import AskedLists


def answer_with_other_lists(models: OpenModels, question: AskedLists) -> dict[str, Any]:
    """Return effect and p with each pair of lists; null where the model knows too few of them."""
    opened = models[question.model]
    test = as_test(question, opened.languages)
    near = natural_similarity(opened.embedding.geometry)
    (metric,) = asked_metrics("weat", {"similarity": near})
    with opened.turns.of(f"{question.page} swaps"):
        tried = list(tried_lists(resolve(test, opened.embedding), metric, Statistics()))
    return {
        "swaps": [
            {
                "source": other.source.id,
                "title": other.source.title,
                "roles": list(other.roles),
                "titles": {role: other.source.sets[role].title for role in other.roles},
                "lists": {
                    role: [word.word for word in other.source.sets[role].words]
                    for role in other.roles
                },
                **_figures(found),
            }
            for other, found in zip(with_other_lists(test), tried, strict=True)
        ]
    }


def _figures(found: Swap | str) -> dict[str, Any]:
    if isinstance(found, str):
        return {"effect": None, "p": None, "told": "too few of its words are known"}
    told = f"d {signed(found.effect)}, p {p_value(found.p)}"
    return {"effect": found.effect, "p": found.p, "told": told}
