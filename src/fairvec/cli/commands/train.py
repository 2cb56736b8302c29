"""fairvec train, fairvec distil and fairvec convert."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from fairvec import catalogue
from fairvec.cli import options
from fairvec.cli.commands.words import words_of_file
from fairvec.cli.console import print_note, progress_bar
from fairvec.cli.models import load_encoder, load_model
from fairvec.cli.options import ContextFiles, corpus_of, reads_a_model, reads_an_encoder
from fairvec.cli.training_progress import training_progress
from fairvec.core.errors import SettingError
from fairvec.core.format import pluralize
from fairvec.core.io.atomic_files import check_writable_file
from fairvec.core.memory import parse_size
from fairvec.embedding import AS_FOUND, Embedding, Reading, lost_by_saving, save
from fairvec.embedding.embedding import Step
from fairvec.embedding.formats import WRITERS
from fairvec.embedding.formats.native import native_metadata
from fairvec.embedding.saving import format_to_write
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.encoders.transformer import read_input_embeddings, recognises
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.encoder_words import distil as distil_words
from fairvec.experiments.encoder_words import words_of_suites
from fairvec.geometry import Euclidean
from fairvec.languages.people import paired_names
from fairvec.lexicon import concept as concept_named
from fairvec.lexicon import counterparts
from fairvec.training.augment import Augmentation, AugmentBy
from fairvec.training.counting.counts import ByDistance
from fairvec.training.encode import Cut
from fairvec.training.gensim_training import GensimModel
from fairvec.training.glove.engines import EngineChoice
from fairvec.training.train import (
    KINDS,
    MEMORY,
    Kind,
    TrainingText,
    WordForms,
    get_model,
    open_text,
    train_embedding,
)


def train(
    corpus: Annotated[
        list[str],
        typer.Argument(
            help="Text, one sentence or document a line: files (also .gz, .xz, .bz2, .zst), "
            "folders, patterns."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The embedding, in the format of its ending.")
    ],
    language: Annotated[str, typer.Option(help="Of the text, as in en, hi or ru.")],
    model: Annotated[str, typer.Option(help=f"One of: {', '.join(KINDS)}.")] = "glove",
    dim: Annotated[
        int | None, typer.Option(max=100_000, help="Numbers of a vector. Default: 100.")
    ] = None,
    window: Annotated[
        int, typer.Option(max=10_000, help="How far a neighbour stands at the most.")
    ] = 10,
    min_count: Annotated[int, typer.Option(help="Words seen less often are left out.")] = 5,
    max_words: Annotated[
        int | None, typer.Option(help="Keep only so many of the most frequent words.")
    ] = None,
    epochs: Annotated[
        int | None,
        typer.Option(help="Default: 25 of glove, 50 of poincare-glove, 5 of gensim's."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(help="Of learning. Default: 0.05, 0.3 of poincare-glove, 0.025 of gensim's."),
    ] = None,
    x_max: Annotated[
        float | None,
        typer.Option(help="Of glove and poincare-glove: a count of full weight. Default: 100."),
    ] = None,
    by_distance: Annotated[
        ByDistance | None,
        typer.Option(
            help="Of glove and poincare-glove: how a neighbour counts less with its distance. "
            "Default: harmonic."
        ),
    ] = None,
    thinning: Annotated[
        float | None,
        typer.Option(
            help="Of glove and poincare-glove: drop words at random that are more frequent than "
            "this share of the text, as in 1e-4."
        ),
    ] = None,
    unseen: Annotated[
        float | None,
        typer.Option(
            max=1000,
            help="Of glove and poincare-glove: for each pair that occurs draw so many, as in 1, "
            "of which those that never occur are learnt too.",
        ),
    ] = None,
    balls: Annotated[
        int | None, typer.Option(help="Of poincare-glove: how many share the dimensions.")
    ] = None,
    likeness: Annotated[
        str | None,
        typer.Option(help="Of poincare-glove: cosh-squared (default) or squared."),
    ] = None,
    init_words: Annotated[
        int | None,
        typer.Option(
            help="Of poincare-glove: train so many of the most frequent words first, and start "
            "from their points."
        ),
    ] = None,
    point: Annotated[
        str | None,
        typer.Option(
            help="Of poincare-glove: a word's point is that of the target (default), or halfway "
            "between target and context."
        ),
    ] = None,
    words: Annotated[
        WordForms,
        typer.Option(help="As they stand in lower case, as they stand, or Russian lemmas."),
    ] = "plain",
    seed: options.Seed = 0,
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Default: one a processor core.")
    ] = None,
    max_memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="For counting, as in 500MB. Default: 2GiB.")
    ] = None,
    engine: Annotated[
        EngineChoice, typer.Option(help="Of glove and poincare-glove; auto: the GPU if there is.")
    ] = "auto",
    scheduler: Annotated[
        str | None,
        typer.Option(help="Count on the Dask cluster of this scheduler, as in tcp://host:8786."),
    ] = None,
    augment: Annotated[
        str | None,
        typer.Option(
            metavar="CONCEPT", help="Swap the words of a concept's pairs, as in en/gender."
        ),
    ] = None,
    augment_by: Annotated[
        AugmentBy | None,
        typer.Option(
            help="Add a swapped copy of each line (default), or put it in its place by a coin."
        ),
    ] = None,
    augment_names: Annotated[
        bool, typer.Option("--augment-names", help="Swap first names too (English).")
    ] = False,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep the state after each epoch of glove and poincare-glove here, and go on "
            "from it; files of the work lie here too.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
) -> None:
    """Train an embedding on text: GloVe, Poincaré GloVe, skip-gram, CBOW or fastText.

    The same seed gives the same file: with any number of threads of glove and poincare-glove, with
    --threads 1 of gensim's models.
    """
    format_to_write(output)
    check_writable_file(output, force=force)
    kind = get_model(
        model,
        dimensions=dim,
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
    cut = Cut(min_count, max_words)
    swapped = _augmentation(augment, augment_by, language, seed, names=augment_names)
    text = open_text(corpus, language, words=words, cut=cut, window=window, augmentation=swapped)
    _refuse_own_text(output, text)
    memory = parse_size(max_memory) if max_memory else MEMORY
    if isinstance(kind, GensimModel) and checkpoint:
        raise SettingError(
            f"gensim keeps no state of {model} between epochs; leave --checkpoint out."
        )
    _say_lost(kind, text, output)
    if isinstance(kind, GensimModel) and threads != 1:
        print_note(
            f"{model} in several threads differs from run to run; --threads 1 repeats exactly."
        )
    try:
        with training_progress() as listening:
            made = train_embedding(
                text,
                kind,
                seed=seed,
                threads=threads,
                max_memory=memory,
                engine=engine,
                folder=checkpoint,
                scheduler=scheduler,
                name=output.name.partition(".")[0],
                listening=listening,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(_interrupted(checkpoint)) from error
    with progress_bar(f"writing {output}") as progress:
        save(made, output, progress=progress)
    about = format_to_write(output).name
    print_note(f"{output}: {len(made):,} words x {made.dimensions} in the format {about}")


def _refuse_own_text(output: Path, text: TrainingText) -> None:
    """Raise where the vectors would take the place of the text that they are learnt from."""
    if output.exists() and any(file.samefile(output) for file in text.files):
        raise SettingError(
            f"{output} is one of the texts to learn from, and would be lost; choose another name."
        )


def _augmentation(
    named: str | None, by: AugmentBy | None, language: str, seed: int, *, names: bool
) -> Augmentation | None:
    """Return what is swapped in the text, if anything is."""
    if named is None:
        if names or by:
            raise SettingError(
                "--augment-by and --augment-names say how to augment; name a concept with "
                "--augment."
            )
        return None
    chosen = concept_named(named)
    others = paired_names(language) if names else ()
    return Augmentation(chosen.name, counterparts(chosen), others, by or "augmentation", seed)


def _say_lost(kind: Kind, text: TrainingText, output: Path) -> None:
    """Say what the format does not keep, while another one may still be chosen."""
    like = Embedding(
        ("one",),
        np.zeros((1, kind.dimensions), np.float64 if kind.name == "poincare-glove" else np.float32),
        Euclidean() if isinstance(kind, GensimModel) else kind.geometry,
        history=(Step("trained"),),
        counts=np.ones(1, np.int64),
        languages=(text.language,),
    )
    if lost := lost_by_saving(like, output):
        print_note(
            f"{output.name} will not keep: {', '.join(lost)}; only .fairvec keeps everything."
        )


def _interrupted(checkpoint: Path | None) -> str:
    kept = checkpoint and sorted(checkpoint.glob("*.safetensors"))
    if kept:
        return (
            f"Interrupted; the epochs that were finished are in {checkpoint}: run the same command "
            "again, and it goes on."
        )
    if checkpoint:
        return "Interrupted before an epoch was finished; nothing is kept."
    return "Interrupted; nothing is kept: with --checkpoint FOLDER it could go on."


# fairvec distil: word vectors made of an encoder.


@reads_a_model(
    without=("geometry", "curvature", "outside", "vectors", "format", "invalid_utf8", "vocabulary")
)
@reads_an_encoder()
def distil(
    encoder: Annotated[str, typer.Argument(help="The folder of an encoder, or what else is one.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The embedding, in the format of its ending."),
    ],
    words: Annotated[
        Path | None, typer.Option(help="The words in this text file, one a line.")
    ] = None,
    vocabulary: Annotated[
        int | None,
        typer.Option(
            help="So many of the first whole words of the tokenizer's vocabulary, and every word "
            "of the shipped suites of its language.",
            min=1,
        ),
    ] = None,
    templates: Annotated[
        bool, typer.Option("--templates", help="The mean over sentences that say only the word.")
    ] = False,
    contexts: ContextFiles = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
    reading: Reading = AS_FOUND,
    encoding: EncoderOptions = AS_USUAL,
) -> None:
    """Make word vectors of an encoder, for every metric and method.

    A word is read alone, or is the mean over templates (--templates) or over its contexts in a
    corpus (--contexts FILE; Bommasani et al. 2020).
    """
    writer = format_to_write(output, None)
    check_writable_file(output, force=force)
    if (words is None) == (vocabulary is None):
        raise SettingError("Say which words: --words FILE or --vocabulary N.")
    found = load_encoder(encoder, reading, encoding)
    wanted = words_of_file(words) if words else []
    if vocabulary:
        suites = [word for each in languages_of(found) for word in words_of_suites(each)]
        wanted = [*_first_words(Path(encoder), vocabulary), *suites]
    corpus = corpus_of(contexts)
    with progress_bar(f"encoding {pluralize(len(wanted), 'word')}") as progress:
        telling = found.telling(lambda done, every: progress(done, every))
        made = distil_words(telling, wanted, in_templates=templates, contexts=corpus)
    with progress_bar(f"writing {output}") as progress:
        save(made, output, progress=progress)
    details = made.history[-1].details
    print_note(
        f"{output}: {pluralize(len(made), 'word')} x {made.dimensions} in the format {writer.name}"
    )
    for name, why in (
        ("unknown", "not known to the tokenizer"),
        ("without_sentence", "in no sentence"),
    ):
        if details[name]:
            verb = "is" if details[name] == 1 else "are"
            asked = pluralize(len(dict.fromkeys(wanted)), "word")
            print_note(f"{details[name]:,} of the {asked} wanted {verb} {why}.")


def _first_words(folder: Path, count: int) -> list[str]:
    """Return the first whole words of a tokenizer's vocabulary."""
    if not recognises(folder):
        raise SettingError(
            f"{folder} is no folder of a transformer, whose tokenizer lists whole words; give "
            "--words FILE."
        )
    keys = read_input_embeddings(folder).keys
    whole = [key for key in keys if key.replace("-", "").replace("'", "").isalpha()]
    return whole[:count]


