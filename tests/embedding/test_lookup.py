"""Looking words up in a vocabulary."""

import unicodedata
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.cli import main
from fairvec.embedding import Embedding, Step
from fairvec.embedding.lookup import Lookup, Match
from tests.loops import loop_over

# --- lookup ---


# Two spellings of one word each, from the lists of Malik et al. 2022, and the rule between them.
HINDI_PAIRS = [
    ("ताकतवर", "ताक़तवर", "nukta"),
    ("सुन्दर", "सुंदर", "nasal"),
    ("कमज़ोर", "कमजोर", "nukta"),
    ("गंदा", "गन्दा", "nasal"),
    ("गंदी", "गन्दी", "nasal"),
    ("लंबा", "लम्बा", "nasal"),
    ("लंबी", "लम्बी", "nasal"),
    ("घड़ी", "घडी", "nukta"),
    ("यंत्र", "यन्त्र", "nasal"),
    ("कमीज", "कमीज़", "nukta"),
    ("माँ", "मां", "nasal"),
    ("जमींदार", "ज़मींदार", "nukta"),
    ("पंडित", "पण्डित", "nasal"),
    ("सफाई", "सफ़ाई", "nukta"),
    ("गरीब", "ग़रीब", "nukta"),
    ("शांत", "शान्त", "nasal"),
    ("हिंदू", "हिन्दू", "nasal"),
    ("मंदिर", "मन्दिर", "nasal"),
    ("कुरान", "क़ुरान", "nukta"),
    ("रोजा", "रोज़ा", "nukta"),
    ("यूसुफ", "यूसुफ़", "nukta"),
    ("खान", "ख़ान", "nukta"),
    ("शेख़", "शेख", "nukta"),
    ("मिर्जा", "मिर्ज़ा", "nukta"),
    ("हिंदुत्व", "हिन्दुत्व", "nasal"),
]

TAGGED = [
    "мужчина_NOUN",
    "женщина_NOUN",
    "мужской_ADJ",
    "женский_ADJ",
    "папа_NOUN",
    "мама_NOUN",
    "тётя_NOUN",
    "ребёнок_NOUN",
    "сдаться_VERB",
    "бояться_VERB",
    "слабый_ADJ",
    "слабо_ADV",
    "иван_NOUN",
    "иван_PROPN",
    "родной_ADJ",
    "родной_NOUN",
    "в_ADP",
]

# Pestova's male and female terms, strength and weakness: unmarked words are nouns, ё is written е.
PESTOVA = (
    "мужчина мужской/ADJ мальчик брат сын отец папа дедушка дядя "
    "женщина женский/ADJ девочка сестра дочь мать мама бабушка тетя "
    "сила сильный/ADJ уверенный/ADJ доминировать/VERB мощный/ADJ громкий/ADJ смелый/ADJ "
    "успешный/ADJ лидер динамичный/ADJ победитель слабый/ADJ сдаться/VERB робкий/ADJ "
    "уязвимый/ADJ слабость уступить/VERB застенчивый/ADJ проиграть/VERB хрупкий/ADJ "
    "бояться/VERB неудачник ребенок"
)
YO = {"тетя": "тётя", "ребенок": "ребёнок"}


@pytest.fixture(scope="module")
def hindi_keys(shared_data: Path) -> list[str]:
    with np.load(shared_data / "emb_glove_hi" / "glove_hi_57k_100d.npz") as file:
        return [str(key) for key in file["words"]]


@pytest.fixture(scope="module")
def hindi(hindi_keys: list[str]) -> Lookup:
    return Lookup(hindi_keys, "hi")


def test_every_published_spelling_is_found_as_it_is_written(hindi: Lookup) -> None:
    for pair in HINDI_PAIRS:
        for word in pair[:2]:
            assert hindi.find([word]) == Match(word, "exact")


@loop_over(("one", "other", "rule"), HINDI_PAIRS)
def test_a_spelling_the_vocabulary_lacks_leads_to_the_other(
    hindi_keys: list[str], one: str, other: str, rule: str
) -> None:
    near = [key for key in hindi_keys if key[0] == one[0]]
    for wanted, left in ((one, other), (other, one)):
        without = Lookup([key for key in near if key != wanted], "hi")
        assert without.find([wanted]) == Match(left, rule)
        assert without.find([wanted, left]) == Match(left, "variant")


@pytest.mark.parametrize(
    ("word", "key", "how"),
    [
        ("घडा", "घड़ा", "nukta"),
        ("पुञ्ज", "पुंज", "nasal"),
        ("ल\u095cका", "लड़का", "exact"),  # one code point for ड़
        ("क्\u200dषत्रिय", "क्षत्रिय", "exact"),  # a joiner
    ],
)
def test_real_spellings_reach_real_keys(hindi: Lookup, word: str, key: str, how: str) -> None:
    assert hindi.find([word]) == Match(key, how)


