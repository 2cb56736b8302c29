"""Which model plays a role of a paper, whether it is the one that the paper measured, and notes.

The notes stand beside a figure: stand-in models, coverage of words, missing benchmarks.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from fairvec import catalogue
from fairvec.catalogue.recipes import Recipe, recipe
from fairvec.core.errors import SettingError
from fairvec.core.io.read_files import is_file, sha256_of_file
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions, read
from fairvec.encoders import Representation
from fairvec.encoders.open import is_encoder_name, open_encoder
from fairvec.messages.papers import (
    FROM_HISTORY,
    absent_benchmark_note,
    benchmark_items_note,
    found_words_note,
    identified_note,
    inexact_p_note,
    unverified_reason,
)
from fairvec.papers.printed import is_exact, rounds_to
from fairvec.papers.schema import (
    BenchmarkMeasure,
    Cell,
    ConceptMeasure,
    Debiasing,
    ModelRole,
    Paper,
    PropertyMeasure,
    QuestionMeasure,
)
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.reproduction import PlayedBy, PlayedRole


def mismatch(role: ModelRole, embedding: Embedding) -> str:
    """Return what shows that a model is not the paper's own; empty if nothing does."""
    if role.dimensions not in (None, embedding.dimensions):
        return f"it has {embedding.dimensions} dimensions, not {role.dimensions}"
    if role.geometry != embedding.geometry.name:
        return f"its geometry is {embedding.geometry.name}"
    for words in filter(None, (exact_words(role), role.words)):
        if not rounds_to(_words_in_file(embedding), words):
            return f"it has {_words_in_file(embedding):,} words, not {words}"
    return ""


def history_mismatch(role: ModelRole, embedding: Embedding) -> str:
    """Return what in a model's history shows that it is not the paper's own; empty if nothing."""
    for step in embedding.history:
        if "words_wanted" in step.details:
            return FROM_HISTORY["subset"]
        if step.action in FROM_HISTORY and not (step.action == "debias" and role.made_from):
            return FROM_HISTORY[step.action]
    return ""


def identified_by(role: ModelRole, path: Path | None, embedding: Embedding) -> str:
    """Return what identifies a model as the paper's own; empty if others could pass as well.

    A known fingerprint decides alone: SHA-256 of the file, or of keys and vectors as results have
    it. Else the exact number of words does. Dimensions, space and a rounded number never do:
    whoever trains a model chooses those.
    """
    if known := _fingerprints(role):
        hashes = {embedding.content_hash, *([sha256_of_file(path)] if path else ())}
        return "its SHA-256" if hashes & known else ""
    words = exact_words(role)
    return f"its {words} words and {embedding.dimensions} dimensions alone" if words else ""


def exact_words(role: ModelRole) -> str:
    """Return how many words the model has, where paper, origin or catalogue say exactly."""
    if role.counted:
        return f"{role.counted:,}"
    if is_exact(role.words):
        return role.words
    known = catalogue.find(role.model).words if role.model else None
    return f"{known:,}" if known else ""


def _fingerprints(role: ModelRole) -> frozenset[str]:
    catalogued = catalogue.find(role.model).sha256 if role.model else None
    return frozenset((*role.sha256, *([catalogued] if catalogued else ())))


def _words_in_file(embedding: Embedding) -> int:
    """Count the words of a file, repeated ones too, which a paper had no reason to leave out."""
    repeated = (step.details.get("duplicates", 0) for step in embedding.history)
    return len(embedding) + sum(count for count in repeated if isinstance(count, int))


@dataclass(frozen=True, eq=False)
class RoleModel:
    """A model in a role of a paper.

    `mismatch_reason` says why it is not the paper's own model; empty if it is. `identified_by` says
    how it was recognised as that. A model given as the paper's own which nothing published confirms
    or excludes is `is_unverified`. With `debiasing` the role is played by the debiased embedding.
    """

    model: Representation
    mismatch_reason: str = ""
    debiasing: Debiasing | None = None
    identified_by: str = ""
    is_unverified: bool = False

    @property
    def embedding(self) -> Embedding:
        """The word vectors in the role."""
        if isinstance(self.model, Embedding):
            return self.model
        raise SettingError(f"{self.model.name} is an encoder where word vectors are needed.")

    @property
    def name(self) -> str:
        """The model's name, and what was done to it."""
        change = self.debiasing
        return f"{self.model.name}, {change.method} {change.concept}" if change else self.model.name

    @property
    def is_the_papers(self) -> bool:
        """Whether the paper measured this very model, as far as anything published shows."""
        return not self.mismatch_reason

    def cell_for(self, cell: Cell) -> Cell:
        """Return a cell with the debiasing that makes the model of its role."""
        if self.debiasing is None:
            return cell
        return replace(cell, settings=cell.settings.model_copy(update={"debias": self.debiasing}))


