"""Text in which gendered words are swapped."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.languages.people import paired_names
from fairvec.lexicon import concept, counterparts
from fairvec.training.augment import Augmentation, WordSwapper, coin_flip
from fairvec.training.encode import VocabularyLimits, encode_lines
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove
from fairvec.training.text import Case, plain_words
from fairvec.training.train import Kind, TrainingText, train_embedding

# --- A swapped line says of her what the line says of him, and the same seed swaps the same lines


SWAPS = counterparts(concept("en/gender"))
LISTED = sorted({word for word, _ in SWAPS} - {"his", "her"})
NAMES = paired_names("en")
OTHERS = ["doctor", "the", "and", "walked", "Kingston", "sheep", "he-man", "wife"]


def swapping(case: Case = "lower", language: str = "en") -> WordSwapper:
    return WordSwapper.of(SWAPS, plain_words(case), cased=case == "keep", language=language)


def swapped(line: str, case: Case = "lower") -> str:
    return " ".join(swapping(case)(line.split()))


def in_some_case(word: str) -> st.SearchStrategy[str]:
    return st.sampled_from([word, word.title(), word.upper(), f"{word}'s", f"{word.title()}’ll"])


@given(st.lists(st.sampled_from([*LISTED, *OTHERS]).flatmap(in_some_case), max_size=20))
def test_twice_is_the_line_again_and_once_moves_what_is_listed(line: list[str]) -> None:
    swap = swapping("keep")
    once = swap(line)
    assert swap(once) == line
    for was, is_now in zip(line, once, strict=True):
        bare = was.lower().replace("’", "'").split("'")[0]
        assert (was != is_now) == (bare in LISTED)
        assert was.istitle() == is_now.istitle()
        assert was.isupper() == is_now.isupper()


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("she told her that her mother left", "he told him that his father left"),
        ("he saw him", "she saw her"),
        ("they saw her", "they saw him"),
        ("his king's crown", "her queen's crown"),
        ("he'd asked his wife", "she'd asked her wife"),
        ("the house was hers", "the house was his"),
    ],
)
def test_her_is_his_or_him_by_the_word_that_follows(line: str, other: str) -> None:
    assert swapped(line) == other


def test_what_the_rule_reads_rightly_comes_back_and_what_it_does_not_is_known() -> None:
    assert (
        swapped(swapped("he told him that his father left")) == "he told him that his father left"
    )
    assert swapped(swapped("she gave him money")) == "she gave his money"


def test_case_is_kept() -> None:
    assert swapped("He met HER and Her MOTHER'S King’s", "keep") == (
        "She met HIM and His FATHER'S Queen’s"
    )


def test_names_change_places_only_where_that_is_asked() -> None:
    words_of = plain_words("keep")
    line = ["John", "and", "his", "sister", "Patricia"]
    swap = WordSwapper.of((*SWAPS, *NAMES), words_of, cased=True, language="en")
    assert swapping("keep")(line) == ["John", "and", "her", "brother", "Patricia"]
    assert swap(line) == ["Patricia", "and", "her", "brother", "John"]
    assert swap(swap(line)) == line
    assert {*dict(NAMES)}.isdisjoint(dict(SWAPS))


def test_her_is_read_in_english_alone() -> None:
    assert swapping(language="ru")(["told", "her"]) == ["told", "his"]


@given(st.lists(st.lists(st.sampled_from([*LISTED, *OTHERS]), max_size=6)), st.integers(0, 99))
def test_lines_are_doubled_or_take_one_anothers_place(lines: list[list[str]], seed: int) -> None:
    swap = swapping()
    doubled, by_coin = (
        list(Augmentation("toy", SWAPS, (), by, seed).lines(swap)(iter(lines)))
        for by in ("augmentation", "substitution")
    )
    assert doubled == [each for line in lines for each in (line, swap(line))]
    assert by_coin == [
        swap(line) if coin_flip(number, seed) else line for number, line in enumerate(lines)
    ]
    # Of two that change places there are as many in the doubled text.
    counts = Counter(word for line in doubled for word in line)
    assert all(counts[word] == counts[its] for word, its in SWAPS if word in LISTED)


def test_a_coin_falls_either_way_half_the_time_and_otherwise_with_another_seed() -> None:
    one, other = ([coin_flip(number, seed) for number in range(10_000)] for seed in (0, 1))
    assert abs(sum(one) - 5_000) < 200  # four deviations of 50
    assert abs(sum(a == b for a, b in zip(one, other, strict=True)) - 5_000) < 200


def test_the_encoded_text_is_that_of_the_swapped_lines(tmp_path: Path) -> None:
    line_transform = Augmentation("toy", SWAPS).lines(swapping())
    found = encode_lines(
        ["He saw a boy.", "", "A dog"],
        plain_words(),
        VocabularyLimits(1),
        tmp_path,
        "",
        line_transform,
    )
    read = " ".join("/" if token < 0 else found.words[token] for token in found.tokens)
    assert read == "he saw a boy / she saw a girl / a dog / a dog /"
    assert found.seen == 12


def test_russian_lemmas_are_swapped_as_the_text_has_them() -> None:
    pytest.importorskip("pymorphy3")
    from fairvec.training.text import lemmas

    words_of = lemmas("ru", tagged=True)
    swap = WordSwapper.of(counterparts(concept("ru/gender")), words_of, cased=False, language="ru")
    line = words_of("Мой дядя и твоя тётя видели матери")
    once = swap(line)
    assert [was for was, now in zip(line, once, strict=True) if was != now] == [
        "дядя_NOUN",
        "тётя_NOUN",
        "мать_NOUN",
    ]
    assert swap(once) == line


def test_invalid_settings_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="substitution"):
        Augmentation("toy", SWAPS, (), "substitutions")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="No word of the pairs"):
        WordSwapper.of([("New York", "Old York")], plain_words(), cased=False, language="en")


# --- An augmented text gives another model, and its history says by what ---


LINES = ["He is a doctor and the king is his father.", "She is a nurse."] * 20


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")
    return path


def text(corpus: Path, augmentation: Augmentation | None) -> TrainingText:
    return TrainingText(
        (corpus,), "en", cut=VocabularyLimits(1), window=3, augmentation=augmentation
    )


def trained(corpus: Path, kind: Kind, augmentation: Augmentation | None) -> Embedding:
    return train_embedding(text(corpus, augmentation), kind, threads=1)


@pytest.mark.parametrize(
    "kind", [Glove(4, 2), GensimModel("skipgram", 4, 1)], ids=["glove", "skipgram"]
)
def test_counts_are_those_of_the_text_that_is_made(corpus: Path, kind: Kind) -> None:
    if isinstance(kind, GensimModel):
        pytest.importorskip("gensim")
    counted = {}
    for by in (None, "augmentation", "substitution"):
        model = trained(corpus, kind, Augmentation("en/gender", SWAPS, (), by) if by else None)
        assert model.counts is not None
        counted[by] = dict(zip(model.keys, np.asarray(model.counts).tolist(), strict=True))
    plain, doubled, by_coin = counted.values()
    assert (plain["he"], plain["she"]) == (20, 20)
    assert "queen" not in plain
    assert (doubled["king"], doubled["queen"], doubled["doctor"]) == (20, 20, 40)
    assert sum(doubled.values()) == 2 * sum(plain.values())
    assert sum(by_coin.values()) == sum(plain.values())
    assert by_coin["king"] + by_coin["queen"] == 20
    assert by_coin["queen"] > 0


def test_the_history_and_the_identity_of_checkpoints_differ(corpus: Path) -> None:
    ways = [
        None,
        Augmentation("en/gender", SWAPS),
        Augmentation("en/gender", SWAPS, (), "substitution"),
        Augmentation("en/gender", SWAPS, (), "substitution", 1),
        Augmentation("en/gender", SWAPS[:4]),
        Augmentation("en/gender", SWAPS, paired_names("en")),
    ]
    about = [text(corpus, way).about for way in ways]
    assert len({repr(each) for each in about}) == len(ways)
    assert not any("augment" in key for key in about[0])
    (step,) = trained(corpus, Glove(4, 2), ways[1]).history
    assert step.details["augmented_with"] == "en/gender"
    assert step.details["augmented_by"] == "augmentation"


def test_an_audit_knows_that_swapped_words_are_no_evidence(corpus: Path) -> None:
    (plain,) = trained(corpus, Glove(4, 2), None).history
    (step,) = trained(corpus, Glove(4, 2), Augmentation("en/gender", SWAPS)).history
    assert "fitted_on" not in plain.details
    swapped = ["he", "she", "his", "her", "king", "queen", "father", "mother"]
    assert {*step.details["fitted_on"]} == {*swapped}


def test_words_of_another_language_or_of_no_line_are_refused(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="choose a concept of its language"):
        text(corpus, Augmentation("hi/gender", counterparts(concept("hi/gender"))))
    bare = tmp_path / "bare.txt"
    bare.write_text("a dog barks at a cat\n" * 9, encoding="utf-8")
    for kind in (Glove(4, 2), GensimModel("cbow", 4, 1)):
        with pytest.raises(SettingError, match="among the 5 words of the text"):
            trained(bare, kind, Augmentation("en/gender", SWAPS))
