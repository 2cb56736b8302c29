"""Have a remote encoder read all sentences of an audit at once: counted first, in full batches."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.base import TextModel
from fairvec.encoders.encoder import unreadable_sentences
from fairvec.encoders.endpoint import Endpoint, EndpointModel
from fairvec.encoders.open import open_encoder
from fairvec.experiments.audit.test_words import usable_groups
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from fairvec.lexicon import SelectedTest, resolve
from fairvec.metrics import CorpusMetric, Metric

MOST_COMPARED = 500
"""Sentences of a language by which an endpoint is compared with a model on this machine."""


class RecordingModel(TextModel):
    """Notes which sentences it is asked for, and gives each a vector that says nothing."""

    def __init__(self) -> None:
        self.sentences: dict[Sentence, None] = {}

    @property
    def dimensions(self) -> int:
        """The number of columns: the bytes of a checksum."""
        return 32

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers."""
        return float(np.finfo(np.float64).eps)

    @property
    def settings(self) -> Mapping[str, Any]:
        """That it records."""
        return {"kind": "recording"}

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence, made of its checksum."""
        self.sentences.update(dict.fromkeys(sentences))
        checksums = [
            sha256(one.text.encode("utf-8", "surrogatepass")).digest() for one in sentences
        ]
        numbers = np.frombuffer(b"".join(checksums), np.uint8).astype(np.float64)
        return numbers.reshape(-1, self.dimensions) - 127.5


Reading = tuple[Representation, Sequence[SelectedTest], Metric]


def read_ahead(measurements: Sequence[Reading]) -> None:
    """Have each remote encoder read what its tests need, each sentence once.

    A text that a server does not take is left to its tests to report; a server that fails ends it.
    """
    remote = {
        id(source): source
        for source, _, _ in measurements
        if isinstance(source, Encoder) and source.model.is_remote
    }
    for source in remote.values():
        own = [(tests, metric) for other, tests, metric in measurements if other is source]
        by_language = sentences_by_language(source, own)
        unreadable = unreadable_sentences(
            source, [one for read in by_language.values() for one in read]
        )
        if isinstance(source.model, EndpointModel) and source.model.endpoint.same_as:
            readable = {
                language: [one for one in sentences if one.text not in unreadable]
                for language, sentences in by_language.items()
            }
            source.model.agreements = compare_with_local(source, source.model.endpoint, readable)


def compare_with_local(
    encoder: Encoder, endpoint: Endpoint, sentences: Mapping[str, Sequence[Sentence]]
) -> tuple[dict[str, Any], ...]:
    """Return how close an endpoint is to the model in a folder, on sentences of each language.

    Of more than MOST_COMPARED sentences so many are taken, at even distances.
    """
    local = open_encoder(endpoint.same_as)
    if local.dimensions != encoder.dimensions:
        raise SettingError(
            f"{local.name} (--same-as) has {local.dimensions} dimensions and the endpoint "
            f"{encoder.dimensions}, so they are two models; name the folder of the same one."
        )
    found = []
    for language, all_read in sentences.items():
        step = max(1, len(all_read) / MOST_COMPARED)
        read = [all_read[int(at * step)] for at in range(min(len(all_read), MOST_COMPARED))]
        # The local model is given the very text that was sent.
        as_sent = [replace(one, before=endpoint.prefix + one.before) for one in read]
        unreadable = unreadable_sentences(local, as_sent)
        pairs = [
            (one, sent)
            for one, sent in zip(read, as_sent, strict=True)
            if sent.text not in unreadable
        ]
        if not pairs:
            continue
        both, of_local = (list(side) for side in zip(*pairs, strict=True))
        cosines = row_cosines(encoder.encode(both), local.encode(of_local))
        found.append(
            {
                "language": language,
                "sentences": len(both),
                "least": float(cosines.min()),
                "median": float(np.median(cosines)),
                "farthest": both[int(cosines.argmin())].text,
                "model": local.name,
            }
        )
    return tuple(found)


def row_cosines(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the cosine of each row with the same row of another matrix."""
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    cosines: FloatArray = (one * other).sum(axis=1) / lengths
    return cosines


def sentences_by_language(
    source: Encoder, measured: Sequence[tuple[Sequence[SelectedTest], Metric]]
) -> dict[str, list[Sentence]]:
    """Return the sentences that tests ask an encoder for, by measuring with vectors of no model."""
    found: dict[str, dict[Sentence, None]] = defaultdict(dict)
    for tests, metric in measured:
        if isinstance(metric, CorpusMetric):
            with suppress(Exception):  # each test reports the error
                metric.prepare([selected.test for selected in tests])
        for selected in tests:
            model = RecordingModel()
            recorder = Encoder(model, source.name, languages=source.languages)
            with suppress(Exception):  # a test that fails asks for no more
                groups = usable_groups(metric, resolve(selected.test, recorder))
                metric.measure(groups, recorder.geometry)
            found[selected.test.language].update(model.sentences)
    return {language: [*sentences] for language, sentences in found.items()}
