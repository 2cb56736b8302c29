"""A small text in which some words keep company."""

from pathlib import Path

import numpy as np


def write_text(path: Path, lines: int = 300) -> Path:
    """Write lines of one of two topics, each with words of its own and some of all."""
    generator = np.random.default_rng(0)
    common = [f"common{letter}" for letter in "abcdef"]
    topics = [[f"{topic}{letter}" for letter in "abcdefgh"] for topic in ("sea", "hill")]
    written = []
    for number in range(lines):
        words = [*topics[number % 2], *common]
        written.append(" ".join(generator.choice(words, 12).tolist()))
    path.write_text("\n".join([*written, "oncealone"]) + "\n", encoding="utf-8")
    return path
