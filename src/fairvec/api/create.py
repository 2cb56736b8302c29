"""What is learnt: fairvec.train, fairvec.distil, fairvec.study and fairvec.sentiment_task."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from fairvec.api.measure import find_concept
from fairvec.api.models import as_embedding, as_model, place_of
from fairvec.api.results import write_with_page
from fairvec.benchmarks import ReviewColumns, ReviewSet, load_reviews
from fairvec.benchmarks.reviews import parse_labels
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import check_writable_folder, is_empty_folder
from fairvec.core.io.read_files import as_path
from fairvec.core.memory import parse_size
from fairvec.core.processes import map_processes
from fairvec.core.settings import Dimensions, PositiveInt, Seed, public_call
from fairvec.core.validation import as_list
from fairvec.embedding import Embedding
from fairvec.encoders import Encoder
from fairvec.encoders.contexts import Contexts
from fairvec.encoders.transformer import read_input_embeddings, recognises
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.encoder_words import distil as distil_words
from fairvec.experiments.encoder_words import words_of_suites
from fairvec.experiments.sentiment.reviews import SentimentResults, run_sentiment
from fairvec.experiments.study.plan import read_study
from fairvec.experiments.study.study import CellMapping, KeepModels, Study
from fairvec.experiments.study.study import study as run_study
from fairvec.languages.people import paired_names
from fairvec.lexicon import Concept, counterparts
from fairvec.messages.sentiment import reviews_title
from fairvec.mitigation import Debiaser, debiaser
from fairvec.report import render, render_study
from fairvec.results import write_results
from fairvec.results.store import FILE_NAME, PAGE
from fairvec.results.study import STUDY_FILE, write_study
from fairvec.tasks.sentiment.classifiers import (
    LstmEpochs,
    LstmNetwork,
    MeansNetwork,
    Network,
    ReviewLength,
)
from fairvec.tasks.sentiment.task import Folds, Passes, SentimentTask
from fairvec.training.augment import Augmentation, AugmentBy
from fairvec.training.counting.counts import ByDistance
from fairvec.training.encode import EncodedCorpus, MaxWords, MinCount, VocabularyLimits
from fairvec.training.engines import DEFAULT_ENGINE, EngineChoice
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import UnseenPairs
from fairvec.training.progress import Progress as StageCallback
from fairvec.training.train import (
    MEMORY,
    Kind,
    TextLanguage,
    Threads,
    TrainingText,
    Window,
    WordForms,
    get_model,
    open_text,
    train_embedding,
)


@public_call()
def train(
    corpus: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    language: TextLanguage,
    model: str = "glove",
    dimensions: Dimensions | None = None,
    window: Window = 10,
    min_count: MinCount = 5,
    max_words: MaxWords | None = None,
    epochs: int | None = None,
    rate: float | None = None,
    x_max: float | None = None,
    by_distance: ByDistance | None = None,
    thinning: float | None = None,
    unseen: UnseenPairs | None = None,
    balls: int | None = None,
    likeness: str | None = None,
    init_words: int | None = None,
    point: str | None = None,
    words: WordForms = "plain",
    augment: str | Path | Concept | None = None,
    augment_by: AugmentBy | None = None,
    augment_names: bool = False,
    engine: EngineChoice = DEFAULT_ENGINE,
    threads: Threads | None = None,
    max_memory: int | str | None = None,
    scheduler: str | None = None,
    checkpoint: str | PathLike[str] | None = None,
    seed: Seed = 0,
    name: str = "",
    progress: StageCallback | None = None,
    on_start: Callable[[TrainingText, Kind], None] | None = None,
    on_vocabulary: Callable[[EncodedCorpus], None] | None = None,
) -> Embedding:
    """Train an embedding on text: GloVe, Poincaré GloVe, skip-gram, CBOW or fastText.

    The same seed gives the same vectors: with any number of threads of glove and poincare-glove,
    with one of gensim's models.

    Args:
        corpus: Text, one sentence or document a line: files (also .gz, .xz, .bz2, .zst), folders,
            patterns.
        language: Of the text, as in "en", "hi" or "ru".
        model: "glove", "poincare-glove", "skipgram", "cbow" or "fasttext".
        dimensions: Numbers of a vector; else 100.
        window: How far a neighbour stands at the most.
        min_count: Words seen less often are left out.
        max_words: Keep only so many of the most frequent words.
        epochs: Passes; else 25 of glove, 50 of poincare-glove, 5 of gensim's.
        rate: Of learning; else 0.05, 0.3 of poincare-glove, 0.025 of gensim's.
        x_max: Of glove and poincare-glove: a count of full weight; else 100.
        by_distance: Of these: how a neighbour counts less with its distance; else "harmonic".
        thinning: Of these: drop words at random that are more frequent than this share of the text.
        unseen: Of these: for each pair that occurs draw so many, of which those that never occur
            are learnt too.
        balls: Of poincare-glove: how many share the dimensions.
        likeness: Of poincare-glove: "cosh-squared" (the default) or "squared".
        init_words: Of poincare-glove: train so many of the most frequent words first, and start
            from their points.
        point: Of poincare-glove: a word's point is that of the "target" (the default), or "halfway"
            between target and context.
        words: As they stand in lower case ("plain"), as they stand ("cased"), or Russian "lemmas".
        augment: A concept of whose pairs the words are swapped, as in "en/gender".
        augment_by: Add a swapped copy of each line ("augmentation", the default), or put it in its
            place by a coin ("substitution").
        augment_names: Swap first names too (English).
        engine: Of glove and poincare-glove: "cpu", "gpu" or "auto".
        threads: Else one a processor core.
        max_memory: For counting, in bytes or as in "500MB"; else 2 GiB.
        scheduler: Count on the Dask cluster of this scheduler, as in "tcp://host:8786".
        checkpoint: The folder where the state after each epoch of glove and poincare-glove is kept,
            and from which an interrupted training goes on.
        seed: Of everything random.
        name: What the embedding is called.
        progress: Called with each step of the work.
        on_start: Called with the text and the kind of model before anything is learnt.
        on_vocabulary: Called once the text of a GloVe is read.

    >>> import fairvec
    >>> from pathlib import Path
    >>> _ = Path("lines.txt").write_text("the boss said he works and the nurse sings " * 50)
    >>> made = fairvec.train("lines.txt", language="en", dimensions=4, epochs=2, engine="cpu")
    >>> len(made), made.dimensions
    (8, 4)
    """
    kind = get_model(
        model,
        dimensions=dimensions,
        epochs=epochs,
        rate=rate,
        x_max=x_max,
        by_distance=by_distance,
        thinning=thinning,
        unseen=unseen,
        balls=balls,
        likeness=likeness,
        init_words=init_words,
        point=point,
    )
    text = open_text(
        as_list(corpus),
        language,
        words=words,
        cut=VocabularyLimits(min_count, max_words),
        window=window,
        augmentation=_augmentation(augment, augment_by, language, seed, names=augment_names),
    )
    memory = parse_size(max_memory) if isinstance(max_memory, str) else max_memory
    if isinstance(kind, GensimModel) and checkpoint:
        raise SettingError(
            f"gensim keeps no state of {model} between epochs; leave --checkpoint (checkpoint=) "
            "out."
        )
    if on_start:
        on_start(text, kind)
    return train_embedding(
        text,
        kind,
        seed=seed,
        threads=threads,
        max_memory=memory or MEMORY,
        engine=engine,
        folder=None if checkpoint is None else as_path(checkpoint, "say checkpoint='epochs'"),
        scheduler=scheduler,
        name=name,
        progress=progress,
        on_vocabulary=on_vocabulary,
    )


def _augmentation(
    concept: str | Path | Concept | None,
    by: AugmentBy | None,
    language: str,
    seed: int,
    *,
    names: bool,
) -> Augmentation | None:
    """Return what is swapped in the text, if anything is."""
    if concept is None:
        if names or by:
            raise SettingError(
                "--augment-by and --augment-names (augment_by=, augment_names=) say how to "
                "augment; name a concept with --augment (augment=)."
            )
        return None
    chosen = find_concept(concept)
    others = paired_names(language) if names else ()
    return Augmentation(chosen.name, counterparts(chosen), others, by or "augmentation", seed)


@public_call()
def distil(
    encoder: Any,
    words: Iterable[str] | None = None,
    *,
    vocabulary: PositiveInt | None = None,
    templates: bool = False,
    contexts: Contexts | None = None,
    language: str | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Embedding:
    """Make word vectors of an encoder, for every metric and method.

    Args:
        encoder: A folder, a name of the hub, a function from texts to rows, or an Encoder.
        words: The words; else say `vocabulary`.
        vocabulary: So many of the first whole words of the tokenizer in the encoder's folder, and
            every word of the shipped suites of its language.
        templates: Whether a word's vector is the mean over sentences that say only the word.
        contexts: A corpus, over whose contexts of the word the vector is the mean; else, and
            without templates, the word is read alone.
        language: Of the encoder, or several; else found by how it cuts words.
        progress: Called with (sentences done, in all) while encoding.

    >>> import fairvec
    >>> def lengths(texts):
    ...     return [[len(text), text.count("e")] for text in texts]
    >>> made = fairvec.distil(fairvec.open_encoder(lengths, language="en"), ["he", "she"])
    >>> made.keys, made.dimensions
    (['he', 'she'], 2)
    """
    if (words is None) == (vocabulary is None):
        raise SettingError(
            "Say which words: --words FILE (words=) or --vocabulary N (vocabulary=)."
        )
    opened = as_model(encoder, language=language)
    if not isinstance(opened, Encoder):
        raise SettingError(
            f"{place_of(encoder) or opened.name} is no encoder but holds word vectors; name the "
            "encoder's folder."
        )
    chosen = [*(words or ())]
    if vocabulary:
        suites = [word for each in languages_of(opened) for word in words_of_suites(each)]
        chosen = [*_first_words(place_of(encoder) or opened.name, vocabulary), *suites]
    tracked = opened.with_progress(progress) if progress else opened
    return distil_words(tracked, chosen, in_templates=templates, contexts=contexts)


def _first_words(place: str, count: int) -> list[str]:
    """Return the first whole words of a tokenizer's vocabulary."""
    folder = Path(place)
    if not recognises(folder):
        raise SettingError(
            f"{place} is no folder of a transformer, whose tokenizer lists whole words; give "
            "--words FILE (words=)."
        )
    keys = read_input_embeddings(folder).keys
    whole_words = [key for key in keys if key.replace("-", "").replace("'", "").isalpha()]
    return whole_words[:count]


