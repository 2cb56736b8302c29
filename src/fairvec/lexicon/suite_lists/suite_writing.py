"""A suite as the text of a TOML file: what is read from it again is the suite."""

from collections.abc import Iterator
from typing import Any

from fairvec.ground.errors import LexiconError
from fairvec.lexicon.drafting import quoted
from fairvec.lexicon.suite_lists.loader import parse_suite
from fairvec.lexicon.suite_lists.suite import ROLES, Suite, Test, Waiver
from fairvec.lexicon.words import Word, WordSet

LONGEST = 96
"""Letters of a line of words."""


def suite_as_toml(suite: Suite) -> str:
    """Return the text of a file that holds the suite, in the order of its lists and tests.

    A suite that no file can hold, such as one whose tests are named with spaces, is refused.
    """
    text = "\n\n".join("\n".join(part) for part in _parts(suite)) + "\n"
    if parse_suite(text, f"the suite {suite.id}") != suite:
        raise LexiconError(
            f"The suite {suite.id} would not be the same when it is read from a file; give each "
            "of its lists its own id, and its tests lists of the suite."
        )
    return text


def _parts(suite: Suite) -> Iterator[list[str]]:
    said = ("id", "language", "version", "title", "source", "licence", "doi", "notes")
    yield _keys(suite, said)
    for wordset in suite.sets.values():
        yield [f"[sets.{wordset.id}]", *_of_list(wordset)]
    for test in suite.tests:
        yield ["[[tests]]", *_of_test(test)]
    for waiver in suite.waivers:
        yield ["[[waivers]]", *_of_waiver(waiver)]


def _of_list(wordset: WordSet) -> Iterator[str]:
    yield from _keys(wordset, ("title",))
    if wordset.concept != wordset.id:
        yield from _keys(wordset, ("concept",))
    yield from _keys(wordset, ("pos", "sensitive", "sensitive_reason"))
    yield from ("words = [", *_lines([_entry(word, wordset) for word in wordset.words]), "]")


def _entry(word: Word, wordset: WordSet) -> str:
    """Return a word in quotes, or as a table where more is known of it."""
    known = {name: value for name, value in word.model_dump().items() if value}
    if word.pos == wordset.pos:
        known.pop("pos", None)
    if known.keys() == {"word"}:
        return quoted(word.word)
    return f"{{ {', '.join(f'{name} = {_value(value)}' for name, value in known.items())} }}"


def _lines(entries: list[str]) -> Iterator[str]:
    """Give plain words beside one another, and tables one a line."""
    line = ""
    for entry in entries:
        if line and (entry.startswith("{") or len(line) + len(entry) > LONGEST):
            yield line
            line = ""
        line = f"{line} {entry}," if line else f"    {entry},"
        if entry.startswith("{"):
            yield line
            line = ""
    if line:
        yield line


def _of_test(test: Test) -> Iterator[str]:
    yield f"id = {quoted(test.name)}"
    yield from _keys(test, ("title", "category", "kind", "tags", "paired"))
    for role in ROLES:
        if role in test.sets:
            yield f"{role} = {quoted(test.sets[role].id)}"


def _of_waiver(waiver: Waiver) -> list[str]:
    return _keys(waiver, ("finding", "where", "words", "reason"))


def _keys(thing: object, names: tuple[str, ...]) -> list[str]:
    """Return a line for each field that says something."""
    return [f"{name} = {_value(value)}" for name in names if (value := getattr(thing, name))]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(quoted, value))}]"
    return quoted(str(value))
