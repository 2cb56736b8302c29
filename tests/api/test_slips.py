"""Slips of whoever calls from Python: each is answered by one sentence, and nothing is written."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairvec
from fairvec import Concept, FairvecError, FairvecWarning, Suite, Test
from tests import toys
from tests.api.lists import JOBS

MODEL = toys.embedding(0.5)
TOYS: dict[str, Any] = {**toys.WORDS}
RECORDS: Any = fairvec.audit(MODEL, tests=Test(**TOYS, language="en"), categories=False)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda any: any.Embedding.most_similar(MODEL, "man", topn=5), "did you mean count"),
        (lambda any: any.Embedding.most_similar(MODEL, "man", cuont=5), "did you mean count"),
        (lambda any: any.neighbours(MODEL, "man", topn=5), "did you mean count"),
        (lambda any: any.save("m.npz", MODEL), r"of the kind Embedding; say save\(model, "),
        (lambda any: any.save("glove-en-small", "m.npz"), "of the kind str; make one with"),
        (lambda any: any.save(MODEL, 3), r"of the kind int; say save\(model, "),
        (lambda any: any.save(MODEL, b"m.npz"), "of the kind bytes"),
        (lambda any: any.read_results(3), "of the kind int; name the folder of a run"),
        (lambda any: any.read_results(None), "of the kind NoneType"),
        (lambda any: any.Results.read(RECORDS), "of the kind Results"),
        (lambda any: any.write_results("run", RECORDS), r"Results; say write_results\(records, "),
        (lambda any: any.write_results(3, "run"), "Written are records, not 3"),
        (lambda any: any.write_results(["weat"], "run"), "Written are records, not 'weat'"),
        (lambda any: any.write_report("p.html", RECORDS), r"Results; say write_report\(records, "),
        (lambda any: RECORDS.save(3), r"of the kind int; say results\.save\("),
    ],
    ids=lambda one: "" if callable(one) else None,
)
def test_a_slip_is_one_sentence(
    call: Callable[[Any], object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FairvecError, match=said) as caught:
        call(fairvec)
    assert "\n" not in str(caught.value)
    assert not [*tmp_path.iterdir()]


def test_one_record_alone_is_written_too(tmp_path: Path) -> None:
    alone: Any = RECORDS[0]
    fairvec.write_results(alone, tmp_path)
    assert fairvec.read_results(tmp_path) == [RECORDS[0]]


def test_what_is_frozen_may_stand_in_a_set() -> None:
    def test() -> Test:
        return Test(**JOBS, id="jobs")

    def concept() -> Concept:
        return Concept(pairs=[("he", "she")], id="gender")

    assert test() == test()
    assert len({test(), test(), Test(**JOBS, id="others")}) == 2
    assert len({Suite(tests=[test()]), Suite(tests=[test()]), Suite(tests=[test()], id="b")}) == 2
    assert len({concept(), concept(), Concept(pairs=[("man", "woman")], id="gender")}) == 2


def test_a_language_that_no_list_is_in_is_warned_of() -> None:
    own = Test(**TOYS)
    said = "No suite and no test asked is in xx, .* shipped ones are in en, hi, ru, and"
    for language in ("xx", ["en", "xx"]):
        with pytest.warns(FairvecWarning, match=said) as heard:
            fairvec.audit(MODEL, tests=own, language=language)
        assert [one.filename for one in heard] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error", FairvecWarning)
        fairvec.audit(MODEL, tests=own, language="hi")
        fairvec.audit(MODEL, tests=Test(**TOYS, language="xx"), language="xx")
        fairvec.audit(MODEL, tests=own)
    with pytest.raises(FairvecError, match="no shipped suite is in xx"):
        fairvec.audit(MODEL, language="xx")
