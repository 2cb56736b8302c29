"""Texts of every kind that is read: documents, tables of them, folders, and packed corpora."""

import bz2
import gzip
import lzma
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from fairvec.core.io.text_files import ZSTD_READERS, read_lines
from fairvec.documents.read import READERS, TABLES
from fairvec.encoders.contexts import Corpus
from fuzz.cases import Files, Target
from fuzz.crafted import crafted_for
from fuzz.honest import DOCUMENT, corpus
from fuzz.mutations import mutated
from fuzz.shell import all_refused

PAGE = b"<html><body><h1>News</h1><p>" + DOCUMENT + b"</p></body></html>"
MARKDOWN = (
    b"# News\n\n> " + DOCUMENT + b"\n```\ncode\n```\n\n- [a link](there), `he`\n\n| a |\n|--|\n"
)
TABLE = b'id,text\n1,"She is a nurse; he said ""no""."\n2,The chairman left.\n3,\n'
HONEST = {
    ".txt": DOCUMENT,
    **dict.fromkeys((".md", ".markdown"), MARKDOWN),
    **dict.fromkeys((".html", ".htm", ".xhtml"), PAGE),
    ".csv": TABLE,
    ".tsv": TABLE.replace(b",", b"\t"),
}
PACK: dict[str, Callable[[bytes], bytes]] = {
    ".txt": bytes,
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}
ZSTD: Any = None
for _name in ZSTD_READERS[::-1]:
    with suppress(ImportError):
        ZSTD = import_module(_name)
        PACK[".zst"] = ZSTD.compress


def texts(_: Path) -> Iterator[Target]:
    """Give a target for each kind of document and each way to pack a corpus."""
    for ending in (*READERS, *TABLES):
        name = "" if ending == ".txt" else f"-{ending[1:]}"
        file = f"text{ending}"
        table = ("--column", "text") if ending in TABLES else ()
        command = ("document", file, *table, "--aim", "swap", "-o", "out")
        yield _one(f"document{name}", {file: HONEST[ending]}, file, command)
    several = {f"in/text{ending}": data for ending, data in HONEST.items()}
    command = ("document", "in", "--column", "text", "-o", "out")
    yield _one("document-folder", several, "in/text.csv", command)
    for ending, pack in PACK.items():
        name, file = "corpus" + ("" if ending == ".txt" else f"-{ending[1:]}"), f"text{ending}"
        yield Target(
            name=f"list-{name}",
            run=partial(_corpus, file=file),
            honest=[{file: pack(corpus(1))}, {file: pack(DOCUMENT)}],
            crafted=crafted_for(f"list-{name}", {}, file),
            covers=[f"list {name}"],
            change=_of_zst if ending == ".zst" else mutated,
        )


def _of_zst(name: str, data: bytes, random: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    """Change the text inside of a .zst, or the file as any other."""
    if random.random() < 0.5:
        with suppress(Exception):  # each package has errors of its own for what is no .zst
            text, description = mutated(name.rpartition(".")[0], ZSTD.decompress(data), random, ())
            return ZSTD.compress(text), f"inside: {description}"
    return mutated(name, data, random, others)


def _one(name: str, honest: Files, main: str, command: tuple[str, ...]) -> Target:
    return Target(
        name=f"list-{name}",
        run=lambda _: all_refused(command),
        honest=[honest],
        crafted=crafted_for(f"list-{name}", honest, main),
        covers=[f"list {name}"],
        writes=True,
    )


def _corpus(folder: Path, file: str) -> None:
    for _ in read_lines(folder / file):
        pass
    Corpus((folder / file,), keep=False).contexts([("she",), ("he", "him"), ("king",)])
