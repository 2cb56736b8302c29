"""Read runs: results by folder or file, what kind of run a folder holds, and unfinished ones."""

from pathlib import Path

from fairvec.core.errors import SettingError
from fairvec.results import Outcome, read_results
from fairvec.results.documents import DOCUMENT_FILE
from fairvec.results.frontier import FRONTIER_FILE
from fairvec.results.store import FILE_NAME
from fairvec.results.study import STUDY_FILE


def outcomes_of(place: Path) -> list[Outcome]:
    """Return the results of a run, by its folder or its results file.

    A path that holds something else is refused with what to do about it.
    """
    if not (place / FILE_NAME).is_file():
        if is_frontier(place):
            raise SettingError(
                f"{place} holds a frontier, which is not a run of results; look at it with "
                f"'fairvec report {place}'."
            )
        if is_documents(place):
            raise SettingError(
                f"{place} holds what was found in documents, which is not a run of results; gate "
                f"it with 'fairvec check {place}'."
            )
        if (place / "points").is_dir():
            raise SettingError(
                f"{place} holds an unfinished frontier; run the same 'fairvec frontier ...' "
                "again: it goes on."
            )
        run = Path(f"{place}.run")
        if (place.is_file() and place.suffix != ".jsonl") or (place.is_dir() and run.is_dir()):
            advice = (
                f"its run may be {run}"
                if run.is_dir()
                else f"make one with 'fairvec audit {place} -o FOLDER'"
                if place.suffix != ".toml"
                else "name the folder that a command was given with -o"
            )
            raise SettingError(f"{place} is no run; {advice}.")
    return read_results(place)


def is_frontier(place: Path) -> bool:
    """Return whether a path is a finished frontier: its folder, or its file."""
    return (place / FRONTIER_FILE).is_file() or place.name == FRONTIER_FILE


def is_documents(place: Path) -> bool:
    """Return whether a path is a report on documents; refuse a folder that has results too."""
    if place.name == DOCUMENT_FILE:
        return True
    is_present = (place / DOCUMENT_FILE).is_file()
    if is_present and (place / FILE_NAME).is_file():
        raise SettingError(
            f"{place} holds both {FILE_NAME} and {DOCUMENT_FILE}; name the one that is meant, as "
            f"in {place / DOCUMENT_FILE}."
        )
    return is_present


def is_study(place: Path) -> bool:
    """Return whether a path is a finished study: its folder, or its file."""
    return (place / STUDY_FILE).is_file() or place.name == STUDY_FILE


def interruption_note(parts: Path, one: str, first: str) -> str:
    """Return how much of an interrupted run is stored: a file for each of its parts."""
    finished = len([*parts.glob("*.json")])
    if not finished:
        return f"Interrupted before {first}; the same command begins again."
    count = f"1 {one} is" if finished == 1 else f"{finished:,} {one}s are"
    return (
        f"Interrupted; {count} kept in {parts.parent}: run the same command again, and it goes "
        "on with the others."
    )
