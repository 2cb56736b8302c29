"""Sentences about one test: its verdict, and whether it holds with other words."""

from collections.abc import Iterator

from fairvec.messages import verdicts as m
from fairvec.results import Interval, Outcome, PValue
from fairvec.results.verdicts import Robustness
from tests.messages.snapshot_files import Case
from tests.report.outcomes import TESTS, model, skipped
from tests.report.outcomes import measured as one_of_a_page
from tests.results.toys import measured, pooled, robust_result

P = measured().p
INTERVAL = Interval(low=-0.413, high=0.629, level=0.95, kind="inverted", method="toy")
SAMPLED = P.model_copy(
    update={
        "method": "sampled",
        "samples": 99_999,
        "value": 1e-5,
        "low": 0.0,
        "high": 5e-5,
        "smallest": 1e-5,
        "partitions": None,
        "log10_partitions": 320.0,
    }
)


def p_values() -> dict[str, PValue]:
    """Return a p of every kind."""
    certified = {"method": "certified", "low": 0.011, "high": 0.012, "sides": "greater"}
    return {"exact": P, "certified": P.model_copy(update=certified), "sampled": SAMPLED}


def robust(**changes: object) -> Robustness:
    """Return checks that find nothing to doubt, but for the changes."""
    found = robust_result().robustness
    assert found is not None
    return found.model_copy(update=changes)


def pair_sentences() -> Iterator[Case]:
    """Give every sentence of a verdict over pairs."""
    note = "; all 5 trainings lean this way (positive)"
    for candidates in (1, 3):
        said = m.too_few_pairs_sentence(4, 0.05, candidates, "sets of pairs", note)
        yield "too_few_pairs_sentence", f"{candidates} sets", said
    said = m.too_few_pairs_sentence(4, 0.05, 1, "bias tests", what="queries")
    yield "too_few_pairs_sentence", "queries", said
    means = "men are read as more positive"
    yield "biased_pairs_sentence", "a meaning", m.biased_pairs_sentence(means, note)
    for detectable in ("", "differences of 0.012"):
        kind = "detectable" if detectable else "not known"
        said = m.inconclusive_pairs_sentence(0.03, 0.05, "sets of pairs", detectable, note)
        yield "inconclusive_pairs_sentence", kind, said
        yield "no_difference_sentence", kind, m.no_difference_sentence(detectable, note)
    said = m.no_difference_sentence("effects of d = 0.26", what="queries")
    yield "no_difference_sentence", "queries", said


