"""To which group the describing words and occupations of a text lean in a model."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import natural_similarity
from fairvec.ground.errors import UndefinedError
from fairvec.ground.numbers import counted, signed
from fairvec.ground.text.shown_values import shown
from fairvec.lexicon import Test, Word, WordSet, concept, resolve
from fairvec.lexicon.people import PeopleLists, forms_listed
from fairvec.metrics.bias.parts.association import closeness
from fairvec.metrics.bias.parts.effect_size import leanings
from fairvec.results import DocumentFigure, DocumentIdentity, Interval
from fairvec.stats.intervals.clustered_mean import METHOD, clustered_mean
from fairvec.tasks.documents.measures.texts import LEVEL, Texts


@dataclass(frozen=True)
class ModelLeanings:
    """s(w, A, B) of every listed word that a model knows, and what was compared with what."""

    model: str
    scores: Mapping[str, float]
    unknown: frozenset[str]
    compared: str

    @property
    def usual(self) -> float:
        """The mean over all listed words: what a word leans in this model anyway."""
        return float(np.mean([*self.scores.values()]))


def model_leanings(embedding: Embedding, lists: PeopleLists) -> ModelLeanings:
    """Return s(w, A, B) = mean_a sim(w, a) - mean_b sim(w, b) of the listed words.

    A and B are the defining pairs of the language's concept gender, men first. Positive: the word
    leans to a; negative: to b. Caliskan, Bryson & Narayanan (2017), Science 356, 183-186.
    """
    gender = concept(f"{lists.language}/gender")
    listed = {
        **{word: ("NOUN", forms) for word, forms in lists.occupations.items()},
        **{
            word: ("ADJ", forms)
            for described in lists.describing.values()
            for word, forms in described.items()
        },
    }
    words = [
        Word(word=word, variants=forms_listed(forms), pos=pos)
        for word, (pos, forms) in listed.items()
    ]
    pairs = gender.definition.pairs or ()
    sets = {
        "words": WordSet(id="words", title="listed words", words=tuple(words)),
        "a": WordSet(id="a", title=lists.groups[0], words=tuple(pair[0] for pair in pairs)),
        "b": WordSet(id="b", title=lists.groups[1], words=tuple(pair[1] for pair in pairs)),
    }
    test = Test(
        id="document/leaning",
        title="words of a document",
        category="gender",
        kind="bias",
        language=lists.language,
        sets=sets,
    )
    groups = resolve(test, embedding)
    targets, a, b = groups["words"], groups["a"], groups["b"]
    if not (len(targets.found) and len(a.found) and len(b.found)):
        raise UndefinedError(
            f"{embedding.name} knows {len(targets.found)} of {len(words)} listed words, and "
            f"{len(a.found)} and {len(b.found)} of those that stand for {lists.groups[0]} and "
            f"{lists.groups[1]}; choose a model of the language {shown(lists.language)}."
        )
    similarity = natural_similarity(embedding.geometry)
    close = closeness(targets.vectors, a.vectors, b.vectors, similarity, embedding.geometry)
    scores = dict(
        zip((one.word.word for one in targets.found), leanings(close.means).tolist(), strict=True)
    )
    by_key = {one.key: scores[one.word.word] for one in targets.found}
    scores |= {one.word.word: by_key[one.key] for one in targets.merged}
    return ModelLeanings(
        embedding.name,
        scores,
        frozenset(word.word for word in words if word.word not in scores),
        f"{similarity.name} with the defining pairs of {gender.id}",
    )


def leaning_figures(
    of: DocumentIdentity, texts: Texts, lists: PeopleLists, model: ModelLeanings
) -> tuple[DocumentFigure, ...]:
    """Return the mean leaning of the describing words and occupations of a text.

    Positive: they lean to a in the model; negative: to b. Beside it stands the mean over all listed
    words. It says what the model has learnt, and not what the text says of anybody.
    """
    words = [
        tuple(each for each in text.found if each.entry.kind in ("describing", "occupation"))
        for text in texts.texts
    ]
    sums: dict[int, float] = {}
    sizes: dict[int, int] = {}
    unknown = to_a = to_b = 0
    for unit, found in texts.with_units(words):
        score = model.scores.get(found.entry.word)
        if score is None:
            unknown += 1
            continue
        sums[unit] = sums.get(unit, 0.0) + score
        sizes[unit] = sizes.get(unit, 0) + 1
        to_a += score > model.usual
        to_b += score < model.usual
    if not sizes:
        return ()
    a, b = lists.groups
    known = sum(sizes.values())
    mean = sum(sums.values()) / known
    ends = clustered_mean(np.array([*sums.values()]), np.array([*sizes.values()]), level=LEVEL)
    inside = f" (interval {signed(ends[0], 3)} to {signed(ends[1], 3)})" if ends else ""
    if mean == model.usual or (ends and ends[0] <= model.usual <= ends[1]):
        than = "which could as well be"
    else:
        than = f"more to {a if mean > model.usual else b} than"
    those = (
        "the one describing word or occupation has a leaning"
        if known == 1
        else f"the {known:,} describing words and occupations have a mean leaning"
    )
    said = (
        f"In {model.model} {those} of {signed(mean, 3)}{inside}, {than} the "
        f"{signed(model.usual, 3)} of all listed words; "
        f"{counted(unknown, 'more is', 'more are')} not known to it."
    )
    return (
        DocumentFigure(
            document=of,
            measure="leaning",
            what="all",
            title="Mean leaning of describing words and occupations in a model",
            value=mean,
            neutral=model.usual,
            meaning=(
                f"Larger: the words lean to {a} in the model; smaller: to {b}; neutral: as all "
                f"listed words do. By {model.compared}. It says what the model has learnt, and not "
                "what the text says."
            ),
            count_a=to_a,
            count_b=to_b,
            unit=texts.unit,
            interval=ends and Interval(low=ends[0], high=ends[1], level=LEVEL, method=METHOD),
            sentence=said,
            source=lists.source,
            model=model.model,
        ),
    )
