"""Follow a recipe: find its text, reckon how long the training takes, and keep the model.

plan_training     the text, its words and the time, before anything is trained
train_by_recipe   train the model, or nothing where it is kept already
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairvec.catalogue.fetch import data_file
from fairvec.catalogue.recipes import Recipe, TextPart
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import make_folder, scratch_folder
from fairvec.core.io.cache import digest_of
from fairvec.core.io.text_files import read_lines, sha256_of
from fairvec.embedding.formats.native import native_metadata
from fairvec.embedding.saving import write_embedding
from fairvec.training.encode import VocabularyLimits
from fairvec.training.gensim_training import GensimModel
from fairvec.training.progress import Progress
from fairvec.training.text import corpus_files
from fairvec.training.train import Kind, TrainingText, get_model, require_extras, train_embedding

PACES = {
    "skipgram": (0.0, 0.5),
    "cbow": (0.1, 0.03),
    "fasttext": (0.0, 1.5),
    "glove": (0.0, 0.025),
    "poincare-glove": (0.0, 0.1),
}
"""Seconds of one core for a million words, a pass and 100 numbers of a vector: a part for the word
itself, and one for each neighbour on a side. Measured on texts of one to 24 million words."""

SECONDS_TO_READ = 1.0
"""Seconds in which the words of a million are found, in each pass of gensim's models."""

SECONDS_TO_LEMMATISE = 12.0
"""Seconds in which the forms of a million words get their lemmas, once."""

Source = tuple[Path, TextPart | None]
"""A file, and which of its lines are read; all where there is no part."""


@dataclass(frozen=True, eq=False)
class PlannedTraining:
    """What a recipe makes of a text: where it is kept, of how many words, in how many seconds.

    `digest` is a hash of the recipe and the text. Of a model that is kept no words are counted.
    """

    recipe: Recipe
    sources: tuple[Source, ...]
    path: Path
    digest: str
    words: int
    seconds: float
    is_kept: bool


def plan_training(
    recipe: Recipe, folder: Path, corpora: Sequence[str | Path] = ()
) -> PlannedTraining | None:
    """Return what a recipe would do; None where its text is not at hand.

    Its text is that below FAIRVEC_DATA, unless `corpora` name another, which is read whole. A model
    of the same name that was made by another recipe or of another text is refused.
    """
    kind = model_of(recipe)
    sources = _sources(recipe, corpora)
    if not sources:
        return None
    require_extras([kind], recipe.words, recipe.language)
    hashes = [(sha256_of(path), part and (part.of, part.parts)) for path, part in sources]
    decisive = recipe.model_dump(exclude={"title", "licence", "origin", "texts", "unless"})
    digest = digest_of([decisive, hashes])[:16]
    path = folder / f"{recipe.name}.fairvec"
    is_kept = path.is_file()
    if is_kept and not native_metadata(path).origin.endswith(_mark(digest)):
        raise SettingError(
            f"{path} was made by another recipe or of another text; move it away, or choose "
            "another folder."
        )
    words = 0 if is_kept else sum(_count_words(source) for source in sources)
    return PlannedTraining(
        recipe, sources, path, digest, words, _seconds(recipe, kind, words), is_kept
    )


def model_of(recipe: Recipe) -> Kind:
    """Return the kind of model that a recipe trains, with its settings."""
    return get_model(recipe.model, dimensions=recipe.dimensions, epochs=recipe.epochs)


def _sources(recipe: Recipe, corpora: Sequence[str | Path]) -> tuple[Source, ...]:
    if corpora:
        return tuple((path, None) for path in corpus_files(corpora))
    found: list[Source] = []
    for part in recipe.texts:
        path = data_file(part.file)
        if path is None:
            return ()
        found.append((path, part if part.of > 1 else None))
    return tuple(found)


def _lines(source: Source) -> Iterator[str]:
    path, part = source
    for number, line in enumerate(read_lines(path)):
        if part is None or number % part.of + 1 in part.parts:
            yield line


def _count_words(source: Source) -> int:
    return sum(len(line.split()) for line in _lines(source))


def _seconds(recipe: Recipe, kind: Kind, words: int) -> float:
    of_word, of_neighbour = PACES[recipe.model]
    learning = (of_word + of_neighbour * recipe.window) * recipe.dimensions / 100
    reading = SECONDS_TO_READ if isinstance(kind, GensimModel) else 0.0
    once = SECONDS_TO_LEMMATISE if "lemmas" in recipe.words else SECONDS_TO_READ
    return words / 1e6 * (once + kind.epochs * (learning + reading))


def _mark(digest: str) -> str:
    return f"(recipe {digest})"


def train_by_recipe(planned: PlannedTraining, progress: Progress | None = None) -> Path:
    """Train the model of a recipe and keep it, whole or not at all; a kept one is left as it is.

    gensim's models are trained in one thread, so that they repeat to the last digit.
    """
    if planned.is_kept:
        return planned.path
    recipe, folder = planned.recipe, planned.path.parent
    with make_folder(folder), scratch_folder(folder) as scratch:
        text = TrainingText(
            tuple(_file_of(source, scratch) for source in planned.sources),
            recipe.language,
            words=recipe.words,  # type: ignore[arg-type]  # checked by TrainingText
            cut=VocabularyLimits(recipe.min_count, recipe.max_words),
            window=recipe.window,
        )
        kind = model_of(recipe)
        threads = 1 if isinstance(kind, GensimModel) else None
        embedding = train_embedding(
            text, kind, threads=threads, name=recipe.name, progress=progress
        )
        origin = f"{recipe.origin} {_mark(planned.digest)}"
        write_embedding(embedding, planned.path, licence=recipe.licence, origin=origin)
    return planned.path


def _file_of(source: Source, scratch: Path) -> Path:
    """Return the file of a text; a part is written to one that is named after it."""
    path, part = source
    if part is None:
        return path
    parts = "-".join(map(str, part.parts))
    file = scratch / f"{path.name.partition('.')[0]}-{parts}-of-{part.of}.txt"
    with file.open("w", encoding="utf-8") as written:
        written.writelines(_lines(source))
    return file
