"""Words in their contexts in a corpus."""

import bz2
import gzip
import lzma
from bz2 import compress as bz2_packed
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core import memory as budget
from fairvec.core.errors import FairvecError, FileFormatError, SettingError
from fairvec.core.io.text_files import read_lines
from fairvec.encoders.contexts import Corpus
from fairvec.languages.sentences import Sentence

# --- Small corpora written for a test ---


PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".txt": lambda content: content,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2_packed,
}


def written(folder: Path, lines: Sequence[str], ending: str = ".txt") -> Path:
    """Write lines to a file, packed as its ending says."""
    path = folder / f"corpus{ending}"
    path.write_bytes(PACKED[ending]("".join(f"{line}\n" for line in lines).encode()))
    return path


def corpus(folder: Path, lines: Sequence[str], **settings: Any) -> Corpus:
    """The corpus of some lines, nothing kept on disk."""
    return Corpus((written(folder, lines),), **{"keep": False, **settings})


# --- Words in their contexts: whole tokens, drawn alike whatever else is asked ---


LINES = [f"Number {n} she saw a {kind} there." for n in range(40) for kind in ("cat", "dog")]

CHAOS = Random(0).randbytes(5000).hex().encode()
"""What does not become much shorter."""


def found(folder: Path, lines: list[str], *words: str) -> list[list[str]]:
    asked = corpus(folder, lines)([(word,) for word in words])
    return [[f"{one.before}<{one.word}>{one.after}" for one in each] for each in asked]


@pytest.mark.parametrize(
    ("word", "line", "wanted"),
    [
        ("she", "She and she.", "<She> and she."),
        ("she", "SHE came, ashes too", "<SHE> came, ashes too"),
        ("man", "A Spider-Man and a man's woman", None),
        ("Bill", "a bill to pay", None),
        ("Bill", "BILL paid", "<BILL> paid"),
        ("ice cream", "Ice  cream melts", "<Ice  cream> melts"),
        ("ice cream", "ice, cream and", None),
        ("ice_cream", "some ice cream", "some <ice cream>"),
        ("new york city", "in New York City now", "in <New York City> now"),
        ("कि", "किताब है कि नहीं", "किताब है <कि> नहीं"),
        ("क", "कि का के", None),
        ("लड़का", "एक लड\u093cका।", "एक <लड\u093cका>।"),
        ("शक्ति", "यह शक्\u200dति है", "यह <शक्ति> है"),
        ("он", "Она, оно; Он!", "Она, оно; <Он>!"),
        ("ёж", "Злой е\u0308ж.", "Злой <ёж>."),
        ("she", "She.", None),
    ],
)
def test_a_word_is_found_as_a_whole_token(
    word: str, line: str, wanted: str | None, tmp_path: Path
) -> None:
    assert found(tmp_path, [line], word) == [[wanted] if wanted else []]


def test_variants_are_forms_of_the_same_word(tmp_path: Path) -> None:
    lines = ["a grey cat", "a gray dog"]
    (both,) = corpus(tmp_path, lines)([("grey", "gray")])
    assert {one.word for one in both} == {"grey", "gray"}


