"""Every format that fairvec reads, one target each."""

import gzip
import io
import json
import re
import struct
import tarfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

from fairvec.embedding import Embedding, load, save, shape_of
from fairvec.embedding.formats import FORMATS, writable_formats
from fuzz.cases import Files, Target
from fuzz.crafted import crafted_for
from fuzz.honest import SPACES, files_in, model


def embeddings(folder: Path) -> Iterator[Target]:
    """Give a target for each format, read whole, in part and for its shape."""
    for name, main, made in honest_of(folder):
        yield Target(
            name=f"format-{name}",
            run=partial(read_model, name=main),
            honest=made,
            crafted=crafted_for(f"format-{name}", made[-1], main)
            | crafted_for("any", made[0], main),
            covers=[f"format {name}"],
        )


def honest_of(folder: Path) -> Iterator[tuple[str, str, list[Files]]]:
    """Give for each format its name, the file that is opened, and honest cases."""
    for known in FORMATS:
        made = list(_honest(known.name, folder / known.name))
        if made:  # else an extra is missing that writes it
            main = next(name for name in made[0] if Path(name).suffix in known.suffixes)
            yield known.name, main, made


def read_model(folder: Path, name: str) -> None:
    """Read a file as a user would: whole, some words of it, or for its shape."""
    path = folder / name
    # Its bytes decide, so that a case is always read in the same way.
    way = crc32(path.read_bytes()) % 5 if path.is_file() else 2
    if way > 1:
        _complete(path)
    elif way == 1:
        _some_words(path)
    else:
        shape_of(path)


def _complete(path: Path) -> None:
    embedding = load(path)
    _ = embedding.sha256 if hasattr(embedding, "sha256") else embedding.vectors.sum()
    if len(embedding):
        embedding.rows([embedding.keys[0]])


def _some_words(path: Path) -> None:
    load(path, ["he", "she", "unheard-of"], invalid_utf8="replace", outside="project")


def _honest(name: str, folder: Path) -> Iterator[Files]:
    """Give files of a format, by fairvec's own writer where it has one."""
    writer = next((known for known in writable_formats() if known.name == name), None)
    makers: dict[str, list[Callable[[Path], None]]] = {
        "npy": [_npy],
        "torch": [partial(_torch, old=False), partial(_torch, old=True)],
        "gensim": [partial(_gensim, kind="kv"), partial(_gensim, kind="model")],
        "navec": [_navec],
        "fasttext-bin": [_fasttext],
    }
    if writer is not None:
        makers[name] = [
            partial(_written, model(space), f"model{writer.suffixes[0]}", name) for space in SPACES
        ]
    for number, make in enumerate(makers[name]):
        place = folder / str(number)
        place.mkdir(parents=True)
        make(place)
        if found := files_in(place):
            yield found


def _written(embedding: Embedding, name: str, format: str, folder: Path) -> None:
    save(embedding, folder / name, format=format, licence="CC0", origin="here", force=True)


def _npy(folder: Path) -> None:
    np.save(folder / "model.npy", model().vectors)
    (folder / "model.txt").write_text("\n".join([*model().keys, ""]), encoding="utf-8")


def _torch(folder: Path, old: bool) -> None:
    try:
        import torch
    except ImportError:
        return
    path, tensors = folder / "model.pt", {"weight": torch.from_numpy(np.array(model().vectors))}
    torch.save(tensors, path, _use_new_zipfile_serialization=not old)
    # The old layout names a tensor by its address, which is another one each time.
    named = rb"X.\x00\x00\x00\d{9,19}"
    path.write_bytes(re.sub(named, b"X\x03\x00\x00\x00123", path.read_bytes(), flags=re.DOTALL))
    (folder / "model.txt").write_text("\n".join([*model().keys, ""]), encoding="utf-8")


def _gensim(folder: Path, kind: str) -> None:
    try:
        from gensim.models import KeyedVectors, Word2Vec
    except ImportError:
        return
    if kind == "kv":
        vectors = KeyedVectors(model().dimensions)
        vectors.add_vectors(list(model().keys), np.array(model().vectors))
        vectors.lifecycle_events = None  # they say when
        vectors.save(str(folder / "model.kv"), sep_limit=500)
        return
    texts = [[*model().keys][at : at + 9] for at in range(20)] * 3
    learnt = Word2Vec(texts, vector_size=8, min_count=1, workers=1, seed=1, epochs=1)
    learnt.lifecycle_events = learnt.wv.lifecycle_events = None
    learnt.total_train_time = 0.0
    learnt.save(str(folder / "model.kv"))


def _navec(folder: Path) -> None:
    words = ["а", "кот", "слово", "<unk>", "<pad>"]
    draw = np.random.default_rng(2)
    codes = draw.integers(0, 3, (5, 2), dtype=np.uint8)
    books = draw.standard_normal((2, 3, 4)).astype(np.float32)
    vocabulary = struct.pack("<6I", 5, 9, 5, 7, 0, 0) + "\n".join(words).encode()
    members = {
        "meta.json": json.dumps({"id": "tiny", "protocol": 1}).encode(),
        "vocab.bin": gzip.compress(vocabulary, mtime=0),
        "pq.bin": struct.pack("<4I", 5, 8, 2, 3) + codes.tobytes() + books.tobytes(),
    }
    with tarfile.open(folder / "model.tar", "w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))


def _fasttext(folder: Path) -> None:
    words, buckets, width = ["кот", "dog", "he", "she"], 5, 3
    matrix = np.random.default_rng(4).standard_normal((len(words) + buckets, width))
    settings = (width, 5, 5, 1, 5, 1, 2, 2, buckets, 3, 6, 100)
    entries = b"".join(
        word.encode() + b"\0" + struct.pack("<qb", 50 - at, 0) for at, word in enumerate(words)
    )
    (folder / "model.bin").write_bytes(
        struct.pack("<2i12id", 793712314, 12, *settings, 1e-4)
        + struct.pack("<3i2q", len(words), len(words), 0, 100, -1)
        + entries
        + struct.pack("<?2q", False, *matrix.shape)
        + matrix.astype("<f4").tobytes()
        + struct.pack("<?2q", False, 0, width)
    )
