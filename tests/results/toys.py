"""Small records for tests of what reads results."""

from typing import Any

from fairvec.benchmarks import BENCHMARK_KINDS
from fairvec.experiments.utility import kind_of_use
from fairvec.results import Interval, PairedP, PValue, Result, Skipped
from fairvec.results.documents import (
    AnnotatedDocument,
    Annotation,
    DocumentIdentity,
    DocumentMeasure,
)
from fairvec.results.frontier import FrontierPoint, PointEffect
from fairvec.results.identities import Convention, ModelIdentity, TestIdentity
from fairvec.results.records import (
    CategoryAnswer,
    Change,
    Component,
    ConceptView,
    Description,
    GroupCoverage,
    PooledTest,
    ProjectedWord,
)
from fairvec.results.verdicts import ChangeKind, FrequencyControl, ListSwap, Robustness, Verdict

# --- Small records for tests of what reads results ---


TEST = TestIdentity(
    suite="toy",
    suite_version="1",
    id="toy/one",
    title="One",
    category="gender",
    language="en",
    source="Toy (2026)",
    positive_means="x are closer to a and y to b",
    negative_means="x are closer to b and y to a",
)
MODEL = ModelIdentity(
    name="model",
    sha256="0" * 64,
    geometry="euclidean",
    curvature=0.0,
    dimensions=2,
    words=10,
    history=({"action": "read", "file": "model.txt"},),
)
COVERAGE = tuple(
    GroupCoverage(
        role=role,
        title=role,
        wanted=4,
        found=3,
        missing={"w": "not in the vocabulary"},
        matched={},
        how={},
        merged=(),
    )
    for role in "xyab"
)


def measured(
    *,
    effect: float = 1.0,
    p: float = 0.01,
    p_holm: float = 0.02,
    test: str = "toy/one",
    model: str = "model",
) -> Result:
    """A result with these figures and everything else plain."""
    return Result(
        test=TEST.model_copy(update={"id": test}),
        model=MODEL.model_copy(update={"name": model}),
        metric="weat",
        similarity="cosine",
        convention=Convention(name="caliskan", ddof=1, denominator="leanings"),
        effect=effect,
        statistic=effect / 10,
        p=PValue(
            value=p,
            low=p,
            high=p,
            method="exact",
            sides="two",
            ties=">=",
            partitions=20,
            smallest=0.1,
        ),
        p_holm=p_holm,
        p_bh=p_holm,
        family=2,
        interval=Interval(
            low=effect - 1,
            high=effect + 1,
            level=0.95,
            kind="bootstrap",
            method="bca",
            resamples=100,
            seed=0,
        ),
        detectable=1.5,
        verdict=Verdict(
            kind="biased" if p_holm < 0.05 else "no-evidence",
            sentence="So it is.",
            p=p,
            p_holm=p_holm,
            alpha=0.05,
        ),
        words=(),
        coverage=COVERAGE,
        seed=0,
        versions={"fairvec": "0"},
    )


def pooled(effect: float) -> CategoryAnswer:
    """The answer of a category, and everything else plain."""
    plain = measured(effect=effect)
    identity = plain.test.model_dump() | {"id": "category/gender", "kind": "category"}
    return CategoryAnswer(
        **{name: getattr(plain, name) for name in ("model", "metric", "similarity", "coverage")},
        **{name: getattr(plain, name) for name in ("seed", "versions", "p", "p_holm", "family")},
        **{name: getattr(plain, name) for name in ("verdict", "interval")},
        test=TestIdentity(**identity),
        convention=Convention(name="caliskan", ddof=1, denominator="leanings"),
        effect=effect,
        size="large",
        between=0.0,
        inconsistency=0.0,
        prediction=None,
        tests=(
            PooledTest(test="toy/one", title="One", effect=effect, weight=1.0, verdict="biased"),
        ),
    )


def skipped(*, test: str = "toy/two") -> Skipped:
    """A test that was not run."""
    return Skipped(
        test=TEST.model_copy(update={"id": test}),
        model=MODEL,
        metric="weat",
        similarity="cosine",
        convention=Convention(name="caliskan", ddof=1, denominator="leanings"),
        reason="Only 1 of 4 x were found.",
        coverage=COVERAGE,
        seed=0,
        versions={"fairvec": "0"},
    )


def compared(
    *,
    before: float | None = 1.0,
    after: float | None = 0.2,
    kind: ChangeKind = "removed",
    test: str = "toy/one",
    of: str = "bias",
    p: float | None = 0.01,
    fitted: tuple[str, ...] = (),
) -> Change:
    """A figure before and after a change, and everything else plain."""
    part = test.partition("/")[2].replace("-held-out", ", held out")
    use = kind_of_use(BENCHMARK_KINDS[of], part) if of in BENCHMARK_KINDS else None
    return Change(
        test=TEST.model_copy(update={"id": test, "kind": of, "use": use}),
        model=MODEL.model_copy(update={"name": "model, debiased", "sha256": "1" * 64}),
        before=MODEL,
        metric="weat",
        similarity="cosine",
        coverage=(),
        fitted_words=fitted,
        seed=0,
        versions={"fairvec": "0"},
        value_before=before,
        value_after=after,
        interval_before=None,
        interval_after=None,
        p_before=0.3 if kind == "introduced" else 0.01,
        p_after=0.01 if kind in ("introduced", "reversed", "unchanged") else 0.3,
        kind=kind,
        paired=None if p is None else PairedP(value=p, low=p, high=p, method="exact", changed=12),
        items=12,
    )


