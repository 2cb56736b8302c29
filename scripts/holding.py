"""How often an effect is called thin or fragile where all words are alike but for noise.

The figures of `qualify_by_robustness` in experiments/audit/robustness.py: made-up embeddings in
which the target words lean by a planted part, none at all in the first and last line, and every
word has noise of its own. What is fragile there is so by luck.

python -m scripts.holding [embeddings]
"""

import sys
from collections import Counter

import numpy as np

from fairvec.embedding import Embedding
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import run_tests
from fairvec.lexicon import SelectedTest, parse_suite
from fairvec.metrics.bias.weat import Weat
from fairvec.results import Result

WORDS, DIMENSIONS = 8, 50
PLANTED = ((0.0, 1.0), (0.05, 1.0), (0.1, 1.0), (0.1, 3.0), (0.15, 3.0), (0.0, 3.0))
"""How far target words lean, and how noisy attribute words are."""

KEYS = {role: [f"{role}{number}" for number in range(WORDS)] for role in "xyab"}
HEAD = """
id = "noise"
version = "1"
title = "Noise"
language = "en"
source = "Made up"
licence = "CC0-1.0"
"""
TEST = """
[[tests]]
id = "one"
title = "One"
category = "gender"
kind = "bias"
x = "x"
y = "y"
a = "a"
b = "b"
"""


def suite_text() -> str:
    """Return a suite of one test whose words are numbered."""
    lists = (f'[sets.{role}]\ntitle = "{role}"\nwords = {words}\n' for role, words in KEYS.items())
    return HEAD + "".join(lists) + TEST


def synthetic_model(planted: float, noise: float, seed: int) -> Embedding:
    """Return an embedding in which x and y lean apart by so much, a and b as far as can be."""
    generator = np.random.default_rng(seed)
    leaning = {"x": planted, "y": -planted, "a": 1.0, "b": -1.0}
    rows = []
    for role, words in KEYS.items():
        own = generator.normal(size=(len(words), DIMENSIONS)) / np.sqrt(DIMENSIONS)
        own *= noise if role in "ab" else 1.0
        own[:, 0] += leaning[role]
        rows.append(own)
    keys = [word for words in KEYS.values() for word in words]
    return Embedding(keys, np.concatenate(rows), name="made up")


def main() -> None:
    """Print one line a planted effect."""
    embeddings = int(sys.argv[1]) if sys.argv[1:] else 150
    suite = parse_suite(suite_text())
    selected = (SelectedTest(suite, suite.tests[0]),)
    statistics = Statistics(robust=True, interval="none")
    for planted, noise in PLANTED:
        models = (synthetic_model(planted, noise, seed) for seed in range(embeddings))
        outcomes = (run_tests(model, selected, Weat(), statistics) for model in models)
        found = [one for (one,) in outcomes if isinstance(one, Result)]
        kinds = Counter(
            one.robustness.holds if one.robustness and one.robustness.holds else one.verdict.kind
            for one in found
        )
        sys.stdout.write(f"leaning {planted}, noise {noise}: {dict(sorted(kinds.items()))}\n")


if __name__ == "__main__":
    main()
