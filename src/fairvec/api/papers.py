"""fairvec.reproduce: a paper's tables beside ours."""

from collections.abc import Iterable, Mapping
from os import PathLike, fspath

from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.core.io.read_files import as_path
from fairvec.core.settings import Share, public_call
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions
from fairvec.experiments.audit.run import Progress
from fairvec.papers import Reproduction, as_csv, as_markdown, load_paper, records_of
from fairvec.papers import reproduce as reproduce_paper
from fairvec.report import render_reproduction
from fairvec.results import write_results
from fairvec.results.reproduction import REPRODUCTION_FILE, reproduction_as_jsonl
from fairvec.results.store import FILE_NAME

PAGE, TABLES = "reproduction.html", ("reproduction.md", "reproduction.csv")

Places = str | PathLike[str]


@public_call()
def reproduce(
    paper: str,
    *,
    models: Mapping[str, Places | Iterable[Places]] | None = None,
    stand_ins: Mapping[str, Places | Iterable[Places]] | None = None,
    min_coverage: Share | None = None,
    reading: LoadOptions = LOAD_DEFAULTS,
    folder: Places | None = None,
    progress: Progress | None = None,
) -> Reproduction:
    """Say whether a paper's findings hold here, and put its figures beside ours, each graded.

    Args:
        paper: Its name, as in "kumar2020".
        models: The paper's own model of a role by the name of the role: files, or names of the
            catalogue; graded 'your model' if nothing published tells that it is.
        stand_ins: Other models in a role, graded 'different model'.
        min_coverage: Skip a test when less than this share of a list is found; else half, and a
            quarter of a benchmark's items.
        reading: How files of models are read: a LoadOptions of `fairvec.embedding`.
        folder: Where reproduction.html (the page), reproduction.md, reproduction.csv,
            reproduction.jsonl and results.jsonl are written; without it nothing is.
        progress: Called with (done, in all, what).

    >>> import fairvec
    >>> found = fairvec.reproduce("kumar2020")  # doctest: +SKIP
    >>> len(found.lines) > 100  # doctest: +SKIP
    True
    """
    chosen = load_paper(paper)
    run_folder = None if folder is None else as_path(folder, "say folder='runs/paper'")
    if run_folder is not None:
        check_writable_folder(run_folder, FILE_NAME, PAGE, *TABLES, REPRODUCTION_FILE)
    found = reproduce_paper(
        chosen,
        _by_role(models),
        _by_role(stand_ins),
        progress,
        reading=reading,
        min_coverage=min_coverage,
    )
    if run_folder is not None:
        records = records_of(found)
        tables = dict(zip(TABLES, (as_markdown(records), as_csv(records)), strict=True))
        lines = {REPRODUCTION_FILE: reproduction_as_jsonl(records)}
        files = {PAGE: render_reproduction(records), **tables, **lines}
        write_results(found.outcomes, run_folder, files)
    return found


def _by_role(models: Mapping[str, Places | Iterable[Places]] | None) -> dict[str, list[str]]:
    return {
        role: [fspath(places)]
        if isinstance(places, str | PathLike)
        else [fspath(place) for place in places]
        for role, places in (models or {}).items()
    }
