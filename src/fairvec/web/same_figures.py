"""What gives the same figures elsewhere: a suite as a file, a command line, a few lines of Python.

Words of strangers stand in all three: each is quoted by the rules of its own language.
"""

from dataclasses import fields
from shlex import join
from typing import Any

from fairvec.embedding import AS_FOUND, Reading
from fairvec.lexicon import Suite, Test, Word, suite_as_toml
from fairvec.web.asked_lists import ROLES
from fairvec.web.opened import OpenModel

LONGEST_NAME = 60


def file_name(suite: Suite) -> str:
    """Return the name of the suite's file: small letters, digits and hyphens."""
    return f"{suite.tests[0].name[:LONGEST_NAME].strip('-')}.toml"


def as_file(suite: Suite) -> str:
    """Return the text of the suite's file."""
    return suite_as_toml(suite)


def as_command(suite: Suite, opened: OpenModel) -> str:
    """Return the command line, for a shell in whose folder the file lies."""
    asked = ["fairvec", "audit", opened.asked, "--suite", file_name(suite)]
    return join([*asked, *options_of_reading(opened.reading)])


def as_python(suite: Suite, opened: OpenModel) -> str:
    """Return a program that prints the record in one line."""
    return (
        "import fairvec\n\n"
        f"test = fairvec.Test(\n{arguments_of(suite.tests[0])})\n"
        f"(found,) = fairvec.audit({model_in_python(opened)}, tests=test, categories=False)\n"
        "print(found)\n"
    )


def said_of_reading(reading: Reading) -> dict[str, Any]:
    """Return the options of reading that are not the usual ones."""
    every = {field.name: getattr(reading, field.name) for field in fields(Reading)}
    return {name: value for name, value in every.items() if value != getattr(AS_FOUND, name)}


def options_of_reading(reading: Reading) -> list[str]:
    """Return them as a command line has them."""
    said: list[str] = []
    for name, value in said_of_reading(reading).items():
        for one in value if isinstance(value, list | tuple) else [value]:
            said += [f"--{name.replace('_', '-')}", str(one)]
    return said


def model_in_python(opened: OpenModel) -> str:
    """Return what stands for the model in Python: its name, or how it is read otherwise."""
    reading = said_of_reading(opened.reading)
    options = "".join(f", {name}={value!r}" for name, value in reading.items())
    return f"fairvec.load({opened.asked!r}{options})" if reading else repr(opened.asked)


def arguments_of(test: Test) -> str:
    """Return the lists, and all that is not what a test without it would be called."""
    said: dict[str, Any] = {
        role: [_entry(word) for word in test.sets[role].words] for role in ROLES
    }
    usual = Test(**said)
    titles = {
        role: test.sets[role].title
        for role in ROLES
        if test.sets[role].title != usual.sets[role].title
    }
    if titles:
        said["titles"] = titles
    for name in ("title", "category", "kind", "language"):
        if getattr(test, name) != getattr(usual, name):
            said[name] = getattr(test, name)
    return "".join(f"    {name}={value!r},\n" for name, value in said.items())


def _entry(word: Word) -> str | dict[str, Any]:
    """Return a word, or a table of all that decides where it is found."""
    known = {"word": word.word, "variants": list(word.variants), "pos": word.pos}
    told = {name: value for name, value in known.items() if value}
    return word.word if told.keys() == {"word"} else told
