"""Words on axes and in layouts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairvec import audit, load
from fairvec.core.errors import LexiconError, SettingError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.experiments.projections import axes as axes_module
from fairvec.experiments.projections.axes import axis_of_own_lists, find_axis, offered_axes
from fairvec.experiments.projections.layouts import (
    ShownWords,
    axis_layout,
    concept_scores,
    disc_layout,
    on_components,
    plotted_words,
)
from fairvec.geometry import FloatArray, Geometry, Poincare, ProductOfBalls
from fairvec.lexicon import concept
from fairvec.mitigation import concept_direction
from fairvec.mitigation.specific_words import training_words
from fairvec.results import Result
from tests import toys

# --- axes ---


@pytest.fixture(scope="module")
def english() -> Embedding:
    return load("glove-en-small")


def test_a_leaning_between_two_lists_is_that_of_an_association_test(english: Embedding) -> None:
    lists = {"x": ["math", "algebra"], "y": ["poetry", "dance"], "a": ["he", "man"], "b": ["she"]}
    (outcome,) = audit(english, **lists, categories=False)  # type: ignore[arg-type]
    assert isinstance(outcome, Result)
    axis = axis_of_own_lists(lists["a"], lists["b"], english)
    for share in outcome.words:
        (leaning,) = axis.leaning(english.rows([share.key]))
        assert leaning == pytest.approx(share.score, abs=1e-12)


def test_in_the_ball_a_leaning_is_a_difference_of_distances() -> None:
    ball = toys.embedding(1.0, space=Poincare(2.0))
    a, b = toys.WORDS["a"], toys.WORDS["b"]
    axis = axis_of_own_lists(a, b, ball)
    word = ball.rows([toys.WORDS["x"][0]])
    to_a, to_b = (ball.geometry.distances(word, ball.rows(side)).mean() for side in (a, b))
    assert axis.leaning(word)[0] == pytest.approx(to_b - to_a, abs=1e-12)
    assert "negative-distance" in axis.formula()


def test_the_axis_of_a_concept_is_the_direction_of_its_pairs(english: Embedding) -> None:
    axis = find_axis("en/gender:one-pair", english)
    one, other = english.rows(axis.words)
    g = one / np.linalg.norm(one) - other / np.linalg.norm(other)
    g /= np.linalg.norm(g)
    word = english["nurse"]
    expected = word @ g / np.linalg.norm(word)
    assert axis.leaning(word[None])[0] == pytest.approx(expected, abs=1e-12)
    assert (axis.towards, axis.away) == (axis.words[0], axis.words[1])


def test_the_axis_of_an_svm_ranks_specific_above_neutral_words(english: Embedding) -> None:
    """The direction is that of scikit-learn's SVM between the seed and all words but the lists'."""
    from sklearn.svm import LinearSVC

    axis = find_axis("en/gender:svm", english)
    assert (axis.towards, axis.away) == ("specific words", "neutral words")
    training = training_words(english, concept("en/gender"))
    assert axis.words == training.listed.seed
    points = english.rows([english.keys[row] for row in training.rows]).astype(np.float64)
    fitted = LinearSVC(C=1.0, dual=False).fit(
        points / np.linalg.norm(points, axis=1, keepdims=True), training.sides
    )
    (normal,) = fitted.coef_
    assert np.linalg.norm(axis.direction()) == pytest.approx(1)
    assert axis.direction() @ normal == pytest.approx(np.linalg.norm(normal), rel=1e-6)
    leanings = axis.leaning(points)
    couples = leanings[training.sides][:, None] > leanings[~training.sides]
    assert couples.mean() > 0.9


def test_every_variant_of_a_concept_is_an_axis() -> None:
    hindi = load("glove-hi-small")
    offered = {each.id: each for each in offered_axes(hindi)}
    gender = concept("hi/gender")
    assert gender.default not in {id.partition(":")[2] for id in offered}
    others = {*gender.variants} - {gender.default}
    assert {f"hi/gender:{variant}" for variant in (*others, "svm")} <= {*offered}
    assert "hamara" in offered["hi/gender:our"].title
    assert offered["hi/gender:our"].trouble == offered["hi/gender:svm"].trouble == ""
    assert {*find_axis("hi/gender:our", hindi).words} == {"हमारा", "हमारी"}
    for each in offered.values():
        if not each.trouble:
            assert find_axis(each.id, hindi).about == each.about


def test_an_svm_is_not_taught_before_its_axis_is_used(
    english: Embedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(axes_module, "fit_hyperplane", None)
    offered = {each.id: each.trouble for each in offered_axes(english)}
    assert offered["en/gender:svm"] == ""
    few = Embedding(english.keys[:400], english.vectors[:400], name="few").with_languages("en")
    assert "needed to learn more" in {each.id: each.trouble for each in offered_axes(few)}.get(
        "en/gender:svm", ""
    )


def test_the_ends_of_an_axis_stand_at_its_ends(english: Embedding) -> None:
    axis = find_axis("en/race", english)
    one, other = axis.towards.split(", "), axis.away.split(", ")
    middle = axis.leaning(english.rows([key for key in axis.words if key not in one + other]))
    assert axis.leaning(english.rows(one)).min() >= middle.max()
    assert axis.leaning(english.rows(other)).max() <= middle.min()


def test_each_category_of_a_language_has_one_usual_axis(english: Embedding) -> None:
    usual = {each.about: each.id for each in offered_axes(english) if each.usual}
    assert usual == {
        "gender": "caliskan2017/weat-7:ab",
        "race": "caliskan2017/weat-3:xy",
        "age": "caliskan2017/weat-10:xy",
        "health": "caliskan2017/weat-9:xy",
        "religion": "en/religion",
    }
    assert [each.about for each in offered_axes(english) if each.usual].count("gender") == 1


def test_an_axis_whose_words_a_model_lacks_says_so(english: Embedding) -> None:
    keys = [*dict.fromkeys(["he", "she", *english.keys[:50]])]
    few = Embedding(keys, english.rows(keys), name="few").with_languages("en")
    troubles = {each.id: each.trouble for each in offered_axes(few)}
    assert "few lacks" in troubles["en/religion"]
    assert "few knows 0" in troubles["caliskan2017/weat-9:xy"]
    assert troubles["caliskan2017/weat-7:ab"] == ""
    with pytest.raises(LexiconError, match="few lacks"):
        find_axis("en/religion", few)


def test_a_model_of_no_known_language_is_offered_nothing() -> None:
    keys = [f"zq{place}" for place in range(9)]
    other = Embedding(keys, np.random.default_rng(0).normal(size=(9, 3)))
    assert offered_axes(other) == ()


def test_offered_axes_measure_no_stability(
    english: Embedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("The stability of a direction is measured when it is read.")

    monkeypatch.setattr(concept_direction, "stability", refuse)
    assert offered_axes(english)
    with pytest.raises(AssertionError, match="when it is read"):
        find_axis("en/gender", english).formula()


@pytest.mark.parametrize("name", ["my.toml", "/etc/passwd", "../x.toml:pairs", "en/none", "x:xy"])
def test_a_name_opens_no_file(name: str, english: Embedding) -> None:
    with pytest.raises(UnknownNameError, match="axis"):
        find_axis(name, english)


def test_two_equal_lists_and_unknown_words_are_refused(english: Embedding) -> None:
    with pytest.raises(UndefinedError, match="the same words"):
        axis_of_own_lists(["he", "man"], ["man", "he"], english)
    with pytest.raises(UndefinedError, match="knows 0 of the words at one end"):
        axis_of_own_lists(["qqqq"], ["he"], english)
    with pytest.raises(LexiconError):
        axis_of_own_lists([], ["he"], english)


# --- layouts ---


def shown(vectors: FloatArray, space: Geometry | None = None, first: int = 1000) -> ShownWords:
    keys = [f"w{place}" for place in range(len(vectors))]
    model = Embedding(keys, vectors, space) if space else Embedding(keys, vectors)
    return plotted_words(model, first)


@given(
    arrays(np.float64, (7, 4), elements=st.floats(-2, 2)),
    st.sampled_from([0.25, 1.0, 1.02]),
)
def test_a_word_is_as_far_from_the_centre_of_the_disc_as_in_the_ball(
    tangents: FloatArray, c: float
) -> None:
    tangents[:3] += np.eye(3, 4) * 0.1  # something to vary in
    ball = Poincare(c)
    try:
        words = shown(ball.exp0(tangents), ball)
        laid = disc_layout(words)
    except UndefinedError:
        return
    disc = np.column_stack([laid.x, laid.y]) / np.sqrt(c)
    origin = np.zeros_like(words.points)
    np.testing.assert_allclose(
        ball.distance(disc, np.zeros_like(disc)), ball.distance(words.points, origin), atol=1e-9
    )
    assert laid.in_plane is not None
    assert ((laid.in_plane >= 0) & (laid.in_plane <= 1 + 1e-12)).all()


def test_a_ball_of_two_dimensions_is_its_own_picture() -> None:
    points = np.random.default_rng(3).uniform(-0.6, 0.6, (20, 2))
    laid = disc_layout(shown(points, Poincare()))
    assert (np.column_stack([laid.x, laid.y]) == points).all()
    far = disc_layout(shown(points / 2, Poincare(4.0)))
    np.testing.assert_allclose(np.column_stack([far.x, far.y]), points, rtol=1e-15)


def test_one_ball_of_a_product_is_drawn_and_must_be_chosen() -> None:
    points = np.random.default_rng(3).uniform(-0.5, 0.5, (20, 6))
    words = shown(points, ProductOfBalls(3))
    laid = disc_layout(words, ball=2)
    assert (np.column_stack([laid.x, laid.y]) == points[:, 2:4]).all()
    with pytest.raises(SettingError, match="product of 3 balls and none was chosen"):
        disc_layout(words)
    axis = axis_of_own_lists(["w0"], ["w1"], words.embedding)
    with pytest.raises(SettingError, match="leave the axes of the disc out"):
        disc_layout(words, [axis, axis], ball=2)
    with pytest.raises(SettingError, match="no ball 4; choose one, from 1 to 3"):
        disc_layout(words, ball=4)


def test_flat_space_has_no_disc() -> None:
    with pytest.raises(SettingError, match="not in a ball"):
        disc_layout(shown(np.eye(3)))


def test_two_axes_span_the_plane_of_a_disc() -> None:
    model = toys.embedding(1.0, space=Poincare())
    words = plotted_words(model, 100)
    across = axis_of_own_lists(toys.WORDS["a"], toys.WORDS["b"], model)
    up = axis_of_own_lists(toys.WORDS["x"], toys.WORDS["y"][:2], model)
    laid = disc_layout(words, [across, up])
    along = model.geometry.log0(words.points) @ across.direction()
    assert (np.sign(laid.x) == np.sign(along)).all()
    assert laid.shares is None


def test_components_are_those_of_the_unit_vectors() -> None:
    vectors = np.random.default_rng(0).normal(size=(40, 5)) * [5, 3, 1, 1, 1] + 2
    laid = on_components(shown(vectors))
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    _, strengths, axes = np.linalg.svd(units - units.mean(axis=0))
    expected = (units - units.mean(axis=0)) @ axes[:2].T
    np.testing.assert_allclose(np.abs(laid.x), np.abs(expected[:, 0]), atol=1e-9)
    np.testing.assert_allclose(np.abs(laid.y), np.abs(expected[:, 1]), atol=1e-9)
    assert laid.shares == pytest.approx(strengths[:2] ** 2 / (strengths**2).sum(), abs=1e-12)
    assert sum(laid.shares or ()) <= 1


def test_a_word_that_is_looked_for_does_not_move_the_others() -> None:
    vectors = np.random.default_rng(0).normal(size=(40, 5))
    model = Embedding([f"w{place}" for place in range(40)], vectors)
    for laid in (on_components,):
        alone, beside = laid(plotted_words(model, 20)), laid(plotted_words(model, 20, ["w35"]))
        assert (alone.x == beside.x[:20]).all()
        assert len(beside.x) == 21


@pytest.mark.parametrize("count", [1, 2])
def test_a_model_of_one_or_two_words_has_axes_but_no_components(count: int) -> None:
    words = shown(np.eye(3)[:count] + 0.1)
    with pytest.raises(UndefinedError, match=rf"words \({count}\) vary in {count - 1} dir"):
        on_components(words)
    if count == 2:
        axis = axis_of_own_lists(["w0"], ["w1"], words.embedding)
        laid = axis_layout(words, axis, axis)
        assert laid.x[0] == -laid.x[1] > 0


def test_what_has_no_vector_or_is_unknown_is_left_out_and_reported() -> None:
    vectors = np.eye(3)
    vectors[1] = 0
    model = Embedding(["w0", "w1", "w2"], vectors)
    found = plotted_words(model, 2, ["w2", "w1", "<script>", "W2"])
    assert found.keys == ("w0", "w2")
    assert (found.common, found.left_out) == (1, 1)
    assert found.reached == {"w2": "w2", "w1": None, "<script>": None, "W2": "w2"}
    with pytest.raises(UndefinedError, match="No word of embedding"):
        plotted_words(Embedding(["a"], np.zeros((1, 2))), 5)


@pytest.mark.parametrize("power", [-480, -20, 20, 480])
def test_a_ball_of_any_radius_is_drawn_as_the_unit_ball(power: int) -> None:
    """c = 4^power, with all points as much shorter: the same points in another unit."""
    points = np.random.default_rng(4).uniform(-0.4, 0.4, (20, 4))
    wanted = disc_layout(shown(points, Poincare()))
    ball = Poincare(float(np.ldexp(1.0, 2 * power)))
    with np.errstate(all="raise", under="ignore"):
        found = disc_layout(shown(np.ldexp(points, -power), ball))
    np.testing.assert_allclose(found.x, wanted.x, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.y, wanted.y, rtol=1e-9, atol=1e-12)
    assert found.keeps == wanted.keeps


# --- scores ---


MODEL = toys.embedding(1.0)
WORDS = plotted_words(MODEL, 1000)
AXIS = axis_of_own_lists(toys.WORDS["a"], toys.WORDS["b"], MODEL)


def test_z_has_mean_zero_and_deviation_one_and_the_order_of_the_leanings() -> None:
    (raw,) = concept_scores(WORDS, [AXIS], "raw")
    (z,) = concept_scores(WORDS, [AXIS])
    assert raw == pytest.approx(AXIS.leaning(WORDS.points), abs=0)
    assert z.mean() == pytest.approx(0, abs=1e-12)
    assert z.std(ddof=1) == pytest.approx(1, abs=1e-12)
    assert (np.argsort(z) == np.argsort(raw)).all()


def test_a_rank_is_the_share_of_words_that_lean_less() -> None:
    (raw,) = concept_scores(WORDS, [AXIS], "raw")
    (rank,) = concept_scores(WORDS, [AXIS], "rank")
    expected = [((raw < one).sum() + (raw == one).sum() / 2) / len(raw) for one in raw]
    assert rank == pytest.approx(expected, abs=1e-15)


def test_one_word_leans_no_more_than_others() -> None:
    alone = plotted_words(MODEL, 0, [toys.WORDS["x"][0]])
    assert concept_scores(alone, [AXIS])[0].tolist() == [0.0]
    assert concept_scores(alone, [AXIS], "rank")[0].tolist() == [0.5]


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="scale"):
        concept_scores(WORDS, [AXIS], "log")  # type: ignore[arg-type]
