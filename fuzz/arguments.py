"""Hostile arguments: options that a command has, with values that it does not expect."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from fairvec.cli.app import COMMANDS, load_command
from fuzz.fair_values import fair_arguments, fair_values
from fuzz.mutations import mutated
from fuzz.mutations.odd_values import TEXTS, odd_number_text

FILE = "arguments.json"
"""The arguments of a case."""
AMOUNTS = frozenset(
    (
        *("samples", "epochs", "draws", "longest", "seeds", "folds", "dim", "window", "jobs"),
        *("threads", "length", "words", "balls", "max_words", "init_words"),
    )
)
"""Options that ask for so much work: much is what a user then gets."""
FAIR = 0.75
"""Share of values that an option would take: who is refused at the door sees nothing inside."""
NEVER = frozenset(("scheduler", "help", "browser", "jobs"))
"""A cluster is waited for, processes of others know no limits, help holds nothing of a stranger."""
SMALL = ("0", "-1", "1", "2", "3", "1.5", "nan", "", "x", "1e1", "٣", "0x10", "-0", " 2 ", "1_0")
VALUES = (
    *("euclidean", "poincare", "poincare-x3", "cosine", "negative-distance", "target", "context"),
    *(
        "aggregated",
        "project",
        "replace",
        "native",
        "csv",
        "gensim",
        "en",
        "hi",
        "ru",
        "xx",
        "hard",
    ),
    *("linear-projection", "pgd", "leace", "weat", "rnsb", "ect", "all", "first", "last", "auto"),
    *("he", "she", "king", "toy/one", "toy", "en/gender", "en/my-gender", "mine.toml:pairs", "::"),
    *("strength=0.5", "x=[[[", "k=9" + "9" * 30, "lengths=kept", "=", "k=nan", "seed=1e999"),
    *("p < 0.05", "effect > " + "9" * 400, "+".join(["effect"] * 900) + " > 1", "not " * 200 + "p"),
    *("small.vec=name", "a=b=c", "0.5,1", "1,,2", "nan,inf", ",", "0..1", "positive,negative"),
)
ODD = tuple(
    text
    for text in TEXTS
    # What can be no argument, and what would name a place outside of the folder.
    if "\0" not in text and "\ud800" not in text and not text.startswith(("/", "~", "C:"))
    if ".." not in text
)


def leaves() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Give every command that does something, by the words that call it."""
    for name in COMMANDS:
        command = load_command(name)
        inner = getattr(command, "commands", None)
        if inner is None:
            yield tuple(name.split()), command
        else:
            yield from (((name, each), leaf) for each, leaf in inner.items())


def takes(words: tuple[str, ...]) -> bool:
    """Say whether a command takes any option or argument."""
    return bool(_options(words) or _arguments(words))


@cache
def _options(words: tuple[str, ...]) -> dict[str, Any]:
    command = dict(leaves())[words]
    return {
        name: option
        for option in command.params
        if option.param_type_name == "option" and option.name not in NEVER
        for name in option.opts
    }


def changed_arguments(
    name: str, data: bytes, random: Random, others: Sequence[bytes], *, files: Sequence[str]
) -> tuple[bytes, str]:
    """Return other arguments, or another file where the name is not that of the arguments."""
    if name != FILE:
        return mutated(name, data, random, others)
    arguments: list[str] = json.loads(data)
    words = (arguments[0], arguments[1]) if tuple(arguments[:2]) in _names() else (arguments[0],)
    own = arguments[len(words) :]
    options = _options(words)
    way = random.randrange(10)
    places = _places(words, own)
    # Of a command without options, arguments are all that can be changed.
    if places and (way < 2 or (way < 8 and not options)):
        at, argument = random.choice([*places.items()])
        own[at] = _value(fair_arguments(words, argument), random, files)
        description = f"{own[at][:40]!r} as {argument}"
    elif way < 8 and options:
        called, option = random.choice([*options.items()])
        flag = getattr(option, "is_flag", False)
        new = [called] if flag else [called, _value_of(words, option, random, files)]
        own += new
        description = f"with {' '.join(new)[:60]!r}"
    elif way == 8 and own:
        at = random.randrange(len(own))
        option = options.get(own[at - 1]) if at else None
        own[at] = _value_of(words, option, random, files) if option else _value((), random, files)
        description = f"{own[at][:40]!r} at {at}"
    elif own and random.random() < 0.5:
        description = f"without {own.pop(random.randrange(len(own)))[:40]!r}"
    else:
        own.insert(random.randrange(len(own) + 1), _value((), random, files))
        description = "one more"
    return json.dumps([*words, *own]).encode(), description


def _places(words: tuple[str, ...], own: Sequence[str]) -> dict[int, str]:
    """Return where arguments stand that no option takes, and what the command calls them."""
    options, names = _options(words), _arguments(words)
    option_values = {
        at + 1
        for at, one in enumerate(own)
        if one in options and not getattr(options[one], "is_flag", False)
    }
    free = [at for at, one in enumerate(own) if at not in option_values and one[:1] != "-"]
    # The last one may be given several times.
    return {at: names[min(number, len(names) - 1)] for number, at in enumerate(free) if names}


@cache
def _arguments(words: tuple[str, ...]) -> Sequence[str]:
    params = dict(leaves())[words].params
    return [one.name for one in params if one.param_type_name == "argument"]


@cache
def _names() -> frozenset[tuple[str, ...]]:
    return frozenset(words for words, _ in leaves())


def _value_of(words: tuple[str, ...], option: Any, random: Random, files: Sequence[str]) -> str:
    """Return a value for an option; one that asks for work never asks for much."""
    fair = fair_values(words, option, files)
    return _value(fair, random, files, SMALL if option.name in AMOUNTS else ())


def _value(
    fair: Sequence[str], random: Random, files: Sequence[str], hostile: Sequence[str] = ()
) -> str:
    """Return a value that would be taken, where one is known, or one that would not."""
    if fair and random.random() < FAIR:
        return random.choice(fair)
    if hostile:
        return random.choice(hostile)
    way = random.randrange(4)
    if way == 0:
        return odd_number_text(random)
    return random.choice(((), ODD, VALUES, files)[way])
