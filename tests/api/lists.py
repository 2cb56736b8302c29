"""Lists of jobs and of persons, as a call, a test and a file have them."""

from typing import Any

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
    said = outcome.model_dump(mode="json")
    kept = ("effect", "p", "interval", "words", "similarities", "value", "metric", "similarity")
    return {name: said[name] for name in kept if name in said}
