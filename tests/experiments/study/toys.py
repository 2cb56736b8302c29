"""A small study: two corpora of made-up sentences, a suite of four lists, a plan."""

from pathlib import Path

import numpy as np

from fairvec.results.study import CellEffect, CellKey, StudyCell

X, Y = ["rose", "lily", "iris", "daisy"], ["wasp", "moth", "flea", "gnat"]
A, B = ["love", "peace", "joy", "gift"], ["pain", "war", "grief", "poison"]
OTHERS = [f"word{letter}" for letter in "abcdefghijkl"]

SUITE = f"""
id = "toy"
language = "en"
version = "1"
title = "Toys"
source = "Made up here."
licence = "CC0"
[sets.x]
title = "flowers"
words = {X}
[sets.y]
title = "insects"
words = {Y}
[sets.a]
title = "pleasant words"
words = {A}
[sets.b]
title = "unpleasant words"
words = {B}
[[tests]]
id = "one"
title = "Flowers and insects"
category = "baseline"
kind = "baseline"
x = "x"
y = "y"
a = "a"
b = "b"
"""

PLAN = """
language = "en"
min_count = 2
windows = [2, 4]
dims = [4]
seeds = [1, 2]
suites = ["toy.toml"]

[corpora]
kind = ["kind.txt"]
plain = ["plain.txt"]

[models.glove]
epochs = 3
"""


def sentences(lean: float, seed: int, lines: int = 400) -> str:
    """Return lines in which flowers stand beside pleasant words with the chance `lean`."""
    generator = np.random.default_rng(seed)
    written = []
    for _ in range(lines):
        flower = generator.random() < 0.5
        pleasant = flower == (generator.random() < lean)
        some = [
            *generator.choice(X if flower else Y, 2),
            *generator.choice(A if pleasant else B, 2),
        ]
        written.append(" ".join([*some, *generator.choice(OTHERS, 2)]))
    return "\n".join(written) + "\n"


def write_study_files(folder: Path, plan: str = PLAN) -> Path:
    """Write suite, corpora and plan; return the path of the plan."""
    (folder / "toy.toml").write_text(SUITE.replace("'", '"'))
    (folder / "kind.txt").write_text(sentences(0.95, 1))
    (folder / "plain.txt").write_text(sentences(0.5, 2))
    (folder / "plan.toml").write_text(plan)
    return folder / "plan.toml"


def place(corpus: str = "news", seed: int = 1, **more: object) -> CellKey:
    """Return a place of a grid."""
    return CellKey.model_validate(
        {"corpus": corpus, "model": "glove", "window": 5, "dim": 10, "seed": seed} | more
    )


def cell(at: CellKey, effect: float | None, test: str = "toy/one") -> StudyCell:
    """Return a cell with one effect, or none."""
    found = CellEffect(
        test=test, metric="weat", effect=effect or 0, low=-1, high=1, p=0.5, words=16
    )
    effects = () if effect is None else (found,)
    return StudyCell(place=at, effects=effects, gaps=(), sha256="0", words=20, seconds=1.0)
