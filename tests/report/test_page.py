"""The report's page as a whole, hostile records included."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pydantic import BaseModel, ValidationError

from fairvec.core.errors import SettingError
from fairvec.core.format import number_word
from fairvec.experiments.sentiment.equity import sentiment_changes, sentiment_differences
from fairvec.languages.equity import equity_table
from fairvec.messages.changes import before_and_after, change_line
from fairvec.messages.test_details import row_notes
from fairvec.messages.verdicts import p_method
from fairvec.report import render, render_documents, render_frontier, render_study, write_report
from fairvec.report.latex import as_latex
from fairvec.report.notebook import to_html
from fairvec.report.tables import audit_table
from fairvec.results import Outcome, Result
from fairvec.results.documents import AnnotatedDocument
from fairvec.results.frontier import FailedTrial
from tests.experiments.toys import knowing, reader
from tests.report.helpers import ATTACK, Page
from tests.report.outcomes import SENSITIVE, TESTS, a_run, measured, model, skipped
from tests.report.sample_documents import document, english, figures, hindi
from tests.report.sample_records import ANSWER, CELLS, HEAD, POINTS, SURVEY
from tests.results.toys import MODEL_FRONTIER as MODEL

# --- page ---


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(render(a_run()))


def test_every_tag_closes_and_every_link_has_a_target(page: Page) -> None:
    assert page.open == []
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    inner = {a["href"] for tag, a in page.tags if tag == "a" and (a["href"] or "")[0] == "#"}
    assert inner
    assert inner <= {f"#{name}" for name in ids}


def test_no_external_resource_is_loaded(page: Page) -> None:
    for tag, attributes in page.tags:
        assert tag not in {"link", "img", "iframe", "object", "embed", "image", "use"}
        assert "src" not in attributes
        assert tag == "a" or "href" not in attributes
    text = render(a_run())
    assert "@import" not in text
    assert "url(" not in text


def test_without_a_script_everything_is_reachable_and_no_link_is_dead(page: Page) -> None:
    folds = [attributes for tag, attributes in page.tags if tag == "details"]
    assert [tag for tag, _ in page.tags].count("summary") == len(folds)
    assert not any("hidden" in attributes for _, attributes in page.tags)
    assert not any(tag == "button" or "data-save" in attributes for tag, attributes in page.tags)


def test_a_record_without_a_version_is_still_cited() -> None:
    first, *others = a_run()
    text = render([first.model_copy(update={"versions": {}}), *others])
    assert "Version not recorded." in text
    assert f"Version {others[0].versions['fairvec']}." in text


def test_records_of_a_generator_are_those_of_their_list() -> None:
    run = a_run()
    assert render(one for one in run) == render(run)
    assert render(run[0]) == render([run[0]])  # type: ignore[arg-type]
    for wrong in ("runs/mine", [*run, "runs/mine"]):
        with pytest.raises(SettingError, match="made of records, not of 'runs/mine'; give a list"):
            render(wrong)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="made of records, not of 3; give a list"):
        render(3)  # type: ignore[arg-type]


def test_the_answer_comes_before_the_evidence(page: Page) -> None:
    sections = [attributes["id"] for tag, attributes in page.tags if tag == "section"]
    assert sections[:2] == ["summary", "citing"]
    assert sections[2:] == ["answer", "effects", "tests", "skipped", "settings", "reading"]


@pytest.mark.parametrize("outcome", a_run(), ids=lambda one: f"{one.model.name} {one.test.id}")
def test_every_outcome_is_reported_in_full(page: Page, outcome: Result) -> None:
    texts = [outcome.test.title, outcome.model.name, outcome.model.sha256, outcome.test.source]
    if outcome.status == "measured":
        texts += [outcome.verdict.sentence, outcome.test.positive_means]
        texts += [word.word for word in outcome.words]
    else:
        texts += [outcome.reason]
    for group in outcome.coverage:
        texts += [group.title, f"{group.found} of {group.wanted}", *group.missing, *group.merged]
    assert [part for part in texts if part not in page.text] == []


def test_the_three_ways_to_p_are_named(page: Page) -> None:
    assert "exact over 12,870 regroupings" in page.text
    assert "certified between" in page.text
    assert "sampled, 100,000 draws" in page.text


def test_names_cannot_run() -> None:
    of = model(ATTACK, history=({"action": ATTACK},))
    result = measured(of, TESTS[1])
    hostile = {"title": ATTACK, "source": ATTACK, "category": ATTACK, "positive_means": ATTACK}
    words = [w.model_copy(update={"word": ATTACK, "gloss": ATTACK}) for w in result.words]
    groups = [
        g.model_copy(update={"title": ATTACK, "missing": {ATTACK: ATTACK}, "how": {ATTACK: ATTACK}})
        for g in result.coverage
    ]
    changes = {"test": result.test.model_copy(update=hostile), "words": words, "coverage": groups}
    outcomes: list[Outcome] = [
        result.model_copy(update=changes),
        skipped(of, TESTS[2], reason=ATTACK, versions={"fairvec": ATTACK}),
    ]
    page = Page(render(outcomes, title=ATTACK))
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert page.open == []
    assert page.text.count("<script>alert(1)</script>") > 20


def test_the_sensitivity_note_appears_only_where_it_is_needed(page: Page) -> None:
    sentence = "Some lists in this report name groups of people"
    assert sentence in page.text
    assert page.text.index(sentence) < page.text.index("What was not measured")
    assert SENSITIVE in page.text
    assert sentence not in Page(render([measured(model("m"), TESTS[1])])).text


def test_one_model_gets_its_name_as_title_and_no_matrix() -> None:
    text = render([measured(model("my-model"), test) for test in TESTS[:3]])
    assert "<title>Bias audit of my-model</title>" in text
    assert '<table class="matrix">' not in text
    assert '<section id="skipped">' not in text
    assert "<title>Mine</title>" in render(a_run(), title="Mine")


def test_a_run_without_measurements_still_explains_itself() -> None:
    page = Page(render([skipped(model("m"), TESTS[1])]))
    assert "No answer for gender " in page.text
    assert not any(attributes.get("id") == "effects" for _, attributes in page.tags)


def test_a_word_that_was_left_out_of_no_effect_has_no_influence() -> None:
    assert "What one word does" not in render([measured(model("m"), TESTS[3])])


def test_no_outcomes_are_refused() -> None:
    with pytest.raises(SettingError, match="no outcomes"):
        render([])


def test_the_same_outcomes_give_the_same_file(tmp_path: Path) -> None:
    path = write_report(a_run(), tmp_path / "new" / "report.html")
    assert path.read_text(encoding="utf-8") == render(a_run())
    assert [file.name for file in path.parent.iterdir()] == ["report.html"]


def test_a_failed_report_leaves_the_old_one(tmp_path: Path) -> None:
    path = write_report(a_run(), tmp_path / "report.html")
    before = path.read_bytes()
    with pytest.raises(SettingError):
        write_report([], path)
    assert path.read_bytes() == before


def test_a_large_run_stays_a_small_file() -> None:
    outcomes = [measured(model(f"m{n}"), TESTS[1 + at % 2]) for n in range(5) for at in range(22)]
    assert len(render(outcomes).encode()) < 1_500_000


@pytest.mark.parametrize(
    ("kinds", "noun"),
    [("ww", "embeddings"), ("ee", "encoders"), ("we", "models"), ("e", "encoder")],
)
def test_encoders_are_not_called_embeddings(kinds: str, noun: str) -> None:
    how: dict[str, dict[str, Any]] = {
        "w": {},
        "e": {"words": 0, "encoder": {"kind": "transformer"}},
    }
    models = [model(f"{kind}{n}", **how[kind]) for n, kind in enumerate(kinds)]
    page = Page(render([measured(one, TESTS[0], seed=1) for one in models]))
    assert f"put to {len(kinds)} {noun}." in page.text
    assert len(kinds) == 1 or f"Bias audit of {number_word(len(kinds))} {noun}" in page.text


# --- A difference of probabilities is no effect size, and no page or table says it is ---


CLASSIFIER = {"network": "toy"}
D = re.compile(r"\bd\b(?: =|</i>| stays| without| changed)|effect size|Cohen|\|d\|")


@pytest.fixture(scope="module")
def of_tasks() -> list[Outcome]:
    table = equity_table("en")
    before = knowing(table, name="toy", without=["her"])
    after = knowing(table, group=0.05, name="toy, debiased")
    runs = [
        sentiment_differences(reader(one, (0.3, 0.2, -0.1)), one, table, classifier=CLASSIFIER)
        for one in (before, after)
    ]
    return [*runs[0], *runs[1], *sentiment_changes(*runs)]


def visible(page: str) -> str:
    """Return the page without its styles, its program and the reading of other figures."""
    return re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page, flags=re.DOTALL)


@pytest.mark.parametrize("count", [2, None], ids=["one model", "before and after"])
def test_a_page_of_differences_speaks_of_no_effect_size(
    of_tasks: list[Outcome], count: int | None
) -> None:
    page = visible(render(of_tasks[:count]))
    reading = page[page.index('id="reading"') :]
    known = "difference of probabilities, no effect size"
    assert known in reading
    assert not (match := D.search(page.replace(known, ""))), match
    assert "A test has two lists of target words" not in reading
    assert "classifier reads a sentence as more positive" in page
    assert "swaps of the two persons of a pair" in page
    assert "in 2 of 3 trainings" in page
    assert "Positive sentences" in page


def test_the_pairs_of_a_test_are_drawn_and_written_one_by_one(of_tasks: list[Outcome]) -> None:
    page = visible(render(of_tasks))
    result = of_tasks[0]
    assert isinstance(result, Result)
    section = page[page.index("Pair by pair") : page.index("Influence of single pairs")]
    assert section.count("<circle") == len(result.words) == 18
    for pair in result.words:
        assert pair.word in section


def test_effect_sizes_and_differences_have_axes_of_their_own(of_tasks: list[Outcome]) -> None:
    page = visible(render([*a_run(), *of_tasks]))
    section = page[page.index('id="effects"') : page.index('id="tests"')]
    forests = section.split('<div class="forest">')[1:]
    own = [one for one in forests if "equity-en" in one]
    others = [one for one in forests if "equity-en" not in one]
    assert len(own) == 1
    assert others
    assert ">−2<" not in own[0]
    assert all(">−2<" in one for one in others)
    changes = page[page.index('id="change"') : page.index('id="summary"')]
    assert "Bias in a task (differences of probabilities)" in changes
    assert ">−2<" not in changes
    assert "the variance over items added to that over trainings" in changes


def test_a_change_of_a_difference_has_its_own_unit(of_tasks: list[Outcome]) -> None:
    (table,) = before_and_after(of_tasks)
    change = table.groups["bias-in-a-task"][0]
    assert re.search(r"[−+]0\.\d{3} to [−+]0\.\d{3}", change_line(change))
    assert table.summary.startswith("In the task: ")


def test_tables_write_three_digits_under_a_heading_of_their_own(of_tasks: list[Outcome]) -> None:
    result = of_tasks[0]
    assert isinstance(result, Result)
    assert audit_table(of_tasks, width=200).columns[2].heading == "Difference"
    assert audit_table([*a_run(), *of_tasks], width=200).columns[2].heading == "d or Difference"
    assert audit_table(a_run(), width=200).columns[2].heading == "d"
    assert f"{result.effect:.3f}" in as_latex(of_tasks)
    assert "Test & Difference &" in as_latex(of_tasks)
    assert "Test & $d$ &" in as_latex(a_run())
    assert row_notes(result) == ["18 of 19 pairs: missing he / she"]
    assert "swaps" not in p_method(result.p)


# --- Whatever text of a record is hostile, no page holds more than text of it ---


ATTACK_HOSTILE = (
    "</script></style></title><!--]]>\" onload=\"a()' onload='b()<script>alert(1)</script>{{7*191}}"
)
NAMES = ("factors", "factor")
"""Whose texts are names of ours: another one is refused and not shown."""

Record = TypeVar("Record", bound=BaseModel)


def hostile(record: Record, attack: str = ATTACK_HOSTILE) -> tuple[Record, int]:
    """Return a record with the attack at the end of every text that may be any, and how many."""
    content = record.model_dump(mode="json")
    changed = 0
    for holder, key in _texts(content):
        plain = holder[key]
        holder[key] = plain + attack
        try:
            record = type(record).model_validate(content)
            changed += 1
        except (ValidationError, ValueError):
            holder[key] = plain
    return record, changed


def _texts(content: Any) -> list[tuple[Any, Any]]:
    """Find the places of all texts inside lists and tables, one of each long list."""
    keys = content if isinstance(content, dict) else range(min(len(content), 2))
    found: list[tuple[Any, Any]] = []
    for key in keys:
        if key in NAMES:
            continue
        if isinstance(content[key], str):
            found.append((content, key))
        elif isinstance(content[key], dict | list):
            found += _texts(content[key])
    return found


GAP = FailedTrial(model=MODEL, concept="en/gender:pairs", method="ran", reason="No words.")
PAGES: dict[str, tuple[Callable[[Any], str], Sequence[BaseModel]]] = {
    "report": (render, a_run()),
    "frontier": (render_frontier, [SURVEY, *POINTS, GAP]),
    "study": (render_study, [HEAD, ANSWER, *CELLS]),
}


TURNING = "\x1b[2J\x9b\u202e\u2066\u200f\u200b"


@pytest.mark.parametrize("name", [*PAGES, "notebook"])
def test_no_text_turns_the_figures_behind_it(name: str) -> None:
    """Signs that nobody sees are shown by their numbers; words that need joiners keep them."""
    page_of, records = PAGES.get(name, (to_html, a_run()))
    attacked, changed = hostile(records[0], f"क्\u200dष{TURNING}")
    assert changed
    page = page_of([attacked, *records[1:]])
    assert "क्\u200dष" in page
    assert "\\u202e\\u2066" in page
    assert not ({*TURNING} - {*"[2J"}) & {*page}


def with_names(read: AnnotatedDocument, more: str) -> AnnotatedDocument:
    """Return a document of which all is called otherwise but the text and what is quoted of it."""
    content = read.model_dump(mode="json")
    content["document"]["name"] += more
    content["groups"] = [f"{title}{more}" for title in content["groups"]]
    content["remarks"] = [f"Read first.{more}"]
    content["versions"] = {f"fairvec{more}": f"1{more}"}
    for mark in content["marks"]:
        mark |= {"reason": mark["reason"] + more, "role": mark["role"] + more}
    for change in content["changes"]:
        change |= {name: change[name] + more for name in ("id", "rule", "reason")}
    return AnnotatedDocument.model_validate(content)


@pytest.mark.parametrize("several", [False, True], ids=["one document", "several"])
def test_no_name_on_the_page_of_documents_turns_what_is_behind_it(several: bool) -> None:
    """The text is shown as it was read, and all that is said of it as on other pages."""
    one = with_names(english(), TURNING)
    hostile_figures = [hostile(each, TURNING)[0] for each in figures(one.document)]
    hostile_figures = [
        each.model_copy(update={"document": one.document}) for each in hostile_figures
    ]
    page = render_documents([one, *hostile_figures, *([hindi()] if several else [])])
    # What the browser makes a file of is not shown as it stands there.
    section = re.sub(r'<script type="application/json".*?</script>', "", page, flags=re.DOTALL)
    assert section != page
    assert "\\u202e\\u2066" in section
    assert not ({*TURNING} - {*"[2J"}) & {*section}


def test_a_bidirectional_text_is_shown_as_it_was_read() -> None:
    text = f"She is \u202e here. {TURNING.replace(chr(27), '')}"
    page = render_documents([document("letter.txt", text)])
    assert text in Page(page).text


@pytest.mark.parametrize("name", PAGES)
def test_no_text_of_any_record_is_more_than_text(name: str) -> None:
    page_of, records = PAGES[name]
    plain, hits = Page(page_of(records)), 0
    # One record after the other, so that records which go together still do.
    for place, record in enumerate(records[:6]):
        attacked, changed = hostile(record)
        assert changed
        page = Page(page_of([*records[:place], attacked, *records[place + 1 :]]))
        assert page.open == []
        assert _closing(page) == _closing(plain)
        hits += "alert(1)" in page.text
        for _, attributes in page.tags:
            assert not any(attribute.startswith("on") for attribute in attributes)
            links = [attributes.get("href") or "", attributes.get("src") or ""]
            assert not any(link.lower().strip().startswith("javascript:") for link in links)
        assert "1337" not in page.text
    assert hits


def _closing(page: Page) -> Counter[str]:
    """Count the elements that the attack would end or begin."""
    return Counter(tag for tag, _ in page.tags if tag in ("script", "style"))