def sentences() -> Iterator[Case]:
    """Give every sentence about one test."""
    yield from pair_sentences()
    means = "x are closer to a and y to b"
    for kind in ("bias", "meaningful-encoding", "baseline"):
        yield "claim_sentence", kind, m.claim_sentence(kind, means)
    sized = m.claim_sentence("bias", means, size="large", both_lean_to="women")
    yield "claim_sentence", "sized, both lean", sized
    for shared in (1, 2):
        message = m.claim_sentence("bias", means, size="small", shared=shared)
        yield "claim_sentence", f"{shared} shared", message
    yield "doubt_sentence", "a doubt", m.doubt_sentence("the words are too far out.")
    family = "bias tests of toy"
    shown = m.inconclusive_sentence(P, 0.05, family, INTERVAL, 0.714)
    yield "inconclusive_sentence", "exact", shown
    bound = m.inconclusive_sentence(SAMPLED, 0.05, family, None, None)
    yield "inconclusive_sentence", "a bound", bound
    yield "EQUALISED", "always", m.EQUALISED
    yield "SAME_WORDS", "always", m.SAME_WORDS
    wide = INTERVAL.model_copy(update={"low": -0.73, "high": 1.61})
    small = INTERVAL.model_copy(update={"low": -0.004, "high": 0.012})
    for kind, interval, detectable, standardised in (
        ("narrow", INTERVAL, 0.714, True),
        ("wide", wide, 1.4, True),
        ("wide, a difference", wide, None, False),
        ("a small difference", small, None, False),
        ("no interval", None, 0.714, True),
        ("nothing known", None, None, True),
    ):
        said = m.no_evidence_sentence(interval, detectable, standardised=standardised)
        yield "no_evidence_sentence", kind, said
    yield "interval_level", "95 %", m.interval_level(INTERVAL)
    yield "fitting_effects", "narrow", m.fitting_effects(INTERVAL)
    yield "any_effect_fits", "wide", m.any_effect_fits(wide)
    for candidates in (1, 4):
        message = m.too_few_words_sentence(0.0286, 0.05, candidates, "bias tests of toy")
        yield "too_few_words_sentence", f"{candidates} tests", message
    yield "with_clause", "firm", m.with_clause("Biased: they lean.", "it holds")
    yield "doubts_clause", "two", m.doubts_clause(["it is fragile: so", "it is thin"])
    yield "firm_clause", "one other list", m.firm_clause(-1.0, robust())
    yield "firm_clause", "no other list", m.firm_clause(1.0, robust(swaps=()))
    yield "fragile_doubt", "a reason", m.fragile_doubt(m.reversing_lists(["other/one"]))
    yield "reversing_lists", "two", m.reversing_lists(["other/one", "other/two"])
    yield "few_lists_agree", "of one", m.few_lists_agree(0, robust())
    yield "few_lists_agree", "of two", m.few_lists_agree(0, robust(swaps=robust().swaps * 2))
    yield "sign_kept_share", "some", m.sign_kept_share(robust(same_sign=0.905))
    yield "thin_doubt", "too short", m.thin_doubt(robust())
    yield "significant_share", "too short", m.significant_share(robust())
    yield "significant_share", "expected", m.significant_share(robust(expected=0.823))
    for explains in (True, False):
        control = robust_result(explains).robustness
        assert control is not None
        assert control.frequency is not None
        for effect in (1.0, -1.0):
            kind = f"explains {explains}, effect {effect}"
            yield "frequency_doubt", kind, m.frequency_doubt(effect, control.frequency)
        yield "lost_evidence", f"explains {explains}", m.lost_evidence(0.4, control.frequency)
    for kind, interval in (
        ("both sides", INTERVAL),
        ("above alone", INTERVAL.model_copy(update={"low": -2.0})),
        ("an effect", INTERVAL.model_copy(update={"low": 0.1})),
    ):
        yield "excluded_effects", kind, m.excluded_effects(interval, (-2.0, 2.0))
    for label, word in m.VERDICT_LABELS.items():
        yield "VERDICT_LABELS", label, word
    for geometry in ("euclidean", "poincare", "poincare-x50", "other"):
        yield "geometry_name", geometry, m.geometry_name(geometry)
    yield "model_noun", "embeddings", m.model_noun([model("glove")])
    yield "verdict_kind", "measured", m.verdict_kind(measured())
    yield "test_style", "bias", m.test_style(measured().test)
    yield "effect_shade", "large", m.effect_shade(measured())
    for effect in (1.0, 0.0, -1.0):
        yield "direction", f"{effect:+}", m.direction(effect)
    yield "p_label", "two-sided", m.p_label(measured())
    one_sided = measured().model_copy(update={"p": p_values()["certified"]})
    yield "p_label", "one-sided", m.p_label(one_sided)
    for method, p in p_values().items():
        yield "p_method", method, m.p_method(p)
        yield "smallest_p", method, m.smallest_p(p)
        result = measured().model_copy(update={"p": p})
        yield "format_own_p", method, m.format_own_p(result)
        yield "format_corrected_p", method, m.format_corrected_p(result, 0.2)
        yield "p_figures", method, m.p_figures(result)
    yield "format_corrected_p", "of a category", m.format_corrected_p(pooled(1.0), None)
    outcomes = [one_of_a_page(model("glove"), test) for test in TESTS[:4]]
    outcomes_and_gap: list[Outcome] = [*outcomes, skipped(model("glove"), TESTS[4])]
    entries = [m.PageEntry(str(place), one) for place, one in enumerate(outcomes_and_gap)]
    quiet = outcomes[0].model_copy(
        update={"verdict": outcomes[0].verdict.model_copy(update={"kind": "no-evidence"})}
    )
    for count in (1, 2):
        failed = [m.PageEntry(str(place), quiet) for place in range(count)]
        yield "model_summary", f"{count} failed checks", m.model_summary(failed)
    yield "model_summary", "four tests and a gap", m.model_summary(entries)
    yield "tally", "four tests and a gap", m.tally(entries)
    yield "outcome_line", "measured", m.outcome_line(outcomes[1])
    yield "outcome_line", "skipped", m.outcome_line(skipped(model("glove"), TESTS[4]))
