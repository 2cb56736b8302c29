"""Made-up but coherent outcomes: effects follow from scores, p-values from a normal curve."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb, sqrt
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any, Literal

from fairvec.core.format import capitalize_first
from fairvec.messages.categories import AGAINST, AS_STEREOTYPES
from fairvec.messages.verdicts import claim_sentence, no_evidence_sentence, too_few_words_sentence
from fairvec.report.pictures import (
    Picture,
    categories_picture,
    forest_picture,
    heat_picture,
    strip_picture,
)
from fairvec.results import Interval, Outcome, PValue, Result, Skipped
from fairvec.results.identities import Convention, ModelIdentity, TestIdentity
from fairvec.results.records import CategoryAnswer, GroupCoverage, PooledTest, WordScore
from fairvec.results.verdicts import Robustness, RobustnessKind, Verdict, effect_magnitude

# --- Words and tests for made-up outcomes; `word|transliteration|gloss` off the Latin script ---


SENSITIVE = "The lists name castes and the stereotypes held about them."

_LISTS = {
    "flowers": "aster clover hyacinth marigold poppy azalea crocus iris orchid rose bluebell "
    "daffodil lilac pansy tulip buttercup daisy lily peony violet carnation gladiola magnolia "
    "petunia zinnia",
    "insects": "ant caterpillar flea locust spider bedbug centipede fly maggot tarantula bee "
    "cockroach gnat mosquito termite beetle cricket hornet moth wasp blackfly dragonfly horsefly "
    "roach weevil",
    "pleasant words": "caress freedom health love peace cheer friend heaven",
    "unpleasant words": "abuse crash filth murder sickness accident death grief",
    "male names": "John Paul Mike Kevin Steve Greg Jeff Bill",
    "female names": "Amy Joan Lisa Sarah Diana Kate Ann Donna",
    "career words": "executive management professional corporation salary office business career",
    "family words": "home parents children family cousins marriage wedding relatives",
    "maths words": "math algebra geometry calculus equations computation numbers addition",
    "arts words": "poetry art dance literature novel symphony drama sculpture",
    "male words": "male man boy brother he him his son",
    "female words": "female woman girl sister she her hers daughter",
    "young names": "Tiffany Michelle",
    "old names": "Ethel Bernice",
    "мужские слова": "мужчина мужской мальчик брат сын отец папа дедушка дядя",
    "женские слова": "женщина женский девочка сестра дочь мать мама бабушка тетя",
    "intelligence": "развитый|razvityj|developed находчивый|nakhodchivyj|resourceful "
    "любознательный|ljuboznatel'nyj|inquisitive гениальный|genial'nyj|brilliant "
    "изобретательный|izobretatel'nyj|inventive проницательный|pronicatel'nyj|shrewd "
    "рассудительный|rassuditel'nyj|judicious способный|sposobnyj|able мудрый|mudryj|wise "
    "сообразительный|soobrazitel'nyj|quick-witted умный|umnyj|clever логичный|logichnyj|logical "
    "вдумчивый|vdumchivyj|thoughtful творческий|tvorcheskij|creative",
    "appearance": "привлекательный|privlekatel'nyj|attractive "
    "соблазнительный|soblaznitel'nyj|seductive роскошный|roskoshnyj|luxurious "
    "румяный|rumjanyj|rosy пухлый|pukhlyj|plump чувственный|chuvstvennyj|sensual "
    "великолепный|velikolepnyj|magnificent стройный|strojnyj|slender лысый|lysyj|bald "
    "красивый|krasivyj|beautiful модный|modnyj|fashionable толстый|tolstyj|fat "
    "слабый|slabyj|weak симпатичный|simpatichnyj|pretty",
    "upper castes": "ठाकुर|ṭhākur|Thakur ब्राह्मण|brāhmaṇ|Brahmin राजपूत|rājpūt|Rajput "
    "क्षत्रिय|kṣatriya|Kshatriya आर्य|ārya|Arya जाट|jāṭ|Jat बनिया|baniyā|Baniya "
    "कायस्थ|kāyasth|Kayastha",
    "lower castes": "दलित|dalit|Dalit शूद्र|śūdra|Shudra भंगी|bhaṅgī|(slur) चमार|camār|(slur) "
    "वाल्मीकि|vālmīki|Valmiki हरिजन|harijan|Harijan चूहड़ा|cūhaṛā|(slur) जाटव|jāṭav|Jatav",
    "adjectives of the upper castes": "अमीर ज्ञानी वीर ताकतवर सुन्दर उच्च साहसी",
    "adjectives of the lower castes": "नीच घृणा गन्दा कमजोर गरीब अज्ञानी निर्बल",
    "गणित": "गणित|gaṇit|maths बीजगणित|bījagaṇit|algebra ज्यामिति|jyāmiti|geometry "
    "समीकरण|samīkaraṇ|equation गणना|gaṇanā|computation संख्या|saṅkhyā|number योग|yog|addition",
    "कला": "कविता|kavitā|poem कला|kalā|art नृत्य|nṛtya|dance साहित्य|sāhitya|literature "
    "उपन्यास|upanyās|novel राग|rāg|raga नाटक|nāṭak|drama मूर्ति|mūrti|sculpture",
    "पुरुष": "पुरुष आदमी लड़का भाई पति चाचा मामा बेटा",
    "महिला": "महिला औरत लड़की बहन पत्नी चाची मामी बेटी",
}
LISTS = {name: words.split() for name, words in _LISTS.items()}


@dataclass(frozen=True)
class Test:
    suite: str
    id: str
    title: str
    category: str
    language: str
    lists: tuple[str, str, str, str]
    lean: float = 1.5
    kind: str = "bias"
    sensitive: bool = False

    __test__ = False  # pytest: this is not a test class


_GENDER = ("male words", "female words")

TESTS = (
    Test(
        "caliskan2017",
        "weat-1",
        "Flowers and insects, pleasant and unpleasant",
        "baseline",
        "en",
        ("flowers", "insects", "pleasant words", "unpleasant words"),
        1.6,
        "baseline",
    ),
    Test(
        "caliskan2017",
        "weat-6",
        "Male and female names, career and family",
        "gender",
        "en",
        ("male names", "female names", "career words", "family words"),
        3.0,
    ),
    Test(
        "caliskan2017",
        "weat-7",
        "Maths and arts, male and female words",
        "gender",
        "en",
        ("maths words", "arts words", *_GENDER),
        1.1,
    ),
    Test(
        "caliskan2017",
        "weat-10",
        "Young and old people's names, pleasant and unpleasant",
        "age",
        "en",
        ("young names", "old names", "pleasant words", "unpleasant words"),
    ),
    Test(
        "pestova",
        "e4",
        "Intelligence and appearance",
        "gender",
        "ru",
        ("intelligence", "appearance", "мужские слова", "женские слова"),
        2.0,
    ),
    Test(
        "malik2022",
        "caste-adjectives",
        "Caste names and adjectives",
        "caste",
        "hi",
        (
            "upper castes",
            "lower castes",
            "adjectives of the upper castes",
            "adjectives of the lower castes",
        ),
        2.6,
        "bias",
        True,
    ),
    Test(
        "malik2022",
        "maths-arts",
        "Maths and arts, men and women",
        "gender",
        "hi",
        ("गणित", "कला", "पुरुष", "महिला"),
        0.4,
    ),
)


# --- Made-up but coherent outcomes: effects follow from the words' scores, p-values from a normal


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
        remaining = [at for at in range(len(listed)) if at != left_out]
        x, y = ([scores[at] for at in remaining if listed[at][0] == role] for role in "xy")
        return (fmean(x) - fmean(y)) / stdev([scores[at] for at in remaining])

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
        "biased": claim_sentence("bias", means),
        "associated": claim_sentence("baseline", means),
        "no-evidence": no_evidence_sentence(None, spread * 2.8, standardised=True),
        "too-few-words": too_few_words_sentence(1 / 3, 0.05, 1, ""),
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
            kind="bootstrap",
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


def with_robustness(result: Result, holds: RobustnessKind | None) -> Result:
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


# --- Answers by category for outcomes that have none: plain means of the tests' effects ---


def with_answers(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes, and after them one answer for each model, language and category of bias."""
    outcomes = list(outcomes)
    groups: dict[tuple[str, ...], list[Result]] = {}
    for one in outcomes:
        if isinstance(one, Result) and one.test.kind == "bias" and one.convention.standardised:
            key = (one.model.sha256, one.metric, one.similarity, one.convention.name)
            groups.setdefault((*key, one.test.language, one.test.category), []).append(one)
    return [*outcomes, *(answer(members) for members in groups.values())]


