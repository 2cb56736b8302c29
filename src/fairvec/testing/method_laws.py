"""The laws of debiasing methods, and a check of each guarantee that a method may declare."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np

from fairvec.core.errors import FairvecError
from fairvec.core.io.atomic_files import scratch_folder
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls
from fairvec.languages.words import Word
from fairvec.lexicon import ConceptWords
from fairvec.mitigation import Debiaser, Transform, fit_checked, load_transform, save_transform
from fairvec.mitigation.concept_direction import tangent_vectors
from fairvec.mitigation.methods.erasure import label_words
from fairvec.testing.planted import NEUTRAL, planted_concept, planted_embedding, require

FOLDS = 5


def moved_keys(transform: Transform, model: Embedding) -> list[str]:
    """Return the keys that the move itself applies to: neither fixed nor placed."""
    return [key for key in model.keys if key not in transform.unmoved | transform.placed.keys()]


def direction_removed(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Nothing is left along the basis of the move; without a basis the guarantee is false."""
    basis = transform.move.tensors().get("basis")
    rows = tangent_vectors(after, moved_keys(transform, after), raw=True)
    if basis is None:
        return False
    along = rows @ basis.T
    return bool((np.abs(along) < 1e-12 * np.linalg.norm(rows, axis=1)[:, None] + 1e-15).all())


