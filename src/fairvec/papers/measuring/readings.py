"""Figures about the words of a concept, not about a test: the thesis' Figures 3.1 and 3.2."""

from collections.abc import Callable

from fairvec.embedding import Embedding
from fairvec.geometry.directions import shares_of_components, unit
from fairvec.ground.errors import LexiconError, UndefinedError
from fairvec.lexicon import Concept, ConceptWords, concept
from fairvec.mitigation.words.specific import learn_specific
from fairvec.papers.measuring.occupations import beside_the_line, on_the_axis
from fairvec.papers.measuring.table_reading import ReadingOfATable
from fairvec.papers.printed.schema import Reads

PAIRS = 10
"""How many pairs the thesis took."""


def reading(embedding: Embedding, reads: Reads, name: str) -> ReadingOfATable | str:
    """Return what is read off an embedding, or the reason why nothing can be."""
    readers: dict[Reads, Callable[[Embedding, Concept], ReadingOfATable]] = {
        "pair-variance": pair_variance,
        "specific-words": specific_words,
        "jobs-on-the-axis": on_the_axis,
        "jobs-beside-the-line": beside_the_line,
    }
    try:
        return readers[reads](embedding, concept(name))
    except (LexiconError, UndefinedError) as error:
        return f"{embedding.name}: {error}"


def pair_variance(embedding: Embedding, of: Concept) -> ReadingOfATable:
    """Read off the share of the variance of pairs' differences in their first component.

    s_1^2 / sum_i s_i^2, the s_i being the singular values of the differences: brought to length one
    in the thesis, as they are between words of length one by default. Near 1 all the pairs differ
    in one direction; at 1 / (number of pairs) in nothing that they share.

    Bharti (2021), Figure 3.1, after Bolukbasi et al. (2016), arXiv:1607.06520, section 5.1.
    """
    found = ConceptWords(of, embedding).pairs((*of.definition.pairs, *of.equalise)).pairs[:PAIRS]
    if len(found) < 2:
        raise LexiconError(
            f"{len(found)} of the pairs of {of.name} can be used and 2 must be; use a model that "
            "knows these words."
        )
    a, b = (unit(embedding.rows([pair[side] for pair in found])) for side in (0, 1))
    papers, default = shares_of_components(unit(a - b)), shares_of_components(a - b)
    said = ", ".join(f"{share:.2f}" for share in papers)
    note = (
        f"Of {len(found)} pairs of {of.name} and its equality pairs, which stand in for the "
        f"paper's; all components: {said}."
    )
    return ReadingOfATable(float(papers[0]), float(default[0]), note)


def specific_words(embedding: Embedding, of: Concept) -> ReadingOfATable:
    """Read off how well a linear SVM tells specific words from neutral ones that it has not seen.

    The mean of the shares of either kind on its side of the line: 1 is all, 1/2 is chance.

    Bharti (2021), Figure 3.2 and 3.3.3, after Bolukbasi et al. (2016), section 7.
    """
    split = learn_specific(embedding, of)
    if split.taught is None:
        raise UndefinedError(f"{of.name} taught nothing; use a concept that lists specific words.")
    (said,) = split.remarks["specific_words"]
    score = split.taught.balanced_accuracy
    return ReadingOfATable(score, score, f"{of.name}, a seed of ours: {said}.")
