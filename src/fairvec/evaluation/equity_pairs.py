"""Which pairs of persons an embedding can tell apart."""

from collections.abc import Iterable, Sequence

from fairvec.embedding import Embedding, Match, lookup_of
from fairvec.evaluation.changes.paired_words import PAIR
from fairvec.evaluation.equity_words import reason_why_not
from fairvec.lexicon.equity import EquitySet, PersonPair
from fairvec.results import GroupCoverage


def found_pairs(
    of: EquitySet, embedding: Embedding, language: str
) -> tuple[GroupCoverage, tuple[int, ...]]:
    """Return which pairs a model can tell apart; those that reach the same keys count once."""
    missing, entries, how, usable, merged = {}, {}, {}, [], []
    reached: set[tuple[frozenset[str], ...]] = set()
    for place, pair in enumerate(of.pairs):
        sides = [_matches(pair.words(side), embedding, language) for side in (0, 1)]
        keys = [frozenset(match.key for match in side.values() if match) for side in sides]
        unknown = [word for side in sides for word, match in side.items() if match is None]
        if reason := reason_why_not(unknown, sorted(keys[0] & keys[1])):
            missing[pair.label] = reason
            continue
        if (both := tuple(keys)) in reached:
            merged.append(pair.label)
            continue
        reached.add(both)
        usable.append(place)
        entries[pair.label] = " / ".join(
            " + ".join(match.key for match in side.values() if match) for side in sides
        )
        rules = dict.fromkeys(match.how for side in sides for match in side.values() if match)
        if other := [rule for rule in rules if rule != "exact"]:
            how[pair.label] = "+".join(other)
    group = GroupCoverage(
        role=PAIR,
        title=f"pairs of persons ({of.a} and {of.b})",
        wanted=len(of.pairs),
        found=len(usable),
        missing=missing,
        entries=entries,
        matched={label: entries[label] for label in how},
        how=how,
        merged=tuple(merged),
    )
    return group, tuple(usable)


def _matches(words: Iterable[str], embedding: Embedding, language: str) -> dict[str, Match | None]:
    """Return what each word reaches; None where it is unknown or its vector is zero."""
    lookup = lookup_of(embedding, language)
    found = {word: lookup.find([word]) for word in words}
    return {
        word: match if match and embedding.rows(match.keys).any() else None
        for word, match in found.items()
    }


def fitted_persons(
    pairs: Sequence[PersonPair], embedding: Embedding, language: str
) -> tuple[str, ...]:
    """Return the words of these persons on which the embedding's debiasing was fitted."""
    fitted = {key for step in embedding.history for key in step.details.get("fitted_on", ())}
    words = dict.fromkeys(w for pair in pairs for side in (0, 1) for w in pair.words(side))
    found = _matches(words, embedding, language) if fitted else {}
    return tuple(word for word, match in found.items() if match and fitted & {*match.keys})
