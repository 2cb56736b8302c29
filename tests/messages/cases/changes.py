"""Sentences about changes, and about two runs compared."""

from collections.abc import Iterator
from math import inf
from typing import get_args

from fairvec.messages import changes as m
from fairvec.results import Interval
from fairvec.results.records import CATEGORY, Change, WordScore
from fairvec.results.verdicts import ChangeKind
from tests.messages.snapshot_files import Case
from tests.results.toys import compared, described, pooled

DIFFERENCE = Interval(low=-1.3, high=-0.1, level=0.95, kind="inverted", method="toy")
BIAS = {
    "removed": compared(),
    "removed, with an interval": compared().model_copy(update={"difference": DIFFERENCE}),
    "reversed": compared(test="toy/two", kind="reversed", after=-1.2),
    "introduced": compared(test="toy/three", kind="introduced", before=0.1, after=1.4),
    "all words alike": compared(test="toy/four", after=None, p=None),
    "no answer": compared(test="toy/five", kind="no-answer", after=None, p=None),
}
OTHERS = {
    "kept": compared(test="toy/six", of="meaningful-encoding", kind="unchanged", after=1.05),
    "lost": compared(test="toy/seven", of="meaningful-encoding"),
    "a figure of use kept": compared(
        test="sim", of="similarity", kind="kept", before=0.651, after=0.648
    ),
    "a figure of use lost": compared(
        test="google", of="analogy", kind="lost", before=0.7, after=0.62
    ),
    "too few pairs": compared(test="google", of="analogy", kind="not-shown", p=None),
}


def category(kind: ChangeKind = "reduced") -> Change:
    """Return the change of a category."""
    one = compared(kind=kind).model_copy(update={"difference": DIFFERENCE})
    test = one.test.model_copy(update={"kind": CATEGORY, "title": "Gender"})
    return one.model_copy(update={"test": test})


def sentences() -> Iterator[Case]:
    """Give every sentence about changes."""
    for kind in get_args(ChangeKind):
        yield "kind_label", kind, m.kind_label(kind)
        for of in ("bias", "meaningful-encoding"):
            yield "change_label", f"{kind}, {of}", m.change_label(compared(kind=kind, of=of))
    for kind, change in (BIAS | OTHERS).items():
        yield "change_line", kind, m.change_line(change)
        yield "earlier_value", kind, m.earlier_value(change)
        yield "change_figures", kind, m.change_figures(change)
        yield "change_details", kind, m.change_details(change)
        yield "possible_change", kind, m.possible_change(change)
        yield "significance_note", kind, m.significance_note(change)
        yield "unprovable_note", kind, m.unprovable_note(change)
        yield "format_value", kind, m.format_value(change, change.value_after)
        yield "format_paired_p", kind, m.format_paired_p(change.paired, change.alpha)
        yield "group_heading", kind, m.group_heading(change.test.kind, [change])
    yield "category_headline", "reduced", m.category_headline(category(), "Gender", "10 tests")
    yield "category_headline", "no answer", m.category_headline(category("no-answer"), "Gender")
    moved = described().model_copy(update={"metric": "displacement"})
    yield "format_movement", "moved", m.format_movement(moved)
    yield "format_movement", "neighbours lost", m.format_movement(described())
    every = [category(), *BIAS.values(), *OTHERS.values()]
    yield "difference_summary", "some", m.difference_summary(every)
    yield "difference_summary", "one test", m.difference_summary([BIAS["removed"]])
    yield "difference_summary", "none", m.difference_summary([])
    (table,) = m.before_and_after(every)
    yield "BeforeAfter.summary", "some", table.summary
    yield "BeforeAfter.headlines", "one", ["".join(parts) for parts in table.headlines]
    yield "BeforeAfter.title", "two names", table.title
    yield "BeforeAfter.names", "two names", table.names
    yield "not_compared_notes", "one", m.not_compared_notes(["toy/one", "toy/two"], 1)
    yield "not_compared_notes", "several", m.not_compared_notes([], 3)
    tests = ("test", "tests")
    yield "lost_answers_note", "one", m.lost_answers_note(["toy/one"], tests)
    many = [f"toy/{place}" for place in range(7)]
    yield "lost_answers_note", "several", m.lost_answers_note(many, tests)
    for count in (1, 2):
        yield "other_words_found_note", str(count), m.other_words_found_note(count)
    for case, shift in {"none": 0.0, "noise": 1e-5, "another": 0.03, "wider": inf}.items():
        yield "drift_note", case, m.drift_note("small", shift, 2.2e-5, changed=shift > 2.2e-5)
    ways = ["cosine, then negative-distance"]
    yield "unit_notes", "two similarities", m.unit_notes("by ranks", ways, differ=True, left_out=[])
    alike = m.unit_notes("by ranks", ["cosine"], differ=False, left_out=["toy/one"])
    yield "unit_notes", "one similarity, one left out", alike
    for which, sentence in m.MISSING_ANSWERS.items():
        yield "MISSING_ANSWERS", which, sentence
    yield "lone_headline", "vanished", m.lone_headline(pooled(1.0), "Gender", vanished=True)
    yield "lone_headline", "new", m.lone_headline(pooled(-1.0), "Gender", vanished=False)
    yield "unpaired_details", "all", m.unpaired_details(1, 2, 1)
    yield "no_unit_reason", "ranks", m.no_unit_reason("ranks", "skipped")
    yield "SHARED_WORDS_ALIKE", "always", m.SHARED_WORDS_ALIKE
    yield "few_shared_words", "two", m.few_shared_words(2, 8, "men", 0.5)
    yield "no_shared_words", "X", m.no_shared_words("X")
    for curved in (True, False):
        space = "in the ball" if curved else "in flat space"
        for which in ("displacement", "median"):
            message = m.movement_title(which, curved=curved)
            yield "movement_title", f"{which}, {space}", message
        yield "movement_meaning", space, m.movement_meaning(curved=curved)
    yield "churn_title", "among all", m.churn_title(10, None)
    yield "churn_title", "among the frequent", m.churn_title(10, 20_000)
    yield "TOO_FEW_PAIRS", "always", m.TOO_FEW_PAIRS
    yield "MOVEMENT_HEADING", "always", m.MOVEMENT_HEADING
    yield "most_moved_words", "none", m.most_moved_words(described())
    words = tuple(WordScore(role="words", word=w, key=w, score=0.5) for w in ("he", "she"))
    most = m.most_moved_words(described().model_copy(update={"words": words}))
    yield "most_moved_words", "two", most
    yield "in_unit_sentence", "by ranks", m.in_unit_sentence("no-evidence", "by ranks", -0.4)
    yield "CHURN_MEANING", "always", m.CHURN_MEANING
    for name in ("SAME_LISTS", "DIFFERENT_WORDS", "NOT_THE_SAME_WORDS"):
        yield name, "always", str(getattr(m, name))
    own = [("glove", "caliskan2017/weat-6", "en"), ("navec", "pestova/e1", "ru")]
    yield "own_language_note", "two", m.own_language_note(own)
    yield "shared_words_note", "several", m.shared_words_note(12)
    spaces = [("glove", "cosine"), ("ball", "negative-distance")]
    yield "spaces_differ_note", "two", m.spaces_differ_note(spaces)
    for guarantee, sentence in m.METHOD_GUARANTEES.items():
        yield "METHOD_GUARANTEES", guarantee, sentence
