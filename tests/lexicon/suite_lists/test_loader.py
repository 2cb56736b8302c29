import re
from pathlib import Path

import pytest

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.lexicon import parse_suite, read_suite, select_tests, shipped_suites
from tests.lexicon.lists import SUITE, TEST, changed


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(SUITE + TEST.replace('"one"', '"two"'), encoding="utf-8")
    return path


def test_a_file_is_read_by_path_or_text(mine: Path) -> None:
    assert read_suite(mine) == read_suite(str(mine))
    assert [test.id for test in read_suite(mine).tests] == ["mine/one", "mine/two"]


def test_a_byte_order_mark_does_no_harm(mine: Path) -> None:
    suite = read_suite(mine)
    mine.write_bytes(b"\xef\xbb\xbf" + mine.read_bytes())
    assert read_suite(mine) == suite


def test_broken_toml_is_reported_with_its_line() -> None:
    with pytest.raises(LexiconError, match=r"^f\.toml, line 3, column 12: this is not TOML"):
        parse_suite(changed('"en"', "en"), "f.toml")


def test_toml_that_ends_too_soon_is_reported_with_its_last_line() -> None:
    with pytest.raises(LexiconError, match=r"^f\.toml, line 2"):
        parse_suite('id = "a"\nwords = ["a",', "f.toml")


def test_text_that_is_not_utf8_is_reported_with_its_line(mine: Path) -> None:
    mine.write_bytes('id = "mine"\ntitle = "папа"\n'.encode("cp1251"))
    with pytest.raises(LexiconError, match=r"mine\.toml, line 2: this is not UTF-8"):
        read_suite(mine)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"none\.toml: the suite file cannot be read \(no such"):
        read_suite(tmp_path / "none.toml")


def test_shipped_suites_are_sorted_and_read_once() -> None:
    suites = shipped_suites()
    assert [suite.id for suite in suites] == sorted({suite.id for suite in suites})
    assert shipped_suites() is suites


def test_tests_are_selected_by_suite_test_language_and_path(mine: Path) -> None:
    suite = next(suite for suite in shipped_suites() if suite.id == "pestova")
    whole = [test.id for test in suite.tests]
    assert [each.test.id for each in select_tests(["pestova"])] == whole
    assert [each.test.id for each in select_tests(["pestova/e2", "pestova/e1"])] == whole[1::-1]
    assert set(whole) <= {each.test.id for each in select_tests(["ru"])}
    assert {each.suite.language for each in select_tests(["ru"])} == {"ru"}
    assert [each.test.id for each in select_tests([mine])] == ["mine/one", "mine/two"]
    assert select_tests([str(mine)]) == select_tests([mine])
    assert all(each.test in each.suite.tests for each in select_tests(["ru", mine]))


def test_a_test_selected_twice_counts_once() -> None:
    chosen = [each.test.id for each in select_tests(["pestova/e2", "pestova", "pestova"])]
    assert chosen[:3] == ["pestova/e2", "pestova/e1", "pestova/e3"]
    assert sorted(chosen) == sorted(each.test.id for each in select_tests(["pestova"]))


def test_nothing_selected_is_nothing() -> None:
    assert select_tests([]) == []


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ("pestva", "no suite named 'pestva'; did you mean pestova?"),
        ("pestova/e11", "no test named 'pestova/e11'; did you mean pestova/e1"),
        ("pestva/e1", "no suite named 'pestva'; did you mean pestova?"),
        ("ru/gender", "no suite named 'ru/gender'; did you mean pestova?"),
        ("qqqq", "path of its .toml file"),
    ],
)
def test_unknown_names_get_an_offer(selector: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        select_tests([selector])
    assert message in str(caught.value)


@pytest.mark.parametrize("selector", ["weat-6", "WEAT-6", "weat6"])
def test_a_test_without_its_suite_is_offered_with_it(selector: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        select_tests([selector])
    offer = str(caught.value).partition("did you mean ")[2]
    assert offer.startswith("caliskan2017/weat-6")
    assert select_tests([offer.split()[0].rstrip("?")])


def test_every_suite_that_has_such_a_test_is_offered() -> None:
    having = [
        test.id
        for suite in shipped_suites()
        for test in suite.tests
        if test.id.endswith("/maths-arts")
    ]
    assert len(having) > 1
    with pytest.raises(UnknownNameError, match=re.escape(f"did you mean {' or '.join(having)}?")):
        select_tests(["maths-arts"])


def test_a_suite_with_a_slip_is_still_offered_as_a_suite() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean caliskan2017\?"):
        select_tests(["calisken2017"])
    with pytest.raises(UnknownNameError, match=r"did you mean caliskan2017\?"):
        select_tests(["calisken2017/weat-6"])


def test_two_suites_of_one_id_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        changed('id = "mine"', 'id = "pestova"').replace('id = "one"', 'id = "e1"'),
        encoding="utf-8",
    )
    with pytest.raises(LexiconError, match="two different suites have the id 'pestova'"):
        select_tests(["pestova", path])
