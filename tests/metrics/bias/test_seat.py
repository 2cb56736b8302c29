"""SEAT is WEAT of sentence vectors, and words rather than sentences are permuted."""

from itertools import chain, combinations

import numpy as np
import pytest
from scipy.stats import binom

import fairvec
from fairvec.core.errors import UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.run import run_tests
from fairvec.geometry import Euclidean, FloatArray
from fairvec.languages.language import languages_with
from fairvec.languages.sentences import Sentence, Templates
from fairvec.languages.words import WordSet
from fairvec.lexicon import SelectedTest, Test, resolve, shipped_suites
from fairvec.metrics import EFFECT_SIZES, EffectSize, Score, TwoSamples
from fairvec.metrics.bias.seat import (
    Permuted,
    Seat,
    choose_templates,
    fill_templates,
    template_mismatch,
)
from fairvec.metrics.bias.weat import CALISKAN
from fairvec.results import Result
from fairvec.stats import permutation_test
from tests import toys
from tests.metrics import toys as bleached
from tests.metrics.toys import KINDS, TEST, templates

# --- seat ---


KINDS_SEAT = {  # as in tests.metrics.toys, with the article chosen and the slot cut out by hand
    "NOUN": (("this", "is", "{a}"), ("the", "is", "here"), ()),
    "PROPN": (("this", "is"), ("is", "here")),
    "VERB": (("this", "may"),),
}


def cosine(u: FloatArray, v: FloatArray) -> float:
    return float(u @ v / np.sqrt((u @ u) * (v @ v)))


def by_hand() -> dict[str, list[list[tuple[float, float]]]]:
    """Each target word's sentences' mean cosines to A and to B, in plain loops."""
    points = bleached.embedding()
    vector = dict(zip(points.keys, points.vectors, strict=True))

    def sentences(role: str) -> list[list[FloatArray]]:
        words = []
        for word in bleached.TEST.sets[role].words:
            article = "an" if word.word == "office" else "a"
            around = [[w.format(a=article) for w in each] for each in KINDS_SEAT[word.pos or ""]]
            words.append([sum_of([vector[word.word], *(vector[w] for w in s)]) for s in around])
        return words

    def sum_of(vectors: list[FloatArray]) -> FloatArray:
        total = vectors[0].copy()
        for one in vectors[1:]:
            total += one
        return total / len(vectors)

    a, b = list(chain(*sentences("a"))), list(chain(*sentences("b")))
    return {
        role: [
            [
                (
                    float(np.mean([cosine(s, other) for other in a])),
                    float(np.mean([cosine(s, other) for other in b])),
                )
                for s in word
            ]
            for word in sentences(role)
        ]
        for role in "xy"
    }


def measured(permute: Permuted = "words", size: EffectSize = CALISKAN) -> Score:
    seat = Seat(
        effect_size=size,
        permute=permute,
        target_templates="own",
        attribute_templates="own",
        templates=lambda _: bleached.templates(),
    )
    return seat.measure(resolve(bleached.TEST, bleached.embedding()), Euclidean())


def samples_of(score: Score) -> TwoSamples:
    assert isinstance(score.samples, TwoSamples)
    return score.samples


@pytest.mark.parametrize("permute", ["words", "sentences"])
@pytest.mark.parametrize("size", EFFECT_SIZES, ids=lambda size: size.name)
def test_every_convention_equals_its_formula_over_sentences(
    size: EffectSize, permute: Permuted
) -> None:
    near = by_hand()
    lean = {role: [a - b for word in near[role] for a, b in word] for role in near}
    raw = [number for role in near for word in near[role] for pair in word for number in pair]
    spread = {
        "caliskan": np.std(lean["x"] + lean["y"], ddof=1),
        "population": np.std(lean["x"] + lean["y"]),
        "raw-similarity": np.std(raw, ddof=1),
    }
    expected = (np.mean(lean["x"]) - np.mean(lean["y"])) / spread[size.name]
    assert measured(permute, size).value == pytest.approx(expected, rel=1e-12)


