"""Write docs/document-rules.md, the rules of documents, from the tables of the languages."""

from pathlib import Path

from fairvec.documents.lint import Rule, rules
from fairvec.languages.language import language, languages_with

DOCUMENT = Path(__file__).parents[1] / "docs" / "document-rules.md"

OPENING = """# Rules of documents

Every finding of [`fairvec document`](documents.md) names a rule by its id, which does not change:
that of a word is its entry in the language's table, whatever its case or inflection in the text. A
rule is switched off, or made an error, by its id, by that of its kind (`en.kinship`), by a pattern
(`en.sales*`) or by its language (`ru`). `fairvec document --why ID` prints a rule, and
`fairvec document rules` all of them.

A word without an alternative is flagged only. Where there is one, whether a finding is a warning or
a suggestion depends on the sentence ([rewriting](rewriting.md)).

This page is written by `python -m scripts.document_rules`; a test keeps it current.
"""


def document() -> str:
    """Return the page."""
    return OPENING + "".join(map(_section, languages_with("rewrites")))


def _section(code: str) -> str:
    listed = rules(code)
    parts = [f"\n## {language(code).name}\n"]
    for kind in (rule for rule in listed if rule.id == rule.kind):
        words = [rule for rule in listed if rule.kind == kind.id and rule is not kind]
        parts.append(f"\n### {kind.id}\n\n{kind.sentence}\n")
        if words:
            parts.append("\n| rule | word | alternative |\n|---|---|---|\n")
            parts += map(_row, words)
    return "".join(parts)


def _row(rule: Rule) -> str:
    return f"| `{rule.id}` | {rule.word} | {rule.neutral} |\n"


def main() -> None:
    """Write the page."""
    DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
