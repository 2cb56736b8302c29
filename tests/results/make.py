"""Small records for tests of what reads results."""

from fairvec.results import (
    Convention,
    GroupCoverage,
    Interval,
    ModelIdentity,
    PValue,
    Result,
    Skipped,
    TestIdentity,
    Verdict,
)

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
            low=effect - 1, high=effect + 1, level=0.95, method="bca", resamples=100, seed=0
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