def test_a_words_share_is_the_mean_of_its_sentences() -> None:
    near = by_hand()
    means = [np.mean([a - b for a, b in word]) for role in "xy" for word in near[role]]
    shares = measured().words
    assert [share.leaning for share in shares] == pytest.approx(means, rel=1e-12)
    assert [share.found.word.word for share in shares] == toys.WORDS["x"] + toys.WORDS["y"]


def share_as_extreme(x: list[float], y: list[float]) -> float:
    """The two-sided p-value of a difference of means by listing every split."""
    pool, observed = x + y, abs(np.mean(x) - np.mean(y))
    extreme = [
        abs(np.mean(np.array(pool)[list(some)]) - np.mean(np.delete(pool, some)))
        >= observed - 1e-12
        for some in combinations(range(len(pool)), len(x))
    ]
    return float(np.mean(extreme))


def test_p_over_words_equals_all_regroupings_of_whole_words() -> None:
    samples = samples_of(measured("words"))
    near = by_hand()
    x, y = ([float(np.mean([a - b for a, b in word])) for word in near[role]] for role in "xy")
    p = permutation_test(samples.leanings(samples.x), samples.leanings(samples.y))
    assert (p.method, p.partitions) == ("exact", 252)
    assert p.value == pytest.approx(share_as_extreme(x, y), rel=1e-12)


def test_p_over_sentences_equals_all_regroupings_of_sentences() -> None:
    samples = samples_of(measured("sentences"))
    near = by_hand()
    # The first two words of each list have 3 + 2 and 1 + 3 sentences: few enough for all splits.
    x, y = ([a - b for word in near[role][:2] for a, b in word] for role in "xy")
    p = permutation_test(samples.leanings(samples.x[:2]), samples.leanings(samples.y[:2]))
    assert (len(x), len(y), p.partitions) == (5, 4, 126)
    assert p.value == pytest.approx(share_as_extreme(x, y), rel=1e-12)


def test_the_bootstrap_regroups_whole_words() -> None:
    samples = samples_of(measured("words"))
    near = by_hand()
    some = [0, 0, 1, 3, 4]
    x = [a - b for index in some for a, b in near["x"][index]]
    y = [a - b for word in near["y"] for a, b in word]
    expected = (np.mean(x) - np.mean(y)) / np.std(x + y, ddof=1)
    batch = samples.effect(samples.x[[some, some]], np.stack([samples.y] * 2))
    assert batch.tolist() == pytest.approx([expected, expected], rel=1e-12)


@pytest.mark.parametrize("permute", ["words", "sentences"])
def test_a_run_says_what_was_counted_and_what_was_permuted(permute: Permuted) -> None:
    (result,) = run_tests(
        bleached.embedding(),
        (SelectedTest(toys.suite(), bleached.TEST),),
        Seat(permute=permute, templates=lambda _: bleached.templates()),
    )
    assert isinstance(result, Result)
    assert "once per sentence" in result.convention.denominator
    assert f"p regroups {permute}" in result.convention.denominator
    assert result.convention.name == "caliskan"
    assert [word.word for word in result.words] == toys.WORDS["x"] + toys.WORDS["y"]
    assert all(word.without is not None for word in result.words)


def test_lists_in_different_sentences_get_no_verdict() -> None:
    # The toy's words of X and Y are of other parts of speech, which share no template.
    seat = Seat(templates=lambda _: bleached.templates())
    tests = (SelectedTest(toys.suite(), bleached.TEST),)
    (result,) = run_tests(bleached.embedding(3.0), tests, seat)
    assert isinstance(result, Result)
    assert result.p.value < 0.05
    assert result.verdict.kind == "no-verdict"
    assert result.verdict.sentence.startswith("No verdict: The lists X and Y, A and B stand in")


