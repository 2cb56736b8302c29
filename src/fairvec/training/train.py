"""Training an embedding from files of text, by GloVe, Poincaré GloVe or gensim's models."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, field
from hashlib import sha256
from importlib.util import find_spec
from os import cpu_count
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from fairvec.core.errors import MissingExtraError, SettingError, UnknownNameError
from fairvec.core.io.atomic_files import make_folder, scratch_folder
from fairvec.core.io.cache import digest_of
from fairvec.core.io.text_files import sha256_of
from fairvec.core.settings import Seed, check_choice, check_value, setting_types, settings
from fairvec.core.text import short_repr
from fairvec.embedding import Embedding
from fairvec.embedding.embedding import Step
from fairvec.geometry import Euclidean
from fairvec.languages.language import language as language_named
from fairvec.languages.language import language_codes
from fairvec.training.augment import Augmentation, LinesOfWords, WordSwapper
from fairvec.training.counting.count import add_negative_pairs, count_cooccurrences
from fairvec.training.counting.counts import Weighting
from fairvec.training.encode import (
    EncodedCorpus,
    VocabularyLimits,
    encode_files,
    no_pairs_error,
    subsample_frequent,
)
from fairvec.training.engines import DEFAULT_ENGINE, EngineChoice, engine_for
from fairvec.training.gensim_training import GensimModel, GensimName, train_gensim
from fairvec.training.glove.glove import learn_vectors
from fairvec.training.models import Glove, GloveKind, PoincareGlove
from fairvec.training.progress import Progress
from fairvec.training.text import (
    WordsOf,
    corpus_files,
    has_lemmas,
    languages_with_lemmas,
    lemmas,
    plain_words,
    separated_words,
)

Kind = Glove | PoincareGlove | GensimModel
WordForms = Annotated[
    Literal["plain", "cased", "lemmas", "tagged-lemmas", "separated"],
    Field(description="In lower case, as they stand, or as lemmas if the language has them."),
]

MEMORY = 2 * 2**30

Window = Annotated[
    int, Field(ge=1, le=10_000, description="How far a neighbour stands at the most.")
]
TextLanguage = Annotated[str, Field(description="Of the text, as in en, hi or ru.")]
Threads = Annotated[int, Field(ge=1, le=1024, description="Default: one a processor core.")]
"""No machine has more cores."""


@settings
class TrainingText:
    """The text that is learnt from, and what counts as a word of it.

    Lemmas, with or without their part of speech, are there in some languages. Words that were found
    before, with a space between them, are `separated`. With `augmentation` words of a concept are
    swapped, and counts are those of the text that it makes.
    """

    name: ClassVar[str] = "text"
    files: Annotated[
        tuple[Path, ...], Field(description="Files of one sentence or document a line.")
    ]
    language: TextLanguage
    words: WordForms = "plain"
    cut: Annotated[VocabularyLimits, Field(description="Which words are kept.")] = field(
        default_factory=VocabularyLimits
    )
    window: Window = 10
    augmentation: Annotated[
        Augmentation | None, Field(description="What is swapped in the text, if anything is.")
    ] = None

    def __post_init__(self) -> None:
        language_codes(self.language)
        if "lemmas" in self.words and not has_lemmas(self.language):
            raise SettingError(
                f"There are no lemmas of the language {short_repr(self.language)}, only of "
                f"{languages_with_lemmas()}; take the words as they stand (plain)."
            )
        if self.augmentation and self.augmentation.language != self.language:
            raise SettingError(
                f"{self.augmentation.concept} has words of the language "
                f"{short_repr(self.augmentation.language)}, and the text is in "
                f"{short_repr(self.language)}; choose a concept of its language."
            )

    @property
    def words_of(self) -> WordsOf:
        """What finds the words of a line."""
        if self.words == "separated":
            return separated_words(self.language)
        if self.words in ("plain", "cased"):
            return plain_words("lower" if self.words == "plain" else "keep", self.language)
        return lemmas(self.language, tagged=self.words == "tagged-lemmas")

    @property
    def line_transform(self) -> LinesOfWords | None:
        """The map from the lines that are read to those that are learnt from, if there is one."""
        return self.augmentation.lines(self.swapper) if self.augmentation else None

    @property
    def swapper(self) -> WordSwapper:
        """What swaps words in the augmented text; nothing where it is not augmented."""
        if not self.augmentation:
            return WordSwapper({})
        cased = self.words == "cased"
        swaps = (*self.augmentation.swaps, *self.augmentation.names)
        return WordSwapper.of(swaps, self.words_of, cased=cased, language=self.language)

    @property
    def sha256(self) -> str:
        """The hash of all files, in their order."""
        return sha256("".join(map(sha256_of, self.files)).encode()).hexdigest()

    @property
    def about(self) -> dict[str, Any]:
        """The details on the text in the history of a model."""
        return {
            "corpus": [file.name for file in self.files],
            "corpus_sha256": self.sha256,
            "language": self.language,
            "words": self.words,
            "min_count": self.cut.min_count,
            "most_words": self.cut.most_words,
            "window": self.window,
            **(self.augmentation.about if self.augmentation else {}),
        }


def open_text(named: Sequence[str | Path], language: str, **choices: Any) -> TrainingText:
    """Return the text in the files, folders and patterns that are named."""
    return TrainingText(corpus_files(named), language, **choices)


def train_embedding(
    text: TrainingText,
    kind: Kind,
    *,
    seed: Seed = 0,
    threads: int | None = None,
    max_memory: int = MEMORY,
    engine: EngineChoice = DEFAULT_ENGINE,
    folder: Path | None = None,
    name: str = "",
    scheduler: str | None = None,
    progress: Progress | None = None,
    on_vocabulary: Callable[[EncodedCorpus], None] | None = None,
) -> Embedding:
    """Learn an embedding from a text; its history says from what and how, its counts are kept.

    `folder` keeps the state of each epoch of GloVe, so that an interrupted training goes on;
    without it nothing is left behind. The same seed gives the same vectors, of GloVe with any
    number of threads, of gensim's models with one; the two engines arrange the pairs in different
    ways, and end at different vectors of the same loss. `scheduler` is the address of a Dask
    cluster that counts for GloVe; the vectors are the same with it and without. `on_vocabulary` is
    called once the text of a GloVe is read.
    """
    _check_arguments(kind, seed, threads, engine, scheduler)
    label = name or f"{kind.name}-{text.language}"
    if isinstance(kind, GensimModel):
        keys, vectors, counts = train_gensim(
            text.files,
            text.words_of,
            kind,
            text.cut,
            window=text.window,
            seed=seed,
            threads=threads or cpu_count() or 1,
            progress=progress,
            line_transform=text.line_transform,
        )
        step = _training_step(text, text.about, kind, seed, keys)
        return Embedding(keys, vectors, Euclidean(), label, (step,), counts, (text.language,))
    trained_by = engine_for(engine, threads=threads, scheduler=scheduler)
    with make_folder(folder) if folder else nullcontext(), scratch_folder(folder) as work:
        corpus = encode_files(
            text.files, text.words_of, text.cut, work, progress, text.line_transform
        )
        about = text.about  # once, because the whole text is hashed
        step = _training_step(text, about, kind, seed, corpus.words, engine=trained_by.name)
        if on_vocabulary:
            on_vocabulary(corpus)
        _check_init_words(corpus, kind)
        weighting = Weighting(text.window, kind.by_distance)
        counted = count_cooccurrences(
            subsample_frequent(corpus, kind.thinning, seed, work)
            if kind.thinning
            else corpus.tokens,
            len(corpus.words),
            weighting,
            work / "counts",
            engine=trained_by,
            max_memory=max_memory,
            progress=progress,
        )
        if not counted.pairs:
            raise SettingError(_no_pairs_message(corpus, text.cut))
        if kind.unseen:
            counted = add_negative_pairs(
                counted,
                corpus.counts,
                kind.unseen,
                int(weighting.weights[-1]),
                work / "with-unseen",
                seed=seed,
                threads=trained_by.threads,
            )
        vectors = learn_vectors(
            counted,
            kind,
            engine=trained_by,
            seed=seed,
            work=work,
            checkpoints=folder,
            identity=digest_of(about),
            progress=progress,
        )
    counts = corpus.counts
    return Embedding(corpus.words, vectors, kind.geometry, label, (step,), counts, (text.language,))


def require_extras(kinds: Iterable[Kind], words: str, language: str) -> None:
    """Raise MissingExtraError if a package that a training needs is not installed."""
    if any(isinstance(kind, GensimModel) for kind in kinds) and not find_spec("gensim"):
        raise MissingExtraError(GensimModel.wanted, "gensim")
    if "lemmas" in words:
        language_named(language).require_extra("Lemmatising")


def _check_arguments(
    kind: Kind, seed: int, threads: int | None, engine: EngineChoice, scheduler: str | None
) -> None:
    """Raise SettingError for arguments that cannot work, before any text is read."""
    check_value(kind.name, "seed", Seed, seed)
    check_value(kind.name, "threads", Threads | None, threads)
    check_choice("engine", engine, EngineChoice)
    predicts = isinstance(kind, GensimModel)
    if predicts and scheduler is not None:
        raise SettingError(
            f"A cluster counts which words stand near one another, and {kind.name} learns without "
            "counting; leave the scheduler out, or learn a GloVe."
        )
    if predicts and engine == "gpu":
        raise SettingError(f"gensim trains {kind.name} on the processor; leave --engine out.")


def _training_step(
    text: TrainingText,
    about: dict[str, Any],
    kind: Kind,
    seed: int,
    words: Sequence[str],
    **more: Any,
) -> Step:
    """Return the step of the history; swapped words are those that the model was fitted on."""
    details = {"by": kind.name, **asdict(kind), **about, "seed": seed, **more}
    if text.augmentation:
        table = text.swapper.table
        details["fitted_on"] = swapped = tuple(word for word in words if word in table)
        if not swapped:
            raise SettingError(
                f"None of the words that {text.augmentation.concept} would swap is among the "
                f"{len(words):,} words of the text; give more text, or leave the augmentation out."
            )
    return Step("trained", details)


def _no_pairs_message(corpus: EncodedCorpus, cut: VocabularyLimits) -> str:
    left_out = corpus.seen > int(corpus.counts.sum())
    frequent = left_out and len(corpus.words) == cut.most_words
    return no_pairs_error(len(corpus.words), rare_left_out=left_out, frequent_left_out=frequent)


def _check_init_words(corpus: EncodedCorpus, kind: GloveKind) -> None:
    first = kind.init_words if isinstance(kind, PoincareGlove) else None
    if first and first >= len(corpus.words):
        raise SettingError(
            f"{first:,} words cannot be trained first where there are {len(corpus.words):,} in "
            "all; take fewer, or leave it out."
        )


KINDS: Mapping[str, type[Any]] = {
    Glove.name: Glove,
    PoincareGlove.name: PoincareGlove,
    **dict.fromkeys(get_args(GensimName), GensimModel),
}
"""Each kind's name, and what holds its settings."""


def setting_names(name: str) -> set[str]:
    """Return the names of the settings of a kind."""
    owner: Any = KINDS[name]
    return set(setting_types(owner))


def get_model(name: str, **given: Any) -> Kind:
    """Return a kind of model with the settings that are given (not None), and else its own."""
    if name not in KINDS:
        raise UnknownNameError("kind of model", name, KINDS)
    settings = {setting: value for setting, value in given.items() if value is not None}
    for setting in settings:
        if setting not in setting_names(name):
            owners = [other for other in KINDS if setting in setting_names(other)]
            if not owners:
                raise UnknownNameError(f"setting of {name}", setting, setting_names(name))
            raise SettingError(
                f"A model of the kind {name} has no setting {setting.replace('_', ' ')}, only "
                f"{' and '.join(owners)}; leave it out."
            )
    if KINDS[name] is GensimModel:
        settings["name"] = name
    kind: Kind = KINDS[name](**settings)
    return kind
