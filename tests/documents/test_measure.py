"""What is measured in a document: mentions, leanings, company of words."""

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

import fairvec
from fairvec.core.errors import UndefinedError
from fairvec.documents.find import CodedWordMatcher, word_matcher
from fairvec.documents.measure import (
    Sample,
    co_occurrences,
    coded_figures,
    count_terms,
    leaning_figures,
    match_document,
    mention_figures,
    model_leanings,
    near_figures,
    term_figures,
)
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean
from fairvec.languages.people import coded_words, people_lists
from fairvec.languages.text import parse_document
from fairvec.results.documents import DocumentMeasure, Edit, Suggestion
from fairvec.stats import holm
from tests.loops import loop_over
from tests.results.toys import IDENTITY

# --- Who is mentioned, what is coded and what could be changed: counted, with its certainty ---


LISTS = people_lists("en")


def texts(*written: str) -> Sample:
    return Sample(tuple(match_document(parse_document(text, "en")) for text in written))


def mentions(*written: str) -> dict[str, DocumentMeasure]:
    return {one.what: one for one in mention_figures(IDENTITY, texts(*written), LISTS)}


def test_shares_by_role_and_in_all() -> None:
    found = mentions("He saw her.\nMr Smith left. She stayed, he said.")
    counts = {what: (one.count_a, one.count_b) for what, one in found.items()}
    assert counts == {
        "all": (3, 2),
        "subject-pronoun": (2, 1),
        "object-or-possessive-pronoun": (0, 1),
        "title": (1, 0),
    }
    assert found["all"].value == pytest.approx(0.4)
    assert found["all"].neutral == 0.5


def test_too_few_paragraphs_decide_nothing_and_say_so() -> None:
    found = mentions("He. He. He. He. He. He. He.\nHe and she.")["all"]
    assert found.p is None
    assert found.p_holm is None
    assert found.interval is None
    assert "too few paragraphs have more of one than of the other (1)" in found.sentence


def test_what_a_paragraph_repeats_is_one_piece_of_evidence() -> None:
    once = mentions("\n".join(["He left."] * 6))["all"]
    often = mentions("\n".join(["He left. He left. He left."] * 6))["all"]
    assert once.p == often.p == pytest.approx(2 / 2**6)
    assert once.interval == often.interval
    assert "more of men than chance alone would make" in once.sentence


def test_even_texts_are_not_called_uneven() -> None:
    found = mentions("\n".join(["He left.", "She left."] * 10))["all"]
    assert found.p == 1.0
    assert found.sentence.endswith("10 of men: as many of one as of the other.")
    more = mentions("\n".join(["He left.", "She left."] * 10 + ["He left."]))["all"]
    assert "chance alone could make such a difference (p = 1)" in more.sentence


def test_documents_are_the_units_of_a_folder() -> None:
    found = mentions(*["He left.\nHe left."] * 6)["all"]
    assert found.unit == "documents"
    assert found.p == pytest.approx(2 / 2**6)


def test_p_is_corrected_over_the_roles() -> None:
    found = mentions("\n".join(["He left his house. Mr Lee."] * 8 + ["She."] * 2))
    requested = [one for one in found.values() if one.p is not None and one.what != "all"]
    assert len(requested) > 1
    expected = holm([one.p for one in requested])  # type: ignore[arg-type]
    assert [one.p_holm for one in requested] == pytest.approx(expected.tolist())


def test_what_holds_alone_and_not_among_all_says_so() -> None:
    found = mentions("\n".join(["He left his house."] * 6))
    whole = found.pop("all")
    assert whole.p == whole.p_holm == pytest.approx(2 / 2**6)
    assert "but not" not in whole.sentence
    for one in found.values():
        assert one.p == pytest.approx(2 / 2**6)
        assert one.p_holm == pytest.approx(2 * 2 / 2**6)
        assert "than chance alone would make (p = 0.031), but not among all roles" in one.sentence
    for one in mentions("\n".join(["He left his house."] * 9)).values():
        assert "but not" not in one.sentence


