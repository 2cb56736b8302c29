"""fairvec train: from files of text to an embedding."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from fairvec.cli import options
from fairvec.cli.console import progress_bar, say
from fairvec.cli.training_progress import training_progress
from fairvec.embedding import Embedding, loses, save
from fairvec.embedding.embedding import Step
from fairvec.embedding.saving import writer_of
from fairvec.geometry import Euclidean
from fairvec.ground.disk.places import refuse_file
from fairvec.ground.errors import SettingError
from fairvec.ground.machine.memory import bytes_of
from fairvec.lexicon import concept as concept_named
from fairvec.lexicon import counterparts, paired_names
from fairvec.training.corpus.augmenting import Augmentation, AugmentBy
from fairvec.training.corpus.encoded import Cut
from fairvec.training.counting.cooccurrences import ByDistance
from fairvec.training.gensim_models import PredictingModel
from fairvec.training.glove.engines import EngineChoice
from fairvec.training.kinds import KINDS, kind_named
from fairvec.training.workflow import MEMORY, Kind, Text, WordForms, text_of, train_embedding


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
    writer_of(output)
    refuse_file(output, force=force)
    kind = kind_named(
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
    text = text_of(corpus, language, words=words, cut=cut, window=window, augmentation=swapped)
    _refuse_own_text(output, text)
    memory = bytes_of(max_memory) if max_memory else MEMORY
    if isinstance(kind, PredictingModel) and checkpoint:
        raise SettingError(
            f"gensim keeps no state of {model} between epochs; leave --checkpoint out."
        )
    _say_lost(kind, text, output)
    if isinstance(kind, PredictingModel) and threads != 1:
        say(f"{model} in several threads differs from run to run; --threads 1 repeats exactly.")
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
    about = writer_of(output).name
    say(f"{output}: {len(made):,} words x {made.dimensions} in the format {about}")


def _refuse_own_text(output: Path, text: Text) -> None:
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


def _say_lost(kind: Kind, text: Text, output: Path) -> None:
    """Say what the format does not keep, while another one may still be chosen."""
    like = Embedding(
        ("one",),
        np.zeros((1, kind.dimensions), np.float64 if kind.name == "poincare-glove" else np.float32),
        Euclidean() if isinstance(kind, PredictingModel) else kind.geometry,
        history=(Step("trained"),),
        counts=np.ones(1, np.int64),
        languages=(text.language,),
    )
    if lost := loses(like, output):
        say(f"{output.name} will not keep: {', '.join(lost)}; only .fairvec keeps everything.")


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