Jobs = Annotated[int, Field(ge=1, le=1024, description="Cells to train beside one another.")]


@public_call()
def study(
    plan: str | PathLike[str],
    folder: str | PathLike[str],
    *,
    jobs: Jobs = 1,
    scheduler: str | None = None,
    keep_models: KeepModels = False,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
) -> Study:
    """Train a grid of corpora and models, audit each, and say which factor explains bias.

    Args:
        plan: The TOML file; `fairvec study new` writes one to fill in.
        folder: Where study.jsonl, report.html and finished cells are kept, so that an interrupted
            study goes on and the same study again trains nothing.
        jobs: Cells to train beside one another.
        scheduler: Train cells on the Dask cluster of this scheduler, as in "tcp://host:8786".
        keep_models: Keep every trained model in FOLDER/models.
        progress: Called with (done, in all, what).
        on_remark: Called with each remark as soon as it is known.

    >>> import fairvec
    >>> found = fairvec.study("plan.toml", "runs/study")  # doctest: +SKIP
    >>> [answer.sentence for answer in found.answers]  # doctest: +SKIP
    """
    root = as_path(folder, "say study('plan.toml', 'runs/study')")
    ours = any((root / name).exists() for name in (STUDY_FILE, "cells", "texts"))
    if root.exists() and not ours and not is_empty_folder(root):
        raise SettingError(f"{root} holds something else; choose another folder.")
    check_writable_folder(root, STUDY_FILE, PAGE)
    checked = read_study(as_path(plan, "say study('plan.toml', 'runs/study')"))
    found = run_study(
        checked,
        root,
        keep_models=keep_models,
        mapping=_mapping(jobs, scheduler),
        progress=progress,
        on_remark=on_remark,
    )
    write_with_page(write_study, found.lines, root, render_study)
    return found


