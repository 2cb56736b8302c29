"""Make the shipped models again, for instance when suites have grown.

Run it as `python -m scripts.ship_models`. Each model keeps the most frequent words of a full one
and every word of the suites, concepts and some benchmarks in its language. The full GloVe and navec
come out of their packages (see `fairvec models list`); the others lie in the folder FAIRVEC_DATA,
or in ../shared/data beside this checkout, as the benchmarks do. The same sources and suites give
the same bytes. Words, size and sha256 of each are then written into the catalogue.

`python -m scripts.ship_models --cut glove-hi-small FULL SMALL` makes a small model of the file
FULL, in the way in which the one of that name is made, and changes nothing else.
"""

import argparse
import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fairvec import catalogue
from fairvec.benchmarks import benchmark
from fairvec.catalogue.entries import DATA, FILE_NAME
from fairvec.embedding import Embedding, Step, load, shape_of
from fairvec.embedding.formats.native import write_native, write_native_quantised
from fairvec.embedding.formats.navec import read_navec
from fairvec.embedding.lookup import Lookup
from fairvec.languages.words import Word
from fairvec.lexicon import Concept, Suite, shipped_concepts, shipped_suites

MOST_FREQUENT = 10_000
ALL_TOGETHER = 20_000_000
"""The most bytes that the shipped files may have together."""

BENCHMARKS = {
    "en": ("ws353", "simlex999", "mc30", "rg65", "sembias"),
    "hi": ("hindi-ws",),
    "ru": ("rusimlex965", "hj-ru", "ws353-ru"),
}
"""Benchmarks whose words the small models know, so that they can show what debiasing costs."""

NEXT_TO_CHECKOUT = Path(__file__).parents[2] / "shared" / "data"
ENGLISH_PAIR = "emb_glove_and_poincare_glove_en"


@dataclass(frozen=True)
class Recipe:
    """A shipped model, the full model it is taken from and the floats it is written in.

    The full model is a name of the catalogue or a path in the data folder, its words in the order
    of their frequency; navec alone is ordered by the alphabet and stays quantised (no floats).
    """

    name: str
    full: str
    floats: str = ""


RECIPES = (
    Recipe("glove-en-small", "glove-6b-100d", "float16"),
    Recipe("navec-ru-small", "navec-news"),
    Recipe("glove-hi-small", "emb_glove_hi/glove_hi_57k_100d.npz", "float16"),
    Recipe(
        "poincare-glove-en-small", f"{ENGLISH_PAIR}/poincare_glove_enwiki2_50k_100d.npz", "float32"
    ),
    Recipe("glove-en-twin-small", f"{ENGLISH_PAIR}/glove_enwiki2_50k_100d.npz", "float16"),
)


def main(words: Sequence[str] | None = None) -> None:
    """Make all shipped models, or cut a small one out of a file."""
    parser = argparse.ArgumentParser(description="Make the shipped models again.")
    parser.add_argument("--cut", nargs=3, metavar=("NAME", "FULL", "SMALL"))
    models = parser.parse_args(words).cut
    if models:
        cut(models[0], Path(models[1]), Path(models[2]))
    else:
        ship()


def cut(name: str, full: Path, small: Path) -> None:
    """Write a small model of a full one, with the words that a shipped model has."""
    recipes = {recipe.name: recipe for recipe in RECIPES if recipe.floats}
    if name not in recipes:
        sys.exit(f"There is no {name!r} to cut like; it is one of {', '.join(recipes)}.")
    if not full.is_file():
        sys.exit(f"{full} does not exist; give the file of a full model.")
    if small.exists():
        sys.exit(f"{small} is there already; remove it, or name another file.")
    # Who may use another model, and where it comes from, the catalogue cannot know.
    unknown = {"name": small.name.partition(".")[0], "licence": "", "origin": ""}
    model = catalogue.find(name).model_copy(update=unknown)
    suites = [suite for suite in shipped_suites() if suite.language == model.language]
    known = write_small(model, replace(recipes[name], full=str(full.resolve())), suites, small)
    embedding = load(small)
    print(f"{small}: {len(embedding):,} of {len(known):,} words, {small.stat().st_size:,} bytes")
    for suite in suites:
        print("   ", compared(suite, known, embedding.positions))


def ship() -> None:
    """Write every shipped model and its line in the catalogue, and say what they cover."""
    for recipe in RECIPES:
        model = catalogue.find(recipe.name)
        suites = [suite for suite in shipped_suites() if suite.language == model.language]
        path = DATA / "shipped" / f"{model.name}.fairvec"
        path.parent.mkdir(exist_ok=True)
        full = write_small(model, recipe, suites, path)
        small = load(path)
        update_catalogue(model.name, words=len(small), path=path)
        print(f"{model.name}: {len(small):,} words, {path.stat().st_size:,} bytes")
        for suite in suites:
            print("   ", compared(suite, full, small.positions))
    total = sum(path.stat().st_size for path in (DATA / "shipped").iterdir())
    print(f"together {total:,} bytes")
    if total > ALL_TOGETHER:
        sys.exit(f"That is more than {ALL_TOGETHER:,} bytes: lower MOST_FREQUENT.")


