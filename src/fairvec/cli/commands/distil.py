"""fairvec distil: word vectors made of an encoder."""

from pathlib import Path
from typing import Annotated

import typer

from fairvec.cli.console import progress_bar, say
from fairvec.cli.encoder_options import reads_an_encoder
from fairvec.cli.opening import only_encoder
from fairvec.cli.options import ContextFiles, corpus_of
from fairvec.cli.reading_options import reads_a_model
from fairvec.cli.words import words_of_file
from fairvec.embedding import AS_FOUND, Reading, save
from fairvec.embedding.saving import writer_of
from fairvec.encoders.encoder_reading import AS_USUAL, EncoderReading
from fairvec.encoders.transformer import recognises, token_embeddings
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.evaluation.distilling import distil as distil_words
from fairvec.evaluation.distilling import words_of_suites
from fairvec.ground.disk.places import refuse_file
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import counted


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
    encoding: EncoderReading = AS_USUAL,
) -> None:
    """Make word vectors of an encoder, for every metric and method.

    A word is read alone, or is the mean over templates (--templates) or over its contexts in a
    corpus (--contexts FILE; Bommasani et al. 2020).
    """
    writer = writer_of(output, None)
    refuse_file(output, force=force)
    if (words is None) == (vocabulary is None):
        raise SettingError("Say which words: --words FILE or --vocabulary N.")
    found = only_encoder(encoder, reading, encoding)
    wanted = words_of_file(words) if words else []
    if vocabulary:
        suites = [word for each in languages_of(found) for word in words_of_suites(each)]
        wanted = [*_first_words(Path(encoder), vocabulary), *suites]
    corpus = corpus_of(contexts)
    with progress_bar(f"encoding {counted(len(wanted), 'word')}") as progress:
        telling = found.telling(lambda done, every: progress(done, every))
        made = distil_words(telling, wanted, in_templates=templates, contexts=corpus)
    with progress_bar(f"writing {output}") as progress:
        save(made, output, progress=progress)
    details = made.history[-1].details
    say(f"{output}: {counted(len(made), 'word')} x {made.dimensions} in the format {writer.name}")
    for name, why in (
        ("unknown", "not known to the tokenizer"),
        ("without_sentence", "in no sentence"),
    ):
        if details[name]:
            verb = "is" if details[name] == 1 else "are"
            asked = counted(len(dict.fromkeys(wanted)), "word")
            say(f"{details[name]:,} of the {asked} wanted {verb} {why}.")


def _first_words(folder: Path, count: int) -> list[str]:
    """Return the first whole words of a tokenizer's vocabulary."""
    if not recognises(folder):
        raise SettingError(
            f"{folder} is no folder of a transformer, whose tokenizer lists whole words; give "
            "--words FILE."
        )
    keys = token_embeddings(folder).keys
    whole = [key for key in keys if key.replace("-", "").replace("'", "").isalpha()]
    return whole[:count]