def test_nobody_mentioned_gives_no_figure() -> None:
    assert mentions("It rained.") == {}


def test_coded_words_are_compared_as_shares() -> None:
    (found,) = coded_figures(IDENTITY, texts("Lead. Compete. Kind."), coded_words("en"))
    assert (found.count_a, found.count_b) == (2, 1)
    assert found.value == pytest.approx(1 / 3)
    assert "made for job advertisements" in found.sentence
    written = "\n".join(["We lead."] * 8)
    (found,) = coded_figures(IDENTITY, texts(written), coded_words("en"))
    assert found.interval is not None
    assert found.interval.high == 1.0
    assert found.p == pytest.approx(2 / 2**8)
    assert coded_figures(IDENTITY, texts("It rained."), coded_words("en")) == ()


def test_terms_are_counted_by_certainty() -> None:
    edit = Edit(start=0, end=1, old="a", new="b")
    proposed = [
        Suggestion(start=0, end=1, rule="r", reason="w", edits=(edit,), side="a"),
        Suggestion(start=2, end=3, rule="r", reason="w", side="b"),
    ]
    (found,) = term_figures(IDENTITY, count_terms(proposed), "neutral", LISTS, "paragraphs")
    assert (found.value, found.count_a, found.count_b) == (1, 1, 1)
    assert "1 term can be made neutral, and 1 more is only flagged" in found.sentence


def test_equal_counts_are_no_difference() -> None:
    found = mentions("He saw her.\nShe saw him.")
    assert found["all"].sentence.endswith("as many of one as of the other.")


# --- How the words of a text lean in a model: WEAT's s(w, A, B) ---


MEN, WOMEN = (1.0, 0.0), (0.0, 1.0)
MODEL = Embedding(
    keys=["he", "man", "she", "woman", "pilot", "nurses", "brave"],
    vectors=np.array([MEN, MEN, WOMEN, WOMEN, MEN, WOMEN, (1.0, 1.0)]),
    geometry=Euclidean(),
    name="toy",
)


def test_a_words_leaning_is_its_closeness_to_men_less_that_to_women() -> None:
    found = model_leanings(MODEL, LISTS)
    assert found.scores == pytest.approx({"pilot": 1.0, "nurse": -1.0, "brave": 0.0})
    assert found.baseline == pytest.approx(0.0)
    assert "judge" in found.unknown


def test_a_text_has_the_mean_over_its_words() -> None:
    text = "The pilot and the pilot.\nThe brave judge.\nA nurse.\nA pilot."
    texts = Sample((match_document(parse_document(text, "en")),))
    (found,) = leaning_figures(IDENTITY, texts, LISTS, model_leanings(MODEL, LISTS))
    assert found.value == pytest.approx((1 + 1 + 0 - 1 + 1) / 5)
    assert (found.count_a, found.count_b) == (3, 1)
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high
    assert "1 more is not known to it" in found.sentence
    assert "could as well be" in found.sentence


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A nurse.", "leaning of −1.000, in too few paragraphs to tell it from the 0.000 of all"),
        ("So brave.", "leaning of 0.000, in too few paragraphs to tell it from the 0.000 of all"),
    ],
    ids=["to one side", "to none"],
)
def test_a_direction_needs_an_interval(text: str, message: str) -> None:
    texts = Sample((match_document(parse_document(text, "en")),))
    (found,) = leaning_figures(IDENTITY, texts, LISTS, model_leanings(MODEL, LISTS))
    assert message in found.sentence


@pytest.mark.parametrize("paragraphs", range(1, 7))
def test_a_direction_is_claimed_only_if_the_interval_excludes_the_mean_of_all(
    paragraphs: int,
) -> None:
    model = model_leanings(MODEL, LISTS)
    for text in ("A nurse.", "A pilot.", "A brave nurse.", "A pilot and a nurse."):
        texts = Sample((match_document(parse_document("\n".join([text] * paragraphs), "en")),))
        (found,) = leaning_figures(IDENTITY, texts, LISTS, model)
        ends = found.interval
        shown = ends is not None and not ends.low <= model.baseline <= ends.high
        assert (" more to " in found.sentence) == shown


