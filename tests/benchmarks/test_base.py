"""The version of a benchmark set changes with what it asks, and with nothing else."""

from dataclasses import replace

from fairvec.benchmarks import RatedPair, SimilaritySet


def test_a_version_is_of_what_is_asked() -> None:
    pairs = (RatedPair("cat", "dog", 3.0), RatedPair("cat", "car", 1.0))
    toy = SimilaritySet("toy", "Toy", "en", "Toy (2026)", "None needed.", pairs)
    assert toy.version == replace(toy, title="Toys", source="-", licence="-").version
    changed = pairs[0]._replace(score=2.0)
    others = [
        replace(toy, name="other"),
        replace(toy, language="hi"),
        replace(toy, pairs=pairs[:1]),
        replace(toy, pairs=pairs[::-1]),
        replace(toy, pairs=(changed, pairs[1])),
    ]
    assert len({toy.version, *(other.version for other in others)}) == len(others) + 1
