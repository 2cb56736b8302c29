"""POST /api/neighbours: the nearest words of one."""

from typing import Any

from fairvec.evaluation.near_words import cut_of, keys_of_words, near_words
from fairvec.geometry import natural_similarity
from fairvec.web.opened import OpenModels
from fairvec.web.questions import AskedNeighbours


def answer_to_neighbours(models: OpenModels, question: AskedNeighbours) -> dict[str, Any]:
    """Return the nearest words and how similar each is, the nearest first."""
    embedding = models[question.model].embedding
    remarks: list[str] = []
    (key,) = keys_of_words([question.word], embedding, remarks.append)
    count = min(question.count, len(embedding) - 1)
    found = near_words(embedding, [key], count) if count else []
    return {
        "word": key,
        "near": [word for each in found for word in each.near],
        "similarities": [one for each in found for one in each.similarities.tolist()],
        "similarity": natural_similarity(embedding.geometry).name,
        "remarks": [*remarks, *filter(None, [cut_of(embedding)])],
    }
