"""An embedding endpoint as a text model: counted before it is asked, stored by generation."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, count, takewhile
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairvec.core.errors import EncoderError, SettingError, UnreadableError, warn_user
from fairvec.core.format import format_count, pluralize
from fairvec.core.io.cache import digest_of
from fairvec.core.settings import settings
from fairvec.core.text import short_repr
from fairvec.encoders.base import (
    AS_GIVEN,
    Choices,
    EncoderKind,
    EndpointSettings,
    Source,
    TextModel,
)
from fairvec.encoders.encoder import PROBE_TEXTS
from fairvec.encoders.endpoint.probes import (
    FIRST,
    REQUESTS,
    ProbeCalls,
    Probes,
    distance,
    run_probes,
    same_numbers,
)
from fairvec.encoders.endpoint.protocol import (
    Embeddings,
    Encoding,
    base_address,
    is_address,
    request_body,
)
from fairvec.encoders.store import VectorStore
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence

if TYPE_CHECKING:
    from fairvec.encoders.endpoint.client import Client

BYTES_PER_TOKEN = 4
"""Bytes of UTF-8 that a token holds, about."""

PROBES = {Sentence.alone(text): None for text in PROBE_TEXTS}
"""The sentences whose vectors tell generations apart."""


@dataclass(frozen=True)
class SendingEstimate:
    """What will be sent to an endpoint, before anything is."""

    texts: int
    characters: int
    stored: int
    tokens: int
    price: float | None = None

    def __str__(self) -> str:
        """Return the estimate as one sentence."""
        if not self.texts:
            return (
                f"Nothing new to send: {pluralize(self.stored, 'text')} are stored already, and "
                f"about {REQUESTS} requests probe the endpoint."
            )
        length = pluralize(self.characters, "character")
        price = "" if self.price is None else f", for about {self.price:.2g}"
        stored = f"; {format_count(self.stored)} more are stored already" if self.stored else ""
        return (
            f"{pluralize(self.texts, 'text')} to send with {length} (about "
            f"{format_count(self.tokens)} tokens{price}){stored}; about {REQUESTS} requests probe "
            "the endpoint first."
        )


@settings(called="endpoint")
class Endpoint(EndpointSettings):
    """An embedding model behind an OpenAI-compatible address, wherever a model is taken.

    Args:
        url: Its address before /embeddings, as in https://host/v1; https, or on this machine.
        model: The name of its model, as the server calls it.
        prefix: Written before every text, as in "query: ": servers ignore fields for it.
        dimensions: So many numbers of each vector, for models that can be cut; else all.
        key_variable: The environment variable that holds the key; the key itself stands nowhere.
        batch: Texts in a request; halved where the server refuses, and remembered.
        at_once: Requests under way at once.
        timeout: Seconds in which a reply must be whole.
        max_texts: The most texts that are sent; beyond it nothing is.
        price_per_million: The price of a million tokens, for the estimate.
        same_as: The folder of the same model: an audit says how close the two are.
        on_estimate: Called with a SendingEstimate before anything is sent; what it raises ends the
            call. Where it returns True more than `max_texts` may be sent.

    >>> import fairvec
    >>> fairvec.Endpoint("http://localhost:8080/v1/embeddings", model="small").url
    'http://localhost:8080/v1'
    """

    url: str
    on_estimate: Callable[[SendingEstimate], object] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", base_address(self.url))
        if not self.model:
            raise SettingError(
                f"The endpoint {self.url} needs the name of its model; say --model NAME "
                "(model='NAME')."
            )

    @property
    def described(self) -> dict[str, Any]:
        """Every setting that changes a vector."""
        found = {"endpoint": self.model, "url": self.url}
        if self.prefix:
            found["prefix"] = self.prefix
        return found if self.dimensions is None else found | {"dimensions": self.dimensions}


class EndpointModel(TextModel):
    """The model behind an endpoint.

    The probes are sent when a vector, or anything about vectors, is needed first.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.agreements: tuple[Mapping[str, Any], ...] = ()
        self._generation = 1
        self._fingerprint: FloatArray | None = None
        self._allowed: float = endpoint.max_texts
        self._sent = 0
        self._store: VectorStore | None = None
        self._is_recounted = False

    @cached_property
    def client(self) -> "Client":
        """What sends the requests."""
        from fairvec.encoders.endpoint.client import Client  # here, because it imports requests

        return Client(self.endpoint.url, self.endpoint)

    @cached_property
    def _found(self) -> Probes:
        """What the probes show, which are sent once."""
        return _probe(self.endpoint, self.client)

    @property
    def dimensions(self) -> int:
        """The number of columns."""
        return int(self._found.rows.shape[1])

    @property
    def precision(self) -> float:
        """The relative rounding of its numbers, or its noise where that is larger."""
        return max(float(np.finfo(np.float32).eps), self._found.noise)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its model, address, prefix and dimensions."""
        return {"kind": "endpoint", **self.endpoint.described}

    @property
    def content_hash(self) -> str:
        """SHA-256 over its settings and the probe vectors of its generation."""
        rows = self._choose_generation(self._store)
        return sha256(self._address.encode() + rows.astype("<f4").tobytes()).hexdigest()

    @property
    def _address(self) -> str:
        return digest_of(dict(self.settings))

    def open_store(self, folder: Path) -> VectorStore:
        """Return where the vectors of its first generation are stored."""
        self._store = VectorStore(folder / f"{self._address}.sqlite")
        return self._store

    @property
    def is_remote(self) -> bool:
        """Whether sentences are sent elsewhere."""
        return True

    @property
    def probes(self) -> Mapping[str, Any]:
        """What it showed of itself before it was asked."""
        return {
            **self._found.record,
            "tolerance": self._found.tolerance,
            "generation": self._generation,
            "batch": self.client.batch,
            "same_as": self.agreements,
        }

    def begin(self, sentences: Sequence[Sentence], store: VectorStore | None) -> VectorStore | None:
        """Say what will be sent, send the probes, and return the store of its generation."""
        newest = 1 if store is None else _generations(store)[-1][0]
        self._announce(sentences, store, newest)
        self._choose_generation(store)
        if self._generation != newest and not self._is_recounted:
            self._is_recounted = True
            self._announce(sentences, store, self._generation, again=True)
        return None if store is None else _of_generation(store, self._generation)

    def _announce(
        self,
        sentences: Sequence[Sentence],
        store: VectorStore | None,
        generation: int,
        *,
        again: bool = False,
    ) -> None:
        """Count what will be sent if this generation answers; refuse more than is allowed."""
        stored: Mapping[Sentence, FloatArray] = {}
        if store is not None:
            stored = _of_generation(store, generation).vectors(sentences)
        # A store will have the vectors of the probes, which are sent in any case.
        known = {*stored, *(PROBES if store is not None else ())}
        texts = [*dict.fromkeys(self._text(one) for one in sentences if one not in known)]
        estimate = estimate_of(texts, len(stored), self.endpoint.price_per_million)
        is_due = again or self._fingerprint is None or self._sent + len(texts) > self._allowed
        tell = self.endpoint.on_estimate
        if is_due and tell and tell(estimate) is True:
            self._allowed = inf
        if self._sent + len(texts) > self._allowed:
            raise SettingError(
                f"This would send {pluralize(self._sent + len(texts), 'text')} to "
                f"{self.endpoint.url}, and {format_count(self.endpoint.max_texts)} are allowed; "
                "say --yes, or raise --max-texts (max_texts=)."
            )

    def _choose_generation(self, store: VectorStore | None) -> FloatArray:
        """Return the probe vectors of the generation that answers, which is told by them.

        Where no stored generation has the present ones, another model answers, and a new one
        begins.
        """
        if self._fingerprint is not None:
            return self._fingerprint
        probes, sentences = self._found, [*PROBES]
        self._fingerprint = probes.rows
        if store is None:
            return probes.rows
        generations = _generations(store)
        for number, of_generation in reversed(generations):
            known = of_generation.vectors(sentences)
            if len(known) < len(sentences):  # nothing was stored there yet
                self._generation = number
                break
            rows: FloatArray = np.array([known[sentence] for sentence in sentences])
            if rows.shape == probes.rows.shape and distance(rows, probes.rows) <= probes.tolerance:
                self._generation, self._fingerprint = number, rows
                return rows
        else:
            self._generation = generations[-1][0] + 1
            warn_user(
                f"The model {short_repr(self.endpoint.model)} at {self.endpoint.url} is not the "
                "one that gave the stored vectors: the vectors of the probe texts have changed. "
                f"All texts are sent again, and stored as its generation {self._generation}."
            )
        _of_generation(store, self._generation).keep(sentences, probes.rows)
        return probes.rows

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        """Return one row a sentence."""
        rows: dict[Sentence, FloatArray] = {}
        for part, found in self.encode_in_parts(sentences):
            rows.update(zip(part, found, strict=True))
        return np.array([rows[sentence] for sentence in sentences])

    def encode_in_parts(
        self, sentences: Sequence[Sentence]
    ) -> Generator[tuple[Sequence[Sentence], FloatArray]]:
        """Yield vectors as they come; the error of a text comes after all others."""
        by_text: dict[str, list[Sentence]] = {}
        for sentence in sentences:
            by_text.setdefault(self._text(sentence), []).append(sentence)
        _ = self._found  # the client asks as the probes found best
        done, refused = 0, None
        try:
            for answer in self.client.read_all([*by_text]):
                if answer.rows is None:
                    refused = refused or (answer.error, by_text[answer.texts[0]][0])
                    continue
                of_texts = [by_text[text] for text in answer.texts]
                done += len(of_texts)
                self._sent += len(of_texts)
                counts = [len(own) for own in of_texts]
                part = [*chain.from_iterable(of_texts)]
                try:
                    yield part, np.repeat(answer.rows, counts, axis=0)
                except KeyboardInterrupt as interruption:  # while they were stored
                    self.client.stop(interruption)
        except KeyboardInterrupt as error:
            kept = "kept: run the same command again, and it goes on with the others"
            raise KeyboardInterrupt(
                f"Interrupted; {pluralize(done, 'text')} of {format_count(len(by_text))} were "
                f"answered and are {kept if self._store else 'not kept'}."
            ) from error
        if refused and refused[0]:
            raise UnreadableError(str(refused[0]), refused[1].text)

    def _text(self, sentence: Sentence) -> str:
        return self.endpoint.prefix + sentence.text


def estimate_of(
    texts: Sequence[str], stored: int, price_per_million: float | None
) -> SendingEstimate:
    """Return what sending these texts amounts to."""
    tokens = -(-sum(len(text.encode("utf-8", "replace")) for text in texts) // BYTES_PER_TOKEN)
    price = None if price_per_million is None else price_per_million * tokens / 1_000_000
    return SendingEstimate(len(texts), sum(map(len, texts)), stored, tokens, price)


def _of_generation(store: VectorStore, number: int) -> VectorStore:
    if number == 1:
        return store
    return VectorStore(store.path.with_stem(f"{store.path.stem}-{number}"))


def _generations(store: VectorStore) -> list[tuple[int, VectorStore]]:
    """Return the generations of a store that are there, and the first in any case."""
    later = ((number, _of_generation(store, number)) for number in count(2))
    return [(1, store), *takewhile(lambda each: each[1].path.exists(), later)]


def _probe(endpoint: Endpoint, client: "Client") -> Probes:
    """Send the probes: first a text in floats and in base64, by which later ones are asked for."""
    # Here, because the client imports requests.
    from fairvec.encoders.endpoint.client import InputRefusedError

    def prefixed(texts: Sequence[str]) -> list[str]:
        return [endpoint.prefix + text for text in texts]

    def ask(texts: Sequence[str], encoding: Encoding) -> Embeddings:
        try:
            return client.ask(prefixed(texts), encoding)
        except InputRefusedError as error:
            raise client.error(
                f"refuses the first text ({error})", "check the model and the settings"
            ) from None

    def read(texts: Sequence[str]) -> FloatArray:
        answers = [*client.read(prefixed(texts))]
        for answer in answers:
            if answer.error:
                raise answer.error
        return np.concatenate([answer.rows for answer in answers if answer.rows is not None])

    def try_read(texts: Sequence[str]) -> FloatArray | None:
        try:
            return client.ask(prefixed(texts)).rows
        except InputRefusedError:
            return None

    def knows(name: str) -> bool | None:
        body = request_body([endpoint.prefix + FIRST], name, "float", endpoint.dimensions)
        return client.takes(body)

    first = ask([FIRST], "float").rows
    client.dimensions = int(first.shape[1])
    if endpoint.dimensions not in (None, client.dimensions):
        raise client.error(
            f"gave vectors of {client.dimensions} numbers though {endpoint.dimensions} were asked "
            "for",
            "leave --dimensions (dimensions=) out",
        )
    decoded = try_base64(client, prefixed([FIRST]))
    if decoded is not None and same_numbers(first, decoded):
        client.encoding = "base64"
    return run_probes(ProbeCalls(ask, read, try_read, knows), client.encoding)


def try_base64(client: "Client", texts: Sequence[str]) -> FloatArray | None:
    """Return vectors sent as base64; None where the server cannot do that."""
    from fairvec.encoders.endpoint.client import InputRefusedError

    try:
        return client.ask(texts, "base64").rows
    except (InputRefusedError, EncoderError):
        return None


def _claims(source: Source) -> bool:
    return isinstance(source, Endpoint) or is_address(source)


def _open(source: str | Endpoint, choices: Choices, _: str | None) -> TextModel:
    if choices != AS_GIVEN:
        raise SettingError(
            "An endpoint has no layers, pooling or type of numbers to choose; leave them out."
        )
    return EndpointModel(Endpoint(source) if isinstance(source, str) else source)


ENDPOINT = EncoderKind("endpoint", _claims, _open)
