"""Language codes, scripts and the language of a text."""

import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from fairvec import languages
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.embedding import Embedding, Lookup
from fairvec.encoders.contexts import Corpus, contexts_in
from fairvec.experiments.neighbours import keys_of_words
from fairvec.languages.detect import detect_language
from fairvec.languages.language import (
    file_of_language,
    language,
    language_folders,
    languages_with,
    script_of_language,
    scripts,
)
from fairvec.languages.rewriting import quoted_spans
from fairvec.languages.text import sentences_of, token_pattern
from fairvec.languages.words import Word
from fairvec.lexicon.lint import duplicates, spelling_forms, word_findings
from fairvec.training.text import plain_words
from tests.loops import loop_over

# --- languages ---


TABLES = [
    table for folder in language_folders().values() for table in sorted(folder.glob("*.toml"))
]


@loop_over("table", TABLES)
def test_every_table_is_of_the_language_of_its_folder(table: Path) -> None:
    table_values = tomllib.loads(table.read_text(encoding="utf-8"))
    assert table_values["code" if table.stem == "language" else "language"] == table.parent.name


@pytest.mark.parametrize("table", ["concepts", "templates", "people", "equity", "rewrites"])
def test_the_languages_of_the_papers_have_their_lists(table: str) -> None:
    assert {"en", "hi", "ru"} <= {*languages_with(table)}


def test_another_language_is_refused_with_those_that_are_there() -> None:
    with pytest.raises(UnknownNameError, match=r"language of lists named 'fr'; known: en, hi, ru"):
        file_of_language("fr", "templates", "lists")


# --- scripts ---


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("папа", {"CYRILLIC"}),
        ("пapa", {"CYRILLIC", "LATIN"}),
        ("ज़मींदार", {"DEVANAGARI"}),
        ("naïve-2", {"LATIN"}),
        ("e\u0301", {"LATIN"}),
        ("42", set()),
        ("東京タワー", {"CJK"}),
    ],
)
def test_the_scripts_of_letters_are_named(text: str, found: set[str]) -> None:
    assert scripts(text) == found


def test_a_language_has_its_script_whatever_the_words() -> None:
    assert script_of_language("ru", ["papa", "mama"]) == "CYRILLIC"
    assert script_of_language("hi", []) == "DEVANAGARI"


def test_other_languages_take_the_script_of_most_letters() -> None:
    assert script_of_language("el", ["άνδρας", "man"]) == "GREEK"
    assert script_of_language("el", ["1"]) == ""


# --- The language of a text: what was said, else its script, and a doubt where there is one ---


@pytest.mark.parametrize(("text", "language"), [("She", "en"), ("Она a", "ru"), ("वह x", "hi")])
def test_the_language_is_detected_by_script_with_a_remark(text: str, language: str) -> None:
    found = detect_language(text, "a")
    assert found.language == language
    assert f"The language {language} was assumed" in found.remark
    assert detect_language(text, "a", language).remark == ""


