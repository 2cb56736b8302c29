"""Opening a model from a command that judges it, and what has to be said before."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from fairvec.cli.console import print_note, progress_bar
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.embedding import AS_FOUND, Embedding, Reading, read
from fairvec.embedding.detect_geometry import remark_on_space
from fairvec.embedding.formats.base import Unseen
from fairvec.embedding.formats.text import remark_on_ending
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.encoders.open import names_an_encoder
from fairvec.experiments.remarks import missing_benchmarks_note, other_languages


def load_model(
    model: str,
    how: Reading = AS_FOUND,
    *,
    words: Iterable[str] | None = None,
    unseen: Unseen | None = None,
) -> Embedding:
    """Return the model, or some of its words, with a bar while it is read or fetched.

    `unseen` names words that are to be composed from pieces, where the model can.
    """
    with progress_bar(f"reading {model}") as progress:
        found = read(model, how, words=words, progress=progress, unseen=unseen)
    for remark in (remark_on_space(found), remark_on_ending(found)):
        if remark:
            print_note(remark)
    return found


def load_model_first(model: str, others: Iterable[str], how: Reading) -> Embedding:
    """Return the model that stands before words or names, or say that one of those is a model."""
    try:
        return load_model(model, how)
    except UnknownNameError:
        from fairvec.catalogue import names  # here, because only a slip needs it

        for other in others:
            if Path(other).is_file() or other in names():
                raise SettingError(
                    f"{other} is a model and {model} is none: the model comes first, before all "
                    "else."
                ) from None
        raise


def load_model_or_encoder(
    model: str, how: Reading, encoding: EncoderOptions, unseen: Unseen | None = None
) -> Representation:
    """Return an embedding, or an encoder where a folder, a function or one of the hub is named."""
    if not names_an_encoder(model):
        if encoding != AS_USUAL:
            raise SettingError(
                f"{model} names word vectors, and --layer, --pooling, --numbers, --download and "
                "--token-embeddings are for encoders: leave them out."
            )
        return load_model(model, how, unseen=unseen)
    if how not in (AS_FOUND, Reading(language=how.language)):
        raise SettingError(
            f"{model} names an encoder, and of the options of reading only --language is for one: "
            "leave the others out."
        )
    # Here and not above: an audit of word vectors loads nothing that encodes or debiases.
    from fairvec.encoders.open import open_encoder
    from fairvec.encoders.transformer import read_input_embeddings
    from fairvec.experiments.debiasing.files import is_debiased_encoder, open_debiased_encoder

    if encoding.token_embeddings:
        found = read_input_embeddings(Path(model))
        return found if how.language is None else found.speaking(how.language)
    if is_debiased_encoder(Path(model)):
        found_again = open_debiased_encoder(Path(model), encoding.choices, keep=encoding.keep)
        return found_again if how.language is None else found_again.speaking(how.language)
    with progress_bar(f"opening {model}"):
        return open_encoder(
            model,
            encoding.choices,
            language=how.language,
            keep=encoding.keep,
            download=encoding.download,
        )


def load_models(
    models: Sequence[str], how: Reading, encoding: EncoderOptions, unseen: Unseen | None = None
) -> list[Representation]:
    """Return several models; an option holds for those that it is for."""
    encoders = [names_an_encoder(model) for model in models]
    if all(encoders) or not any(encoders):
        return [load_model_or_encoder(model, how, encoding, unseen) for model in models]
    return [
        load_model_or_encoder(model, Reading(language=how.language), encoding)
        if encoder
        else load_model_or_encoder(model, how, AS_USUAL, unseen)
        for model, encoder in zip(models, encoders, strict=True)
    ]


def load_encoder(model: str, how: Reading, encoding: EncoderOptions) -> Encoder:
    """Return an encoder, or refuse word vectors."""
    found = load_model_or_encoder(model, how, encoding)
    if isinstance(found, Encoder):
        return found
    raise SettingError(f"{model} is no encoder but holds word vectors; name the encoder's folder.")


def note_other_languages(embedding: Representation) -> None:
    """Say so where a model of several languages is measured in one that nobody named."""
    if remark := other_languages(embedding):
        print_note(remark)


def note_missing_benchmarks(embedding: Embedding) -> None:
    """Say so where no benchmark of the model's languages is on this machine."""
    if remark := missing_benchmarks_note(embedding):
        print_note(remark)
