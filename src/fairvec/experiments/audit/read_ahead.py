"""Have a remote encoder read all sentences of an audit at once: counted first, in full batches."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

import numpy as np

from fairvec.encoders import Encoder, Representation
from fairvec.encoders.base import TextModel
from fairvec.encoders.encoder import unreadable_sentences
from fairvec.experiments.audit.test_words import usable_groups
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from fairvec.lexicon import SelectedTest, resolve
from fairvec.metrics import CorpusMetric, Metric


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
        unreadable_sentences(source, [one for read in by_language.values() for one in read])


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