def answer(results: list[Result]) -> CategoryAnswer:
    """One answer; its effect is the mean, its certainty that of its surest test."""
    effects = [result.effect for result in results]
    effect = fmean(effects)
    half = 0.7 / len(effects) ** 0.5
    between = stdev(effects) if len(effects) > 1 else 0.0
    surest = min(results, key=lambda result: result.p.value)
    first = surest.test
    p_holm = min(1.0, 4 * surest.p.value)
    significant = sum(result.verdict.kind == "biased" for result in results)
    kind = "biased" if p_holm <= 0.05 else "mixed" if significant else "no-evidence"
    category = first.category.capitalize()
    lean = AS_STEREOTYPES if effect > 0 else AGAINST
    ends = {"low": effect - half, "high": effect + half, "level": 0.95}
    ends |= {"kind": "inverted", "method": "made up"}
    wider = {**ends, "low": effect - half - 2 * between, "high": effect + half + 2 * between}
    return CategoryAnswer(
        test=first.model_copy(
            update={
                "suite": "category",
                "id": f"category/{first.category}",
                "title": f"All tests of {first.category}",
                "kind": "category",
                "sensitive": "",
                "also": (),
            }
        ),
        model=surest.model,
        metric=surest.metric,
        similarity=surest.similarity,
        convention=surest.convention,
        coverage=(),
        seed=surest.seed,
        versions=surest.versions,
        effect=effect,
        size=effect_magnitude(effect),
        interval=Interval.model_validate(ends),
        between=between,
        inconsistency=0.5,
        prediction=Interval.model_validate(wider) if len(effects) > 2 else None,
        p=surest.p,
        p_holm=p_holm,
        family=4,
        tests=tuple(
            PooledTest(
                test=result.test.id,
                title=result.test.title,
                effect=result.effect,
                weight=1 / len(results),
                verdict=result.verdict.kind,
            )
            for result in results
        ),
        heading=category,
        verdict=Verdict(
            kind=kind,
            sentence=f"{category}: {kind.replace('-', ' ')}. {capitalize_first(lean)}: a "
            f"{effect_magnitude(effect)} effect (d {effect:+.2f}, 95 % {effect - half:+.2f} to "
            f"{effect + half:+.2f}; p = {surest.p.value:.4f}) over {len(results)} tests, "
            f"{significant} significant on their own; the effect varies between tests (tau "
            f"{between:.1f}).",
            p=surest.p.value,
            p_holm=p_holm,
            alpha=0.05,
        ),
    )


