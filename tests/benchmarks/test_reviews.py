"""Reviews in other people's files are read, or refused in one sentence."""

import csv
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.benchmarks import Review, ReviewColumns, ReviewSet, load_reviews, read_benchmark
from fairvec.benchmarks.reviews import parse_labels, parse_reviews
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError

PLAIN = ReviewColumns()
THREE = ReviewColumns(labels=parse_labels("0=negative,1=neutral,2=positive"))
texts = st.text(st.characters(blacklist_categories=["Cs", "Cc"]) | st.sampled_from('\n",;\t'))


@given(
    rows=st.lists(st.tuples(texts.filter(str.strip), st.booleans()), min_size=1),
    mark=st.sampled_from(",\t;"),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_the_csv_module_writes_is_read_as_it_was(
    rows: list[tuple[str, bool]], mark: str, end: str
) -> None:
    rows += [("one", True), ("other", False)]
    file = StringIO(newline="")
    writer = csv.writer(file, delimiter=mark, lineterminator=end)
    writer.writerow(["id", "Label", "text"])
    writer.writerows((at, "pos" if good else "NEG", text) for at, (text, good) in enumerate(rows))
    found, dropped = parse_reviews(file.getvalue(), "f", PLAIN)
    assert found == tuple(Review(text, good) for text, good in rows)
    assert dropped == ()


def test_other_classes_are_dropped_and_counted_by_name() -> None:
    text = "text,label\na,positive\nb,Neutral\nc,conflict\nd,neutral\ne,0\n,1\nf,\n"
    found, dropped = parse_reviews(text, "f", PLAIN)
    assert found == (Review("a", True), Review("e", False))
    assert dropped == (
        ("conflict", 1),
        ("neutral", 2),
        ("without label", 1),
        ("without text", 1),
    )


def test_numbers_mean_what_is_declared() -> None:
    text = "text,label\na,2\nb,1\nc,0\n"
    with pytest.raises(LexiconError, match=r"numbers other than 0 and 1.*'2' \(1\).*--labels"):
        parse_reviews(text, "f", PLAIN)
    found, dropped = parse_reviews(text, "f", THREE)
    assert found == (Review("a", True), Review("c", False))
    assert dropped == (("neutral", 1),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("text,label\n", "holds no reviews"),
        ("text,label\na,1\nb,1\n", "all 2 reviews that could be used are of one class"),
        ("text,label\na,good\nb,bad\n", r"no label is positive.*'good' \(1\), 'bad' \(1\)"),
        ("text,lable\na,1\n", "no column 'label' .did you mean lable.; .*--label-column"),
        ("review,label\na,1\n", "no column 'text' .there are review, label."),
        ("text,label,label\na,1,0\n", "two columns are named 'label'"),
        ("text,label\na,b,1\n", "line 2: 3 cells stand where 2 should"),
        ('text,label\n"a\nb",1\nc\n', "line 4: 1 cell"),
        ('text,label\n"a,1\nb,0\n', "close every quote"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(text: str, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        parse_reviews(text, "f", PLAIN)


def test_quotes_of_a_tab_parted_file_may_be_letters() -> None:
    text = 'text\tlabel\n"Great" he said\t1\n"never closed\t0\n'
    found, _ = parse_reviews(text, "f", PLAIN)
    assert [review.text for review in found] == ['"Great" he said', '"never closed']


def test_a_long_text_is_read() -> None:
    found, _ = parse_reviews(f"text,label\n{'word ' * 100_000},1\nb,0\n", "f", PLAIN)
    assert len(found[0].text) == 500_000
    assert csv.field_size_limit() == 131_072


def test_tables_read_at_once_in_threads_leave_the_limit_as_it_was() -> None:
    """csv has one limit for all threads: one that put it back early would cut another's cell."""
    text = f"text,label\n{'word ' * 40_000},1\nb,0\n"
    with ThreadPoolExecutor(8) as pool:
        read = pool.map(lambda _: parse_reviews(text, "f", PLAIN), range(24))
        assert {len(found[0].text) for found, _ in read} == {200_000}
    assert csv.field_size_limit() == 131_072


def test_a_split_names_its_parts() -> None:
    text = "text,label,part\na,1,train\nb,0,Train_2\nc,1,valid\nd,0,dev\n"
    found, dropped = parse_reviews(text, "f", ReviewColumns(split="part"))
    assert [review.split for review in found] == ["train", "train", "test", "test"]
    assert dropped == ()
    found, dropped = parse_reviews(text + "e,1,test\n", "f", ReviewColumns(split="part"))
    assert [review.text for review in found] == ["a", "b", "e"]
    assert dropped == (("of the validation part", 2),)
    for wrong, message in (("a,1,train\nb,0,test\n", "both classes"), ("a,1,x\nb,0,test\n", "'x'")):
        with pytest.raises(LexiconError, match=message):
            parse_reviews("text,label,part\n" + wrong, "f", ReviewColumns(split="part"))


@pytest.mark.parametrize("wrong", ["", "a", "a=", "a=positive", "a=positive,a=negative", "=b"])
def test_labels_are_reported_one_by_one(wrong: str) -> None:
    with pytest.raises(SettingError, match="The labels"):
        parse_labels(wrong)


def test_a_file_is_opened_by_its_path_and_a_set_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "ours.csv"
    file.write_bytes("\ufefftext,label\nगाना,1\nb,0\n".encode())
    ours = load_reviews(file, "hi")
    assert isinstance(ours, ReviewSet)
    assert (ours.name, ours.language, ours.words, len(ours)) == ("ours", "hi", ("गाना", "b"), 2)
    file.write_bytes(b"text,label\na,1\n\xff,0\n")
    with pytest.raises(LexiconError, match=r"ours\.csv, line 3: this is not UTF-8"):
        load_reviews(file, "hi")
    with pytest.raises(LexiconError, match="cannot be read"):
        load_reviews(tmp_path / "absent.csv")
    with pytest.raises(UnknownNameError, match="did you mean iitp-movie-reviews"):
        load_reviews("iitp-movie-review")
    with pytest.raises(SettingError, match=r"no set of reviews but one of similarity"):
        _pairs(tmp_path)


def _pairs(folder: Path) -> None:
    data = Path(folder, "word_similarity_en")
    data.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fairvec.benchmarks.load.dataset_files", lambda *_: (data / "x.txt",))
        (data / "x.txt").write_text("a b 1\n", encoding="utf-8")
        load_reviews("mc30")


def test_columns_may_be_named_otherwise_than_in_the_catalogue(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    corrected = load_reviews("hindi-movie-reviews", columns=ReviewColumns(split="split"))
    assert corrected.split
    assert not load_reviews("hindi-movie-reviews").split
    released = load_reviews("hindi-movie-reviews-as-released")
    counts = [sum(review.positive for review in each.reviews) for each in (corrected, released)]
    assert (counts, len(corrected), len(released)) == ([229, 154], 271, 332)
    path = shared_data / "hindi_sentiment" / "hindi_movie_reviews_combined.csv"
    with pytest.raises(LexiconError, match="no column 'label'"):
        read_benchmark(path, "sentiment", "hi")


def test_a_class_that_is_nearly_one_is_a_slip() -> None:
    with pytest.raises(SettingError, match="did you mean positive"):
        parse_labels("1=negative,5=positve,4=positive")