def viewed(words: tuple[ProjectedWord, ...] | None = None, *, changed: bool = True) -> ConceptView:
    """A view of a concept, and everything else plain."""
    placed = [("he", "listed", 0.4, -0.1, 0.38), ("nurse", "neutral", -0.3, 0.2, 0.01)]
    placed += [("king", "learnt", 0.2, -0.05, 0.19)]
    return ConceptView(
        test=TEST.model_copy(update={"id": "en/gender:pairs", "kind": "concept"}),
        model=MODEL,
        after=compared().model if changed else None,
        metric="concept-view",
        similarity="cosine",
        coverage=(),
        seed=0,
        versions={"fairvec": "0"},
        concept="en/gender:pairs",
        pairs=(("he", "she"), ("man", "woman")),
        draws=1000,
        components=(
            Component(share=0.8, by_chance=0.55, by_chance_high=0.65),
            Component(share=0.2, by_chance=0.45, by_chance_high=0.5),
        ),
        axis=("he", "she"),
        plane="a linear SVM (C = 1) between 20 specific words and 90 others",
        recognised=(12, 20),
        words=words
        if words is not None
        else tuple(
            ProjectedWord(
                word=word, key=word, kind=kind, x=x, y=y, x_after=end if changed else None
            )
            for word, kind, x, y, end in placed
        ),
    )


# --- Small records of documents for tests of what reads them ---


TEXT = "She left.\u2028He stayed."
IDENTITY = DocumentIdentity(
    name="a.txt",
    sha256="0" * 64,
    language="en",
    characters=len(TEXT),
    paragraphs=2,
    sentences=2,
    words=4,
)


def figure(**fields: Any) -> DocumentMeasure:
    """Return a figure of mentions, or one with other fields."""
    usual = {
        "document": IDENTITY,
        "measure": "mentions",
        "what": "all",
        "title": "Share of women among the people mentioned",
        "value": 0.25,
        "neutral": 0.5,
        "meaning": "1: only women; 0: only men",
        "count_a": 3,
        "count_b": 1,
        "unit": "paragraphs",
        "interval": Interval(low=0.1, high=0.6, level=0.95, kind="bootstrap", method="toy"),
        "p": 0.5,
        "sentence": "Men are mentioned three times, women once.",
    }
    return DocumentMeasure(**(usual | fields))


def read_document(**fields: Any) -> AnnotatedDocument:
    """Return a document with one mark, or one with other fields."""
    usual = {
        "document": IDENTITY,
        "groups": ("men", "women"),
        "text": TEXT,
        "marks": (
            Annotation(
                file="letter.txt",
                line=1,
                column=1,
                start=0,
                end=3,
                kind="person",
                side="b",
                role="pronoun",
                reason="She",
            ),
        ),
        "versions": {"fairvec": "0"},
    }
    return AnnotatedDocument(**(usual | fields))


# --- Points of a frontier, for tests that do not measure anything ---


MODEL_FRONTIER = ModelIdentity(
    name="toy",
    sha256="0" * 64,
    geometry="euclidean",
    curvature=0,
    dimensions=6,
    words=18,
    history=(),
)


def effect(before: float, after: float | None, kind: Any, test: str = "toy/one") -> PointEffect:
    return PointEffect(
        test=test, category="gender", before=before, after=after, significant=True, kind=kind
    )


def point(method: str, left: float, kept: float, **others: Any) -> FrontierPoint:
    """A point that leaves so much of a bias of 1 and keeps so much."""
    fields: dict[str, Any] = {
        "model": MODEL_FRONTIER,
        "concept": "en/gender:pairs",
        "method": method,
        "settings": {},
        "strength": 1.0,
        "held_out": True,
        "bias_left": left,
        "bias_before": 1.0,
        "information_kept": kept,
        "kept": {"similarity": kept},
        "effects": (effect(1.0, left, "reduced"),),
        "figures": (),
        "displacement": 0.1,
    }
    return FrontierPoint(**fields | others)


def described() -> Description:
    return Description(
        test=TEST,
        model=MODEL,
        metric="rnsb",
        similarity="",
        coverage=COVERAGE,
        seed=0,
        versions={"fairvec": "0"},
        value=0.125,
        neutral=0.0,
        meaning="large is uneven",
        interval=None,
        words=(),
    )


def robust_result(explains: bool = False) -> Result:
    """A result with every check of `--robust`; `explains`: by the frequency of its words."""
    frequency = FrequencyControl(correlation=0.5, effect=0.25, p=0.3, explains=explains)
    swap = ListSwap(lists=("a", "b"), source="other/one", effect=-0.5, p=0.04)
    robustness = Robustness(
        draws=200,
        kept=0.8,
        low=0.4,
        high=1.6,
        same_sign=1.0,
        significant=0.655,
        swaps=(swap,),
        frequency=frequency,
    )
    return measured().model_copy(update={"robustness": robustness})
