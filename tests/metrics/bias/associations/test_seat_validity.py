"""Where there is no bias, SEAT finds some as often as it says: words at random, lists unlike."""

import numpy as np
import pytest
from scipy.stats import binom

import fairvec
from fairvec.embedding import Embedding
from fairvec.languages.words import WordSet
from fairvec.lexicon import Test, resolve, shipped_suites
from fairvec.metrics import TwoSamples
from fairvec.metrics.bias.seat import Seat
from fairvec.stats import permutation_test

STUDIES = 300
FAIR = Seat()
PAPERS = Seat(target_templates="own", attribute_templates="own")


def pool(embedding: Embedding, language: str) -> list[str]:
    """Every word of the shipped suites of a language, whatever its part of speech."""
    suites = [suite for suite in shipped_suites() if suite.language == language]
    lists = (each for suite in suites for test in suite.tests for each in test.sets.values())
    words = dict.fromkeys(word.word for each in lists for word in each.words)
    return [word for word in words if word in embedding.positions]


def false_alarms(
    seat: Seat, model: str, language: str, parts: str, size: int = 8, studies: int = STUDIES
) -> int:
    """How often p <= 0.05 where all words are drawn alike and lists differ in part of speech."""
    embedding = fairvec.load(model)
    words, alarms = pool(embedding, language), 0
    for seed in range(studies):
        drawn = iter(np.random.default_rng(seed).permutation(words).tolist())
        test = Test(
            id="null/one",
            title="Null",
            category="none",
            kind="bias",
            language=language,
            sets={
                role: WordSet.model_validate(
                    {
                        "id": role,
                        "title": role,
                        "pos": pos,
                        "words": [next(drawn) for _ in range(size)],
                    }
                )
                for role, pos in zip("xyab", parts.split(), strict=True)
            },
        )
        score = seat.measure(resolve(test, embedding), embedding.geometry)
        assert bool(score.doubt) == (seat is PAPERS)
        assert isinstance(score.samples, TwoSamples)
        x, y = (score.samples.leanings(rows) for rows in (score.samples.x, score.samples.y))
        alarms += permutation_test(x, y).value <= 0.05
    return alarms


@pytest.mark.parametrize(
    ("model", "language"), [("glove-en-small", "en"), ("glove-hi-small", "hi")]
)
@pytest.mark.parametrize("parts", ["PROPN ADJ NOUN NOUN", "NOUN ADJ NOUN ADJ"])
def test_shared_templates_hold_the_level_and_those_of_parts_of_speech_do_not(
    model: str, language: str, parts: str
) -> None:
    low, high = binom.interval(0.99, STUDIES, 0.05)
    assert low <= false_alarms(FAIR, model, language, parts) <= high
    assert false_alarms(PAPERS, model, language, parts) > high
