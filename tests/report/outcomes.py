"""Made-up but coherent outcomes: effects follow from the words' scores, p-values from a normal."""

from math import comb, sqrt
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any, Literal

from fairvec.results import (
    Convention,
    GroupCoverage,
    Holds,
    Interval,
    ModelIdentity,
    Outcome,
    PValue,
    Result,
    Robustness,
    Skipped,
    TestIdentity,
    Verdict,
    WordScore,
)
from tests.report.lists import LISTS, SENSITIVE, TESTS, Test

VERSIONS = {"fairvec": "0.1.0", "python": "3.11.2", "numpy": "1.26.4", "scipy": "1.14.1"}
FAMILY = 14
SOURCES = {
    "caliskan2017": "Caliskan, Bryson & Narayanan (2017). Semantics derived automatically from "
    "language corpora contain human-like biases. Science 356, 183-186. doi:10.1126/science.aal4230",
    "malik2022": "Malik et al. (2022). Socially Aware Bias Measurements for Hindi Language "
    "Representations. NAACL.",
    "pestova": "Pestova. Gender bias in Russian word embeddings. <poster>",
}

CONVENTION = Convention(name="caliskan", ddof=1, denominator="word scores over X and Y")


def model(name: str, words: int = 400_000, **changes: Any) -> ModelIdentity:
    fields: dict[str, Any] = {
        "name": name,
        "sha256": f"{Random(name).getrandbits(256):064x}",
        "geometry": "euclidean",
        "curvature": 0.0,
        "dimensions": 100,
        "words": words,
        "history": ({"action": "read", "format": "glove", "duplicates": 0},),
    }
    return ModelIdentity(**fields | changes)


def identity(test: Test, **changes: Any) -> TestIdentity:
    x, y, a, _ = test.lists
    fields: dict[str, Any] = {
        "suite": test.suite,
        "suite_version": "1",
        "id": f"{test.suite}/{test.id}",
        "title": test.title,
        "category": test.category,
        "kind": test.kind,
        "language": test.language,
        "source": SOURCES[test.suite],
        "positive_means": f"{x} are closer to {a} than {y} are",
        "negative_means": f"{y} are closer to {a} than {x} are",
        "sensitive": SENSITIVE if test.sensitive else "",
    }
    return TestIdentity(**fields | changes)


def measured(
    of: ModelIdentity,
    test: Test,
    lean: float = 1.0,
    method: Literal["exact", "certified", "sampled"] = "exact",
    **changes: Any,
) -> Result:
    """A result whose x words lean `lean` spreads further to a than its y words."""
    draw = Random(f"{of.name} {test.id}")
    listed = [
        (role, word)
        for role, name in zip("xy", test.lists[:2], strict=True)
        for word in LISTS[name]
    ]
    scores = [draw.gauss(0.02 + 0.04 * lean * (role == "x"), 0.04) for role, _ in listed]

    def effect(left_out: int | None = None) -> float:
        kept = [at for at in range(len(listed)) if at != left_out]
        x, y = ([scores[at] for at in kept if listed[at][0] == role] for role in "xy")
        return (fmean(x) - fmean(y)) / stdev([scores[at] for at in kept])

    sizes = [sum(role == one for role, _ in listed) for one in "xy"]
    spread = sqrt(1 / sizes[0] + 1 / sizes[1])
    partitions = comb(sum(sizes), sizes[0])
    d = effect()
    p = max(2 * NormalDist().cdf(-abs(d) / spread), 2 / partitions)
    kind = (
        "too-few-words"
        if 2 / partitions > 0.05
        else "no-evidence"
        if FAMILY * p > 0.05
        else "biased"
    )
    if kind == "biased" and test.kind != "bias":
        kind = "associated"
    means = identity(test).positive_means if d > 0 else identity(test).negative_means
    sentences = {
        "biased": f"Biased: {means}.",
        "associated": f"Associated: {means}.",
        "no-evidence": "No evidence; these words could have shown an effect of "
        f"{spread * 2.8:.2f} or more.",
        "too-few-words": "Too few words: even the strongest association has p = 0.33, above 0.05.",
    }
    fields: dict[str, Any] = {
        "test": identity(test),
        "model": of,
        "metric": "weat",
        "similarity": _similarity(of),
        "convention": CONVENTION,
        "effect": d,
        "statistic": d * stdev(scores),
        "p": PValue(
            value=p,
            low=p * 0.97 if method == "certified" else p,
            high=p,
            method=method,
            sides="two",
            ties=">=",
            partitions=partitions,
            smallest=2 / partitions,
            samples=100_000 if method == "sampled" else None,
            standard_error=sqrt(p * (1 - p) / 100_000) if method == "sampled" else None,
            seed=7 if method == "sampled" else None,
        ),
        "p_holm": min(1.0, FAMILY * p),
        "p_bh": min(1.0, 3 * p),
        "family": FAMILY,
        "interval": Interval(
            low=max(-2, d - 2 * spread),
            high=min(2, d + 2 * spread),
            level=0.95,
            method="percentile",
            resamples=10_000,
            seed=7,
        ),
        "detectable": spread * 2.8 if kind != "too-few-words" else None,
        "verdict": Verdict(
            kind=kind, sentence=sentences[kind], p=p, p_holm=min(1.0, FAMILY * p), alpha=0.05
        ),
        "words": [
            WordScore(
                word=word.split("|")[0],
                key=word.split("|")[0],
                role=role,
                score=scores[at],
                without=effect(at) if min(sizes) > 2 else None,
                transliteration=word.split("|")[1] if "|" in word else "",
                gloss=word.split("|")[2] if "|" in word else "",
            )
            for at, (role, word) in enumerate(listed)
        ],
        "coverage": coverage(test),
        "seed": 7,
        "versions": VERSIONS,
    }
    return Result(**fields | changes)


