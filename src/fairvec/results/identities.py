"""Records of which test, embedding and metric gave a figure; equal ones can be compared."""

from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from fairvec.core.validation import Count, Record


class UtilityKind(Record):
    """What kind of figure of usefulness a benchmark, or a part of it, gives."""

    title: str = Field(description="The kind of benchmark as a heading, e.g. Word similarity")
    place: int = Field(description="Where that heading stands among those of other kinds")
    plain: str = Field(description="What its wanted figures are called within a sentence")
    family: str = Field(description="The kind of information it counts as, e.g. definitions")
    wanted: Literal["more", "less", "neither"] = Field(
        description="Whether a larger or a smaller figure is better"
    )


class TestIdentity(Record):
    """Which test was run."""

    __test__ = False  # pytest: this is not a test class

    suite: str = Field(description="Id of the suite, e.g. caliskan2017")
    suite_version: str = Field(description="Version of the suite's word lists")
    id: str = Field(description="Full id of the test, e.g. caliskan2017/weat-6")
    title: str = Field(description="Title in plain words")
    category: str = Field(description="Social category, e.g. gender, race, age")
    kind: str = Field(
        default="bias",
        description="bias, meaningful-encoding or baseline; of a benchmark its kind, e.g. "
        "similarity; movement of what a change did to the vectors; concept of a view of one; "
        "category of all bias tests of one",
    )
    tags: tuple[str, ...] = Field(default=(), description="As in the suite, e.g. translated")
    use: UtilityKind | None = Field(
        default=None, description="Of a benchmark: what its figure is; null of a suite's test"
    )
    language: str = Field(description="ISO 639-1 code of the words")
    source: str = Field(description="Citation of the lists")
    positive_means: str = Field(description="What a positive effect says, in the suite's own words")
    negative_means: str = Field(description="What a negative effect says, in the suite's own words")
    sensitive: str = Field(default="", description="Why the words are sensitive; empty if not")
    also: tuple[str, ...] = Field(
        default=(), description="Tests of other suites with the same lists, which it stands for"
    )


class LocalAgreement(Record):
    """How close an endpoint is to the same model on this machine, on sentences of a language."""

    language: str = Field(description="ISO 639-1 code of the sentences")
    sentences: Count = Field(description="How many sentences both read")
    least: float = Field(description="The smallest cosine of the two vectors of a sentence")
    median: float = Field(description="The median of these cosines")
    farthest: str = Field(description="The sentence with the smallest one")
    model: str = Field(description="The name of the model on this machine")


class EndpointProbes(Record):
    """What an endpoint showed of itself before it was asked for the vectors of a run."""

    encoding: str = Field(description="How replies wrote numbers: float or base64")
    served_as: str = Field(description="What the server calls its model; empty if nothing")
    repeat: float = Field(
        description="Relative distance of the vectors of one text that was sent twice"
    )
    in_batch: float = Field(
        description="Largest relative distance of the vectors of a text alone and in batches"
    )
    cut_within_words: Count | None = Field(
        description="Words within which a long text is silently cut; null if no cut was found"
    )
    refused_words: Count | None = Field(
        description="Words of the text that was refused as too long; null if none was"
    )
    whole_words: Count = Field(description="Words of the longest text that was read whole")
    model_matters: bool | None = Field(
        description="Whether a name that no model has is refused; null if that was not told"
    )
    shortest: float = Field(description="Smallest length of a vector")
    longest: float = Field(description="Largest length of a vector")
    similarities: tuple[float, ...] = Field(
        description="Cosine of each pair of probe texts, by which runs are compared"
    )
    tolerance: float = Field(
        description="Relative distance up to which two vectors of a text are of one model"
    )
    generation: Count = Field(
        description="Which model in a row has answered there, by the vectors stored here"
    )
    batch: Count = Field(description="The most texts that it took in a request")
    same_as: tuple[LocalAgreement, ...] = Field(
        default=(), description="How close it is to the same model on this machine"
    )


class ModelIdentity(Record):
    """Which embedding or encoder was measured."""

    name: str = Field(description="Name given by the user, the catalogue or the file")
    sha256: str = Field(
        description="Hash of its content: keys, vectors and geometry of an embedding, weights and "
        "settings of an encoder; of a function or an endpoint, its vectors of a few texts"
    )
    geometry: str = Field(description="euclidean or poincare")
    curvature: float = Field(description="The ball's c; 0 for flat space")
    dimensions: Count = Field(description="Columns of the matrix")
    words: Count = Field(description="Rows of the matrix; 0 of an encoder, which reads any word")
    history: tuple[dict[str, Any], ...] = Field(description="What was done to it, in order")
    encoder: dict[str, Any] | None = Field(
        default=None,
        description="Of an encoder every choice that changes a vector: kind, layer, pooling, type "
        "of numbers; null of an embedding",
    )
    endpoint: EndpointProbes | None = Field(
        default=None,
        description="Of an endpoint what it showed of itself before the run; of others it is left "
        "out",
    )

    @model_serializer(mode="wrap")
    def _without_absent_endpoint(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave the probes out where there are none, as in nearly all records."""
        fields: dict[str, Any] = write(self)
        if fields.get("endpoint", ...) is None:
            del fields["endpoint"]
        return fields


class Convention(Record):
    """How the effect size is computed."""

    name: str = Field(description="caliskan, population, raw-similarity, mean-difference or paired")
    ddof: Count = Field(description="Delta degrees of freedom of the standard deviation")
    denominator: str = Field(
        description="What the standard deviation is taken over; none if nothing is divided by it"
    )

    @property
    def key(self) -> tuple[str, int, bool]:
        """What tells conventions apart, in whatever words the denominator is described."""
        return self.name, self.ddof, self.standardised

    @property
    def standardised(self) -> bool:
        """Whether the effect is in units of a standard deviation, as d is."""
        return self.denominator != "none"


class MetricIdentity(Record):
    """What a metric is, with every setting that changes a figure: equal ones can be compared."""

    name: str = Field(description="Name of the metric, e.g. weat")
    needs: tuple[str, ...] = Field(description="The lists of a test that it looks at")
    neutral: float | None = Field(description="The value that says: no bias; null if none does")
    meaning: str = Field(description="What a large, small and neutral value say")
    positive: str = Field(
        default="", description="What a positive value says; empty if a value has no sign"
    )
    positive_words: str = Field(
        default="",
        description="The list, a or b, to which a word with a positive score leans; empty if a "
        "word's score does not say so",
    )
    convention: Convention | None = Field(
        default=None, description="How an effect size is scaled; null if the value is none"
    )
    settings: dict[str, Any] = Field(description="Every setting that changes a figure")
