"""Slips of newcomers: arguments swapped, or a thing of one kind where another is wanted."""

from pathlib import Path

import pytest

from tests.cli.conftest import Shell


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("neighbours office MODEL", "MODEL is a model and office is none: the model comes first"),
        ("neighbours office glove-hi-small", "glove-hi-small is a model and office is none"),
        ("analogy man woman office MODEL", "MODEL is a model and man is none"),
        ("benchmarks ask men MODEL", "MODEL is a model and men is none"),
        ("audit SUITE", "a file of lists: name it after an option"),
        ("audit MODEL SUITE", "a file of lists: name it after an option"),
        ("audit RUN", "'fairvec report RUN' shows it"),
        ("report MODEL", "MODEL is no run; make one with 'fairvec audit MODEL -o FOLDER'"),
        ("check MODEL --fail-if p<1", "make one with 'fairvec audit MODEL -o FOLDER'"),
        ("report SUITE", "SUITE is no run"),
        ("suites lint no-such.toml", "no such file or directory); check its path"),
        ("study no-such.toml -o out", "no such file or directory); check its path"),
        ("benchmarks ask MODEL no-such.csv", "no such file or directory); check its path"),
        ("help", "did you mean --help?"),
        ("version", "did you mean --version?"),
    ],
)
def test_a_slip_is_told_what_was_meant(
    shell: Shell, model_file: Path, suite_file: Path, tmp_path: Path, line: str, says: str
) -> None:
    names = {"MODEL": str(model_file), "SUITE": str(suite_file), "RUN": str(tmp_path / "run")}
    if "RUN" in line:
        assert shell("audit", model_file, "-s", suite_file, "-o", tmp_path / "run").code == 0
    for name, place in names.items():
        says = says.replace(name, place)
    answer = shell(*(names.get(word, word) for word in line.split()))
    assert answer.code == 2
    assert says in answer.err
    assert "Traceback" not in answer.err


def test_a_word_that_is_no_model_beside_none_is_told_as_before(shell: Shell) -> None:
    answer = shell("neighbours", "office", "home")
    assert answer.code == 2
    assert "There is no file or model named 'office'" in answer.err