def test_words_that_are_not_there_are_not_invented(hindi: Lookup) -> None:
    for word in ("घसिया", "जलवाहक", "मुशहर", "सिम्फनी", "अंन", "अंमा"):
        assert hindi.find([word]) is None


def test_keys_need_not_be_normalised_either() -> None:
    keys = [unicodedata.normalize("NFD", "чайка"), "क्\u200dष", "\u095c"]
    assert Lookup(keys, "ru").find(["чайка"]) == Match(keys[0], "exact")
    assert Lookup(keys, "hi").find(["क्ष"]) == Match(keys[1], "exact")
    assert Lookup(keys, "hi").find(["\u0921\u093c"]) == Match(keys[2], "exact")


def test_an_unnormalised_key_is_an_exact_hit_in_every_language() -> None:
    decomposed = unicodedata.normalize("NFD", "café")
    for language in ("en", "ru", "hi"):
        lookup = Lookup(["bistro", decomposed], language)
        assert lookup.find(["café", "bistro"]) == Match(decomposed, "exact")


def test_listed_spellings_come_before_rules_and_rules_before_case() -> None:
    assert Lookup(["ежик", "Ёж", "ЁЖ", "еж"], "ru").find(["ёж", "ежик"]) == Match("ежик", "variant")
    assert Lookup(["Ёж", "ЁЖ", "еж"], "ru").find(["ёж"]) == Match("еж", "yo")
    assert Lookup(["Еж", "ЁЖ"], "ru").find(["ёж"]) == Match("ЁЖ", "case")
    assert Lookup(["Еж"], "ru").find(["ёж"]) == Match("Еж", "yo+case")
    assert Lookup(["Еж"], "ru").find(["колючка", "ёж"]) == Match("Еж", "variant+yo+case")


def test_case_is_tried_lower_title_upper() -> None:
    assert Lookup(["ANNA", "Anna"], "en").find(["anna"]) == Match("Anna", "case")
    assert Lookup(["ANNA", "Anna", "anna"], "en").find(["aNNa"]) == Match("anna", "case")


def test_rules_belong_to_their_language_and_accents_to_their_letters() -> None:
    assert Lookup(["тётя"], "en").find(["тетя"]) is None
    assert Lookup(["resume"], "fr").find(["résumé"]) is None
    assert Lookup(["иод"], "ru").find(["йод"]) is None


def test_the_nearest_spelling_wins_then_the_earliest_key() -> None:
    keys = ["खिलाफ", "ख़िलाफ", "खिलाफ़"]
    assert Lookup(keys, "hi").find(["ख़िलाफ़"]) == Match("ख़िलाफ", "nukta")
    assert Lookup(keys[::-1], "hi").find(["ख़िलाफ़"]) == Match("खिलाफ़", "nukta")
    assert Lookup(keys[:1], "hi").find(["ख़िलाफ़"]) == Match("खिलाफ", "nukta")


def test_a_tagged_vocabulary_is_recognised_by_most_of_its_keys() -> None:
    assert Lookup(TAGGED, "ru").tagged
    assert not Lookup(["plan_X", "a", "b", "c"], "en").tagged
    assert not Lookup(["NOUN", "VERB"], "en").tagged
    assert not Lookup([], "en").tagged


@pytest.mark.parametrize(
    ("word", "pos", "key", "how"),
    [
        ("мужчина", "NOUN", "мужчина_NOUN", "tagged"),
        ("мужской", "ADJ", "мужской_ADJ", "tagged"),
        ("сдаться", "VERB", "сдаться_VERB", "tagged"),
        ("тетя", "NOUN", "тётя_NOUN", "yo+tagged"),
        ("ребенок", "NOUN", "ребёнок_NOUN", "yo+tagged"),
        ("Папа", "NOUN", "папа_NOUN", "case+tagged"),
        ("Тетя", None, "тётя_NOUN", "yo+case+tagged"),
        ("бояться", None, "бояться_VERB", "tagged"),
        ("родной", None, "родной_NOUN", "tagged"),
        ("родной", "ADJ", "родной_ADJ", "tagged"),
        ("иван", None, "иван_NOUN", "tagged"),
        ("Иван", None, "иван_PROPN", "case+tagged"),
        ("Иван", "PROPN", "иван_PROPN", "case+tagged"),
        ("мама_NOUN", None, "мама_NOUN", "exact"),
    ],
)
def test_a_tagged_vocabulary_is_searched_by_part_of_speech(
    word: str, pos: str | None, key: str, how: str
) -> None:
    assert Lookup(TAGGED, "ru").find([word], pos) == Match(key, how)


def test_the_russian_lists_are_found_whole_in_a_tagged_vocabulary() -> None:
    entries = [
        (word, pos or "NOUN") for word, _, pos in (e.partition("/") for e in PESTOVA.split())
    ]
    keys = [f"{YO.get(word, word)}_{pos}" for word, pos in entries]
    lookup = Lookup([*keys, "и_CCONJ", "он_PRON"], "ru")
    for (word, pos), key in zip(entries, keys, strict=True):
        how = "yo+tagged" if word in YO else "tagged"
        assert lookup.find([word], pos) == lookup.find([word]) == Match(key, how)


