"""Half-sibling regression: take from words what the concept's own words predict of them."""

from dataclasses import asdict, dataclass
from typing import ClassVar

from fairvec.embedding import Embedding
from fairvec.ground.settings import Positive, Share, check_settings
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.conceptor import own_words, shrinking
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.words.directions import vectors
from fairvec.mitigation.words.specific import Specific, specific_split


@dataclass(frozen=True)
class HalfSibling:
    """Take from neutral words what a ridge regression on specific words predicts of them.

    w' = w - strength G (G^T G + alpha I)^-1 G^T w,

    the columns of G being the specific words (`listed`: with the defining and equality words;
    `learnt`, `svm`: with those learnt, too), which stay where they are. They count with their
    lengths and are not centred, as published, so that alpha is in squared lengths: 60 was chosen
    for GloVe vectors, and shorter ones need a smaller alpha. A small alpha takes out everything
    that the words span; a large one nothing. As a map it is conceptor negation with
    aperture^2 = n / alpha.

    Yang & Feng (2020), A Causal Inference Method for Reducing Gender Bias in Word Embedding
    Relations, AAAI, 9434-9441; arXiv:1911.10787.
    """

    name: ClassVar[str] = "half-sibling"

    alpha: Positive = 60.0
    strength: Share = 1.0
    specific: Specific = "listed"

    def __post_init__(self) -> None:
        check_settings(self)

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the map that leaves of neutral words what the specific ones do not predict."""
        words = ConceptWords(concept, embedding)
        split = specific_split(words, self.specific)
        keys = own_words(words, split)
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=split.fitted_on(keys),
            guarantees=frozenset(),
            geometry=embedding.geometry,
            move=shrinking(vectors(embedding, keys, raw=True), self.alpha, self.strength),
            unmoved=split.keys,
            remarks=split.remarks,
        )
