"""Findings have their places and rules, can be switched off and fixed, and are of changed lines."""

import shutil
import subprocess
from pathlib import Path

import pytest

import fairvec
from fairvec.core.errors import FairvecError, SettingError, UnknownNameError
from fairvec.documents.apply import diff_of_fixes, fix_files, fixed_text
from fairvec.documents.changed_lines import changed_lines
from fairvec.documents.lint import LINT_DEFAULTS, LintSettings, findings, read_settings, rule_named
from fairvec.documents.lint import rules as rules_of
from fairvec.documents.read import is_excluded, read_documents, text_document
from fairvec.languages.language import languages_with
from fairvec.results.documents import DocumentFinding
from scripts.document_rules import DOCUMENT, document
from tests.loops import loop_over

TEXTS = sorted((Path(__file__).parent / "texts").glob("*.txt"))
LANGUAGES = languages_with("rewrites")


def found_in(text: str, settings: LintSettings = LINT_DEFAULTS) -> list[DocumentFinding]:
    return [*findings(text_document(text, "text", "en"), settings)]


def ids(text: str, settings: LintSettings = LINT_DEFAULTS) -> list[str]:
    return [one.rule for one in found_in(text, settings)]


@loop_over("file", TEXTS)
def test_a_finding_points_to_its_words_and_names_a_rule(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").split("\n")
    found = [one for text in read_documents(file).texts for one in findings(text)]
    assert found
    for one in found:
        assert one.source_line == lines[one.line - 1]
        assert one.end_line == one.line
        assert one.source_line[one.column - 1 : one.end_column - 1] == one.text
        assert one.level == ("warning" if one.certain else "suggestion")
        named = [rule_named(one.rule).id, rule_named(one.kind).id]
        assert named == [one.rule, one.kind]


@loop_over("language", LANGUAGES)
def test_ids_of_rules_are_stable_names(language: str) -> None:
    listed = [rule.id for rule in rules_of(language)]
    assert len({*listed}) == len(listed)
    assert all(id.startswith(f"{language}.") and not {" ", ","} & {*id} for id in listed)
    assert all(rule_named(rule.kind).id == rule.kind for rule in rules_of(language))


def test_the_page_of_rules_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), (
        "run: python -m scripts.document_rules"
    )


def test_an_unknown_rule_is_refused_with_the_nearest() -> None:
    for name in ("en.salesmann", "xx", "en.zzz*"):
        with pytest.raises(UnknownNameError):
            LintSettings(off=(name,))
    with pytest.raises(UnknownNameError, match=r"en\.salesman"):
        rule_named("en.salesmann")


SALESMEN = "Ask the salesman.\nCall the chairman.\nHis wife left.\n"


@loop_over(
    ("off", "left"),
    [
        ((), ["en.salesman", "en.chairman", "en.wife"]),
        (("en.salesman",), ["en.chairman", "en.wife"]),
        (("en.job",), ["en.wife"]),
        (("en.s*", "en.kinship"), ["en.chairman"]),
        (("en",), []),
        (("ru",), ["en.salesman", "en.chairman", "en.wife"]),
    ],
)
def test_rules_are_off_by_id_kind_pattern_and_language(
    off: tuple[str, ...], left: list[str]
) -> None:
    assert ids(SALESMEN, LintSettings(off=off)) == left


@loop_over(
    ("text", "left"),
    [
        ("The salesman. <!-- fairvec: ignore -->\nThe chairman.", ["en.chairman"]),
        ("fairvec: ignore-next\nThe salesman.\nThe chairman.", ["en.chairman"]),
        ("A salesman.\nfairvec: off\nA king.\nfairvec: on\nA wife.", ["en.salesman", "en.wife"]),
        ("fairvec: off en.job\nThe salesman.\nThe wife.", ["en.wife"]),
        ("fairvec: off en.job, en.wife -->\nThe salesman.\nThe wife.\nThe king.", ["en.king"]),
        ("fairvec: off\nThe salesman.\nfairvec: on en.job\nThe chairman's wife.", ["en.chairman"]),
        ("The salesman. fairvec: ignore en.wife", ["en.salesman"]),
        ("The salesman. fairvec: ignorant", ["en.salesman"]),
    ],
)  # fmt: skip
def test_a_comment_switches_findings_off(text: str, left: list[str]) -> None:
    assert [rule for rule in ids(text) if rule != "en.pronoun"] == left


def test_levels_fail_as_the_settings_say() -> None:
    found = found_in("Ask the salesman. His wife left.")
    assert {one.rule: one.level for one in found} == {
        "en.salesman": "warning",
        "en.wife": "suggestion",
    }
    for least, fails in (("suggestion", True), ("warning", True), ("error", False)):
        assert LintSettings(fail_on=least).fails(found) == fails  # type: ignore[arg-type]
    assert not LintSettings(fail_on="warning").fails([one for one in found if not one.certain])
    errors = LintSettings(error=("en.wife",), fail_on="error")
    assert errors.fails(found_in("His wife left.", errors))
    assert not LintSettings(error=("en.wife",), fail_on="never").fails(
        found_in("His wife left.", errors)
    )


