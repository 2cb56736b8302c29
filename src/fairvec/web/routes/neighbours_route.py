"""POST /api/neighbours: the nearest words of one."""

from typing import Any

from fairvec.evaluation.near_words import cut_of, keys_of_words
from fairvec.geometry import natural_similarity
from fairvec.web.opened import OpenModels
from fairvec.web.questions import AskedNeighbours


def answer_to_neighbours(models: OpenModels, question: AskedNeighbours) -> dict[str, Any]:
    """Return the nearest words and how similar each is, the nearest first."""
    opened = models[question.model]
    embedding = opened.embedding
    remarks: list[str] = []
    (key,) = keys_of_words([question.word], embedding, remarks.append)
    count = min(question.count, len(embedding) - 1)
    found = [opened.ranking.near(embedding.positions[key], count)] if count else []
    return {
        "word": key,
        "near": [embedding.keys[row] for each in found for row in each.rows[0].tolist()],
        "similarities": [one for each in found for one in each.similarities[0].tolist()],
        "similarity": natural_similarity(embedding.geometry).name,
        "remarks": [*remarks, *filter(None, [cut_of(embedding)])],
    }