# fairvec convert: an embedding into another format.


_FORMAT = ", ".join(writer.name for writer in WRITERS)
_ENDING = ", ".join(suffix for writer in WRITERS for suffix in writer.suffixes)


@reads_a_model()
def convert(
    model: Annotated[str, typer.Argument(help="A file, or a name from 'fairvec models list'.")],
    file: Annotated[
        Path,
        typer.Argument(
            help=f"The file to write; its ending chooses the format: {_ENDING}, those of text "
            "and .bin also with .gz, .xz or .bz2."
        ),
    ],
    words: Annotated[
        Path | None, typer.Option(help="Keep only the words in this text file, one a line.")
    ] = None,
    to: Annotated[
        str | None, typer.Option(help=f"Format to write, whatever the ending: {_FORMAT}.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
    reading: Reading = AS_FOUND,
) -> None:
    """Write a model in another format and say what that format does not keep."""
    writer = format_to_write(file, to)
    check_writable_file(file, force=force)
    wanted = None if words is None else words_of_file(words)
    embedding = load_model(model, reading, words=wanted)
    licence, origin = _rights(model)
    with progress_bar(f"writing {file}") as progress:
        save(embedding, file, format=to, licence=licence, origin=origin, progress=progress)
    shape = f"{pluralize(len(embedding), 'key')} x {embedding.dimensions}"
    print_note(f"{file}: {shape} in the format {writer.name}")
    if wanted is not None and len(embedding) < (asked := len(set(wanted))):
        lacking = asked - len(embedding)
        verb = "is" if lacking == 1 else "are"
        print_note(f"{lacking:,} of the {pluralize(asked, 'word')} wanted {verb} not in {model}.")
    if lost := lost_by_saving(embedding, file, format=to, licence=licence, origin=origin):
        print_note(f"Not kept: {', '.join(lost)}; only .fairvec keeps everything.")


def _rights(model: str) -> tuple[str, str]:
    """Return licence and origin, where the file or the catalogue knows them."""
    path = Path(model)
    if path.is_file():
        if path.suffix != ".fairvec":
            return "", ""
        known = native_metadata(path)
        return known.licence, known.origin
    if model not in catalogue.names():  # a member of an archive
        return "", ""
    entry = catalogue.find(model)
    return entry.licence, entry.origin
