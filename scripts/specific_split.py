"""How well each way finds the gender-specific words of a model: docs/debiasing.md.

The judge is the published full list (1,441 words, of which models have a few hundred), without
those of its words that the concept lists itself. It is no complete list, so that precision by it is
a lower bound, and the words that it does not know are written out to be read. Beside it: how many
of the published professions that name no gender stay with them, since those are what debiasing is
about.

FAIRVEC_DATA holds debiaswe/gender_specific_full.json and professions.json.

python -m scripts.specific_split MODEL[:poincare] ... [--concept hi/gender] [--words]
"""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

from scipy.stats import binomtest

import fairvec
from fairvec.embedding import Embedding
from fairvec.lexicon import Concept, ConceptWords, concept
from fairvec.mitigation.specific_words import (
    SpecificWords,
    learn_calibrated,
    learn_specific,
    listed_words,
)

NEUTRAL = 0.5
"""A profession is neutral where crowd workers call it by definition neither male nor female."""


def ways(model: Embedding, of: Concept) -> dict[str, SpecificWords]:
    """Return the specific words of a model by each way."""
    words = ConceptWords(of, model)
    return {
        "listed": listed_words(words),
        "svm (as published)": learn_specific(model, of),
        "svm-tuned": learn_specific(model, of, tuned=True),
        "learnt, concept's lists": learn_calibrated(words, shipped=False),
        "learnt": learn_calibrated(words),
    }


def published(name: str) -> list[list[object]] | list[str]:
    """Read one of the published lists."""
    file = Path(os.environ["FAIRVEC_DATA"]) / "debiaswe" / name
    found: list[str] = json.loads(file.read_text(encoding="utf-8"))
    return found


def share(found: int, of: int) -> str:
    """Write a share with its interval."""
    if not of:
        return "none"
    low, high = binomtest(found, of).proportion_ci(method="wilson")
    return f"{found}/{of} = {found / of:.2f} [{low:.2f}, {high:.2f}]"


def judged(model: Embedding, of: Concept, *, read: bool) -> None:
    """Print a line for each way: words kept, precision and recall on what was not listed."""
    found = ways(model, of)
    given = found["listed"].keys
    english = of.language == "en"
    full = {*map(str, published("gender_specific_full.json"))} if english else set()
    unseen = {word for word in full if word in model.positions} - given
    jobs = {
        str(row[0])
        for row in (published("professions.json") if english else ())
        if abs(float(str(row[1]))) < NEUTRAL and row[0] in model.positions and row[0] not in full
    }
    print(f"\n{model.name}: {len(model)} words, {model.geometry.name}, {len(unseen)} of the judge")
    for way, split in found.items():
        more = split.keys - given
        print(f"| {way} | {len(split.keys)} | {len(more)}", end=" | ")
        right = len(more & unseen)
        print(share(right, len(more)), share(right, len(unseen)), sep=" | ", end=" | ")
        print(len(split.keys & jobs), "|")
        for remark in split.remarks.get("specific_words", ()):
            print(f"    {remark}")
        if read:
            print("    shipped:", " ".join(split.persons))
            print("    learnt, in the judge:", " ".join(key for key in split.learnt if key in full))
            print("    learnt, not:", " ".join(key for key in split.learnt if key not in full))


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge every way on each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--concept", default="en/gender")
    parser.add_argument("--words", action="store_true")
    given = parser.parse_args(arguments)
    for name in given.models:
        file, _, geometry = name.partition(":")
        model = fairvec.load(file, geometry=geometry) if geometry else fairvec.load(file)
        judged(model, concept(given.concept), read=given.words)


if __name__ == "__main__":
    main()
