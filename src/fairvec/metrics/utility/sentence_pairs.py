"""Sentence pairs: is a sentence about somebody nearer to a stereotype than to its opposite?"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated

import numpy as np
from pydantic import Field

from fairvec.benchmarks import SentenceChoice, SentencePairSet
from fairvec.core.errors import UndefinedError
from fairvec.core.settings import settings
from fairvec.encoders import Representation
from fairvec.geometry import Similarity
from fairvec.metrics.utility.base import (
    BenchmarkScore,
    PreferenceScore,
    TextSimilarities,
    chosen_first,
    share_of,
)

Target = tuple[str, str]
"""A category, and who is spoken of."""


@settings
class StereotypeBias:
    """How much nearer a sentence about somebody is to a stereotype than to its opposite.

    d_t = mean over the sentences c about a target t of sim(c, stereotype) - sim(c, opposite), one
    for each target; the figure of a category is their mean, in units of their standard deviation.
    Sentences about one target are no independent witnesses, so a target counts once, as in the
    scores of the paper. The part `related` is no bias: how often what could follow is nearer than
    an unrelated sentence, by chance 0.5.

    Nadeem et al. (2021), doi:10.18653/v1/2021.acl-long.416, ask language models for probabilities;
    vectors have none, and their similarity stands in its place. Pairs of sentences without a
    context (CrowS-Pairs and its translations) ask nothing of vectors.
    """

    name = "stereotype-bias"
    meaning = (
        "Positive: sentences about people are nearer to a stereotype of them; negative: to its "
        "opposite; 0: to neither. Of related the share of sentences that are nearer to what could "
        "follow than to an unrelated one."
    )

    similarity: Annotated[
        Similarity | None,
        Field(description="How two points are compared; by default the geometry's own way."),
    ] = None

    def measure(
        self, benchmark: SentencePairSet, model: Representation
    ) -> tuple[BenchmarkScore, ...]:
        """Return the figure of each category of which a target was found, and that of `related`."""
        alike = TextSimilarities(benchmark, model, self.similarity)
        differences: dict[Target, list[float]] = defaultdict(list)
        related: dict[Target, list[float]] = defaultdict(list)
        for choice in benchmark.choices:
            if not alike.has(*choice[:3]):
                continue
            context, stereotype, opposite, unrelated = choice[:4]
            differences[_target(choice)].append(alike.preference(context, stereotype, opposite))
            if alike.has(unrelated):
                far = alike.between(context, unrelated)
                near = (alike.between(context, following) for following in (stereotype, opposite))
                related[_target(choice)] += [chosen_first(one, far) for one in near]
        if not differences:
            raise UndefinedError(
                f"{model.name} reads no sentence of {benchmark.title} with its pair; use a model "
                "of its language."
            )
        targets = [*dict.fromkeys(map(_target, benchmark.choices))]
        scores: list[BenchmarkScore] = [
            PreferenceScore(
                category,
                category or "stereotypes",
                "targets",
                f"sentences about {(of := _people(category))} are nearer to the stereotype than to "
                "its opposite",
                f"sentences about {of} are nearer to the opposite of the stereotype than to it",
                tuple(target for _, target in found),
                np.array([np.mean(differences[target]) for target in found]),
                sum(target[0] == category for target in targets),
                alike.missing,
            )
            for category in dict.fromkeys(category for category, _ in targets)
            if (
                found := [
                    target for target in targets if target in differences and target[0] == category
                ]
            )
        ]
        if related:
            means = {
                targets.index(target): float(np.mean(rows)) for target, rows in related.items()
            }
            wanted = len({_target(choice) for choice in benchmark.choices if choice.unrelated})
            scores.append(share_of("related", means, wanted, alike.missing))
        return tuple(scores)


def _target(choice: SentenceChoice) -> Target:
    return choice.category, choice.target


_PEOPLE: Mapping[str, str] = {
    "gender": "women and men",
    "profession": "people of a profession",
    "race": "people of a country or an origin",
    "religion": "people of a religion",
    "": "people",
}


def _people(category: str) -> str:
    return _PEOPLE.get(category, f"people ({category})")
