"""A debiased model written into the one folder that was named when the server was started."""

from threading import Lock

from fairvec.evaluation import debias_model, write_debiased
from fairvec.evaluation.debiased_files import DebiasedFiles
from fairvec.ground.errors import SettingError
from fairvec.report import render
from fairvec.web.change.asked_method import asked_method, shipped_concept
from fairvec.web.change.asked_tests import tests_asked
from fairvec.web.change.change_questions import AskedWriting
from fairvec.web.opened import OpenModels

_ONE_AT_A_TIME = Lock()
"""A model is written whole, and two of one name shall not be."""


def write_change(models: OpenModels, question: AskedWriting) -> DebiasedFiles:
    """Write what `fairvec debias` writes, under a new name; nothing is ever written over."""
    if models.write_to is None:
        raise SettingError(
            "This server was started without a folder to write into; run the command that is "
            "shown, or start it with --write-to FOLDER."
        )
    target = models.write_to / question.file
    if target.parent.resolve() != models.write_to.resolve():
        raise SettingError(f"{question.file} is no plain name of a file; use letters and digits.")
    model = models[question.model].embedding
    tests = tests_asked(question, [model])
    method = asked_method(question, question.strength)
    with _ONE_AT_A_TIME:
        DebiasedFiles(target).refuse_taken()
        done = debias_model(
            model,
            shipped_concept(question.concept),
            method,
            suites=[each.test for each in tests],
            holdout=question.holdout,
            output=target,
        )
        return write_debiased(done, target, page=render(done.outcomes, title=done.title))