def test_the_wrong_part_of_speech_and_closed_classes_are_not_found() -> None:
    assert Lookup(TAGGED, "ru").find(["мужчина"], "VERB") is None
    assert Lookup(TAGGED, "ru").find(["в"]) is None
    assert Lookup(TAGGED, "ru").find(["пapa"], "NOUN") is None  # Latin letters


def test_plain_vocabularies_ignore_the_part_of_speech() -> None:
    assert Lookup(["тетя"], "ru").find(["тетя"], "NOUN") == Match("тетя", "exact")


def test_nothing_is_found_for_nothing() -> None:
    assert Lookup(["a"], "en").find([]) is None
    assert Lookup([], "hi").find(["a"]) is None


@pytest.mark.parametrize(
    ("keys", "key", "how"),
    [
        (["भौतिक", "विज्ञान", "भौतिक_विज्ञान", "भौतिक विज्ञान"], "भौतिक विज्ञान", "exact"),
        (["भौतिक", "विज्ञान", "भौतिक_विज्ञान"], "भौतिक_विज्ञान", "underscore"),
        (["विज्ञान", "भौतिक"], "भौतिक + विज्ञान", "mean of parts"),
        (["विज्ञान", "भौतिक", "भौतिकी"], "भौतिकी", "variant"),
    ],
)
def test_several_words_are_found_whole_before_their_parts(
    keys: list[str], key: str, how: str
) -> None:
    match = Lookup(keys, "hi").find(["भौतिक विज्ञान", "भौतिकी"])
    assert match is not None
    assert (match.key, match.how) == (key, how)
    assert set(match.keys) <= set(keys)
    assert match.parts == (("भौतिक", "विज्ञान") if "+" in key else ())


def test_parts_are_found_by_the_rules_of_words() -> None:
    match = Lookup(["ज़िला", "पंडित"], "hi").find(["जिला पण्डित"])
    assert match == Match("ज़िला + पंडित", "nukta+nasal+mean of parts", ("ज़िला", "पंडित"))
    match = Lookup(["new", "york"], "en").find(["Gotham", "New York"])
    assert match == Match("new + york", "variant+case+mean of parts", ("new", "york"))
    match = Lookup(["New_York", "new", "york"], "en").find(["new york"])
    assert match == Match("New_York", "underscore+case")
    match = Lookup(TAGGED, "ru").find(["слабый мужчина"], "NOUN")
    assert match is not None
    assert match.keys == ("слабый_ADJ", "мужчина_NOUN")


def test_all_parts_are_needed_and_hyphens_do_not_part() -> None:
    assert Lookup(["sea"], "en").find(["sea aster"]) is None
    assert Lookup(["sea", "aster"], "en").find(["sea-aster"]) is None
    assert Lookup(["sea-aster"], "en").find(["sea aster"]) is None


# --- One look-up a language for all embeddings with the same keys ---


LANGUAGES = st.sampled_from(["en", "hi", "ru", ""])


def embedding(words: int) -> Embedding:
    return Embedding([f"word{number}" for number in range(words)], np.ones((words, 2)))


@given(st.integers(1, 9), st.lists(LANGUAGES, max_size=6), st.lists(LANGUAGES, min_size=1))
def test_whatever_has_the_same_keys_has_the_same_look_ups(
    words: int, earlier: list[str], later: list[str]
) -> None:
    first = embedding(words)
    for language in earlier:
        first.lookup(language)
    moved = (
        first.with_vectors(2 * first.vectors, Step("doubled"))
        .with_name("other")
        .with_languages("en")
    )
    with mock.patch.object(Lookup, "_find_entry", return_value=None) as searched:
        for language in later:
            assert moved.lookup(language) is first.lookup(language)
            assert moved.lookup(language).language == language
            assert first.lookup(language) is not embedding(words).lookup(language)
            moved.lookup(language).find(["elsewhere"], "NOUN")
            first.lookup(language).find(("elsewhere",), "NOUN")
    assert searched.call_count == len(set(later))


def test_one_debiasing_indexes_the_keys_of_a_model_once_a_language(tmp_path: Path) -> None:
    made: list[tuple[dict[str, int], str]] = []
    build = Lookup.__init__

    def counted(self: Lookup, keys: dict[str, int], language: str = "") -> None:
        made.append((keys, language))  # kept, so that no other dict takes its id
        build(self, keys, language)

    command = ["debias", "glove-en-small", "--concept", "en/gender", "--method", "hard"]
    wanted = ["--suite", "caliskan2017/weat-6", "-o", str(tmp_path / "new.fairvec")]
    with (
        mock.patch.object(Lookup, "__init__", counted),
        mock.patch("sys.argv", ["fairvec", *command, *wanted]),
        pytest.raises(SystemExit, match="0"),
    ):
        main()
    distinct = {(id(keys), language) for keys, language in made}
    assert made
    assert len(made) == len(distinct)
