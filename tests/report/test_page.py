import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from fairvec.core.errors import SettingError
from fairvec.report import render, write_report
from fairvec.results import Outcome, Result
from tests.report.lists import SENSITIVE, TESTS
from tests.report.outcomes import a_run, measured, model, skipped

ATTACK = '<script>alert(1)</script>" onload="alert(2)\''
VOID = {"meta", "br"}


class Page(HTMLParser):
    """What a browser would see: tags with attributes, ids, texts, and whether all tags close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.texts))


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


def test_nothing_is_loaded_from_anywhere(page: Page) -> None:
    for tag, attributes in page.tags:
        assert tag not in {"link", "img", "iframe", "object", "embed", "image", "use"}
        assert "src" not in attributes
        assert tag == "a" or "href" not in attributes
    text = render(a_run())
    assert "@import" not in text
    assert "url(" not in text


def test_without_a_script_all_is_reached_and_no_link_is_dead(page: Page) -> None:
    folds = [attributes for tag, attributes in page.tags if tag == "details"]
    assert [tag for tag, _ in page.tags].count("summary") == len(folds)
    assert not any("hidden" in attributes for _, attributes in page.tags)
    assert not any(tag == "button" or "data-save" in attributes for tag, attributes in page.tags)


def test_a_record_that_does_not_say_its_version_is_cited_all_the_same() -> None:
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
def test_every_outcome_is_told_in_full(page: Page, outcome: Result) -> None:
    said = [outcome.test.title, outcome.model.name, outcome.model.sha256, outcome.test.source]
    if outcome.status == "measured":
        said += [outcome.verdict.sentence, outcome.test.positive_means]
        said += [word.word for word in outcome.words]
    else:
        said += [outcome.reason]
    for group in outcome.coverage:
        said += [group.title, f"{group.found} of {group.wanted}", *group.missing, *group.merged]
    assert [part for part in said if part not in page.text] == []


def test_the_three_ways_to_p_are_said(page: Page) -> None:
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


def test_the_sensitive_sentence_stands_only_where_it_is_needed(page: Page) -> None:
    sentence = "Some lists in this report name groups of people"
    assert sentence in page.text
    assert page.text.index(sentence) < page.text.index("The answer")
    assert SENSITIVE in page.text
    assert sentence not in Page(render([measured(model("m"), TESTS[1])])).text


def test_one_model_gets_its_name_as_title_and_no_matrix() -> None:
    text = render([measured(model("my-model"), test) for test in TESTS[:3]])
    assert "<title>What my-model associates</title>" in text
    assert '<table class="matrix">' not in text
    assert '<section id="skipped">' not in text
    assert "<title>Mine</title>" in render(a_run(), title="Mine")


def test_a_run_that_measured_nothing_still_explains_itself() -> None:
    page = Page(render([skipped(model("m"), TESTS[1])]))
    assert "No answer for gender: skipped, too few words or no verdict." in page.text
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
    assert len(kinds) == 1 or f"What {len(kinds)} {noun} associate" in page.text
