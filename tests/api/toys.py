"""Lists of words, results of every kind, and stand-ins of classes of other libraries."""

from typing import Any

import numpy as np

import fairvec
from fairvec import Results
from tests import toys
from tests.report.outcomes import a_run, with_answers
from tests.results.toys import compared, described, viewed

# --- Lists of jobs and of persons, as a call, a test and a file have them ---


JOBS: dict[str, Any] = {
    "x": ["engineer", "mechanic", "carpenter", "captain", "programmer", "boss"],
    "y": ["nurse", "receptionist", "librarian", "housekeeper", "secretary", "dancer"],
    "a": ["he", "man", "boy", "father", "brother"],
    "b": ["she", "woman", "girl", "mother", "sister"],
}

PLANTS: dict[str, Any] = {
    "x": ["rose", "lily", "daisy", "orchid", "tulip"],
    "y": ["ant", "wasp", "moth", "beetle", "cricket"],
    "a": ["love", "peace", "joy", "gift"],
    "b": ["hatred", "war", "pain", "poison"],
}


def as_toml(lists: dict[str, Any] = JOBS, *, language: str = "en") -> str:
    """The same lists as a suite file."""
    sets = "\n".join(
        f'[sets.{role}]\ntitle = "{role} words"\nwords = {words!r}' for role, words in lists.items()
    )
    roles = "\n".join(f'{role} = "{role}"' for role in lists)
    return f"""
id = "file"
version = "1"
language = "{language}"
title = "File"
source = "Written here."
licence = "None needed."
{sets}
[[tests]]
id = "jobs"
title = "Jobs"
category = "gender"
kind = "bias"
{roles}
"""


def figures(outcome: Any) -> dict[str, Any]:
    """All that was measured in a record: not what the test is called, nor its family."""
    fields = outcome.model_dump(mode="json")
    names = ("effect", "p", "interval", "words", "similarities", "value", "metric", "similarity")
    return {name: fields[name] for name in names if name in fields}


# --- Results for tests: made up, in three languages, of every kind of record ---


def a_run_of_results() -> Results:
    """Five models in three languages, with the answers of their categories."""
    return Results(with_answers(a_run()))


def every_kind() -> Results:
    """Some of each kind of record."""
    changes = [compared(), compared(after=None, kind="no-answer", test="toy/two")]
    return Results([*a_run_of_results(), *changes, described(), viewed()])


def of(model: str) -> Results:
    """What one model answered."""
    return Results(one for one in a_run_of_results() if one.model.name == model)


# --- Tiny classes of the same shape as those of libraries that need not be installed ---
# A class says the module that the real one says, and has the attributes that fairvec asks for.


def like(module: str, **has: Any) -> Any:
    """Return an object of a class that says it comes from a module."""
    kind = type(has.pop("kind", "Thing"), (), {"__module__": module})
    made = kind()
    for name, value in has.items():
        setattr(made, name, value)
    return made


class PandasColumn:
    __module__ = "pandas.core.series"

    def __init__(self, values: list[Any]) -> None:
        self.values = values
        array = np.array(values) if not any(v is None for v in values) else np.array(values, object)
        self.dtype = np.dtype(object) if array.dtype.kind in "US" else array.dtype
        self._array = array.astype(self.dtype)

    def to_list(self) -> list[Any]:
        return list(self.values)

    def to_numpy(self) -> Any:
        return self._array


class _Places:
    def __init__(self, columns: list[PandasColumn]) -> None:
        self.columns = columns

    def __getitem__(self, place: tuple[slice, int]) -> PandasColumn:
        assert place[0] == slice(None)
        return self.columns[place[1]]


class PandasFrame:
    __module__ = "pandas.core.frame"

    def __init__(self, columns: dict[Any, list[Any]], index: list[Any] | None = None) -> None:
        length = len(next(iter(columns.values()), []))
        self.columns = list(columns)
        self.index = list(range(length)) if index is None else index
        self.iloc = _Places([PandasColumn(values) for values in columns.values()])


class PolarsColumn:
    __module__ = "polars.series.series"

    def __init__(self, name: str, values: list[Any]) -> None:
        self.name, self.values = name, values
        met = [value for value in values if value is not None]
        kinds = {str: "String", float: "Float64", int: "Int64", bool: "Boolean"}
        self.dtype = kinds.get(type(met[0]) if met else None, "Null")  # type: ignore[arg-type]

    def to_list(self) -> list[Any]:
        return list(self.values)

    def to_numpy(self) -> Any:
        return np.array([np.nan if value is None else value for value in self.values])


class PolarsFrame:
    __module__ = "polars.dataframe.frame"

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.columns = list(columns)
        self._columns = [PolarsColumn(name, values) for name, values in columns.items()]

    def get_columns(self) -> list[PolarsColumn]:
        return self._columns


class Strings(dict[int, str]):
    """spaCy's StringStore: from the number of a word to its letters."""


def pipeline(rows: dict[str, int], data: Any, **about: Any) -> Any:
    """Return the likes of spaCy's nlp, with words at rows of a matrix."""
    strings = Strings({1000 + place: word for place, word in enumerate(rows)})
    keys = {1000 + place: row for place, row in enumerate(rows.values())}
    table = like("spacy.vectors", kind="Vectors", key2row=keys, data=data, mode="default")
    vocabulary = like("spacy.vocab", kind="Vocab", vectors=table, strings=strings)
    return like("spacy.lang.en", kind="English", vocab=vocabulary, meta=about)


LISTS: Any = toys.WORDS


TEST = fairvec.Test(**LISTS, language="en")


PAIRS = [*zip(toys.WORDS["a"], toys.WORDS["b"], strict=True)]


GENDER = fairvec.Concept(pairs=PAIRS, id="gender", language="en")