def coverage(test: Test, missing: int = 0) -> tuple[GroupCoverage, ...]:
    return tuple(
        GroupCoverage(
            role=role,
            title=name,
            wanted=len(LISTS[name]),
            found=max(0, len(LISTS[name]) - missing),
            missing={word.split("|")[0]: "not in the vocabulary" for word in LISTS[name][:missing]},
            matched={"सुन्दर": "सुंदर"} if name == "adjectives of the upper castes" else {},
            how={"सुन्दर": "variant+nasal"} if name == "adjectives of the upper castes" else {},
            merged=("दलित",) if name == "lower castes" else (),
        )
        for role, name in zip("xyab", test.lists, strict=True)
    )


def skipped(of: ModelIdentity, test: Test, **changes: Any) -> Skipped:
    fields: dict[str, Any] = {
        "test": identity(test),
        "model": of,
        "metric": "weat",
        "similarity": _similarity(of),
        "convention": CONVENTION,
        "reason": f"Only 1 of the {len(LISTS[test.lists[0]])} {test.lists[0]} were found, "
        "less than 50%; use a model that knows these words.",
        "coverage": coverage(test, missing=len(LISTS[test.lists[0]]) - 1),
        "seed": 7,
        "versions": VERSIONS,
    }
    return Skipped(**fields | changes)


def tried(result: Result, holds: Holds | None) -> Result:
    """The result as `--robust` would judge it."""
    robustness = Robustness(
        draws=10,
        kept=0.8,
        low=0.1,
        high=1.9,
        same_sign=1.0,
        significant=0.4,
        swaps=(),
        frequency=None,
        holds=holds,
    )
    return result.model_copy(update={"robustness": robustness})


def _similarity(of: ModelIdentity) -> str:
    return "cosine" if of.geometry == "euclidean" else "negative-distance"


def a_run() -> list[Outcome]:
    """Five models in three languages: every kind of verdict, p-value and gap occurs in it."""
    english = [
        model("glove-6b-100d"),
        model("poincare-glove", 30_000, geometry="poincare", curvature=1.0),
        model("word2vec-google-news-300", 3_000_000, dimensions=300),
    ]
    methods: tuple[Literal["exact", "certified", "sampled"], ...] = (
        "exact",
        "certified",
        "sampled",
    )
    outcomes: list[Outcome] = []
    for number, of in enumerate(english):
        for test in (test for test in TESTS if test.language == "en"):
            if (test.id, number) == ("weat-10", 1):
                outcomes.append(skipped(of, test))
                continue
            method = methods[number] if len(LISTS[test.lists[0]]) > 20 else "exact"
            lean = -2.4 if (test.id, number) == ("weat-7", 2) else test.lean - 0.3 * number
            outcomes.append(measured(of, test, lean, method))
    for language, of in {
        "ru": model("navec-news", 250_000, dimensions=300, history=()),
        "hi": model("glove-hi", 80_000),
    }.items():
        outcomes += [measured(of, t, t.lean) for t in TESTS if t.language == language]
    narrow = outcomes[-1]
    outcomes[-1] = narrow.model_copy(update={"interval": None})
    return outcomes
