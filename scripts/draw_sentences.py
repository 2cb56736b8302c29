"""Draw sentences of a language's corpora at random that hold a term of its table of rewrites.

python -m scripts.draw_sentences LANGUAGE --seed N [--count 200] [--rule RULE] [--share 0.1]
"""

import argparse
import os
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from fairvec.catalogue.entries import VARIABLE
from fairvec.core.io.text_files import read_lines
from fairvec.languages.language import language as language_named
from fairvec.languages.rewriting import rewrite_table
from fairvec.languages.text import sentences_of, token_pattern

LENGTHS = range(4, 61)
"""So many words has a sentence that is drawn: fewer are headings, more are lists."""


def terms_of(language: str, rule: str = "") -> frozenset[str]:
    """Return the terms of both groups in the language's table, in small letters; of one rule."""
    terms = [term for term in rewrite_table(language).terms if rule in ("", term.rule)]
    return frozenset(side.casefold() for term in terms for side in (term.a, term.b) if side)


def has_term(sentence: str, terms: frozenset[str]) -> bool:
    """Say whether a sentence of a usable length has one of the terms as a word or phrase."""
    words = [match.group().casefold() for match in token_pattern().finditer(sentence)]
    if len(words) not in LENGTHS:
        return False
    if not terms.isdisjoint(words):
        return True
    line = f" {' '.join(words)} "
    return any(f" {term} " in line for term in terms if " " in term)


def sentences(language: str, folder: Path, share: float, chance: random.Random) -> Iterator[str]:
    """Give the sentences of a random share of the lines of every file of a corpus."""
    for file in sorted(each for each in folder.iterdir() if ".txt" in each.name):
        if file.name != "SOURCE.txt":
            for line in map(language_named(language).spelling.normalize, read_lines(file)):
                if chance.random() < share:
                    yield from sentences_of(line, language)


def sample(found: Iterator[str], count: int, chance: random.Random) -> list[str]:
    """Return `count` of what is found, each with the same chance, in random order."""
    kept = list(islice(found, count))
    for number, one in enumerate(found, start=count + 1):
        place = chance.randrange(number)
        if place < count:
            kept[place] = one
    chance.shuffle(kept)
    return kept


def main() -> None:
    """Print one sentence a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--rule", default="", help="only sentences with a term of this rule")
    parser.add_argument("--share", type=float, default=0.1, help="share of the lines looked at")
    arguments = parser.parse_args()
    if VARIABLE not in os.environ:
        raise SystemExit(f"Set {VARIABLE} to the folder that holds corpora/{arguments.language}.")
    chance = random.Random(arguments.seed)  # noqa: S311 - a sample that can be drawn again
    terms = terms_of(arguments.language, arguments.rule)
    folder = Path(os.environ[VARIABLE]) / "corpora" / arguments.language
    found = (
        one
        for one in sentences(arguments.language, folder, arguments.share, chance)
        if has_term(one, terms)
    )
    kept = sample(found, arguments.count, chance)
    if len(kept) < arguments.count:
        raise SystemExit(
            f"Only {len(kept)} sentences of {folder} hold a term; ask for fewer, or for a larger "
            "--share."
        )
    print("\n".join(" ".join(sentence.split()) for sentence in kept))


if __name__ == "__main__":
    main()
