"""POST /api/change/neighbours and /api/change/usefulness: what else a change moves."""

from typing import Any

from fairvec.evaluation.changes.usefulness import Answer
from fairvec.report.sections.before_after import about, in_words
from fairvec.web.change.change_questions import (
    AMONG,
    AskedChange,
    AskedMovedMap,
    AskedMovedNeighbours,
)
from fairvec.web.change.kept import size_of_words
from fairvec.web.change.moved_map import moved_map
from fairvec.web.change.moved_neighbours import neighbours_around
from fairvec.web.change.quick_usefulness import LONGEST, QUICK, asked_again, rated_words, tested
from fairvec.web.change.trying import fitted, judged_of
from fairvec.web.opened import OpenModels


def neighbours_before_and_after(
    models: OpenModels, question: AskedMovedNeighbours
) -> dict[str, Any]:
    """Return the nearest words of one, before and after."""
    model = models[question.model].embedding
    fit = fitted(models, question, judged_of(models, question))
    found = neighbours_around(model, fit.transform, question.word, question.count, AMONG)
    both = {"before": found.before, "after": found.after}
    return {
        "word": found.before.key,
        "among": found.among,
        "of": len(model),
        "remarks": list(found.remarks),
        **{
            side: [
                {"word": word, "similarity": float(alike)}
                for word, alike in zip(near.near, near.similarities, strict=True)
            ]
            for side, near in both.items()
        },
    }


def usefulness_before_and_after(models: OpenModels, question: AskedChange) -> dict[str, Any]:
    """Return what became of each benchmark of similarity that is at hand."""
    model = models[question.model].embedding
    fit = fitted(models, question, judged_of(models, question))
    rated = models.kept.get(
        ("rated", question.model), lambda: rated_words(model), lambda one: size_of_words(one.words)
    )
    if question.stage == "quick":
        pairs = asked_again(rated, fit.transform, most=QUICK)
        return {"rows": [_row(*pair) for pair in pairs], "remark": rated.remark}
    changes = tested(asked_again(rated, fit.transform, most=LONGEST))
    return {
        "changes": [one.model_dump(mode="json") for one in changes],
        "rows": [
            {
                "test": one.test.id,
                "title": one.test.title,
                "was": one.value_before,
                "is": one.value_after,
                "became": in_words(one),
                "sentence": about(one),
            }
            for one in changes
        ],
        "remark": rated.remark,
    }


def _row(before: Answer, after: Answer) -> dict[str, Any]:
    """Return one figure before and after, of which nothing is said yet."""
    test = after.outcome.test
    values = [one.figure.value if one.figure else None for one in (before, after)]
    return {"test": test.id, "title": test.title, "was": values[0], "is": values[1]}


def map_before_and_after(models: OpenModels, question: AskedMovedMap) -> dict[str, Any]:
    """Return words and where they lie before and after, on axes of the model as it is."""
    found = moved_map(models, question)
    ground = found.ground
    return {
        "words": list(ground.shown.keys),
        "before": [column.tolist() for column in ground.before],
        "after": [column.tolist() for column in found.after],
        "axes": [ground.across.told, ground.up.told],
        "reached": dict(ground.shown.reached),
    }
