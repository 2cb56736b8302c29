"""fairvec.reproduce: a paper's tables beside ours."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.core.io.read_files import as_path
from fairvec.core.settings import Share, public_call
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions
from fairvec.experiments.audit.run import Progress
from fairvec.messages.papers import no_text_note, recipe_description, training_sentences
from fairvec.papers import (
    Reproduction,
    as_csv,
    as_markdown,
    load_paper,
    models_in_data,
    records_of,
    roles_to_train,
)
from fairvec.papers import reproduce as reproduce_paper
from fairvec.papers.schema import Paper
from fairvec.report import render_reproduction
from fairvec.results import write_results
from fairvec.results.reproduction import REPRODUCTION_FILE, reproduction_as_jsonl
from fairvec.results.store import FILE_NAME
from fairvec.training.progress import EpochProgress, StageProgress
from fairvec.training.progress import Progress as StageCallback
from fairvec.training.recipes import PlannedTraining, plan_training, train_by_recipe

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
    train_stand_ins: Places | None = None,
    corpora: Mapping[str, Places | Iterable[Places]] | None = None,
    folder: Places | None = None,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
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
        train_stand_ins: A folder where models are trained for the roles that have none, by the
            paper's recipe (kind, dimensions, window, lemmas) on the texts of FAIRVEC_DATA; what is
            kept there is not trained again.
        corpora: Other texts for these, by the name of the role: files, folders or patterns.
        folder: Where reproduction.html (the page), reproduction.md, reproduction.csv,
            reproduction.jsonl and results.jsonl are written; without it nothing is.
        progress: Called with (done, in all, what).
        on_remark: Called with what will be trained, and about how long that takes, before it is.

    >>> import fairvec
    >>> found = fairvec.reproduce("kumar2020")  # doctest: +SKIP
    >>> len(found.lines) > 100  # doctest: +SKIP
    True
    """
    chosen = load_paper(paper)
    run_folder = None if folder is None else as_path(folder, "say folder='runs/paper'")
    if run_folder is not None:
        check_writable_folder(run_folder, FILE_NAME, PAGE, *TABLES, REPRODUCTION_FILE)
    own, others = _by_role(models), _by_role(stand_ins)
    if train_stand_ins is not None:
        others |= _train_stand_ins(
            chosen,
            {*own, *others},
            _by_role(corpora),
            as_path(train_stand_ins, "say train_stand_ins='models'"),
            progress,
            on_remark,
        )
    elif corpora:
        raise SettingError(
            "Texts of roles are there to train stand-ins from; name the folder where these are "
            "kept (train_stand_ins, --train-stand-ins), or leave the texts out."
        )
    found = reproduce_paper(
        chosen,
        own,
        others,
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


def _train_stand_ins(
    paper: Paper,
    given: Collection[str],
    texts: Mapping[str, Sequence[str]],
    folder: Path,
    progress: Progress | None,
    on_remark: Callable[[str], None] | None,
) -> dict[str, list[str]]:
    """Return the models that play roles without one: those trained by recipe, and FAIRVEC_DATA's.

    All that can go wrong before the first training does.
    """
    for name in texts:
        if name not in paper.roles:
            raise UnknownNameError(f"role of {paper.id}", name, paper.roles)
    remark = on_remark or (lambda sentence: None)
    planned: dict[str, list[PlannedTraining]] = {}
    without_text: dict[str, str] = {}
    wanted = roles_to_train(paper, given, texts)
    recipes = [(name, recipe) for name, each in wanted.items() for recipe in each]
    for done, (name, recipe) in enumerate(recipes):
        if progress:
            progress(done, len(recipes), f"reading the text of {recipe.name}")
        if training := plan_training(recipe, folder, texts.get(name, ())):
            planned.setdefault(name, []).append(training)
        else:
            without_text[recipe.name] = name
    note = no_text_note([*without_text], [*without_text.values()]) if without_text else ""
    if note and not planned:
        raise SettingError(note)
    trainings = [(name, training) for name, each in planned.items() for training in each]
    to_do = [
        _describe(training, paper.roles[name].title)
        for name, training in trainings
        if not training.is_kept
    ]
    kept = [training.recipe.name for _, training in trainings if training.is_kept]
    for sentence in (*training_sentences(to_do, kept, str(folder)), *filter(None, [note])):
        remark(sentence)
    made: dict[str, list[str]] = {}
    for name, training in trainings:
        path = train_by_recipe(training, _stage_progress(progress, training.recipe.name))
        made.setdefault(name, []).append(str(path))
    return {name: [*paths, *models_in_data(paper.roles[name])] for name, paths in made.items()}


def _describe(training: PlannedTraining, title: str) -> tuple[str, str, str, int, float]:
    recipe = training.recipe
    what = recipe_description(recipe.model, recipe.dimensions, recipe.window, recipe.words)
    return recipe.name, what, title, training.words, training.seconds


def _stage_progress(progress: Progress | None, name: str) -> StageCallback | None:
    """Return the progress of a training as a part of that of the paper."""
    if progress is None:
        return None

    def report(stage: StageProgress) -> None:
        begins = stage.stage == "training" and not isinstance(stage, EpochProgress)
        what = f"training {name}" if stage.stage == "training" else f"{stage.stage} for {name}"
        progress(max(0, stage.done - begins), stage.total, what)

    return report


def _by_role(models: Mapping[str, Places | Iterable[Places]] | None) -> dict[str, list[str]]:
    return {
        role: [fspath(places)]
        if isinstance(places, str | PathLike)
        else [fspath(place) for place in places]
        for role, places in (models or {}).items()
    }
