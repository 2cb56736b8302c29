"""The most frequent words are dropped here and there, so that rarer ones become neighbours."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairvec.training.corpus.encoded import EncodedCorpus, blocks_of_numbers
from fairvec.training.spilling import mapped, spilling


def thinned(corpus: EncodedCorpus, threshold: float, seed: int, folder: Path) -> NDArray[np.int32]:
    """Return the text without some of its most frequent words; its numbers go to `folder`.

    A word that makes up the share f of the text stays each time with probability
    min(1, sqrt(t / f) + t / f), as in word2vec's program (Mikolov et al., 2013, have the root
    alone). It is taken out before distances are counted: windows reach farther over what is left.
    """
    shares = corpus.counts / corpus.counts.sum()
    staying = np.minimum(1.0, np.sqrt(threshold / shares) + threshold / shares)
    # The mark between lines is the last of the numbers; it always stays.
    staying = np.append(staying, 1.0)
    generator = np.random.default_rng([seed, 2])
    with spilling(folder / "thinned.i32") as tokens:
        for block in blocks_of_numbers(corpus.tokens):
            tokens.write(block[generator.random(len(block)) < staying[block]])
    return mapped(folder / "thinned.i32", np.int32)