def write_small(
    model: catalogue.Model, recipe: Recipe, suites: Sequence[Suite], path: Path
) -> Mapping[str, int]:
    """Write the small model to `path` and return the rows of the full model's words."""
    source = full_path(recipe.full)
    metadata = {
        "most_frequent": MOST_FREQUENT,
        "suites": [f"{s.id} {s.version}" for s in suites],
        "benchmarks": [*BENCHMARKS[model.language]],
    }
    step = Step("subset", {"of": Path(recipe.full).name, **metadata})
    if not recipe.floats:
        parts = read_navec(source)
        by_frequency = np.argsort(-parts.counts.astype(np.int64), kind="stable").tolist()
        quantised = parts.quantised.select(by_frequency)
        positions = {key: row for row, key in enumerate(quantised.keys)}
        rows = rows_kept(positions, suites)
        small = quantised.select(rows)
        write_native_quantised(
            small.keys,
            small.codes,
            small.codebooks,
            path,
            name=model.name,
            history=(step,),
            counts=parts.counts[by_frequency][rows],
            licence=model.licence,
            origin=model.origin,
        )
        return positions
    full = load(source, geometry=model.geometry, curvature=model.curvature)
    rows = rows_kept(full.positions, suites)
    keys = [full.keys[row] for row in rows]
    counts = None if full.counts is None else full.counts[rows]
    learnt = tuple(done for done in full.history if done.action == "trained")
    embedding = Embedding(
        keys, full.vectors[rows], full.geometry, model.name, (*learnt, step), counts, full.languages
    )
    write_native(embedding, path, licence=model.licence, origin=model.origin, dtype=recipe.floats)
    return full.positions


def full_path(full: str) -> Path:
    """Return the full model's file, fetching it if the catalogue knows it."""
    if full in catalogue.names():
        return catalogue.local_path(full, shape_of=shape_of)
    path = Path(os.environ.get("FAIRVEC_DATA", NEXT_TO_CHECKOUT)) / full
    if not path.is_file():
        sys.exit(f"{path} does not exist: point FAIRVEC_DATA at the folder that holds {full}.")
    return path


def rows_kept(positions: Mapping[str, int], suites: Sequence[Suite]) -> list[int]:
    """Return the rows of the most frequent words and of all that the suites can look up."""
    rows = set(range(min(MOST_FREQUENT, len(positions))))
    for language, words in words_of(suites):
        lookup = Lookup(positions, language)
        for word in words:
            # Each spelling alone too, so that a list with fewer variants finds its word.
            for spellings in (word.spellings, *((spelling,) for spelling in word.spellings)):
                if match := lookup.find(spellings, word.pos):
                    rows.update(positions[key] for key in match.keys)
    return sorted(rows)


def words_of(suites: Sequence[Suite]) -> Iterator[tuple[str, Iterable[Word]]]:
    """Yield the words of the suites, and of concepts and benchmarks in their languages."""
    for suite in suites:
        yield suite.language, [word for each in suite.sets.values() for word in each.words]
    languages = {suite.language for suite in suites}
    for concept in shipped_concepts():
        if concept.language in languages:
            yield concept.language, concept_words(concept)
    for language in sorted(languages):
        for name in BENCHMARKS[language]:
            yield language, [Word(word=word) for word in benchmark(name).texts]


def concept_words(concept: Concept) -> Iterator[Word]:
    """Yield every word that a concept names, in all its variants."""
    for definition in (*concept.variants.values(), *concept.keep.values()):
        yield from definition.entries
    for pair in concept.equalise:
        yield from pair
    yield from concept.specific


def compared(suite: Suite, full: Mapping[str, int], small: Mapping[str, int]) -> str:
    """Say how many words of the suite are found, having made sure that both find the same keys."""
    words = {(w.spellings, w.pos) for wordset in suite.sets.values() for w in wordset.words}
    in_full, in_small = (Lookup(keys, suite.language) for keys in (full, small))
    different = [s for s, pos in words if in_full.find(s, pos) != in_small.find(s, pos)]
    if different:
        sys.exit(f"{suite.id}: the small model finds other keys than the full one for {different}.")
    found = sum(in_small.find(s, pos) is not None for s, pos in words)
    return f"{suite.id}: {found} of {len(words)} words"


def update_catalogue(name: str, *, words: int, path: Path) -> None:
    """Write words, size and sha256 of a shipped model into its entry, and nothing else."""
    file = DATA / FILE_NAME
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    entries = re.split(r"(?m)^(?=\[\[models\]\])", file.read_text(encoding="utf-8"))
    for number, entry in enumerate(entries):
        if f'name = "{name}"\n' in entry:
            entry = re.sub(r"(?m)^words = .*$", f"words = {words}", entry)
            entry = re.sub(r"(?m)^size = .*$", f"size = {path.stat().st_size}", entry)
            entries[number] = re.sub(r"(?m)^sha256 = .*$", f'sha256 = "{digest}"', entry)
    file.write_text("".join(entries), encoding="utf-8")


if __name__ == "__main__":
    # In a process of its own alone: benchmarks are looked up in this variable, by everyone.
    if NEXT_TO_CHECKOUT.is_dir():
        os.environ.setdefault("FAIRVEC_DATA", str(NEXT_TO_CHECKOUT))
    main()
