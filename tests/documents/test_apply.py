"""Accepted changes are made in a new file."""

from pathlib import Path

import pytest

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.documents.apply import apply_changes
from fairvec.documents.check import AIMS, DocumentsReport, check_documents
from fairvec.documents.read import read_documents as read
from fairvec.results.documents import (
    Aim,
    Edit,
    Suggestion,
    apply_edits,
    conflicts,
    select_compatible,
)

# --- A fairer version is a new file that differs in the accepted changes alone ---


def checked(*places: Path, **settings: str) -> DocumentsReport:
    return check_documents(read(*places, **settings))  # type: ignore[arg-type]


@pytest.mark.usefixtures("toy_rules")
def test_all_else_stays_byte_for_byte(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    content = "<p id='chairman'>\tThe <b>chairman</b>\r\nand he, caf\u00e9.</p>"
    file.write_bytes(b"\xff\xfe" + content.encode("utf-16-le"))
    applied = apply_changes(checked(file), tmp_path / "b.html")
    assert (applied.documents, applied.changes, applied.left_out) == (1, 1, 0)
    expected = content.replace("<b>chairman", "<b>chair")
    assert (tmp_path / "b.html").read_bytes() == b"\xff\xfe" + expected.encode("utf-16-le")
    assert file.read_bytes().decode("utf-16") == content


@pytest.mark.usefixtures("toy_rules")
def test_a_word_that_goes_on_as_an_entity_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_text("<p>A chairman&#39;s hat &amp; a chairman & co.</p>")
    apply_changes(checked(file), tmp_path / "b.html")
    expected = "<p>A chairman&#39;s hat &amp; a chair & co.</p>"
    assert (tmp_path / "b.html").read_text() == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", "<p>The king&#39;s hat is old. Then he left.</p>\n<p>She left.</p>"),
        ("a.html", "<p>The king&#39;s hat is\nold. Then he left.</p>\n\n<p>She left.</p>"),
        ("a.md", "The king&#39;s hat is old. Then\nhe left.\n\nShe left."),
    ],
)
def test_no_half_of_a_paragraph_is_swapped_around_markup(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    found = checked(tmp_path / name, language="en")
    apply_changes(found, tmp_path / "new", aim="swap")
    assert (tmp_path / "new").read_text() == text.replace("She left", "He left")
    changes = [each for each in found.documents[0].record.changes if each.aim == "swap"]
    assert [each.certain for each in changes] == [False, False, True]
    assert all("arkup" in each.reason for each in changes[:2])


CUTS = {
    "a.html": ("ki<b>n</b>g", "<b>k</b>ing", "k<!-- i -->ing", "ki&#110;g", "<b>ki</b>ng&#39;s"),
    "a.md": ("ki**n**g", "*k*ing", "kin**g**ly", "<b>k</b>ing", "k&#105;ng", "~~k~~ing"),
}
PARAGRAPHS = (
    "The {cut} smiled. Then he left.",
    "Then he left. He saw the {cut}",
    "{cut} smiled, and he left.",
    "Each student must take {cut} when he leaves.",
    "He or she {cut} goes home.",
)


@pytest.mark.parametrize(("name", "cut"), [(name, cut) for name in CUTS for cut in CUTS[name]])
@pytest.mark.parametrize("paragraph", PARAGRAPHS)
@pytest.mark.parametrize("aim", AIMS)
def test_no_paragraph_in_which_markup_cuts_a_word_is_changed_by_half(
    name: str, cut: str, paragraph: str, aim: Aim, tmp_path: Path
) -> None:
    """The word that is cut is not read, and might be one that would have to change as well."""
    whole = "Each guest must take his coat." if aim == "neutral" else "She left."
    new = "Each guest must take their coat." if aim == "neutral" else "He left."
    tags = ("<p>", "</p>\n") if name == "a.html" else ("", "\n\n")
    text = f"{tags[0]}{paragraph.format(cut=cut)}{tags[1]}{tags[0]}{whole}{tags[1]}"
    (tmp_path / name).write_text(text)
    apply_changes(checked(tmp_path / name, language="en"), tmp_path / "new", aim=aim)
    assert (tmp_path / "new").read_text() == text.replace(whole, new)


@pytest.mark.usefixtures("toy_rules")
def test_changes_are_accepted_by_id(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("A chairman, he, a chairman.")
    found = checked(file)
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
            apply_changes(checked(file), place)
    assert file.read_text() == "A chairman."


@pytest.mark.usefixtures("toy_rules")
def test_a_folder_becomes_a_folder(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    (texts / "deep").mkdir(parents=True)
    (texts / "a.md").write_text("A `chairman` chairman.")
    (texts / "deep" / "b.txt").write_text("Nobody here.")
    applied = apply_changes(checked(texts), tmp_path / "new", folder=texts)
    assert (applied.documents, applied.changes) == (2, 1)
    assert (tmp_path / "new" / "a.md").read_text() == "A `chairman` chair."
    assert (tmp_path / "new" / "deep" / "b.txt").read_text() == "Nobody here."
    with pytest.raises(SettingError, match="--apply writes one"):
        apply_changes(checked(texts / "a.md", texts / "deep" / "b.txt"), tmp_path / "x")
    with pytest.raises(SettingError, match="in one document"):
        apply_changes(checked(texts), tmp_path / "x", folder=texts, accept=["n1"])
    assert not (tmp_path / "x").exists()


@pytest.mark.usefixtures("toy_rules")
def test_what_has_no_rules_or_is_a_table_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("text\nA chairman.\n")
    with pytest.raises(SettingError, match="Rows of a table are not rewritten"):
        apply_changes(checked(table, column="text"), tmp_path / "x")


def test_of_changes_that_meet_the_first_is_made() -> None:
    def suggestion(start: int, end: int, new: str) -> Suggestion:
        edit = Edit(start=start, end=end, old="x" * (end - start), new=new)
        return Suggestion(start=start, end=end, rule="r", reason="w", edits=(edit,))

    def made(*suggested: Suggestion) -> list[bool]:
        return select_compatible(conflicts(suggested), suggested)

    first, meets, same, apart = (
        suggestion(0, 3, "a"),
        suggestion(2, 5, "b"),
        suggestion(0, 3, "a"),
        suggestion(5, 6, "c"),
    )
    assert made(first, meets, same, apart) == [True, False, True, True]
    insertion = suggestion(3, 3, "i")
    assert made(first, insertion, suggestion(3, 3, "j")) == [True, True, False]
    assert made(suggestion(2, 5, "b"), insertion, suggestion(3, 5, "k")) == [True, False, False]


# --- Accepted changes are made, and nothing else ---


TEXT = "The chairman said he left."
CHAIR = Suggestion(
    start=4,
    end=12,
    rule="chairman",
    reason="One word for all.",
    edits=(Edit(start=4, end=12, old="chairman", new="chair"),),
)
HE = Suggestion(
    start=18,
    end=20,
    rule="pronoun",
    reason="Their sex is not known.",
    edits=(Edit(start=18, end=20, old="he", new="they"),),
)
FLAG = Suggestion(start=4, end=12, rule="flag", reason="Look here.")


def test_only_accepted_changes_are_made() -> None:
    assert apply_edits(TEXT, []) == TEXT
    assert apply_edits(TEXT, [FLAG]) == TEXT
    assert apply_edits(TEXT, [HE]) == "The chairman said they left."
    assert apply_edits(TEXT, [HE, CHAIR]) == apply_edits(TEXT, [CHAIR, HE])
    assert apply_edits(TEXT, [CHAIR, HE]) == "The chair said they left."


def test_changes_of_another_text_and_overlapping_ones_are_refused() -> None:
    with pytest.raises(SettingError, match="not the text"):
        apply_edits("The chairwoman left.", [CHAIR])
    other = Suggestion(
        start=4,
        end=17,
        rule="other",
        reason="Why.",
        edits=(Edit(start=4, end=17, old="chairman said", new="chair says"),),
    )
    with pytest.raises(SettingError, match="overlap"):
        apply_edits(TEXT, [CHAIR, other])
