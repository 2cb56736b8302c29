"""Mutations of a model as text: whole rows of numbers that are hard to compute with."""

from collections.abc import Callable, Sequence
from random import Random

from fuzz.mutations import mutated

FACTORS = (0.0, -1.0, 1e-45, 1e-30, 1e-200, 1e30, 1e38, 1e150, 1e-320)


def of_rows(name: str, data: bytes, random: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    """Return a model in word2vec's text whose header is right, with some rows changed."""
    head, *rows = data.decode("utf-8", "replace").rstrip("\n").split("\n")
    if random.random() < 0.05 or len(rows) < 2:
        return mutated(name, data, random, others)
    first, size = sorted(random.sample(range(len(rows) + 1), 2))
    some = range(first, size) if random.random() < 0.8 else range(len(rows))
    way = random.randrange(8)
    if way < 4:
        factor = random.choice(FACTORS)
        _changed(rows, some, lambda numbers: [number * factor for number in numbers])
        description = f"times {factor}"
    elif way == 4:
        same = _numbers(random.choice(rows))
        _changed(rows, some, lambda numbers: same)
        description = "alike"
    elif way == 5:
        place = random.randrange(20)
        _changed(rows, some, lambda n: [x * (at == place % len(n)) for at, x in enumerate(n)])
        description = f"only dimension {place}"
    elif way == 6:
        _changed(rows, some, lambda n: [float(random.randrange(-2, 3)) for _ in n])
        description = "small whole numbers"
    else:
        rows = [row for at, row in enumerate(rows) if at not in some] or rows[:1]
        description = "left out"
    width = head.split(" ")[-1]
    text = "\n".join([f"{len(rows)} {width}", *rows]) + "\n"
    return text.encode(), f"rows {some.start} to {some.stop} {description}"


def _numbers(row: str) -> list[float]:
    found = []
    for text in row.split(" ")[1:]:
        try:
            found.append(float(text))
        except ValueError:
            found.append(0.0)
    return found


def _changed(
    rows: list[str], some: range, change: Callable[[list[float]], Sequence[float]]
) -> None:
    for at in some:
        new = change(_numbers(rows[at]))
        rows[at] = " ".join([rows[at].split(" ")[0], *(f"{number:.9g}" for number in new)])