def false_alarms(permute: Permuted, studies: int = 300) -> float:
    """How often SEAT answers p <= 0.05 where all target words are drawn alike."""
    words = {"x": 6, "y": 6, "a": 4, "b": 4}
    test = bleached.TEST.model_copy(
        update={
            "sets": {
                role: WordSet(id=role, title=role, words=[f"{role}{i}" for i in range(count)])
                for role, count in words.items()
            }
        }
    )
    keys = [word.word for wordset in test.sets.values() for word in wordset.words]
    around = ["this", "that", "here", "there"]
    frames = [f"{one} is _" for one in around] + [f"_ is {one}" for one in around[:2]]
    seat = Seat(permute=permute, templates=bleached.only(*frames))
    alarms = 0
    for seed in range(studies):
        vectors = np.random.default_rng(seed).normal(size=(len(keys) + 5, 8))
        points = Embedding([*keys, *around, "is"], vectors)
        samples = samples_of(seat.measure(resolve(test, points), Euclidean()))
        p = permutation_test(
            samples.leanings(samples.x),
            samples.leanings(samples.y),
            method="exact" if permute == "words" else "sampled",
            samples=400,
        )
        alarms += p.value <= 0.05
    return alarms / studies


def test_permuting_words_holds_the_level_and_permuting_sentences_does_not() -> None:
    # 300 studies at a true 5 % exceed 8 % once in a hundred times.
    assert false_alarms("words") <= 0.08
    assert false_alarms("sentences") >= 0.15


def test_a_language_without_templates_is_reported() -> None:
    test = bleached.TEST.model_copy(update={"language": "xx"})
    with pytest.raises(UndefinedError, match="no sentence templates for the language 'xx'"):
        Seat().measure(resolve(test, bleached.embedding()), Euclidean())


def test_a_slip_in_a_setting_is_named() -> None:
    with pytest.raises(
        UnknownNameError, match="choice of permute named 'word'; did you mean words"
    ):
        Seat(permute="word")  # type: ignore[arg-type]
    with pytest.raises(
        UnknownNameError, match="attribute_templates named 'x'; known: own, shared, targets"
    ):
        Seat(attribute_templates="x")  # type: ignore[arg-type]


def test_every_shipped_language_can_be_measured() -> None:
    for language in languages_with("templates"):
        test: Test = bleached.TEST.model_copy(update={"language": language})
        score = Seat().measure(resolve(test, bleached.embedding()), Euclidean())
        assert score.value > 0


# --- Where there is no bias, SEAT finds some as often as it says: words at random, lists unlike


STUDIES = 300
FAIR = Seat()
PAPERS = Seat(target_templates="own", attribute_templates="own")


def pool(embedding: Embedding, language: str) -> list[str]:
    """Every word of the shipped suites of a language, whatever its part of speech."""
    suites = [suite for suite in shipped_suites() if suite.language == language]
    lists = (each for suite in suites for test in suite.tests for each in test.sets.values())
    words = dict.fromkeys(word.word for each in lists for word in each.words)
    return [word for word in words if word in embedding.positions]


def template_false_alarms(
    seat: Seat, model: str, language: str, parts: str, size: int = 8, studies: int = STUDIES
) -> int:
    """How often p <= 0.05 where all words are drawn alike and lists differ in part of speech."""
    embedding = fairvec.load(model)
    words, alarms = pool(embedding, language), 0
    for seed in range(studies):
        drawn = iter(np.random.default_rng(seed).permutation(words).tolist())
        test = Test(
            id="null/one",
            title="Null",
            category="none",
            kind="bias",
            language=language,
            sets={
                role: WordSet.model_validate(
                    {
                        "id": role,
                        "title": role,
                        "pos": pos,
                        "words": [next(drawn) for _ in range(size)],
                    }
                )
                for role, pos in zip("xyab", parts.split(), strict=True)
            },
        )
        score = seat.measure(resolve(test, embedding), embedding.geometry)
        assert bool(score.doubt) == (seat is PAPERS)
        assert isinstance(score.samples, TwoSamples)
        x, y = (score.samples.leanings(rows) for rows in (score.samples.x, score.samples.y))
        alarms += permutation_test(x, y).value <= 0.05
    return alarms


