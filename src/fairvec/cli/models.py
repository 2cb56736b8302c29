"""Open the models and encoders that a command is given, with progress and notes about them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from fairvec.cli.console import print_note, progress_bar
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions, read
from fairvec.embedding.detect_geometry import remark_on_space
from fairvec.embedding.formats.base import Unseen
from fairvec.embedding.formats.text import remark_on_damage
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.encoders.open import is_encoder_name
from fairvec.experiments.remarks import missing_benchmarks_note, other_languages


def load_model(
    model: str,
    how: LoadOptions = LOAD_DEFAULTS,
    *,
    words: Iterable[str] | None = None,
    unseen: Unseen | None = None,
) -> Embedding:
    """Return the model, or some of its words, with progress while it is read or fetched.

    `unseen` names words that are to be composed from pieces, where the model can.
    """
    with progress_bar(f"reading {model}") as progress:
        embedding = read(model, how, words=words, progress=progress, unseen=unseen)
    for remark in (remark_on_space(embedding), remark_on_damage(embedding)):
        if remark:
            print_note(remark)
    return embedding


def load_model_first(model: str, others: Iterable[str], how: LoadOptions) -> Embedding:
    """Return the model that comes before words or names; refuse one that stands among those."""
    try:
        return load_model(model, how)
    except UnknownNameError:
        from fairvec.catalogue import names  # here, because only a mistake needs it

        for other in others:
            if Path(other).is_file() or other in names():
                raise SettingError(
                    f"{other} is a model and {model} is none: the model comes first, before all "
                    "else."
                ) from None
        raise


def load_model_or_encoder(
    model: str, how: LoadOptions, encoding: EncoderOptions, unseen: Unseen | None = None
) -> Representation:
    """Return an embedding, or an encoder if the name is a folder, a function or on the hub."""
    if not is_encoder_name(model):
        if encoding != AS_USUAL:
            raise SettingError(
                f"{model} names word vectors, and --layer, --pooling, --dtype, --download and "
                "--token-embeddings are for encoders: leave them out."
            )
        return load_model(model, how, unseen=unseen)
    if how not in (LOAD_DEFAULTS, LoadOptions(language=how.language)):
        raise SettingError(
            f"{model} names an encoder, and of the options of reading only --language is for one: "
            "leave the others out."
        )
    # Here and not above: an audit of word vectors loads nothing that encodes or debiases.
    from fairvec.encoders.open import open_encoder
    from fairvec.encoders.transformer import read_input_embeddings
    from fairvec.experiments.debiasing.files import is_debiased_encoder, open_debiased_encoder

    if encoding.token_embeddings:
        embedding = read_input_embeddings(Path(model))
        return embedding if how.language is None else embedding.with_languages(how.language)
    if is_debiased_encoder(Path(model)):
        encoder = open_debiased_encoder(Path(model), encoding.choices, keep=encoding.keep)
        return encoder if how.language is None else encoder.with_languages(how.language)
    with progress_bar(f"opening {model}"):
        return open_encoder(
            model,
            encoding.choices,
            language=how.language,
            keep=encoding.keep,
            download=encoding.download,
        )


def load_models(
    models: Sequence[str], how: LoadOptions, encoding: EncoderOptions, unseen: Unseen | None = None
) -> list[Representation]:
    """Return several models; an option is applied to those that it is for."""
    encoders = [is_encoder_name(model) for model in models]
    if all(encoders) or not any(encoders):
        return [load_model_or_encoder(model, how, encoding, unseen) for model in models]
    return [
        load_model_or_encoder(model, LoadOptions(language=how.language), encoding)
        if encoder
        else load_model_or_encoder(model, how, AS_USUAL, unseen)
        for model, encoder in zip(models, encoders, strict=True)
    ]


def load_encoder(model: str, how: LoadOptions, encoding: EncoderOptions) -> Encoder:
    """Return an encoder, or refuse word vectors."""
    opened = load_model_or_encoder(model, how, encoding)
    if isinstance(opened, Encoder):
        return opened
    raise SettingError(f"{model} is no encoder but holds word vectors; name the encoder's folder.")


def note_other_languages(embedding: Representation) -> None:
    """Note that a model of several languages is measured in one of them by default."""
    if remark := other_languages(embedding):
        print_note(remark)


def note_missing_benchmarks(embedding: Embedding) -> None:
    """Note that no benchmark of the model's languages is on this machine."""
    if remark := missing_benchmarks_note(embedding):
        print_note(remark)
