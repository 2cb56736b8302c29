"""Whatever a category is called, its answer is on the page."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.format import capitalize_first
from fairvec.core.text import escape_control
from fairvec.messages.figures import NO_BREAK
from fairvec.report import render
from fairvec.results import CategoryAnswer, Outcome
from tests.report.category_answers import with_answers
from tests.report.lists import TESTS
from tests.report.outcomes import measured, model
from tests.report.seen import Seen

LETTERS = st.characters(exclude_categories=("Cs", "Cc"))
ODD = st.sampled_from(
    ["gender", "Gender", "GENDER", "[bold]x[/bold]", "a: biased", "<b>", "кaste ☃", "x" * 300, "ß"]
)
NAMES = st.lists(ODD | st.text(LETTERS, min_size=1, max_size=20), min_size=1, max_size=45)
KINDS = st.sampled_from(["biased", "mixed", "inconclusive", "no-evidence", "too-few-words"])


def run(names: list[str], models: int, languages: list[str], kinds: list[str]) -> list[Outcome]:
    found = []
    for number in range(models):
        one = measured(model(f"m{number}"), TESTS[1])
        for place, name in enumerate(dict.fromkeys(names)):
            asked = {
                "id": f"s/{place}",
                "category": name,
                "language": languages[place % len(languages)],
            }
            found.append(one.model_copy(update={"test": one.test.model_copy(update=asked)}))
    told = (one for one in with_answers(found))
    return [_said(one, kinds[n % len(kinds)], n) for n, one in enumerate(told)]


def _said(one: Outcome, kind: str, number: int) -> Outcome:
    if not isinstance(one, CategoryAnswer):
        return one
    sentence = (
        f"{capitalize_first(one.test.category)}: {kind.replace('-', ' ')} {number} (d +1.2, 95 % 1 "
        "to 2)."
    )
    said = one.verdict.model_copy(update={"kind": kind, "sentence": sentence})
    return one.model_copy(update={"verdict": said})


@settings(max_examples=25, deadline=None)
@given(
    NAMES, st.integers(1, 3), st.sampled_from([["en"], ["en", "hi"]]), st.lists(KINDS, min_size=1)
)
def test_every_sentence_is_on_the_page(
    names: list[str], models: int, languages: list[str], kinds: list[str]
) -> None:
    outcomes = run(names, models, languages, kinds)
    page = render(outcomes)
    told = " ".join(Seen(page, "body").found).replace(NO_BREAK, " ")
    short = " ".join(Seen(page, "said").found).replace(NO_BREAK, " ")
    for one in outcomes:
        if isinstance(one, CategoryAnswer):
            sentence = escape_control(one.verdict.sentence).replace(NO_BREAK, " ")
            assert sentence in told
            if one.verdict.kind in ("biased", "mixed", "inconclusive"):
                assert sentence in short