@pytest.mark.parametrize(
    ("model", "language"), [("glove-en-small", "en"), ("glove-hi-small", "hi")]
)
@pytest.mark.parametrize("parts", ["PROPN ADJ NOUN NOUN", "NOUN ADJ NOUN ADJ"])
def test_shared_templates_hold_the_level_and_those_of_parts_of_speech_do_not(
    model: str, language: str, parts: str
) -> None:
    low, high = binom.interval(0.99, STUDIES, 0.05)
    assert low <= template_false_alarms(FAIR, model, language, parts) <= high
    assert template_false_alarms(PAPERS, model, language, parts) > high


# --- sentences ---


OWN = {"target_templates": "own", "attribute_templates": "own"}


def made(known: Templates | None = None, /, **settings: str) -> dict[str, list[list[Sentence]]]:
    groups = resolve(TEST, toys.embedding())
    chosen = choose_templates(groups, known or templates(), **settings)  # type: ignore[arg-type]
    return fill_templates(groups, chosen)


def texts(role: str, **settings: str) -> list[list[str]]:
    return [[sentence.text for sentence in each] for each in made(**settings)[role]]


def test_each_word_may_take_the_templates_of_its_part_of_speech() -> None:
    assert texts("x", **OWN)[:2] == [
        ["This is an office.", "The office is here.", "Office"],
        ["This is salary.", "Salary is here."],
    ]


def test_a_list_may_choose_for_all_its_words() -> None:
    found = made(templates(chosen_by="list"), **OWN)
    assert [len(each) for each in found["x"]] == [3] * 5


def test_the_parts_of_a_sentence_make_its_text_and_carry_the_words_keys() -> None:
    first, second, third = made(**OWN)["x"][0]
    assert (first.before, first.word, first.after) == ("This is an ", "office", ".")
    assert (second.before, second.word, second.after) == ("The ", "office", " is here.")
    assert (third.before, third.word, third.after) == ("", "Office", "")
    found = resolve(TEST, toys.embedding())["x"].found
    assert first.keys == found[0].keys


def test_attributes_may_take_the_templates_of_the_targets() -> None:
    assert texts("a", **OWN)[0] == ["This is a man.", "The man is here.", "Man"]
    targets = {**OWN, "attribute_templates": "targets"}
    assert texts("a", **targets)[0] == [
        "This is a man.",
        "The man is here.",
        "Man",
        "This is man.",
        "Man is here.",
        "This may man.",
    ]
    assert texts("x", **targets) == texts("x", **OWN)


def test_what_parts_of_speech_share_goes_before_what_fits_any_word() -> None:
    kinds = {**KINDS, "common-noun": ("this is _.", "the _."), "verb": ("_", "this is _.")}
    for any_word in ({}, {"any-word": ("the word _",)}):
        found = made(templates(kinds=kinds | any_word))
        assert {len(each) for each in found["x"]} == {1}
        assert found["x"][0][0].text == "This is office."


def test_lists_that_share_nothing_keep_their_own_and_are_doubted() -> None:
    groups = resolve(TEST, toys.embedding())
    assert texts("x") == texts("x", **OWN)
    doubt = template_mismatch(choose_templates(groups, templates()))
    assert doubt.startswith("The lists X and Y, A and B stand in different sentences")
    assert "any-word" in doubt
    mended = templates(kinds={**KINDS, "any-word": ("the word _",)})
    assert template_mismatch(choose_templates(groups, mended)) == ""
    assert template_mismatch(choose_templates(groups, mended, "own", "targets")).startswith(
        "The lists X and Y stand"
    )