@pytest.mark.parametrize(
    ("text", "declared", "sentence"),
    [
        ("", None, "nothing to read here .it is empty"),
        (" \n", "en", "it is empty"),
        ("12 + 3", None, "it has no letters"),
        ("Она ушла", "en", "100% of its letters are Cyrillic, and 'en' is written in Latin"),
        ("She", "hi", "'hi' is written in Devanagari"),
        ("她走了", None, "most of its letters are Cjk"),
        ("She", "English", "named by its code"),
    ],
    ids=["empty", "space", "numbers", "cyrillic", "latin", "chinese", "name"],
)
def test_another_script_is_refused(text: str, declared: str | None, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        detect_language(text, "a", declared)


def test_a_text_of_another_language_in_the_same_script_is_doubted() -> None:
    german = "Der Hund und die Katze gehen durch den Wald nach Hause. " * 10
    assert "is it another language" in detect_language(german, "a", "en").remark
    english = "The dog and the cat go home through the wood in the night. " * 10
    assert detect_language(english, "a", "en").remark == ""
    in_quotes = " ".join(f"“{word}”…" for word in english.split())
    assert detect_language(in_quotes, "a", "en").remark == ""


@pytest.mark.parametrize("stop", [".", "।", "۔"])
def test_a_quotation_that_only_closes_after_a_stop_began_before(stop: str) -> None:
    text = f"aa{stop}’ bb"
    assert quoted_spans(text, 0, len(text)) == [(-1, 4)]
    assert quoted_spans("aa’ bb", 0, 6) == []


@pytest.mark.parametrize("marks", ["«»", "‹›", "“”"])
def test_a_quotation_within_one_of_its_own_kind_may_have_ended_anywhere(marks: str) -> None:
    opens, closes = marks[0], marks[1]
    text = f"aa {opens}bb {opens}cc{closes} dd"
    assert quoted_spans(text, 0, len(text)) == [(-1, len(text))]
    apart = f"{opens}aa{closes} bb {opens}cc{closes}"
    assert quoted_spans(apart, 0, len(apart)) == [(0, 4), (8, 12)]


# --- A second language of a script: no script stands for a language


MARATHI = """
code = "mr"
name = "Marathi"
script = "DEVANAGARI"
joiners = "kept"
function_words = "आणि आहे हा ही हे या त्या मी तो ती नाही"
"""


@pytest.fixture
def marathi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marathi, whose spelling counts nothing as equal but the last vowel."""
    (tmp_path / "mr").mkdir()
    (tmp_path / "mr" / "language.toml").write_text(MARATHI, encoding="utf-8")
    (tmp_path / "mr" / "spelling.py").write_text(
        "from fairvec.languages.spelling import SpellingRule\n"
        "RULES = (SpellingRule('last', lambda text: text.rstrip('ा')),)\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(languages, "__path__", [*languages.__path__, str(tmp_path)])
    for name in ("fairvec.languages.mr", "fairvec.languages.mr.spelling"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.usefixtures("marathi")
@pytest.mark.parametrize(
    ("text", "found"), [("वह घर में है और वह भी", "hi"), ("तो घरी आहे आणि ती नाही", "mr")]
)
def test_of_two_languages_in_a_script_the_commonest_words_decide(text: str, found: str) -> None:
    detected = detect_language(text, "a")
    assert detected.language == found
    assert "the commonest words" in detected.remark


@pytest.mark.usefixtures("marathi")
def test_where_they_do_not_decide_no_language_is_assumed() -> None:
    with pytest.raises(SettingError, match="may be in hi or mr"):
        detect_language("पुस्तक", "a")
    assert detect_language("пусть", "a").language == "ru"


@pytest.mark.usefixtures("marathi")
@pytest.mark.parametrize(
    ("of_model", "how"),
    [(("hi",), "nasal"), (("mr",), None), ((), "nasal"), (("en",), None), (("en", "hi"), "nasal")],
)
def test_a_typed_word_is_looked_up_by_the_rules_of_the_models_language(
    of_model: tuple[str, ...], how: str | None
) -> None:
    model = Embedding(["हिन्दी", "b"], np.eye(2), languages=of_model)
    messages: list[str] = []
    if how is None:
        with pytest.raises(UnknownNameError):
            keys_of_words(["हिंदी"], model, messages.append)
    else:
        assert keys_of_words(["हिंदी"], model, messages.append) == ["हिन्दी"]
        assert f"({how})" in messages[0]


# --- Joiners: the look of a word in Hindi, another word elsewhere


PERSIAN, EYELASH, CHILLU = "می\u200cروم", "दर्\u200dया", "അവന\u0d4d\u200d"
KHANDA_TA = "সত\u09cd\u200d"


@pytest.mark.parametrize(
    ("code", "word"),
    [("fa", PERSIAN), ("ur", PERSIAN), ("mr", EYELASH), ("ml", CHILLU), ("bn", KHANDA_TA)],
)
def test_joiners_that_make_another_word_are_kept(code: str, word: str) -> None:
    without = word.replace("\u200c", "").replace("\u200d", "")
    spelling = language(code).spelling
    assert spelling.normalize(word) == word
    assert Lookup([without], code).find([word]) is None
    assert plain_words(language=code)(f"{word}, {without}.") == [word, without]
    assert token_pattern().findall(f"{word}.") == [word]
    both = Word(word=word), Word(word=without)
    assert [*duplicates(both, spelling_forms(code))] == []
    assert [*word_findings(both[0], script_of_language(code, [word]), spelling)] == []


@pytest.mark.parametrize("code", ["hi", "en", "ru", ""])
def test_elsewhere_they_are_the_look_of_a_word(code: str) -> None:
    assert Lookup(["पत्नी"], code).find(["पत्\u200dनी"]) is not None
    assert plain_words(language=code)("पत्\u200dनी") == ["पत्नी"]


@pytest.mark.parametrize(("code", "stands"), [("hi", "क्ष"), ("", "क्ष"), ("mr", "क्\u200dष")])
def test_sentences_of_a_corpus_have_the_joiners_of_its_language(
    code: str, stands: str, tmp_path: Path
) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("यह क्\u200dष है।", encoding="utf-8")
    (found,) = Corpus((path,), language=code, keep=False)([(stands,)])
    assert [sentence.text for sentence in found] == [f"यह {stands} है।"]


def test_a_corpus_that_says_no_language_is_read_by_that_of_the_words(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("यह क्\u200dष है।", encoding="utf-8")
    corpus = Corpus((path,), keep=False)
    for code, found in (("hi", 1), ("mr", 0), ("hi", 1)):
        assert [len(each) for each in contexts_in(corpus, code)([("क्ष",)])] == [found]
    assert corpus.in_language("hi") is corpus.in_language("hi")
    assert contexts_in(Corpus((path,), language="mr", keep=False), "hi")([("क्ष",)]) == [()]


# --- Abbreviations are those of the language; all of them where it is not known


@pytest.mark.parametrize(
    ("code", "line", "sentences"),
    [
        ("en", "Dr. Rao came.", 1),
        ("hi", "डॉ. राव आए।", 1),
        ("", "डॉ. राव आए। Dr. Rao came.", 2),
        ("de", "Dr. Rao kam.", 2),
        ("ur", "وہ آیا۔ وہ گیا۔", 2),
    ],
)
def test_a_title_ends_no_sentence(code: str, line: str, sentences: int) -> None:
    assert len([*sentences_of(line, code)]) == sentences
