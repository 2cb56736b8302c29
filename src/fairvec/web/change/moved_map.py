"""A map of words before and after a change, on axes that do not move with them."""

from dataclasses import dataclass

from fairvec.evaluation.seeing.axes import MapAxis, axis_of_concept, axis_of_lists
from fairvec.evaluation.seeing.shown_words import ShownWords, shown_words
from fairvec.geometry import FloatArray
from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.lexicon import Test
from fairvec.web.change.asked_method import shipped_concept
from fairvec.web.change.change_questions import AskedMovedMap
from fairvec.web.change.trying import fitted, judged_of
from fairvec.web.opened import OpenModels

FIRST = 1_000
"""So many of the commonest words are drawn beside those of the test."""


@dataclass(frozen=True, eq=False)
class MapGround:
    """The words of a map, its axes in the model as it is, and where the words lie there."""

    shown: ShownWords
    across: MapAxis
    up: MapAxis
    before: tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class MovedMap:
    """Where words lie before and after, as two columns each."""

    ground: MapGround
    after: tuple[FloatArray, FloatArray]


def moved_map(models: OpenModels, question: AskedMovedMap) -> MovedMap:
    """Place words by the concept's direction and between the targets of a test.

    Both axes are those of the model before the change, so that a word which loses the concept is
    seen to go to its middle.
    """
    judged = judged_of(models, question)
    fit = fitted(models, question, judged)
    model = models[question.model].embedding
    known = {each.test.id: each for each in judged.tests if {"x", "y"} <= each.test.sets.keys()}
    if not known:
        raise SettingError("No test that was asked has two lists of targets; ask one that has.")
    wanted = question.about or next(iter(known))
    if wanted not in known:
        raise UnknownNameError("test of two lists that was asked", wanted, known)
    test = known[wanted].test

    def prepared() -> MapGround:
        words = [word.word for wordset in test.sets.values() for word in wordset.words]
        shown = shown_words(model, FIRST, words)
        across = axis_of_concept(shipped_concept(question.concept), model)
        targets = {"a": test.sets["x"], "b": test.sets["y"]}
        up = axis_of_lists(Test(sets=targets, language=test.language), model, title=test.title)
        places = across.leaning(shown.points), up.leaning(shown.points)
        return MapGround(shown, across, up, places)

    # The whole test: the same words may be looked up otherwise.
    key = ("map", question.model, question.concept, test.model_dump_json())
    ground = models.kept.get(key, prepared, lambda one: one.shown.points.nbytes)
    points = fit.transform.apply(ground.shown.points, ground.shown.keys)
    return MovedMap(ground, (ground.across.leaning(points), ground.up.leaning(points)))
