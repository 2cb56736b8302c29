"""Two models whose similarities differ, compared in one unit: flat space and the ball, say.

A leaning s(w, A, B) is a difference of cosines in one model and of distances in the other, and no
number of the one is a number of the other. Two readings of it are in one unit:

    ranks         each word's place among the words X and Y that both models have, as a normal score
    standardised  its leaning less their mean over their standard deviation, whose difference is d

The null is that the two numbers of a word might as well be swapped: both models are two readings of
one leaning. The paired test (`paired_words`) swaps them, word by word, and asks for nothing else.
Ranks are the default: whatever increasing function stands between two similarities, they do not
see it. d does: a similarity that stretches one end changes d where no two words changed places, so
that standardised leanings also answer for the shape of a similarity. Ranks pay with a ceiling: once
all X lean more than all Y, a still wider gap is no difference.

Both are about the words of two given models. Trained again with another seed each would lean
otherwise; docs/curvature.md shows by how much.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace

from fairvec.evaluation.categories.categories import settings_in_order
from fairvec.evaluation.changes.compare import RunComparison, compare
from fairvec.evaluation.changes.in_one_unit import UNITS, Tested, in_one_unit
from fairvec.evaluation.runs import families
from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.ground.level import significant
from fairvec.ground.numbers import signed
from fairvec.results import Outcome, Result, Skipped, Verdict, VerdictKind
from fairvec.results.lines import ACROSS


def compare_across(
    before: Sequence[Outcome], after: Sequence[Outcome], *, by: str = "ranks"
) -> RunComparison:
    """Compare two runs whose similarities may differ, by ranks or by standardised leanings.

    Every test that both asked, with the same settings but for the similarity, is put in one unit
    over the words that both found, and is then compared as `compare` does: effects, p-values,
    paired tests, categories and the words for a change are all in that unit, and none is a figure
    of either run. What has no p-value over words is left out.
    """
    if by not in UNITS:
        raise UnknownNameError("way to compare across geometries", str(by), UNITS)
    runs = [[one for one in run if isinstance(one, Result | Skipped)] for run in (before, after)]
    by_model = any(len({one.model.name for one in run}) > 1 for run in runs)
    was, is_now = (_by_question(run, by_model=by_model) for run in runs)
    earlier: list[Tested] = []
    later: list[Tested] = []
    for question in dict.fromkeys((*is_now, *was)):
        pair = was.get(question), is_now.get(question)
        called = ", then ".join(dict.fromkeys(one.similarity for one in pair if one))
        for one, other, run in ((*pair, earlier), (*pair[::-1], later)):
            if one is not None:
                run.append(in_one_unit(one, other, by=by, similarity=called))
    found = compare(*(_with_verdicts(run, by) for run in (earlier, later)))
    left_out = {one.test.id for run in (before, after) for one in run if one.status == "described"}
    return replace(found, across=by, left_out=tuple(sorted(left_out)))


def _by_question(run: Sequence[Tested], *, by_model: bool) -> dict[Hashable, Tested]:
    """Return each test under what was asked, whatever the similarity; one of them a question."""
    found: dict[Hashable, Tested] = {}
    for one in run:
        settings = dict(one.described.settings) if one.described else {}
        settings.pop("similarity", None)
        how = settings_in_order(settings)
        model = one.model.name if by_model else ""
        version, convention = one.test.suite_version, one.convention
        name = convention and convention.name
        question = model, one.test.id, version, one.metric, name, how
        if question in found and found[question].similarity != one.similarity:
            raise SettingError(
                f"One run asked {one.test.id} by {found[question].similarity} and by "
                f"{one.similarity}, and across geometries it is compared by one; write them to a "
                "run each with similarity=... (--similarity)."
            )
        found[question] = one
    return found


def _with_verdicts(run: Sequence[Tested], by: str) -> list[Outcome]:
    """Return the tests with the verdicts that their p in the new unit gives, corrected anew."""
    results = [one for one in run if isinstance(one, Result)]
    tested = [
        families.Tested(
            one.model.name,
            one.test,
            one.p.value,
            one.p.value,
            sizes=(
                sum(word.role == "x" for word in one.words),
                sum(word.role == "y" for word in one.words),
            ),
        )
        for one in results
    ]
    alpha = results[0].verdict.alpha if results else 0.05
    corrected = iter(families.corrected(tested, alpha))
    return [_judged(one, next(corrected), by) if isinstance(one, Result) else one for one in run]


def _judged(one: Result, corrected: families.Corrected, by: str) -> Result:
    p, p_holm, alpha = one.p.value, corrected.holm_two_sided, one.verdict.alpha
    kind: VerdictKind = "no-evidence"
    if p_holm is None:
        kind = "too-few-words"
    elif significant(p_holm, alpha):
        kind = "biased" if one.test.kind == "bias" else "associated"
    elif significant(p, alpha):
        kind = "inconclusive"
    said = f"{kind.replace('-', ' ').capitalize()} {ACROSS[by]} (d {signed(one.effect)})."
    return one.model_copy(
        update={
            "p_holm": p_holm,
            "p_bh": corrected.benjamini_hochberg,
            "family": corrected.family,
            "family_of": families.in_words(one.test),
            "verdict": Verdict(kind=kind, sentence=said, p=p, p_holm=p_holm, alpha=alpha),
        }
    )
