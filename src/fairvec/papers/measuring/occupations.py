"""Words for jobs on a gender axis and beside the line of an SVM: the thesis' Figure 3.2.

The thesis prints none of its words. Ours are those of `lexicon.people`: jobs with a masculine and a
feminine form in common use, and occupations that are said of either.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.embedding.lookups import lookup_of
from fairvec.geometry.directions import pairs_pca, unit
from fairvec.ground.errors import LexiconError
from fairvec.lexicon import Concept, ConceptWords
from fairvec.lexicon.people import people_lists
from fairvec.mitigation.words.specific import learn_specific
from fairvec.papers.measuring.table_reading import ReadingOfATable

FEWEST = 3
"""Of fewer words of a kind nothing is said."""


@dataclass(frozen=True)
class Jobs:
    """The keys of jobs in the masculine, in the feminine, and of those said of either."""

    masculine: tuple[str, ...]
    feminine: tuple[str, ...]
    neutral: tuple[str, ...]

    @property
    def counted(self) -> str:
        """How many there are, in words."""
        return (
            f"{len(self.masculine)} masculine, {len(self.feminine)} feminine and "
            f"{len(self.neutral)} neutral words for jobs, a list of ours"
        )


def on_the_axis(embedding: Embedding, of: Concept) -> ReadingOfATable:
    """Read off how well an axis tells masculine from feminine words for jobs.

    The share of all couples of a masculine and a feminine word in which the first lies further to
    the masculine side, ties counting half: 1 is all, 1/2 is chance. The axis is the difference of
    the pair, by default the principal component of the concept's own pairs.

    Bharti (2021), Figure 3.2: x is the projection on the difference of हमारा and हमारी.
    """
    jobs = _jobs(embedding, of.language)
    papers, default = (
        _told_apart(embedding, jobs, concept) for concept in (of, of.choosing(of.default))
    )
    note = f"By {of.name}, by default {of.choosing(of.default).name}; {jobs.counted}."
    return ReadingOfATable(papers, default, note)


def beside_the_line(embedding: Embedding, of: Concept) -> ReadingOfATable:
    """Read off how well a linear SVM parts gendered from neutral words for jobs.

    The mean of the shares of either kind on its side, words that taught the SVM left out: 1 is all,
    1/2 is chance.

    Bharti (2021), Figure 3.2 and section 3.3.3.
    """
    split = learn_specific(embedding, of)
    taught = {*split.seed, *split.defining}
    jobs = _jobs(embedding, of.language, besides=taught)
    gendered = (*jobs.masculine, *jobs.feminine)
    below = set(split.learnt)
    found = [
        np.mean([key in below for key in gendered]),
        np.mean([key not in below for key in jobs.neutral]),
    ]
    score = float(np.mean(found))
    note = (
        f"{of.name}: {found[0]:.2f} of the gendered and {found[1]:.2f} of the neutral words are on "
        f"their side; {jobs.counted}, without those that taught the SVM."
    )
    return ReadingOfATable(score, score, note)


def _jobs(embedding: Embedding, language: str, besides: Iterable[str] = ()) -> Jobs:
    lists = people_lists(language)
    men, women = (lists.persons[side].get("job", ()) for side in ("a", "b"))
    found = (_keys(embedding, words, language) for words in (men, women, tuple(lists.occupations)))
    left_out = {*besides}
    jobs = Jobs(
        *(tuple(dict.fromkeys(key for key in keys if key not in left_out)) for keys in found)
    )
    if min(map(len, (jobs.masculine, jobs.feminine, jobs.neutral))) < FEWEST:
        raise LexiconError(
            f"{jobs.counted} can be used, and {FEWEST} of each must be; use a model that knows "
            "more of them."
        )
    return jobs


def _keys(embedding: Embedding, words: Sequence[str], language: str) -> Iterator[str]:
    lookup = lookup_of(embedding, language)
    for word in words:
        match = lookup.find((word,))
        if match is not None and not match.parts and embedding.rows(match.keys).any():
            yield match.key


def _told_apart(embedding: Embedding, jobs: Jobs, of: Concept) -> float:
    found = ConceptWords(of, embedding).pairs_of(of.definition, of.name).pairs
    a, b = (embedding.rows([pair[side] for pair in found]) for side in (0, 1))
    axis = pairs_pca(a, b)
    men, women = (
        unit(embedding.rows(list(keys))) @ axis for keys in (jobs.masculine, jobs.feminine)
    )
    further = men[:, None] - women[None, :]
    return float(np.mean((further > 0) + 0.5 * (further == 0)))
