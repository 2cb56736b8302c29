"""One answer for a whole category: all its bias tests taken together."""

from typing import Literal, Self

from pydantic import Field, model_validator

from fairvec.ground.numbers import counted
from fairvec.ground.sizes import Size
from fairvec.results.certainty import Interval, PValue, Verdict
from fairvec.results.identities import Convention
from fairvec.results.kinds import VerdictKind
from fairvec.results.lines import asked_line, effect_said, verdict_said
from fairvec.results.record import Count, Record, Share
from fairvec.results.records import Asked

CATEGORY = "category"
"""The kind of the `test` that a category's record is about: an answer, or why there is none."""


class PooledTest(Record):
    """One test's share in the answer."""

    test: str = Field(description="Full id of the test, e.g. caliskan2017/weat-6")
    title: str = Field(description="Its title in plain words")
    effect: float = Field(description="Its effect size d, in the convention of the answer")
    weight: float = Field(description="Its share in the pooled effect; all shares add up to 1")
    verdict: VerdictKind = Field(description="Its own verdict, corrected over its own family")


class CategoryAnswer(Asked):
    """All bias tests of one category, by one metric in one embedding, pooled into one answer.

    `test` names the category (kind `category`, id `category/gender`). A positive effect says: on
    average the tests lean as their authors say that a stereotype does.
    """

    status: Literal["pooled"] = Field(default="pooled", description="Always pooled")
    convention: Convention = Field(description="How the effects that are pooled were scaled")
    effect: float = Field(description="The pooled effect: a weighted mean of the tests' effects")
    size: Size = Field(description="The pooled effect's size in words")
    interval: Interval | None = Field(
        description="The pooled effects that the joint regrouping does not reject; null if none"
    )
    between: float = Field(
        description="Standard deviation of the true effects between tests (tau); 0 if the tests "
        "differ no more than their words explain"
    )
    inconsistency: float = Field(
        description="Share of the spread between tests that is not chance (I squared), 0 to 1"
    )
    prediction: Interval | None = Field(
        description="Where the effect of one more test of this kind would lie; null of fewer than "
        "three tests"
    )
    p: PValue = Field(
        description="How often a joint regrouping of all words gives as large a pooled effect; a "
        "word of several tests moves as one"
    )
    p_holm: Share | None = Field(
        description="p, Holm-corrected over the categories of this model and metric; null if so "
        "few words decide nothing"
    )
    family: Count = Field(description="Number of categories that p_holm is corrected over")
    tests: tuple[PooledTest, ...] = Field(description="The tests that were pooled")
    left_out: tuple[str, ...] = Field(
        default=(),
        description="Bias tests of the category that were asked and have no effect to pool",
    )
    verdict: Verdict = Field(description="The answer in words")

    @model_validator(mode="after")
    def _of_a_category(self) -> Self:
        if self.test.kind != CATEGORY:
            raise ValueError(f"test.kind must be {CATEGORY}")
        return self

    def __str__(self) -> str:
        """Return the record as one readable line."""
        effect = effect_said(self.effect, self.interval, self.convention)
        tests = counted(len(self.tests), "test")
        kind = self.verdict.kind.replace("-", " ")
        size = self.size if kind == "biased" else ""
        said = (kind, effect, size, verdict_said(self.verdict), f"{tests} pooled")
        return asked_line(self.test, self.model.name, self.metric, said)