def models_for_role(
    role: ModelRole,
    models: Sequence[str],
    stand_ins: Sequence[str],
    reading: LoadOptions = LOAD_DEFAULTS,
) -> list[RoleModel]:
    """Return the models of a role: those given, else the paper's own, else a stand-in, if local.

    A stand-in is a model below FAIRVEC_DATA, or else one that is shipped.

    A model given in `models` is the paper's own if it has its name in the catalogue, a known
    fingerprint or exactly as many words, and neither dimensions, space nor history say otherwise;
    if nothing published tells, it is the user's. One given in `stand_ins` never is the paper's.
    Nothing is fetched that was not named.
    """
    if models or stand_ins:
        return [
            *(_load_claimed(role, model, reading) for model in models),
            *(
                RoleModel(_load(role, model, reading), _stand_in_reason(role))
                for model in stand_ins
            ),
        ]
    if has_own_model(role):
        return [_load_claimed(role, role.model or "", LOAD_DEFAULTS)]
    shipped = (model for model in role.stand_ins if catalogue.is_local(model))
    local = [*models_in_data(role), *shipped][:1]
    return [RoleModel(_load(role, model, LOAD_DEFAULTS), _stand_in_reason(role)) for model in local]


def has_own_model(role: ModelRole) -> bool:
    """Return whether the paper's own model is at hand."""
    return role.model is not None and catalogue.is_local(role.model)


def models_in_data(role: ModelRole) -> list[str]:
    """Return the models below FAIRVEC_DATA that can play a role; encoders only with their packages.

    They play unasked, so that nothing may fail for want of a package.
    """
    found = filter(None, map(catalogue.data_file, role.data))
    return [str(path) for path in found if path.is_file() or all(map(find_spec, ENCODER_PACKAGES))]


ENCODER_PACKAGES = ("torch", "transformers")


def roles_to_train(
    paper: Paper, given: Collection[str], with_text: Collection[str] = ()
) -> dict[str, tuple[Recipe, ...]]:
    """Return the recipes that would fill the roles of a paper for which no model is at hand.

    Roles in `given` have a model. A recipe whose very model is below FAIRVEC_DATA is followed only
    for a role in `with_text`, of which the user names another text.
    """
    wanted: dict[str, tuple[Recipe, ...]] = {}
    for name, role in paper.roles.items():
        if name in given or has_own_model(role):
            continue
        wanted[name] = tuple(
            found
            for found in map(recipe, role.recipes)
            if name in with_text or not (found.unless and catalogue.data_file(found.unless))
        )
    return {name: recipes for name, recipes in wanted.items() if recipes}


def _load_claimed(role: ModelRole, model: str, reading: LoadOptions) -> RoleModel:
    found = _load(role, model, reading)
    if not isinstance(found, Embedding):
        return RoleModel(found, unverified_reason(role.title), is_unverified=True)
    if _is_catalogue_name(model) and model != role.model:
        return RoleModel(found, _stand_in_reason(role))
    if differs := mismatch(role, found):
        return RoleModel(found, f"{_stand_in_reason(role)}, because {differs}")
    if _is_catalogue_name(model):
        return RoleModel(found)
    if reason := history_mismatch(role, found):
        return RoleModel(found, f"{_stand_in_reason(role)}, because {reason}")
    path = Path(model)
    if identification := identified_by(role, path if is_file(path) else None, found):
        return RoleModel(found, identified_by=identification)
    return RoleModel(found, unverified_reason(role.title), is_unverified=True)


