"""The words behind a figure: what each one does, and which were found."""

from pydantic import Field

from fairvec.results.record import Count, Record


class WordScore(Record):
    """One target word's share in the result."""

    word: str = Field(description="As listed in the suite")
    key: str = Field(description="As found in the embedding")
    role: str = Field(description="x, y or words; pair of two persons, as in he / she")
    score: float = Field(
        description="The word's number; for WEAT s(w, A, B): positive leans to A, negative to B; "
        "of a pair the first person's figure less the second's"
    )
    effect: float | None = Field(
        default=None,
        description="The word's own effect size: score over the deviation of its similarities",
    )
    without: float | None = Field(
        default=None,
        description="The effect with this word left out; null where there is none, and in lists "
        "of more than 2,000 words",
    )
    to_a: float | None = Field(
        default=None, description="Its mean similarity to the words of A; null if none is taken"
    )
    to_b: float | None = Field(
        default=None, description="Its mean similarity to the words of B; null if none is taken"
    )
    transliteration: str = Field(default="", description="The word in Latin letters")
    gloss: str = Field(default="", description="The word in English")


class GroupCoverage(Record):
    """Which words of one list were found, and how."""

    role: str = Field(description="x, y, words, a or b; pair of persons")
    title: str = Field(description="The list's name in plain words")
    wanted: Count = Field(description="Entries in the list")
    found: Count = Field(description="Entries that count (found, duplicates merged)")
    missing: dict[str, str] = Field(description="Entry without a usable vector -> the reason")
    entries: dict[str, str] = Field(
        default_factory=dict,
        description="Every entry that counts -> the key it reached; keys joined by + are averaged",
    )
    matched: dict[str, str] = Field(
        description="Entry -> key, only where they differ from each other"
    )
    how: dict[str, str] = Field(
        description="Entry -> look-up rule, only where it was not an exact match"
    )
    merged: tuple[str, ...] = Field(description="Entries that reached a key already counted")
    shared: tuple[str, ...] = Field(
        default=(), description="Entries whose key another list of the test reached too"
    )
