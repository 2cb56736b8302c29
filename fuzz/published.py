"""Small benchmarks in the places of published ones, which lie on few machines."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from lzma import compress
from pathlib import Path
from typing import Any

from fairvec.catalogue import entries as data_sets
from fairvec.catalogue.entries import Dataset
from fairvec.core.io.read_files import sha256_of_file
from fuzz.cases import Files
from fuzz.honest import REVIEWS

DATA = "data"
"""The folder of a case that FAIRVEC_DATA names."""
SETS: dict[str, tuple[bytes, ...]] = {
    "similarity": (b"king,queen,8.5\nman,woman,7\nart,science,3.25\n", b"king\tqueen\t8.5\n"),
    "analogy": (
        b": family\nking queen man woman\nboy girl son daughter\n: capital\nhe she man woman\n",
    ),
    "sembias": (b"king:queen\tart:science\tdoctor:nurse\thome:family\n" * 3,),
    "sentence-pairs": (
        b"context\tstereotype\tanti-stereotype\tunrelated\ttarget\tcategory\n"
        b"The man came.\tThe man is a doctor.\tThe man is a nurse.\tArt.\tman\tgender\n"
        b"The woman came.\tThe woman is a nurse.\tThe woman is a doctor.\tArt.\twoman\tgender\n",
        b'{"data": {"intersentence": [{"context": "A man.", "target": "man", "bias_type": "a", '
        b'"sentences": [{"gold_label": "stereotype", "sentence": "A doctor."}, {"gold_label": '
        b'"anti-stereotype", "sentence": "A nurse."}, {"gold_label": "unrelated", "sentence": '
        b'"Art."}]}]}}',
    ),
    "retrieval": (
        b"q_id,relevant,query,doc_title,document,content_gender,exp_stereotype\n"
        b"0,1,a doctor,Science,a man,M,Towards Male\n0,1,a doctor,Science,a woman,F,-\n"
        b'0,0,a doctor,Art,"a man, a son",M,-\n0,0,a doctor,Art,a woman,F,-\n',
    ),
    "sentiment": (REVIEWS,),
}
READ = "read_entries"
"""What the catalogue is read by; it is not exported."""
NAMES = (
    *("mc30", "rg65", "google-analogies", "sembias", "stereoset", "grep-biasir"),
    "iitp-movie-reviews",
)
"""Of each kind at least one."""


def published() -> Files:
    """Return a file for some benchmarks of the catalogue, where each is looked for."""
    return {
        f"{DATA}/{one.file}": compress(SETS[one.kind][0])
        if one.file.endswith(".xz")
        else SETS[one.kind][0]
        for one in data_sets.datasets()
        if one.name in NAMES
    }


@contextmanager
def data_in(folder: Path, *, as_published: bool = True) -> Iterator[None]:
    """Let FAIRVEC_DATA name a folder, and take what lies there for what was published."""
    data_folder, read = os.environ.get(data_sets.VARIABLE), getattr(data_sets, READ)
    os.environ[data_sets.VARIABLE] = str(folder)
    if as_published:
        here = tuple(_as_it_is(one, folder / one.file) for one in data_sets.datasets())
        _catalogue_read_by(lambda *_: here)
    try:
        yield
    finally:
        _catalogue_read_by(read)
        if data_folder is None:
            del os.environ[data_sets.VARIABLE]
        else:
            os.environ[data_sets.VARIABLE] = data_folder


def _as_it_is(one: Dataset, path: Path) -> Dataset:
    """Return an entry whose sum is that of the file at hand, which has columns of our own."""
    if not path.is_file():
        return one
    own = {"sections": {}, "held_out": 0, "columns": {}, "labels": {}, "more_files": ()}
    return one.model_copy(update={**own, "sha256": sha256_of_file(path)})


def _catalogue_read_by(read: Any) -> None:
    setattr(data_sets, READ, read)
    data_sets.datasets.cache_clear()
