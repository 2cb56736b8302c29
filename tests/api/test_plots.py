"""The figures of results: which record is meant, and what is said where none or several are."""

import subprocess
import sys

import pytest

from fairvec import FairvecError, Results
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.report.pictures import Picture, forest_picture
from tests.api.runs import a_run_of_results, every_kind, of
from tests.report.figures.results_with_pairs import with_similarities
from tests.results.make import skipped


def test_each_figure_is_a_picture() -> None:
    results = of("glove-6b-100d")
    assert results.plot.forest() == forest_picture(results)
    assert isinstance(results.plot.categories(), Picture)
    assert isinstance(results.plot.strip(test="caliskan2017/weat-6"), Picture)
    assert results.plot.strip("weat-6") == results.plot.strip(test="caliskan2017/weat-6")
    assert "how similar each word" in Results([with_similarities()]).plot.heat().title


def test_records_of_all_kinds_may_stand_beside_one_another() -> None:
    assert every_kind().plot.forest().svg().count("<circle") == 14
    assert every_kind().categories().plot.categories().svg().count("<polygon") == 8


def test_one_record_is_meant_or_the_choice_is_named() -> None:
    results = a_run_of_results()
    with pytest.raises(SettingError, match=r"3 records are meant \(caliskan2017/weat-6 on glove"):
        results.plot.strip("weat-6")
    drawn = results.plot.strip("weat-6", model="poincare-glove")
    assert drawn.title.endswith("in poincare-glove")
    assert results.where("model == 'poincare-glove'").plot.strip("weat-6") == drawn
    with pytest.raises(UnknownNameError, match="'poincare-glov'; did you mean poincare-glove"):
        results.plot.strip("weat-6", model="poincare-glov")
    with pytest.raises(UnknownNameError, match="'seat'"):
        results.plot.strip("weat-6", metric="seat")
    with pytest.raises(UnknownNameError, match="did you mean caliskan2017/weat-6"):
        results.plot.strip(test="caliskan2017/weat-66")


def test_what_cannot_be_drawn_says_why() -> None:
    with pytest.raises(SettingError, match="test is a int; name it by text"):
        every_kind().plot.strip(6)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match=r"toy/two was skipped, .*: Only 1 of 4 x were found\."):
        Results([skipped()]).plot.strip("two")
    for some in (Results(), Results([skipped()])):
        for draw in (some.plot.forest, some.plot.categories, some.plot.strip, some.plot.heat):
            with pytest.raises(FairvecError, match="no measured test among these results"):
                draw()


def test_a_list_of_results_loads_no_page_until_it_is_shown() -> None:
    program = (
        "import sys, fairvec\nr = fairvec.Results()\nrepr(r), r.plot, r.check('effect > 1')\n"
        "print(sorted({'jinja2', 'pandas', 'numpy', 'fairvec.report'} & set(sys.modules)))"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"