# --- A result whose record holds similarities, as a heat map needs them ---


def with_similarities(name: str = "glove") -> Result:
    """Similarities that grow along the rows, so that all shades occur."""
    plain = measured(model(name), next(test for test in TESTS if test.id == "weat-6"))
    listed = {"a": ("office", "<career>"), "b": ("home", "family", "wedding")}
    coverage = [
        *plain.coverage[:2],
        *(
            GroupCoverage(
                role=role,
                title=f"{role} & co",
                wanted=len(words),
                found=len(words),
                missing={},
                entries=dict(zip(words, words, strict=True)),
                matched={},
                how={},
                merged=(),
            )
            for role, words in listed.items()
        ),
    ]
    table = tuple(
        tuple(round((row * 5 + column) / 80, 3) for column in range(5))
        for row in range(len(plain.words))
    )
    return plain.model_copy(update={"coverage": tuple(coverage), "similarities": table})


RUN = with_answers(a_run())


def run_of(model: str) -> list[Outcome]:
    return [one for one in RUN if one.model.name == model]


def first_result(model: str) -> Result:
    return next(one for one in run_of(model) if isinstance(one, Result))


def pictures() -> dict[str, Picture]:
    return {
        "forest": forest_picture(run_of("glove-6b-100d")),
        "forest-of-several": forest_picture(RUN),
        "categories": categories_picture(RUN),
        "strip": strip_picture(first_result("glove-6b-100d")),
        "strip-hi": strip_picture(first_result("glove-hi")),
        "strip-ru": strip_picture(first_result("navec-news")),
        "heat": heat_picture(with_similarities()),
    }
