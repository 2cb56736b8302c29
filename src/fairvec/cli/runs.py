"""Runs that a user names: their results, or one sentence about what the place holds instead."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from fairvec.cli.console import print_note
from fairvec.core.errors import SettingError
from fairvec.results import (
    DOCUMENT_FILE,
    FRONTIER_FILE,
    PAGE,
    STUDY_FILE,
    Outcome,
    lacking,
    read_results,
)
from fairvec.results.store import FILE_NAME

Lines = TypeVar("Lines")
Written = TypeVar("Written")


def with_page(render: Callable[[], str], write: Callable[[str], Written]) -> Written:
    """Write what was found with the page about it, and return what writing returns.

    What took hours to find is not lost by a page that cannot be made: then all but the page (an
    empty text) is written, and the error is told.
    """
    try:
        page = render()
    except Exception:  # raised again: nothing else is lost with the page
        write("")
        raise
    return write(page)


def write_with_page(
    write: Callable[[Lines, Path, Mapping[str, str]], Path],
    lines: Lines,
    folder: Path,
    render: Callable[[Lines], str],
) -> Path:
    """Write the records of a run and the page about them together, and return where records lie."""
    return with_page(
        lambda: render(lines), lambda page: write(lines, folder, {PAGE: page} if page else {})
    )


def outcomes_of(place: Path) -> list[Outcome]:
    """Return the results of a run: its folder, or its results file."""
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
            way = (
                f"its run may be {run}"
                if run.is_dir()
                else f"make one with 'fairvec audit {place} -o FOLDER'"
                if place.suffix != ".toml"
                else "name the folder that a command was given with -o"
            )
            raise SettingError(f"{place} is no run; {way}.")
    outcomes = read_results(place)
    if told := lacking(outcomes):
        print_note(f"{place}: {told}")
    return outcomes


def is_frontier(place: Path) -> bool:
    """Return whether a place is a finished frontier: its folder, or its file."""
    return (place / FRONTIER_FILE).is_file() or place.name == FRONTIER_FILE


def is_documents(place: Path) -> bool:
    """Return whether a place holds what was found in documents, and no run of results beside it."""
    if place.name == DOCUMENT_FILE:
        return True
    there = (place / DOCUMENT_FILE).is_file()
    if there and (place / FILE_NAME).is_file():
        raise SettingError(
            f"{place} holds both {FILE_NAME} and {DOCUMENT_FILE}; name the one that is meant, as "
            f"in {place / DOCUMENT_FILE}."
        )
    return there


def is_study(place: Path) -> bool:
    """Return whether a place is a finished study: its folder, or its file."""
    return (place / STUDY_FILE).is_file() or place.name == STUDY_FILE


def interrupted(parts: Path, one: str, first: str) -> str:
    """Say what an interrupted run keeps: a file for each of its parts, none before the `first`."""
    kept = len([*parts.glob("*.json")])
    if not kept:
        return f"Interrupted before {first}; the same command begins again."
    they_are = f"1 {one} is" if kept == 1 else f"{kept:,} {one}s are"
    return (
        f"Interrupted; {they_are} kept in {parts.parent}: run the same command again, and it goes "
        "on with the others."
    )