def pairs_equidistant(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """A moved word is as far from one word of every equality pair as from the other."""
    concept = planted_concept()
    pairs = ConceptWords(concept, before).pairs(concept.equalise).pairs
    a, b = (after.rows([pair[side] for pair in pairs]) for side in (0, 1))
    neutral = after.rows(moved_keys(transform, after))
    difference = after.geometry.distances(neutral, a) - after.geometry.distances(neutral, b)
    return bool(difference.size and (np.abs(difference) < 1e-6).all())


def keeps_directions(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Along the direction of the verbs nothing has changed."""
    rows = before.rows(["goes-m", "goes-f", "sees-m", "sees-f", "eats-m", "eats-f"])
    units = rows / np.linalg.norm(rows, axis=1)[:, None]
    verbs = np.linalg.svd(units[::2] - units[1::2])[2][0]
    return bool(np.allclose(before.vectors @ verbs, after.vectors @ verbs, atol=1e-12))


def idempotent(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Transforming again changes nothing."""
    twice = transform.transform(after)
    return bool(np.allclose(twice.vectors, after.vectors, rtol=1e-9, atol=1e-12))


def preserves_norms(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Every word is as far from the origin as it was."""
    both = (tangent_vectors(each, each.keys, raw=True) for each in (before, after))
    was, now = (np.linalg.norm(each, axis=1) for each in both)
    return bool(np.allclose(was, now, rtol=1e-12))


def not_readable(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Classifiers trained on four fifths of the words guess the labels of the last by chance.

    The words are those that the settings `words` and `each` say, else the defining ones.
    """
    # Here and not above: sklearn is slow to import.
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    settings = transform.settings
    which, each = settings.get("words", "defining"), settings.get("each")
    labelled = label_words(ConceptWords(planted_concept(), before), which, each)
    rows = tangent_vectors(after, labelled.keys, raw=True)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=7)
    right = cross_val_score(
        LogisticRegression(max_iter=2000), rows / rows.std(), labelled.labels, cv=folds
    ).mean()
    chance = np.bincount(labelled.labels).max() / len(rows)
    return bool(right <= chance + 2 * np.sqrt(chance * (1 - chance) / len(rows)))


CHECKS: dict[str, Callable[[Embedding, Embedding, Transform], bool]] = {
    "direction-removed": direction_removed,
    "pairs-equidistant": pairs_equidistant,
    "kept-directions-untouched": keeps_directions,
    "idempotent": idempotent,
    "norm-kept": preserves_norms,
    "not-linearly-readable": not_readable,
}
NOT_MET_BEFORE = ("direction-removed", "pairs-equidistant", "not-linearly-readable")
"""Guarantees that the planted embedding does not meet before it is changed."""


METHOD_SPACES: tuple[Geometry, ...] = (Euclidean(), Poincare(), Poincare(2.5), ProductOfBalls(5))
HELD_OUT = ("king", "queen", "uncle", "bride", *NEUTRAL[:20])
"""The held-out words."""


def fit_planted(method: Debiaser, space: Geometry, **settings: Any) -> tuple[Embedding, Transform]:
    """Return the planted embedding, and the method fitted on it."""
    before = planted_embedding(space, **settings)
    return before, fit_checked(method, before, planted_concept())


def declared_guarantees_hold(method: Debiaser, space: Geometry) -> None:
    """Every guarantee holds afterwards, and those that mean a change did not hold before."""
    before, transform = fit_planted(method, space)
    after = transform.transform(before)
    for name in sorted(transform.guarantees):
        require(CHECKS[name](before, after, transform), f"it promises {name}, which does not hold.")
        if name in NOT_MET_BEFORE:
            require(
                not CHECKS[name](before, before, transform),
                f"it promises {name}, which held before anything was done.",
            )


def result_is_an_embedding(method: Debiaser, space: Geometry) -> None:
    """The input is untouched, and the output is another embedding of the same words and space."""
    before = planted_embedding(space)
    copy = before.vectors.copy()
    transform = fit_checked(method, before, planted_concept())
    after = transform.transform(before)
    require(np.array_equal(before.vectors, copy), "it changes the embedding that it is given.")
    require(after.keys == before.keys and after.geometry == space, "it changes words or space.")
    require(
        space.contains(np.asarray(after.vectors, np.float64)).all(),
        "it takes words out of the space.",
    )
    require(not np.shares_memory(after.vectors, before.vectors), "it writes over what it is given.")
    require(len(after.history) == 1, "the history of the embedding does not tell one step.")
    details = after.history[0].details
    require(
        details["method"] == method.name, f"the history names the method {details['method']!r}."
    )
    require(
        details["concept"] == planted_concept().name,
        f"the history names the concept {details['concept']!r}.",
    )
    require({*transform.fitted_on} <= {*before.keys}, "it was fitted on words that are not there.")
    stored = [key for key in before.keys if key in transform.unmoved]
    if transform.lengths != "unit":
        require(
            np.array_equal(after.rows(stored), before.rows(stored)), "words that are to stay move."
        )


def held_out_words_are_not_fitted_on(method: Debiaser, space: Geometry) -> None:
    """Held-out words are not among those that it was fitted on."""
    transform = fit_checked(method, planted_embedding(space), _without_tested())
    require(transform.fitted_on, "it does not say which words it was fitted on.")
    learnt = sorted({*transform.fitted_on} & {*HELD_OUT})
    require(not learnt, f"it was fitted on words that are held out: {', '.join(learnt)}.")


def held_out_vectors_make_no_difference(method: Debiaser, space: Geometry) -> None:
    """The vectors of held-out words make no difference to where the others go."""
    before = planted_embedding(space)
    transform = fit_checked(method, before, _without_tested())
    rows = np.array(before.vectors)
    places = [before.positions[key] for key in HELD_OUT]
    rows[places] = 0.9 * rows[places][::-1]
    other = Embedding(before.keys, rows, space, "other")
    other_transform = fit_checked(method, other, _without_tested())
    rest = [key for key in before.keys if key not in HELD_OUT]
    one, two = (each.apply(before.rows(rest), rest) for each in (other_transform, transform))
    require(
        np.allclose(one, two, rtol=1e-7, atol=1e-12),
        "the vectors of words that are held out decide where others go.",
    )


def no_strength_is_no_change(method: Debiaser, space: Geometry) -> None:
    """At strength 0 every word stays, but for its length where that is brought to one."""
    before, transform = fit_planted(_at_strength(method, 0.0), space)
    expected = np.asarray(before.vectors)
    if transform.lengths == "unit":
        expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    after = transform.transform(before).vectors
    require(np.allclose(after, expected, rtol=1e-12, atol=1e-14), "at strength 0 words move.")


def more_strength_comes_nearer(method: Debiaser, space: Geometry) -> None:
    """The larger the strength, the nearer the result is to that of the full method."""
    ends = []
    for strength in (0.0, 0.3, 0.7, 1.0):
        before, transform = fit_planted(_at_strength(method, strength), space)
        after = transform.transform(before)
        ends.append(tangent_vectors(after, after.keys, raw=True))
    left = [float(np.linalg.norm(end - ends[-1])) for end in ends]
    text = _as_text(left)
    require(
        all(more > 1.05 * less for more, less in pairwise(left)),
        f"at strengths 0, 0.3, 0.7 and 1 so much is left to go: {text}; it should shrink.",
    )


def blocks_equal_one_pass(method: Debiaser, space: Geometry) -> None:
    """Rows do not know one another, and an array of the caller's holds what a new one would."""
    before, transform = fit_planted(method, space)
    complete = transform.transform(before).vectors
    parts = [
        transform.apply(before.vectors[some], before.keys[some])
        for some in (slice(0, 1), slice(1, 17), slice(17, None))
    ]
    require(
        np.allclose(np.concatenate(parts), complete, rtol=1e-12, atol=1e-15),
        "rows that are moved in parts go elsewhere than all at once.",
    )
    out = np.empty(before.vectors.shape)
    answer = transform.into(before, out)
    require(
        np.array_equal(out, complete) and np.shares_memory(answer.vectors, out),
        "an array of the caller's does not hold what a new one would.",
    )


def a_saved_transform_is_the_same(method: Debiaser, space: Geometry) -> None:
    """What is read back from a file moves every word to the same place, and says the same."""
    before, transform = fit_planted(method, space)
    with scratch_folder() as folder:
        file = folder / "saved.safetensors"
        save_transform(transform, file)
        loaded = load_transform(file)
    require(
        np.array_equal(loaded.transform(before).vectors, transform.transform(before).vectors),
        "saved and read back it moves words elsewhere.",
    )
    for field in fields(Transform):
        if field.name not in ("move", "placed", "settings", "remarks"):
            same = getattr(loaded, field.name) == getattr(transform, field.name)
            require(same, f"saved and read back it has other {field.name}.")
    same_details = loaded.step.details.keys() == transform.step.details.keys()
    require(
        same_details and str(loaded.step) == str(transform.step),
        "saved and read back it tells less.",
    )


def single_precision_agrees_with_double(method: Debiaser, space: Geometry) -> None:
    """An embedding in float32 stays one, and its words go to the same places."""
    ends = []
    for kind in ("float64", "float32"):
        before, transform = fit_planted(method, space, dtype=kind)
        ends.append(transform.transform(before).vectors)
    wide, narrow = ends
    require(narrow.dtype == np.float32, f"float32 becomes {narrow.dtype}.")
    near = np.allclose(wide, narrow, rtol=1e-7, atol=2e-5)
    require(near, "in float32 words go elsewhere than in float64.")


def vectors_of_any_size_are_moved_or_refused(method: Debiaser, space: Geometry) -> None:
    """Vectors near the ends of all floats stay finite and in their space, or are refused."""
    before = planted_embedding(space)
    vectors = np.asarray(before.vectors)
    for power in (-660, -480) if space.curvature else (-660, -480, 480, 600):
        model = Embedding(before.keys, np.ldexp(vectors, power), space, "sized")
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            try:
                after = fit_checked(method, model, planted_concept()).transform(model).vectors
            except FairvecError:
                continue
        inside = space.contains(np.asarray(after, np.float64)).all()
        require(inside, f"it takes vectors 2^{power} times as long out of the space.")


MethodLaw = Callable[[Debiaser, Geometry], None]
METHOD_LAWS: tuple[MethodLaw, ...] = (
    declared_guarantees_hold,
    result_is_an_embedding,
    held_out_words_are_not_fitted_on,
    held_out_vectors_make_no_difference,
    no_strength_is_no_change,
    more_strength_comes_nearer,
    blocks_equal_one_pass,
    a_saved_transform_is_the_same,
    single_precision_agrees_with_double,
    vectors_of_any_size_are_moved_or_refused,
)


def _without_tested() -> Any:
    return planted_concept().without([Word(word=key) for key in HELD_OUT])


def _at_strength(method: Debiaser, strength: float) -> Debiaser:
    changed: Debiaser = replace(method, strength=strength)  # type: ignore[type-var]
    return changed


def _as_text(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:.3g}" for number in numbers)