@given(st.permutations(LINES), st.integers(1, 90), st.integers(0, 5))
def test_the_draw_ignores_the_order_of_lines_and_other_words(
    order: list[str], most: int, seed: int
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        alone = corpus(folder, LINES, most=most, seed=seed)([("she",)])[0]
        other, *_ = corpus(folder, order, most=most, seed=seed)([("she",), ("cat",), ("saw a",)])
        more = corpus(folder, LINES * 2, most=90, seed=seed)([("she",)])[0]
    assert alone == other
    assert len(alone) == min(most, len(LINES))
    assert more[:most] == alone  # fewer contexts are the first of more, and repeats count once


def test_seeds_and_words_draw_differently_and_every_sentence_alike(tmp_path: Path) -> None:
    drawn = [corpus(tmp_path, LINES, most=20, seed=seed)([("she",)])[0] for seed in range(100)]
    assert len({*drawn}) == 100
    counts = [sum(line == one.text for each in drawn for one in each) for line in LINES]
    assert sum(counts) == 2000
    # Each has a chance of 1/4: 25 of 100 draws, give or take 4.3.
    assert 6 < min(counts) <= max(counts) < 46
    one, other = corpus(tmp_path, LINES, most=5)([("she",), ("saw",)])
    assert {each.text for each in one} != {each.text for each in other}


def test_long_sentences_are_not_used_and_counted(tmp_path: Path) -> None:
    texts = corpus(tmp_path, ["she " * 5, "she sat", "she stood. " * 2, "she"], longest=4)
    (contexts,) = texts.contexts([("she",)])
    assert {one.text for one in contexts.sentences} == {"she sat", "she stood. she stood."}
    assert (contexts.found, contexts.too_long) == (2, 1)


@pytest.mark.parametrize("ending", PACKED)
def test_packed_files_are_read(ending: str, tmp_path: Path) -> None:
    path = written(tmp_path, ["\ufeffयह पुस्तक है।"], ending)
    assert Corpus((path,), keep=False)([("पुस्तक",)]) == [(Sentence("यह ", "पुस्तक", " है।"),)]


def test_several_files_are_one_corpus_in_any_order(tmp_path: Path) -> None:
    one, other = (
        written(tmp_path, LINES[half::2], end) for half, end in enumerate((".txt", ".xz"))
    )
    corpora = [Corpus(files, keep=False) for files in ((one, other), (other, one))]
    assert corpora[0].name == corpora[1].name
    assert corpora[0]([("she",)]) == corpora[1]([("she",)])


def test_progress_is_that_of_all_files_together(tmp_path: Path) -> None:
    files = tuple(tmp_path / f"{number}.txt" for number in range(3))
    for number, file in enumerate(files):
        file.write_text("she sings\n" * 5000 * (number + 1), encoding="utf-8")
    reports: list[tuple[int, int]] = []
    texts = Corpus(files, keep=False, on_progress=lambda *message: reports.append(message))
    assert texts([("she",)])[0]
    assert reports == sorted(reports)
    assert {whole for _, whole in reports} == {30_000 * len("she sings\n")}
    assert reports[-1][0] > reports[-1][1] / 2


def test_what_was_found_is_kept_on_disk_by_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    reads: list[int] = []
    path = written(tmp_path, LINES)

    def asked(*words: str, **settings: Any) -> list[tuple[Sentence, ...]]:
        texts = Corpus((path,), on_progress=lambda done, size: reads.append(done), **settings)
        return texts([(word,) for word in words])

    first = asked("she", "nowhere")
    assert (asked("nowhere", "she"), len(reads)) == (first[::-1], 1)
    assert (asked("she", "cat")[0], len(reads)) == (first[0], 2)  # only the new word is sought
    asked("she", seed=1)
    asked("she", most=3)
    asked("she", longest=3)
    assert len(reads) == 5
    path.write_text("she is new", encoding="utf-8")
    assert asked("she") == [(Sentence("", "she", " is new"),)]


def test_a_damaged_store_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    texts = Corpus((written(tmp_path, LINES),))
    store = tmp_path / "home" / "contexts" / f"{texts.sha256}.sqlite"
    store.parent.mkdir(parents=True)
    store.write_bytes(b"no database at all, but long enough to look at" * 9)
    with pytest.raises(FairvecError, match="delete the file"):
        texts([("she",)])


def test_a_corpus_without_the_words_gives_none(tmp_path: Path) -> None:
    assert corpus(tmp_path, LINES)([("zebra",), (":)",)]) == [(), ()]


@pytest.mark.parametrize(
    ("content", "ending", "message"),
    [
        (b"", ".txt", "empty"),
        (b"good line\n\xff\xfe bad\n", ".txt", "line 2: this is not UTF-8"),
        ("she".encode("utf-16"), ".txt", "line 1: this is not UTF-8"),
        (b"she sat\n" + b"x" * (2**20 + 1), ".txt", "line 2: it is longer than"),
        (b"this is no archive", ".gz", "damaged or cut short"),
        (b"this is no archive", ".xz", "damaged or cut short"),
        (b"this is no archive", ".bz2", "damaged or cut short"),
        (PACKED[".xz"](CHAOS)[:-100], ".xz", "damaged or cut short"),
        (PACKED[".gz"](b"she sat\n" * 500)[:-10], ".gz", "damaged or cut short"),
    ],
    # Not by content: what gzip packs holds the second in which it did.
    ids=["nothing", "latin", "utf-16", "long", "gz", "xz", "bz2", "cut-xz", "cut-gz"],
)  # fmt: skip
def test_a_malformed_corpus_is_reported(
    content: bytes, ending: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / f"bad{ending}"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=message):
        Corpus((path,), keep=False)([("she",)])


class Zstandard:
    """As on PyPI: an object unpacks one frame, and is not told how much to give."""

    class ZstdDecompressor:
        def decompressobj(self) -> bz2.BZ2Decompressor:
            return bz2.BZ2Decompressor()


class ZstdOfPython:
    ZstdDecompressor = bz2.BZ2Decompressor


@pytest.mark.parametrize("package", ["zstandard", "compression.zstd", "backports.zstd"])
def test_zst_is_read_where_a_package_can_and_else_the_remedy_is_reported(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "corpus.zst"
    frames = [bz2.compress(b"he ran\n" * 9), bz2.compress(b"she sat\n")]
    path.write_bytes(b"".join(frames))
    known: dict[str, object] = {}

    def imported(name: str) -> object:
        if name not in known:
            raise ImportError
        return known[name]

    monkeypatch.setattr("fairvec.core.io.text_files.import_module", imported)
    with pytest.raises(FileFormatError, match="pip install zstandard"):
        Corpus((path,), keep=False)([("she",)])
    known[package] = Zstandard if package == "zstandard" else ZstdOfPython
    assert Corpus((path,), keep=False)([("she",)]) == [(Sentence("", "she", " sat"),)]
    for broken in (frames[0] + frames[1][:-1], frames[0] + b"b" + frames[1][1:]):
        path.write_bytes(broken)
        with pytest.raises(FileFormatError, match=r"after line (9|10): .*damaged or cut short"):
            Corpus((path,), keep=False)([("she",)])


@pytest.mark.parametrize("ending", [".xz", ".bz2"])
def test_no_stream_of_a_corpus_is_left_out_without_a_word(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"corpus{ending}"
    first, second = (PACKED[ending](text) for text in (b"he ran\n", b"she sat\n"))
    path.write_bytes(first + second)
    assert Corpus((path,), keep=False)([("she",)]) == [(Sentence("", "she", " sat"),)]
    path.write_bytes(first + b"?" + second[1:])
    with pytest.raises(FileFormatError, match="after line 1: the file is damaged or cut short"):
        Corpus((path,), keep=False)([("she",)])


def test_a_corpus_that_is_not_there_is_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="no such corpus"):
        Corpus((tmp_path / "nowhere.txt",))
    with pytest.raises(SettingError, match="at least one file"):
        Corpus(())
    with pytest.raises(SettingError, match="most"):
        corpus(tmp_path, LINES, most=0)


@pytest.mark.parametrize("ending", [".gz", ".xz", ".bz2"])
@pytest.mark.parametrize(
    "text", [b"\n" * 3000, b"he ran and ran and ran and ran\n" * 3000], ids=["lines", "bytes"]
)
def test_a_small_corpus_never_unpacks_to_a_large_one(
    text: bytes, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes of a file is held against its size, as it is of any archive."""
    path = tmp_path / f"corpus{ending}"
    path.write_bytes(PACKED[ending](text))
    assert sum(1 for _ in read_lines(path)) == 3000
    monkeypatch.setattr(budget, "ALWAYS_BYTES", 60_000)
    monkeypatch.setattr(budget, "ALWAYS_ROWS", 2_000)
    with pytest.raises(FileFormatError, match=r"line \d+: .*; unpack it yourself if you trust it"):
        sum(1 for _ in read_lines(path))
    # A file that is not packed is never longer than itself.
    path = tmp_path / "corpus.txt"
    path.write_bytes(text)
    assert sum(1 for _ in read_lines(path)) == 3000
