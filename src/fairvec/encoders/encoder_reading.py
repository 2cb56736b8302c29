"""How an encoder is read, where its folder leaves that open."""

from dataclasses import dataclass

from fairvec.encoders.choices import Choices, Numbers, Pooling


@dataclass(frozen=True)
class EncoderReading:
    """The options of reading an encoder, which every command that opens one shares.

    `token_embeddings` asks for the input embeddings of a transformer as word vectors, `download`
    allows to fetch, `keep` keeps sentence vectors on disk; the rest are choices (see Choices).
    """

    layer: str = "last"
    pooling: Pooling | None = None
    numbers: Numbers = "auto"
    token_embeddings: bool = False
    download: bool = False
    keep: bool = True

    @property
    def choices(self) -> Choices:
        """Which of its vectors are taken."""
        return Choices(self.layer, self.pooling, self.numbers)


AS_USUAL = EncoderReading()
"""Nothing asked for."""
