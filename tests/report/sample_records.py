"""A frontier of four points and a study of twelve cells, as records."""

from itertools import product

from fairvec.experiments.study.answers import answer_tests
from fairvec.lexicon.suite_files import SelectedTest, parse_suite
from fairvec.results.frontier import FrontierSummary
from fairvec.results.study import StudyCorpus, StudyHeader
from tests.experiments.study.toys import SUITE, cell, place
from tests.results.toys import MODEL_FRONTIER as MODEL
from tests.results.toys import effect, point

SURVEY = FrontierSummary(
    model=MODEL,
    concept="en/gender:pairs",
    tests=("toy/one",),
    others=(),
    keep=0.95,
    seed=0,
    recommendation="hard at 1. It <keeps> most.",
    remarks=("All words were used to fit.",),
    versions={"fairvec": "0"},
)


POINTS = [
    point("none", 1.0, 1.0, strength=0.0, on_front=True),
    point("hard", 0.2, 0.97, on_front=True, recommended=True, reason="It keeps most."),
    point("lpsg", 0.1, 0.90, effects=(effect(1.0, -1.1, "reversed"),), on_front=True),
    point("inlp", 0.5, 0.80, held_out=False),
]


_SUITE = parse_suite(SUITE.replace("'", '"').replace("Flowers and", "<Flowers> and"), "toy")


CELLS = [
    cell(place(corpus, seed, window=window), effect + 0.01 * seed + 0.002 * window * seed)
    for (corpus, effect), window, seed in product((("news", 0.1), ("<b>", 0.8)), (2, 5), (1, 2, 3))
]


(ANSWER,) = answer_tests(CELLS, [SelectedTest(_SUITE, test) for test in _SUITE.tests])


HEAD = StudyHeader(
    title="What <two> corpora do",
    plan={"seeds": [1, 2, 3]},
    factors={"corpus": ("news", "<b>"), "model": ("glove",), "window": ("2", "5"), "dim": ("10",)},
    corpora=(
        StudyCorpus(name="<b>", files=("b.txt",), sha256="0", tokens=9, tokens_in_all=10, words=4),
    ),
    shared_words=4,
    remarks=("The corpora differ in length.",),
    versions={"fairvec": "0"},
)