def _mapping(jobs: int, scheduler: str | None) -> CellMapping:
    """Return the map that runs the cells: in this process, in several, or on a cluster."""
    if scheduler is None:
        return map if jobs == 1 else partial(map_processes, jobs)
    if jobs > 1:
        raise SettingError(
            "--jobs (jobs=) says how many cells this machine trains, and --scheduler (scheduler=) "
            "that others do; leave one of them out."
        )
    from fairvec.experiments.study.cluster import dask_mapping

    return dask_mapping(scheduler)


TRAININGS = "trainings"
"""The folder within a run that stores each finished training."""


Networks = Annotated[
    Literal["both", "lstm", "means"],
    Field(description="LSTM, logistic regression on the mean of the word vectors, or both."),
]
Equity = Annotated[
    bool,
    Field(description="Whether the networks are also asked the same sentences about two groups."),
]


@public_call()
def sentiment_task(
    models: Any,
    data: str | PathLike[str] | ReviewSet,
    *,
    methods: str | Debiaser | Iterable[str | Debiaser] = (),
    concept: str | Path | Concept | None = None,
    network: Networks = "both",
    seeds: Passes = 5,
    folds: Folds = 5,
    length: ReviewLength | None = None,
    epochs: LstmEpochs = 25,
    columns: Mapping[str, str] | None = None,
    labels: str | Mapping[str, str] | None = None,
    equity: Equity = True,
    folder: str | PathLike[str] | None = None,
    language: str | Sequence[str] | None = None,
    seed: Seed = 0,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
) -> SentimentResults:
    """Train classifiers of reviews on frozen word vectors; say what each model is worth in them.

    Every figure is a mean over passes, with an interval over reviews and trainings, and so is every
    difference. Bias in the task itself: the networks are also asked sentences that differ in a
    person's group alone.

    Args:
        models: Word vectors, as in `fairvec.audit`, or a list of several: later ones are compared
            with the first.
        data: A CSV or TSV file with columns text and label, or a name of `fairvec.list_benchmarks`.
        methods: Debias every model by each of them and compare.
        concept: What the methods take out.
        network: "lstm", "means" (logistic regression on the mean of the word vectors), or "both".
        seeds: Passes: trainings from other folds and other weights.
        folds: Parts of the reviews, each predicted from the others.
        length: Of the LSTM: words of a review that are read, the last ones; else all.
        epochs: Of the LSTM.
        columns: What the file calls its columns, as in {"text": "review", "label": "stars"}; with
            "split" the one that says train, valid or test: no folds, only test is asked.
        labels: What labels mean, as in {"0": "negative", "2": "positive"}; else positive, pos and
            1, negative, neg and 0. Others are dropped.
        equity: Whether the networks are also asked the same sentences about two groups.
        folder: Where results.jsonl, report.html and finished trainings are kept: the same run goes
            on there; without it nothing is.
        language: Of the models, or several; else what is known or found of them.
        seed: Of everything random.
        progress: Called with (done, in all, what) while training.
        on_remark: Called with each remark as soon as it is known.

    >>> import fairvec
    >>> found = fairvec.sentiment_task("glove-en-small", "reviews.csv")  # doctest: +SKIP
    >>> [one.value for one in found.outcomes if one.metric == "sentiment-means"]  # doctest: +SKIP
    """
    chosen = None if concept is None else find_concept(concept)
    debiasers = [
        debiaser(method) if isinstance(method, str) else method for method in as_list(methods)
    ]
    meanings = parse_labels(labels) if isinstance(labels, str) else dict(labels or {})
    review_columns = ReviewColumns(**(columns or {}), labels=meanings)
    networks: list[Network] = [LstmNetwork(epochs=epochs, length=length), MeansNetwork()]
    tasks = [
        SentimentTask(each, seeds, folds, seed)
        for each in networks
        if network in ("both", each.name)
    ]
    run_folder = None if folder is None else as_path(folder, "say folder='runs/task'")
    if run_folder is not None:
        check_writable_folder(run_folder, FILE_NAME, PAGE)
    several = models if isinstance(models, list | tuple) and not _is_pair(models) else [models]
    opened = [as_embedding(model, language=language) for model in several]
    if not opened:
        raise SettingError("The task needs at least one model; name one.")
    code, *_ = (*languages_of(opened[0]), "mul")
    reviews = (
        data
        if isinstance(data, ReviewSet)
        else load_reviews(str(data), code, columns=review_columns)
    )
    found = run_sentiment(
        opened,
        reviews,
        tasks,
        concept=chosen,
        methods=debiasers,
        equity=equity,
        folder=None if run_folder is None else run_folder / TRAININGS,
        progress=progress,
        on_remark=on_remark,
    )
    if run_folder is not None:
        title = reviews_title(found.reviews.title)
        write_with_page(write_results, found.outcomes, run_folder, partial(render, title=title))
    return found


def _is_pair(models: Any) -> bool:
    """Return whether a tuple is one model: words and their matrix, and no two models."""
    return isinstance(models, tuple) and len(models) == 2 and hasattr(models[1], "shape")