MODALS = ("will", "shall", "should", "must", "cannot", "could", "may", "did", "don't", "won't")


@loop_over(
    ("text", "men"),
    [
        ("Volunteers man the phones.", 0),
        ("They will man a stall and man their posts.", 0),
        ("Man the pumps!", 0),
        *((f"The crew {verb} man the pumps.", 0) for verb in MODALS),
        ("The old man the police sought left.", 1),
        ("A man the size of a bear met her father's man.", 3),
        ("The man left, and a man came.", 2),
    ],
)
def test_man_with_an_object_is_a_verb_and_nobody(text: str, men: int) -> None:
    found = mentions(text)
    assert (found["all"].count_a if found else 0) == men


def test_a_model_of_another_language_is_refused() -> None:
    with pytest.raises(UndefinedError, match="choose a model of the language 'hi'"):
        model_leanings(MODEL, people_lists("hi"))


@pytest.mark.parametrize(
    ("language", "model"),
    [("en", "glove-en-small"), ("hi", "glove-hi-small"), ("ru", "navec-ru-small")],
)
def test_shipped_models_know_some_of_the_words(language: str, model: str) -> None:
    found = model_leanings(fairvec.load(model), people_lists(language))
    assert len(found.scores) > 20
    assert all(np.isfinite(score) for score in found.scores.values())


# --- What stands near whom: counted by sentences, tested exactly ---


NURSES = "He runs. " * 8 + "She is a nurse. " * 6 + "He and she are brave. The nurse sleeps. " * 3


def figures(*written: str) -> dict[str, DocumentMeasure]:
    found = near_figures(IDENTITY, texts(*written), LISTS)
    return {f"{one.measure} {one.what}": one for one in found}


def test_sentences_of_one_group_are_counted_once_each() -> None:
    (found,) = co_occurrences(texts(NURSES + "She, she and her nurse: nurse."))
    assert (found.word, found.near_a, found.near_b) == ("nurse", 0, 7)
    assert (found.only_a, found.only_b) == (8, 7)
    assert found.score == pytest.approx(log2((0.5 / 9) / (7.5 / 8)))


def test_p_is_fishers_and_the_sign_is_the_side() -> None:
    found = figures(NURSES)["near nurse"]
    assert found.p == pytest.approx(fisher_exact(np.array([[0, 8], [6, 0]]))[1])
    assert found.p_holm == found.p
    assert found.value < 0
    apart = NURSES.replace("He and she are brave. ", "")
    mirrored = apart.replace("He ", "X ").replace("She ", "He ").replace("X ", "She ")
    assert figures(mirrored)["near nurse"].value == pytest.approx(-found.value)


def test_a_word_too_rare_to_decide_has_no_p_and_costs_the_others_nothing() -> None:
    found = figures(NURSES + "He is a pilot. ")
    assert found["near pilot"].p is None
    assert "too seldom" in found["near pilot"].sentence
    assert found["near nurse"].p_holm == found["near nurse"].p


def test_the_overall_figure_has_what_chance_gives_as_neutral() -> None:
    found = figures(NURSES)
    near, overall = found["near nurse"], found["near-overall all"]
    assert overall.value == pytest.approx(abs(near.value))
    generator = np.random.default_rng(0)
    drawn = generator.hypergeometric(8, 6, 6, 20_000)
    scores = np.abs(np.log2(((drawn + 0.5) / 9) / ((6 - drawn + 0.5) / 7)))
    assert overall.neutral == pytest.approx(scores.mean(), abs=0.02)


def test_without_sentences_of_both_groups_there_is_nothing_to_compare() -> None:
    assert figures("He is a nurse. He is brave.") == {}
    assert figures("It rained.") == {}


