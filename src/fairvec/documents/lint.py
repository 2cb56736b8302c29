"""Findings of documents, as a linter gives them: each with its place, rule, level and alternatives.

findings      what is found in a text, less what is switched off
rules         every rule that a finding may name, with its stable id
LintSettings  which rules are off and which are errors, by the call or by a file
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from fairvec.core.errors import LexiconError, SettingError, UnknownNameError
from fairvec.core.io.toml_files import read_toml
from fairvec.core.parsing import parse_toml_tables
from fairvec.core.settings import settings
from fairvec.core.validation import suggest_key
from fairvec.documents.check import fitting_suggestions
from fairvec.documents.read import ParsedDocument, Source
from fairvec.languages.language import languages_with
from fairvec.languages.rewriting import rewrite_table
from fairvec.languages.text import Document, line_starts
from fairvec.messages.documents import finding_message
from fairvec.results.documents import LEVELS, DocumentFinding, Level, Suggestion

FailOn = Literal["suggestion", "warning", "error", "never"]

RuleNames = tuple[str, ...]
"""Ids of rules (en.salesman), of kinds of rules (en.kinship) or languages (ru); * is anything."""


@settings(called="findings")
class LintSettings:
    """Which findings are reported, how much they matter, and which of them fail a check."""

    off: Annotated[RuleNames, Field(description="Rules that are not reported.")] = ()
    error: Annotated[RuleNames, Field(description="Rules whose findings are errors.")] = ()
    exclude: Annotated[
        tuple[str, ...], Field(description="Files that are not read, as in drafts/ or *.old.md.")
    ] = ()
    fail_on: Annotated[
        FailOn, Field(description="The least level of a finding that fails a check.")
    ] = "error"

    def __post_init__(self) -> None:
        for name in (*self.off, *self.error):
            check_rule_name(name)

    def fails(self, found: Iterable[DocumentFinding]) -> bool:
        """Whether one of these findings fails a check."""
        if self.fail_on == "never":
            return False
        least = LEVELS.index(self.fail_on)
        return any(LEVELS.index(finding.level) >= least for finding in found)


LINT_DEFAULTS = LintSettings()


# Settings in files.


CONFIG_FILES = {"fairvec.toml": ("document",), "pyproject.toml": ("tool", "fairvec", "document")}
"""Files that may hold settings, and the table in which they stand."""


def read_settings(folder: Path) -> LintSettings:
    """Return the settings of the nearest file, in this folder or above; else the defaults."""
    for place in (folder, *folder.parents):
        for name, keys in CONFIG_FILES.items():
            if (place / name).is_file():
                table: Any = parse_toml_tables(
                    read_toml(place / name, "settings"), str(place / name), LexiconError
                )
                for key in keys:
                    table = table.get(key) if isinstance(table, Mapping) else None
                if table is not None:
                    return _settings_of(table, f"{place / name}, [{'.'.join(keys)}]")
    return LINT_DEFAULTS


def _settings_of(table: Any, where: str) -> LintSettings:
    known = {each.name.replace("_", "-"): each.name for each in fields(LintSettings)}
    if not isinstance(table, Mapping):
        raise SettingError(f"{where}: this must be a table of settings.")
    for key in table:
        if key not in known:
            raise SettingError(
                f"{where}: {key} is no setting{suggest_key(key, known)}; known: {', '.join(known)}."
            )
    values: dict[str, Any] = {
        known[key]: tuple(value) if isinstance(value, list) else value
        for key, value in table.items()
    }
    try:
        return LintSettings(**values)
    except (SettingError, UnknownNameError) as error:
        raise SettingError(f"{where}: {error}") from None


# Rules.


@dataclass(frozen=True)
class Rule:
    """A rule: its stable id and that of its kind, the word that it finds, and what it does."""

    id: str
    kind: str
    word: str
    neutral: str
    sentence: str
    why: str = ""

    @property
    def row(self) -> tuple[str, str, str, str]:
        """The rule as a row of a table."""
        return self.id, self.kind, self.word, self.neutral


@cache
def rules(language: str) -> tuple[Rule, ...]:
    """Return the rules of a language: first its kinds of rules, then its words."""
    table = rewrite_table(language)
    kinds = {kind: text for kind, text in table.rules.items() if not kind.startswith("swap")}
    of_kinds = [
        Rule(f"{language}.{kind}", f"{language}.{kind}", "", "", text)
        for kind, text in kinds.items()
    ]
    of_words = {
        word: Rule(
            _word_id(language, word),
            f"{language}.{term.rule}",
            word,
            term.neutral,
            kinds[term.rule],
            term.why,
        )
        for term in table.terms
        if term.rule != "pronoun"  # he and she have the rules of pronouns
        for word in (term.a, term.b)
        if word and word != term.neutral
    }
    return (*of_kinds, *of_words.values())


def _word_id(language: str, word: str) -> str:
    return f"{language}.{word.replace(' ', '-')}"


def rule_named(id: str) -> Rule:
    """Return a rule by its id, or raise UnknownNameError with the rules of its language."""
    languages = languages_with("rewrites")
    code = id.partition(".")[0]
    listed = [
        rule for each in languages if each == code or code not in languages for rule in rules(each)
    ]
    for rule in listed:
        if rule.id == id:
            return rule
    raise UnknownNameError("rule", id, [rule.id for rule in listed])


@cache
def check_rule_name(name: str) -> None:
    """Raise UnknownNameError unless a name is that of a rule, a kind of rules or a language."""
    languages = languages_with("rewrites")
    if not any(
        _names_rule((name,), rule.id, rule.kind) for each in languages for rule in rules(each)
    ):
        rule_named(name)


@lru_cache(10_000)
def _names_rule(names: RuleNames, rule: str, kind: str) -> bool:
    language = rule.partition(".")[0]
    return any(fnmatchcase(one, name) for name in names for one in (rule, kind, language) if one)


# Findings.


def findings(
    text: ParsedDocument, settings: LintSettings = LINT_DEFAULTS
) -> Iterator[DocumentFinding]:
    """Give what is found in a text, in its order, less what is switched off."""
    document = text.document
    suggested = fitting_suggestions(text, document, "neutral")
    yield from as_findings(suggested, document, text.source, settings)


def as_findings(
    suggested: Iterable[Suggestion], document: Document, source: Source, settings: LintSettings
) -> Iterator[DocumentFinding]:
    """Give suggestions towards neutral words as findings, less what is switched off."""
    switches = _Switches(source)
    for suggestion in suggested:
        found = _finding(suggestion, document, settings)
        if not _names_rule(settings.off, found.rule, found.kind) and not switches.hide(found):
            yield found


def _finding(suggestion: Suggestion, document: Document, settings: LintSettings) -> DocumentFinding:
    language = document.language
    kind = f"{language}.{suggestion.rule}"
    rule = _word_id(language, suggestion.term) if suggestion.term else kind
    line, column = document.position(suggestion.start)
    end_line, end_column = document.position(suggestion.end)
    level: Level = "warning" if suggestion.certain else "suggestion"
    values = dict(suggestion) | {
        "file": document.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "level": "error" if _names_rule(settings.error, rule, kind) else level,
        "rule": rule,
        "kind": kind,
        "message": finding_message(
            suggestion.candidates,
            [edit.new for edit in suggestion.edits],
            suggestion.reason,
        ),
        "text": document.text[suggestion.start : suggestion.end],
        "source_line": document.line(line),
    }
    return DocumentFinding(**values)


# Comments in a text by which findings are switched off.


_SWITCH = re.compile(r"fairvec:[ \t]*(ignore-next|ignore|off|on)\b(?:[ \t]+([\w.*, \t-]*))?")
_RULE_NAME = re.compile(r"[a-z]{2,3}(?:\.[\w*-]*[\w*])?")


class _Switches:
    """What the comments of a text switch off, line by line.

    `fairvec: ignore` is of its own line, `ignore-next` of the next one, and `off` of all lines from
    its own on, up to `on`. Rules may follow; without any all are meant.
    """

    def __init__(self, source: Source) -> None:
        self._lines: dict[int, list[RuleNames]] = {}
        self._from: list[tuple[int, bool, RuleNames]] = []
        if "fairvec:" not in source.text:
            return
        starts = line_starts(source.text)
        for match in _SWITCH.finditer(source.text):
            line = bisect_right(starts, match.start())
            names = tuple(_RULE_NAME.findall(match[2] or "")) or ("*",)
            if match[1] in ("on", "off"):
                self._from.append((line, match[1] == "off", names))
            else:
                self._lines.setdefault(line + (match[1] == "ignore-next"), []).append(names)

    def hide(self, found: DocumentFinding) -> bool:
        """Whether a finding is switched off."""
        if any(
            _names_rule(names, found.rule, found.kind) for names in self._lines.get(found.line, ())
        ):
            return True
        is_off = False
        for line, turns_off, names in self._from:
            if line > found.line:
                break
            if names == ("*",) or _names_rule(names, found.rule, found.kind):
                is_off = turns_off
        return is_off
