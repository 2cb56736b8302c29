"""What is said beside a figure names a remedy that there is."""

from fairvec.catalogue import datasets
from fairvec.papers.notes import absent_note


def test_only_what_is_published_is_told_to_be_fetched() -> None:
    names = [known.name for known in datasets()]
    told = {known.name for known in datasets() if "benchmarks get" in absent_note([known.name])}
    assert told == {known.name for known in datasets() if known.source}
    assert told not in (set(), {*names})
    assert all("FAIRVEC_DATA" in absent_note([name]) for name in names)
    both = absent_note(names[-2:])
    assert all(f"The benchmark {name} is not at hand" in both for name in names[-2:])
