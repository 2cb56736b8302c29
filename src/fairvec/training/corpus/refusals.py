"""Why a corpus teaches nothing, and what would help: nothing is advised that changes nothing."""

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.numbers import counted


def too_few(counts: NDArray[np.int64], kept: int, min_count: int, most_words: int | None) -> str:
    """Say that too few words are kept; `counts` are those of all different words."""
    verb = "is" if kept == 1 else "are"
    lead = f"{kept} of {counted(len(counts), 'word')} {verb} kept and a model needs two; "
    if np.count_nonzero(counts >= min_count) >= 2:
        return f"{lead}raise --max-words of {most_words}, or leave it out."
    if kept == len(counts):
        return f"{lead}give a text of more different words."
    return (
        f"{lead}the most frequent one occurs {counted(int(counts.max()), 'time')}: give more text, "
        f"or lower the smallest count of {min_count}."
    )


def all_alone(kept: int, *, rare_left_out: bool, frequent_left_out: bool) -> str:
    """Say that no two words stand near one another, by which words were left out."""
    remedy = "put a sentence or a document on a line"
    if frequent_left_out:
        remedy += ", or raise --max-words"
    elif rare_left_out:
        remedy += ", or lower the smallest count"
    return f"No two of the {kept:,} words stand in one line; {remedy}."
