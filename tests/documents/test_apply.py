from pathlib import Path

import pytest

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.documents.apply import _without_overlaps, apply_changes
from fairvec.documents.check import DocumentsReport, check_documents
from fairvec.documents.read import read_documents as read
from fairvec.languages.rewriting import Edit, Proposal, apply_edits

# --- A fairer version is a new file that differs in the accepted changes alone ---


def judged(*places: Path, **settings: str) -> DocumentsReport:
    return check_documents(read(*places, **settings))  # type: ignore[arg-type]


@pytest.mark.usefixtures("toy_rules")
def test_all_else_stays_byte_for_byte(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    content = "<p id='chairman'>\tThe <b>chairman</b>\r\nand he, caf\u00e9.</p>"
    file.write_bytes(b"\xff\xfe" + content.encode("utf-16-le"))
    applied = apply_changes(judged(file), tmp_path / "b.html")
    assert (applied.documents, applied.changes, applied.left_out) == (1, 1, 0)
    expected = content.replace("<b>chairman", "<b>chair")
    assert (tmp_path / "b.html").read_bytes() == b"\xff\xfe" + expected.encode("utf-16-le")
    assert file.read_bytes().decode("utf-16") == content


@pytest.mark.usefixtures("toy_rules")
def test_a_word_that_goes_on_as_an_entity_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_text("<p>A chairman&#39;s hat &amp; a chairman & co.</p>")
    apply_changes(judged(file), tmp_path / "b.html")
    expected = "<p>A chairman&#39;s hat &amp; a chair & co.</p>"
    assert (tmp_path / "b.html").read_text() == expected


@pytest.mark.usefixtures("toy_rules")
def test_changes_are_accepted_by_id(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("A chairman, he, a chairman.")
    found = judged(file)
    apply_changes(found, tmp_path / "b.txt", accept=["n3"])
    assert (tmp_path / "b.txt").read_text() == "A chairman, he, a chair."
    apply_changes(found, tmp_path / "c.txt", accept=["s1", "n3"])
    assert (tmp_path / "c.txt").read_text() == "A chairwoman, he, a chair."
    apply_changes(found, tmp_path / "d.txt", aim="swap")
    assert (tmp_path / "d.txt").read_text() == "A chairwoman, he, a chairwoman."
    with pytest.raises(UnknownNameError, match="change named 'n9'"):
        apply_changes(found, tmp_path / "e.txt", accept=["n9"])
    with pytest.raises(SettingError, match="n2 is only flagged"):
        apply_changes(found, tmp_path / "e.txt", accept=["n2"])
    with pytest.raises(SettingError, match="overlap"):
        apply_changes(found, tmp_path / "e.txt", accept=["n1", "s1"])
    assert not (tmp_path / "e.txt").exists()


@pytest.mark.usefixtures("toy_rules")
def test_nothing_is_written_over(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("A chairman.")
    for place in (file, tmp_path):
        with pytest.raises(SettingError, match="exists already"):
            apply_changes(judged(file), place)
    assert file.read_text() == "A chairman."


@pytest.mark.usefixtures("toy_rules")
def test_a_folder_becomes_a_folder(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    (texts / "deep").mkdir(parents=True)
    (texts / "a.md").write_text("A `chairman` chairman.")
    (texts / "deep" / "b.txt").write_text("Nobody here.")
    applied = apply_changes(judged(texts), tmp_path / "new", folder=texts)
    assert (applied.documents, applied.changes) == (2, 1)
    assert (tmp_path / "new" / "a.md").read_text() == "A `chairman` chair."
    assert (tmp_path / "new" / "deep" / "b.txt").read_text() == "Nobody here."
    with pytest.raises(SettingError, match="--apply writes one"):
        apply_changes(judged(texts / "a.md", texts / "deep" / "b.txt"), tmp_path / "x")
    with pytest.raises(SettingError, match="in one document"):
        apply_changes(judged(texts), tmp_path / "x", folder=texts, accept=["n1"])
    assert not (tmp_path / "x").exists()


@pytest.mark.usefixtures("toy_rules")
def test_what_has_no_rules_or_is_a_table_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text\nA chairman.\n")
    with pytest.raises(SettingError, match="Rows of a table are not rewritten"):
        apply_changes(judged(table, column="text"), tmp_path / "x")


@pytest.mark.usefixtures("toy_rules")
def test_of_changes_that_meet_the_first_is_made() -> None:
    def proposal(start: int, end: int, new: str) -> Proposal:
        return Proposal(start, end, "r", "w", (Edit(start, end, "x" * (end - start), new),))

    first, meets, same, apart = (
        proposal(0, 3, "a"),
        proposal(2, 5, "b"),
        proposal(0, 3, "a"),
        proposal(5, 6, "c"),
    )
    assert _without_overlaps([first, meets, same, apart]) == ([first, same, apart], 1)
    insertion = proposal(3, 3, "i")
    assert _without_overlaps([first, insertion, proposal(3, 3, "j")]) == ([first, insertion], 1)


# --- Accepted changes are made, and nothing else ---


TEXT = "The chairman said he left."
CHAIR = Proposal(4, 12, "chairman", "One word for all.", (Edit(4, 12, "chairman", "chair"),))
HE = Proposal(18, 20, "pronoun", "Their sex is not known.", (Edit(18, 20, "he", "they"),))
FLAG = Proposal(4, 12, "flag", "Look here.")


def test_only_accepted_changes_are_made() -> None:
    assert apply_edits(TEXT, []) == TEXT
    assert apply_edits(TEXT, [FLAG]) == TEXT
    assert apply_edits(TEXT, [HE]) == "The chairman said they left."
    assert apply_edits(TEXT, [HE, CHAIR]) == apply_edits(TEXT, [CHAIR, HE])
    assert apply_edits(TEXT, [CHAIR, HE]) == "The chair said they left."


def test_changes_of_another_text_and_overlapping_ones_are_refused() -> None:
    with pytest.raises(SettingError, match="not the text"):
        apply_edits("The chairwoman left.", [CHAIR])
    other = Proposal(4, 17, "other", "Why.", (Edit(4, 17, "chairman said", "chair says"),))
    with pytest.raises(SettingError, match="overlap"):
        apply_edits(TEXT, [CHAIR, other])