def test_the_nearest_file_of_settings_counts(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert read_settings(below) == LINT_DEFAULTS
    (tmp_path / "pyproject.toml").write_text(
        '[tool.other]\nx = 1\n[tool.fairvec.document]\noff = ["ru"]\nfail-on = "warning"\n'
    )
    assert read_settings(below) == LintSettings(off=("ru",), fail_on="warning")
    (below.parent / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert read_settings(below).off == ("ru",)
    (below.parent / "fairvec.toml").write_text('[document]\nerror = ["en.job"]\n')
    assert read_settings(below) == LintSettings(error=("en.job",))


@loop_over(
    ("table", "message"),
    [
        ('of = ["ru"]', "of is no setting"),
        ('off = ["en.salesmann"]', "no rule named"),
        ('off = "ru"', "off"),
        ('fail-on = "sometimes"', "fail_on"),
        ("off = [", "fairvec.toml"),
    ],
)
def test_a_file_of_settings_with_a_slip_is_refused(
    tmp_path: Path, table: str, message: str
) -> None:
    (tmp_path / "fairvec.toml").write_text(f"[document]\n{table}\n")
    with pytest.raises(FairvecError, match=message) as error:
        read_settings(tmp_path)
    assert "fairvec.toml" in str(error.value)


@loop_over(
    ("path", "pattern", "excluded"),
    [
        ("a.old.md", "*.old.md", True),
        ("docs/a.old.md", "*.old.md", True),
        ("docs/api/a.md", "docs/api/", True),
        ("docs/api/a.md", "api", True),
        ("docs/api/a.md", "docs/*.md", True),
        ("docs/a.md", "docs/api", False),
        ("a.md", "*.txt", False),
    ],
)
def test_files_are_excluded_by_patterns(path: str, pattern: str, excluded: bool) -> None:
    assert is_excluded(Path(path), [pattern]) == excluded


def test_a_folder_and_a_pattern_leave_out_what_is_excluded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drafts").mkdir()
    for name in ("a.md", "b.md", "drafts/c.md"):
        (tmp_path / name).write_text("He left.")

    def names(*places: str, exclude: tuple[str, ...] = ()) -> list[str]:
        read = read_documents(*places, language="en", exclude=exclude)
        return [text.source.name for text in read.texts]

    assert names("**/*.md") == ["a.md", "b.md", "drafts/c.md"]
    assert names(".", exclude=("drafts/", "b.*")) == ["a.md"]
    with pytest.raises(SettingError, match="No file fits"):
        names("*.txt")
    with pytest.raises(SettingError, match="excluded"):
        names("a.md", exclude=("*.md",))


# --- Fixes ---


def test_a_fix_changes_what_is_certain_in_the_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    before = "\ufeffAsk the salesman.\r\nHis wife — fairvec: ignore-next\r\nThe chairman.\r\n"
    file.write_bytes(before.encode("utf-16-le"))
    text = read_documents(file, language="en").texts[0]
    found = [*findings(text)]
    diff = [*diff_of_fixes(text.source, found)]
    assert [line for line in diff[2:] if line[0] in "+-"] == [
        "-Ask the salesman.",
        "+Ask the salesperson.",
    ]
    made = fix_files([(text.source, found)])
    assert [one.rule for one in made] == ["en.salesman"]
    after = file.read_bytes().decode("utf-16-le")
    assert after == before.replace("salesman", "salesperson")


@loop_over("file", TEXTS)
def test_what_is_fixed_is_not_found_again(file: Path) -> None:
    (text,) = read_documents(file).texts
    new, made = fixed_text(text.source, [*findings(text)])
    again = text_document(new, "text", text.language)
    assert not {one.rule for one in made} & {one.rule for one in findings(again) if one.certain}


# --- Lines that were changed since a revision ---


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_changed_lines_are_those_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    file = tmp_path / "a.txt"

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(
            ["git", "-C", str(tmp_path), *who, *arguments],
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    file.write_text("One.\nTwo.\nThree.\n")
    git("add", "a.txt")
    git("commit", "-qm", "one")
    file.write_text("One.\nTwo, changed.\nThree.\nFour.\n")
    lines = changed_lines(file, "HEAD")
    assert [lines.touch(line, line) for line in (1, 2, 3, 4)] == [False, True, False, True]
    git("commit", "-qam", "two")
    assert not changed_lines(file, "HEAD").touch(1, 4)
    assert changed_lines(file, "HEAD~1").touch(4, 4)
    other = tmp_path / "b.txt"
    other.write_text("New.\n")
    assert changed_lines(other, "HEAD").touch(1, 1)
    for bad in ("nowhere", "--output=x", ""):
        with pytest.raises(SettingError, match="revision"):
            changed_lines(file, bad)


def test_text_is_checked_without_a_file() -> None:
    found = fairvec.check_text("The chairman smiled.", language="en")
    assert [(one.line, one.column, one.end_column, one.text) for one in found] == [
        (1, 5, 13, "chairman")
    ]
    assert fairvec.check_text("The chairman smiled.", language="en", off=["en.job"]) == ()
    (error,) = fairvec.check_text("The chairman smiled.", language="en", error=["en.chairman"])
    assert error.level == "error"
