"""A result whose record holds similarities, as a heat map needs them."""

from fairvec.results import GroupCoverage, Result
from tests.report.lists import TESTS
from tests.report.outcomes import measured, model


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
