"""The commands that make word vectors: fairvec train, fairvec distil and fairvec convert."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import numpy as np

from fairvec import catalogue
from fairvec.api.create import distil as distil_words
from fairvec.api.create import train as train_embedding
from fairvec.cli import options
from fairvec.cli.commands.words import words_of_file
from fairvec.cli.console import ProgressCallback, err, print_note, progress_bar
from fairvec.cli.models import load_model, model_source
from fairvec.cli.options import Argument, ContextFiles, Option, Without, corpus_of
from fairvec.core.errors import SettingError
from fairvec.core.format import format_duration, pluralize
from fairvec.core.io.atomic_files import check_writable_file
from fairvec.core.settings import Dimensions, PositiveInt
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions, lost_by_saving
from fairvec.embedding.embedding import Step
from fairvec.embedding.formats import writable_formats
from fairvec.embedding.formats.native import native_metadata
from fairvec.embedding.saving import format_to_write, write_embedding
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.geometry import Euclidean
from fairvec.training.augment import AugmentBy
from fairvec.training.counting.counts import ByDistance
from fairvec.training.encode import EncodedCorpus, MaxWords, MinCount
from fairvec.training.engines import DEFAULT_ENGINE, EngineChoice
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import UnseenPairs
from fairvec.training.progress import EpochProgress, StageProgress
from fairvec.training.train import (
    KINDS,
    Kind,
    TextLanguage,
    Threads,
    TrainingText,
    Window,
    WordForms,
)


def _help(setting: str) -> str:
    return options.setting_help(setting, KINDS)


def train(
    corpus: Annotated[
        list[str],
        Argument(
            help="Text, one sentence or document a line: files (also .gz, .xz, .bz2, .zst), "
            "folders, patterns."
        ),
    ],
    output: Annotated[Path, Option("-o", help="The embedding, in the format of its ending.")],
    language: TextLanguage,
    model: Annotated[str, Option(help=f"One of: {', '.join(KINDS)}.")] = "glove",
    dim: Annotated[Dimensions | None, Option(help=_help("dimensions"))] = None,
    window: Window = 10,
    min_count: MinCount = 5,
    max_words: MaxWords | None = None,
    epochs: Annotated[int | None, Option(help=_help("epochs"))] = None,
    rate: Annotated[float | None, Option(help=_help("rate"))] = None,
    x_max: Annotated[float | None, Option(help=_help("x_max"))] = None,
    by_distance: Annotated[ByDistance | None, Option(help=_help("by_distance"))] = None,
    thinning: Annotated[float | None, Option(help=_help("thinning"))] = None,
    unseen: Annotated[UnseenPairs | None, Option(help=_help("unseen"))] = None,
    balls: Annotated[int | None, Option(help=_help("balls"))] = None,
    likeness: Annotated[str | None, Option(help=_help("likeness"))] = None,
    init_words: Annotated[int | None, Option(help=_help("init_words"))] = None,
    point: Annotated[str | None, Option(help=_help("point"))] = None,
    words: WordForms = "plain",
    seed: options.Seed = 0,
    threads: Threads | None = None,
    max_memory: Annotated[
        str | None, Option(metavar="SIZE", help="For counting, as in 500MB. Default: 2GiB.")
    ] = None,
    engine: EngineChoice = DEFAULT_ENGINE,
    scheduler: Annotated[
        str | None,
        Option(help="Count on the Dask cluster of this scheduler, as in tcp://host:8786."),
    ] = None,
    augment: Annotated[
        str | None,
        Option(metavar="CONCEPT", help="Swap the words of a concept's pairs, as in en/gender."),
    ] = None,
    augment_by: AugmentBy | None = None,
    augment_names: Annotated[
        bool, Option(help="Swap first names too, if the language has pairs of them.")
    ] = False,
    checkpoint: Annotated[
        Path | None,
        Option(
            metavar="FOLDER",
            help="Keep the state after each epoch of glove and poincare-glove here, and go on "
            "from it; files of the work lie here too.",
        ),
    ] = None,
    force: Annotated[bool, Option(help="Write over a file.")] = False,
) -> None:
    """Train an embedding on text: GloVe, Poincaré GloVe, skip-gram, CBOW or fastText.

    The same seed gives the same file: with any number of threads of glove and poincare-glove, with
    --threads 1 of gensim's models.
    """
    format_to_write(output)
    check_writable_file(output, force=force)
    name = output.name.partition(".")[0]

    def check(text: TrainingText, kind: Kind) -> None:
        _refuse_own_text(output, text)
        _note_lost(kind, text, output)
        if isinstance(kind, GensimModel) and threads != 1:
            print_note(
                f"{model} in several threads differs from run to run; --threads 1 repeats exactly."
            )

    try:
        with training_progress() as shown:
            embedding = train_embedding(
                corpus,
                language=language,
                model=model,
                dimensions=dim,
                window=window,
                min_count=min_count,
                max_words=max_words,
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
                words=words,
                augment=augment,
                augment_by=augment_by,
                augment_names=augment_names,
                engine=engine,
                threads=threads,
                max_memory=max_memory,
                scheduler=scheduler,
                checkpoint=checkpoint,
                seed=seed,
                name=name,
                progress=shown.show,
                on_start=check,
                on_vocabulary=shown.show_vocabulary,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(_interrupted(checkpoint)) from error
    with progress_bar(f"writing {output}") as progress:
        write_embedding(embedding, output, force=force, progress=progress)
    about = format_to_write(output).name
    print_note(f"{output}: {len(embedding):,} words x {embedding.dimensions} in the format {about}")


# Progress of a training: a bar on a terminal, plain lines elsewhere.


@contextmanager
def training_progress() -> Iterator["TrainingProgress"]:
    """Yield what shows the progress of a training."""
    with progress_bar("reading") as draw:
        yield TrainingProgress(draw)


class TrainingProgress:
    """Shows the words of a text when they are read, and each stage as it goes on."""

    def __init__(self, draw: ProgressCallback) -> None:
        self._draw, self._tokens = draw, 0

    def show_vocabulary(self, corpus: EncodedCorpus) -> None:
        """Print how many words were read, and how many of them are kept."""
        self._tokens = int(corpus.counts.sum())
        print_note(
            f"{corpus.seen:,} words read; {len(corpus.words):,} different ones are kept, which are "
            f"{self._tokens / corpus.seen:.1%} of the text"
        )

    def show(self, progress: StageProgress) -> None:
        """Draw how far a stage is; print when the text is counted, and each epoch."""
        done, total = progress.done, progress.total
        match progress.stage:
            case "reading":
                self._draw(done, total, f"reading {progress.file}")
            case "counting":
                self._draw(done, total, "counting")
                # Positions are counted, and the ends of lines have some too.
                if done == total:
                    print_note(f"{self._tokens:,} words counted")
            case "training":
                if isinstance(progress, EpochProgress):
                    text = format_epoch(progress)
                else:  # a pass that begins
                    text = f"epoch {done} of {total}" if done else "reading the vocabulary"
                    done = max(0, done - 1)
                self._draw(done, total, text)
                if not err.is_terminal:
                    print_note(text)


def format_epoch(progress: EpochProgress) -> str:
    """Return the epoch, loss, speed and remaining time of a training of GloVe."""
    return (
        f"{progress.words:,} words, epoch {progress.done} of {progress.total}: loss "
        f"{progress.loss:.5f}, {progress.pairs_a_second / 1e6:.1f}M pairs a second, "
        f"{format_duration(progress.seconds_left)} left"
    )


def _refuse_own_text(output: Path, text: TrainingText) -> None:
    """Raise where the vectors would take the place of the text that they are learnt from."""
    if output.exists() and any(file.samefile(output) for file in text.files):
        raise SettingError(
            f"{output} is one of the texts to learn from, and would be lost; choose another name."
        )


def _note_lost(kind: Kind, text: TrainingText, output: Path) -> None:
    """Say what the format does not keep, while another one may still be chosen."""
    example = Embedding(
        ("one",),
        np.zeros((1, kind.dimensions), np.float64 if kind.name == "poincare-glove" else np.float32),
        Euclidean() if isinstance(kind, GensimModel) else kind.geometry,
        history=(Step("trained"),),
        counts=np.ones(1, np.int64),
        languages=(text.language,),
    )
    if lost := lost_by_saving(example, output):
        print_note(
            f"{output.name} will not keep: {', '.join(lost)}; only .fairvec keeps everything."
        )


def _interrupted(checkpoint: Path | None) -> str:
    checkpoints = checkpoint and sorted(checkpoint.glob("*.safetensors"))
    if checkpoints:
        return (
            f"Interrupted; the epochs that were finished are in {checkpoint}: run the same command "
            "again, and it goes on."
        )
    if checkpoint:
        return "Interrupted before an epoch was finished; nothing is kept."
    return "Interrupted; nothing is kept: with --checkpoint FOLDER it could go on."


def distil(
    encoder: Annotated[str, Argument(help="The folder of an encoder, or what else is one.")],
    output: Annotated[Path, Option("-o", help="The embedding, in the format of its ending.")],
    words: Annotated[Path | None, Option(help="The words in this text file, one a line.")] = None,
    vocabulary: Annotated[
        PositiveInt | None,
        Option(
            help="So many of the first whole words of the tokenizer's vocabulary, and every word "
            "of the shipped suites of its language."
        ),
    ] = None,
    templates: Annotated[
        bool, Option(help="The mean over sentences that say only the word.")
    ] = False,
    contexts: ContextFiles = None,
    force: Annotated[bool, Option(help="Write over a file.")] = False,
    reading: Annotated[
        LoadOptions,
        Without(
            "geometry", "curvature", "outside", "vectors", "format", "invalid_utf8", "vocabulary"
        ),
    ] = LOAD_DEFAULTS,
    encoding: EncoderOptions = AS_USUAL,
) -> None:
    """Make word vectors of an encoder, for every metric and method.

    A word is read alone, or is the mean over templates (--templates) or over its contexts in a
    corpus (--contexts FILE; Bommasani et al. 2020).
    """
    writer = format_to_write(output, None)
    check_writable_file(output, force=force)
    chosen = None if words is None else words_of_file(words)
    with progress_bar("encoding") as progress:
        embedding = distil_words(
            model_source(encoder, reading, progress, encoding),
            chosen,
            vocabulary=vocabulary,
            templates=templates,
            contexts=corpus_of(contexts),
            language=reading.language,
            progress=lambda done, every: progress(done, every, "encoding"),
        )
    with progress_bar(f"writing {output}") as progress:
        write_embedding(embedding, output, force=force, progress=progress)
    details = embedding.history[-1].details
    print_note(
        f"{output}: {pluralize(len(embedding), 'word')} x {embedding.dimensions} in the format "
        f"{writer.name}"
    )
    wanted = len(embedding) + details["unknown"] + details["without_sentence"]
    for name, why in (
        ("unknown", "not known to the tokenizer"),
        ("without_sentence", "in no sentence"),
    ):
        if details[name]:
            verb = "is" if details[name] == 1 else "are"
            count = pluralize(wanted, "word")
            print_note(f"{details[name]:,} of the {count} wanted {verb} {why}.")
    _note_losses(lost_by_saving(embedding, output))


_FORMAT = ", ".join(writer.name for writer in writable_formats())
_ENDING = ", ".join(suffix for writer in writable_formats() for suffix in writer.suffixes)


def convert(
    model: Annotated[str, Argument(help="A file, or a name from 'fairvec models list'.")],
    file: Annotated[
        Path,
        Argument(
            help=f"The file to write; its ending chooses the format: {_ENDING}, those of text "
            "and .bin also with .gz, .xz or .bz2."
        ),
    ],
    words: Annotated[
        Path | None, Option(help="Keep only the words in this text file, one a line.")
    ] = None,
    to: Annotated[
        str | None, Option(help=f"Format to write, whatever the ending: {_FORMAT}.")
    ] = None,
    force: Annotated[bool, Option(help="Write over a file.")] = False,
    reading: LoadOptions = LOAD_DEFAULTS,
) -> None:
    """Write a model in another format and say what that format does not keep."""
    writer = format_to_write(file, to)
    check_writable_file(file, force=force)
    chosen = None if words is None else words_of_file(words)
    embedding = load_model(model, reading, words=chosen)
    licence, origin = _rights(model)
    with progress_bar(f"writing {file}") as progress:
        write_embedding(
            embedding,
            file,
            format=to,
            licence=licence,
            origin=origin,
            force=force,
            progress=progress,
        )
    shape = f"{pluralize(len(embedding), 'key')} x {embedding.dimensions}"
    print_note(f"{file}: {shape} in the format {writer.name}")
    if chosen is not None and len(embedding) < (count := len(set(chosen))):
        missing = count - len(embedding)
        verb = "is" if missing == 1 else "are"
        print_note(f"{missing:,} of the {pluralize(count, 'word')} wanted {verb} not in {model}.")
    _note_losses(lost_by_saving(embedding, file, format=to, licence=licence, origin=origin))


def _note_losses(lost: tuple[str, ...]) -> None:
    if lost:
        print_note(f"Not kept: {', '.join(lost)}; only .fairvec keeps everything.")


def _rights(model: str) -> tuple[str, str]:
    """Return licence and origin, where the file or the catalogue knows them."""
    path = Path(model)
    if path.is_file():
        if path.suffix != ".fairvec":
            return "", ""
        metadata = native_metadata(path)
        return metadata.licence, metadata.origin
    if model not in catalogue.names():  # a member of an archive
        return "", ""
    entry = catalogue.find(model)
    return entry.licence, entry.origin