def test_under_the_null_hardly_any_text_has_a_word_that_leans() -> None:
    generator = np.random.default_rng(5)
    words = ["nurse", "pilot", "brave", "kind", "judge"]
    erred = 0
    for _ in range(200):
        people = generator.choice(["He", "She"], 60)
        jobs = generator.choice(words, 60)
        text = " ".join(f"{who} met a {job}." for who, job in zip(people, jobs, strict=True))
        found = figures(text).values()
        erred += any(one.p_holm is not None and one.p_holm <= 0.05 for one in found)
    assert erred / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


# --- Listed words are found in their forms, at their places ---


def found(text: str, language: str, *, names: bool = True) -> list[tuple[str, str]]:
    index = word_matcher(language, names)
    return [
        (text[one.start : one.end], one.entry.side or one.entry.word)
        for one in index.find(parse_document(text, language))
    ]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "She's HIS; Mary's", [("She", "b"), ("HIS", "a"), ("Mary", "b")]),
        ("en", "women’s", [("women", "b")]),
        ("en", "Miss Lee would miss a man-made mark", [("Miss", "b")]),
        ("en", "mr will; Mr Will", [("Mr", "a")]),
        ("en", "her father-in-law", [("her", "b"), ("father-in-law", "a")]),
        ("en", "police officers", [("police officers", "police officer")]),
        ("en", "police, officer", [("officer", "officer")]),
        ("en", "the shepherd's theme, usher, mankind, women-only", []),
        ("en", "prettier nurses", [("prettier", "pretty"), ("nurses", "nurse")]),
        ("hi", "माता-पिता", [("माता", "b"), ("पिता", "a")]),
        ("hi", "लड़कियों को सुन्दर", [("लड़कियों", "b"), ("सुन्दर", "सुंदर")]),
        ("hi", "वह उसका", []),
        ("ru", "женщина-врач", [("женщина", "b"), ("врач", "врач")]),
        ("ru", "Её тетя умнее", [("Её", "b"), ("тетя", "b"), ("умнее", "умный")]),
        ("ru", "им ними Александра супруги дам", []),
    ],
    ids=lambda each: None,
)  # fmt: skip
def test_forms_are_found(language: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text, language) == expected


def test_names_can_be_left_out() -> None:
    assert found("Mary and John", "en") == [("Mary", "b"), ("John", "a")]
    assert found("Mary and John", "en", names=False) == []


@given(st.text(st.sampled_from("Shei'’- rs.\nmaчн"), max_size=60))
def test_every_word_found_lies_in_its_sentence_and_after_the_one_before(text: str) -> None:
    document = parse_document(text, "en")
    end = 0
    for one in word_matcher("en").find(document):
        sentence = document.sentences[one.sentence]
        assert sentence.start <= one.start < one.end <= sentence.end
        assert one.start >= end
        end = one.end


def test_coded_words_are_those_of_the_paper_by_their_beginnings() -> None:
    text = "self-confident Leaders, opinions kinder kind co-operate childish team-supporting nags"
    document = parse_document(text, "en")
    coded = [
        (text[one.start : one.end], one.entry.word, one.entry.side)
        for one in CodedWordMatcher("en").find(document)
    ]
    assert coded == [
        ("self-confident", "self-confiden*", "a"),
        ("Leaders", "lead*", "a"),
        ("kind", "kind", "b"),
        ("co-operate", "cooperat*", "b"),
        ("childish", "child*", "b"),
        ("supporting", "support*", "b"),
    ]
    assert [*CodedWordMatcher("ru").find(parse_document("leader", "ru"))] == []


# --- A word that is written with a joiner is the word ---


def test_a_joiner_changes_the_look_alone() -> None:
    plain, joined = "उसकी पत्नी घर गई।", "उसकी पत्\u200dनी घर गई।"
    found = [[*word_matcher("hi").find(parse_document(text, "hi"))] for text in (plain, joined)]
    assert [one.entry.word for one in found[0]] == ["पत्नी"]
    assert [one.entry for one in found[1]] == [one.entry for one in found[0]]
    (wife,) = found[1]
    assert joined[wife.start : wife.end] == "पत्\u200dनी"