def _load(role: ModelRole, model: str, reading: LoadOptions) -> Representation:
    """Read a model; a file in the role of a ball is a ball, the catalogue knows its own spaces."""
    if is_encoder_name(model):
        if not role.encoder:
            raise SettingError(
                f"{model} is an encoder, and the role {role.title} is played by word vectors; make "
                "some with 'fairvec distil'."
            )
        return open_encoder(model)
    ball = role.geometry == "poincare" and not _is_catalogue_name(model)
    return read(model, replace(reading, geometry="poincare" if ball else None))


def _is_catalogue_name(model: str) -> bool:
    return model in catalogue.names() and not is_file(model)


def _stand_in_reason(role: ModelRole) -> str:
    return f"stands in for {role.title}"


def how_to_get(paper: str, name: str, role: ModelRole) -> str:
    """Say how to bring the paper's own model into its role, with the exact command."""
    if role.model:
        return f"run: fairvec models get {role.model}"
    if role.encoder:
        get_folder = f"get its folder from {role.origin}" if role.origin else "get its folder"
        return f"{get_folder} and run: fairvec reproduce {paper} --model {name}=FOLDER"
    get_vectors = f"download it from {role.origin}" if role.origin else "get its vectors"
    file = f"{name}.txt"
    return f"{get_vectors}, say as {file}, and run: fairvec reproduce {paper} --model {name}={file}"


# Who plays which role.


def played_role(paper: Paper, name: str, role_model: RoleModel | None) -> PlayedRole:
    """Return who plays a role, how that is known, and how to bring the paper's own model."""
    role = paper.roles[name]
    played_by: PlayedBy = "none"
    reason = ""
    if role_model is not None:
        reason = f"{role_model.name} {role_model.mismatch_reason}."
        if role_model.is_the_papers:
            played_by = "the paper's"
            by = role_model.identified_by
            reason = identified_note(role_model.name, by) if by else ""
        else:
            played_by = "yours" if role_model.is_unverified else "a stand-in"
    # What is made of another model needs that one.
    made = role.made_from if role_model is None or role_model.debiasing else None
    is_here = played_by == "the paper's"
    return PlayedRole(
        role=name,
        title=role.title,
        played_by=played_by,
        model=role_model.name if role_model else "",
        made_from=role_model.model.name if role_model else "",
        reason=reason.replace("..", "."),
        remedy="" if is_here else how_to_get(paper.id, made or name, paper.roles[made or name]),
    )


def words_of_cut(cell: Cell, role_model: RoleModel) -> int | None:
    """Return how many words a cut has, where a cell looks at every word of its model; else None."""
    model = role_model.model
    if isinstance(model, Embedding) and model.is_cut and _looks_at_all_words(cell):
        return len(model)
    return None


def _looks_at_all_words(cell: Cell) -> bool:
    match cell.measure:
        case QuestionMeasure() | PropertyMeasure():
            return True
        case ConceptMeasure(reading=reading):
            return reading in ("specific-words", "jobs-beside-the-line")
        case BenchmarkMeasure(benchmark=name, method=method):
            # So t of gyro-translation is chosen.
            return catalogue.dataset(name).kind == "analogy" or method == "gyro-translation"
    return False


# Notes beside a figure.


def coverage_note(outcome: Outcome, *, of_p: bool = False) -> Iterator[str]:
    """Yield why there is no answer, or the words found if some are missing.

    Missing words are counted, not named: some of the lists are sensitive. With `of_p` also how p
    was computed.
    """
    if isinstance(outcome, Skipped):
        yield f"{outcome.model.name}: {outcome.reason}"
        return
    if outcome.coverage[0].role == "items":
        yield from _items_note(outcome)
        return
    found = sum(group.found + len(group.merged) for group in outcome.coverage)
    wanted = sum(group.wanted for group in outcome.coverage)
    if found < wanted:
        yield found_words_note(outcome.model.name, found, wanted, outcome.test.id)
    if of_p and isinstance(outcome, Result) and outcome.p.method != "exact":
        yield inexact_p_note(outcome.model.name, certified=outcome.p.method == "certified")


def _items_note(outcome: Outcome) -> Iterator[str]:
    (group,) = outcome.coverage
    if group.found < group.wanted:
        yield benchmark_items_note(outcome.model.name, group.found, group.wanted, group.title)


def absent_note(names: Iterable[str]) -> str:
    """Return which benchmarks are not on this machine, and how to get them."""
    return " ".join(
        absent_benchmark_note(name, published=bool(catalogue.dataset(name).source))
        for name in names
    )
