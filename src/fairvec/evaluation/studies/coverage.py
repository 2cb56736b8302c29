"""Which tests the shared words of the corpora can answer: known before anything is trained."""

from pathlib import Path

import numpy as np

from fairvec.embedding import Embedding
from fairvec.evaluation.runs.plan import Statistics
from fairvec.evaluation.runs.shortfall import shortfall
from fairvec.evaluation.studies.study_plan import CheckedStudy
from fairvec.ground.errors import SettingError
from fairvec.lexicon import resolve


def unanswerable(checked: CheckedStudy, words: Path) -> list[str]:
    """Say of each test and metric that lacks words why it will have no answer.

    Raises if there is none left: no model would tell anything.
    """
    keys = words.read_text(encoding="utf-8").split("\n")
    # Only its keys are looked at: what was learnt of them decides nothing here.
    known = Embedding(keys, np.ones((len(keys), 1)), languages=(checked.plan.language,))
    smallest = Statistics().smallest_coverage
    asked, said = 0, []
    for each in checked.tests:
        groups = resolve(each.test, known)
        for metric in checked.plan.asked:
            asked += 1
            if lacking := shortfall(groups, metric, smallest):
                said.append(f"{each.test.id} ({metric.name}) cannot be asked: {bare(lacking)}")
    if len(said) == asked:
        raise SettingError(
            f"The corpora share too few words of every test; {said[0]} Give more text, lower "
            "min_count, or choose other suites."
        )
    return said


def bare(reason: str) -> str:
    """Return a reason without its remedy, which is that of an audit and not of a study."""
    said, remedy, _ = reason.partition(";")
    return f"{said}." if remedy else reason
