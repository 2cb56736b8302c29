"""Models and encoders as a command names them, opened with progress and notes about them."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from fairvec.api.models import ModelSource, open_model
from fairvec.cli.console import ProgressCallback, print_note, progress_bar
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions, read
from fairvec.embedding.detect_geometry import remark_on_space
from fairvec.embedding.formats.base import Unseen
from fairvec.embedding.formats.text import remark_on_damage
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.encoders.endpoint import Endpoint, SendingEstimate
from fairvec.encoders.endpoint.protocol import is_address
from fairvec.encoders.open import is_encoder_name


def load_model(
    model: str,
    how: LoadOptions = LOAD_DEFAULTS,
    *,
    words: Iterable[str] | None = None,
) -> Embedding:
    """Return the model, or some of its words, with progress while it is read or fetched."""
    with progress_bar(f"reading {model}") as bar:
        return _read(model, how, bar, words=words)


def model_source(
    model: str,
    how: LoadOptions,
    bar: ProgressCallback,
    encoding: EncoderOptions = AS_USUAL,
    on_sentences: Callable[[int, int], None] | None = None,
) -> ModelSource:
    """Return what opens a model or encoder with options, drawing on a bar, when a call needs it."""

    @cache  # a command may ask several things of one model
    def open(unseen: Unseen | None) -> Representation:
        if encoding == AS_USUAL and not is_encoder_name(model):
            embedding = _read(model, how, bar, unseen=unseen)
            if unseen:
                from fairvec.experiments.audit.test_words import composed_note

                if note := composed_note(embedding):
                    print_note(note)
            return embedding
        bar(0, 0, f"opening {model}")
        source: str | Endpoint = model
        if is_address(model):
            source = Endpoint(model, **encoding.of_endpoint, on_estimate=_announcer(encoding))
        opened = open_model(source, how, encoding)
        if isinstance(opened, Encoder) and on_sentences:
            return opened.with_progress(on_sentences)
        return opened

    return ModelSource(model, open, encoding)


def model_sources(
    models: Sequence[str],
    how: LoadOptions,
    bar: ProgressCallback,
    encoding: EncoderOptions,
    on_sentences: Callable[[int, int], None],
) -> list[ModelSource]:
    """Return what opens several models; an option is applied to those that it is for."""
    encoders = [is_encoder_name(model) for model in models]
    addresses = [is_address(model) for model in models]
    if len({*encoders}) == len({*addresses}) == 1:
        return [model_source(model, how, bar, encoding, on_sentences) for model in models]
    of_encoder = how if all(encoders) else LoadOptions(language=how.language)
    of_endpoint = EncoderOptions(
        **encoding.of_endpoint, keep=encoding.keep, dry_run=encoding.dry_run, yes=encoding.yes
    )
    of_kind = {True: of_endpoint, False: encoding.of_local if any(addresses) else encoding}
    return [
        model_source(model, of_encoder, bar, of_kind[address], on_sentences)
        if encoder
        else model_source(model, how, bar)
        for model, encoder, address in zip(models, encoders, addresses, strict=True)
    ]


def _announcer(encoding: EncoderOptions) -> Callable[[SendingEstimate], bool]:
    """Return what prints an estimate, ends a dry run, and says whether any number may be sent."""

    def announce(estimate: SendingEstimate) -> bool:
        print_note(str(estimate))
        if encoding.dry_run:
            sys.exit(0)
        return encoding.yes

    return announce


def _read(
    model: str,
    how: LoadOptions,
    bar: ProgressCallback,
    *,
    words: Iterable[str] | None = None,
    unseen: Unseen | None = None,
) -> Embedding:
    bar(0, 0, f"reading {model}")
    embedding = read(
        model,
        how,
        words=words,
        progress=lambda done, total: bar(done, total, f"reading {model}"),
        unseen=unseen,
    )
    for remark in (remark_on_space(embedding), remark_on_damage(embedding)):
        if remark:
            print_note(remark)
    return embedding


@contextmanager
def model_first(model: str, others: Iterable[str]) -> Iterator[None]:
    """Refuse in a sentence a model that stands among the words or names that come after it."""
    try:
        yield
    except UnknownNameError:
        from fairvec.catalogue import names  # here, because only a mistake needs it

        if model in names() or Path(model).exists():
            raise
        for other in others:
            if Path(other).is_file() or other in names():
                raise SettingError(
                    f"{other} is a model and {model} is none: the model comes first, before all "
                    "else."
                ) from None
        raise
