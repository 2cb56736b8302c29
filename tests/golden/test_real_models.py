"""Real models, measured by the library and by a few independent lines of numpy: equal to 1e-9."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec import catalogue
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.results import Result

SHIPPED = [name for name in catalogue.names() if catalogue.find(name).source.kind == "shipped"]
IN_PACKAGES = [name for name in catalogue.names() if catalogue.find(name).source.kind == "package"]


def independent_effect(result: Result, model: Embedding) -> float:
    """Caliskan's d from the keys that the result says it used, in plain numpy."""
    suite = {t.id: t for s in fairvec.lexicon.shipped_suites() for t in s.tests}
    rows = {}
    for group in result.coverage:
        words = [word.word for word in suite[result.test.id].sets[group.role].words]
        found = [group.matched.get(word, word) for word in words if word not in group.missing]
        rows[group.role] = np.array([vector(key, model) for key in dict.fromkeys(found)])
    alike = {"cosine": cosines, "negative-distance": negative_distances}[result.similarity]
    s = {
        role: alike(rows[role], rows["a"]).mean(1) - alike(rows[role], rows["b"]).mean(1)
        for role in "xy"
    }
    both = np.concatenate([s["x"], s["y"]])
    return float(
        (s["x"].mean() - s["y"].mean())
        / np.sqrt(((both - both.mean()) ** 2).sum() / (len(both) - 1))
    )


def vector(key: str, model: Embedding) -> FloatArray:
    """The vector of a key; of "a + b" the mean of the two."""
    parts = [model.vectors[model.keys.index(part)] for part in key.split(" + ")]
    return np.asarray(np.mean(np.array(parts, float), axis=0))


def cosines(u: FloatArray, v: FloatArray) -> FloatArray:
    lengths = np.sqrt(np.outer((u**2).sum(1), (v**2).sum(1)))
    return np.asarray(np.einsum("id,jd->ij", u, v) / lengths)


def negative_distances(u: FloatArray, v: FloatArray) -> FloatArray:
    """The textbook arcosh formula of the unit ball."""
    apart = ((u[:, None] - v[None]) ** 2).sum(-1)
    room = (1 - (u**2).sum(1))[:, None] * (1 - (v**2).sum(1))
    return np.asarray(-np.arccosh(1 + 2 * apart / room))


def check(model: Embedding) -> list[Result]:
    outcomes = fairvec.audit(model, resamples=100)
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    for result in results:
        assert result.effect == pytest.approx(independent_effect(result, model), abs=1e-9)
    return results


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_models(name: str) -> None:
    results = check(fairvec.load(name))
    assert len(results) >= 7


@pytest.mark.packages
@pytest.mark.parametrize("name", IN_PACKAGES)
def test_models_in_packages(name: str, packaged: Callable[[str], Embedding]) -> None:
    assert len(check(packaged(name))) >= 7


@pytest.mark.packages
def test_chaloner_and_maldonado_on_google_news(google_news: Embedding) -> None:
    """B1 (career and family) as the authors' notebook printed it, sample standard deviation."""
    (result,) = fairvec.audit(google_news, suites=["chaloner2019/b1"], categories=False)
    assert isinstance(result, Result)
    assert result.effect == pytest.approx(1.3712719, abs=2e-6)


@pytest.mark.parametrize(
    ("file", "geometry"),
    [
        ("emb_glove_and_poincare_glove_en/poincare_glove_enwiki2_50k_100d.npz", "poincare"),
        ("emb_glove_and_poincare_glove_en/glove_enwiki2_50k_100d.npz", "euclidean"),
        ("emb_glove_hi/glove_hi_57k_100d.npz", "euclidean"),
    ],
)
def test_full_models_beside_the_checkout(shared_data: Path, file: str, geometry: str) -> None:
    results = check(fairvec.load(shared_data / file, geometry=geometry))
    assert {result.model.geometry for result in results} == {geometry}


def test_the_exact_p_of_a_real_test_by_full_enumeration() -> None:
    result, _ = fairvec.audit(fairvec.load("glove-en-small"), suites=["caliskan2017/weat-9"])
    assert isinstance(result, Result)
    scores = np.array([word.score for word in result.words])
    size = sum(word.role == "x" for word in result.words)
    sums = np.array([scores[list(some)].sum() for some in combinations(range(len(scores)), size)])
    centred = np.abs(sums - size * scores.mean())
    extreme = (centred >= abs(scores[:size].sum() - size * scores.mean()) - 1e-12).sum()
    assert result.p.value == extreme / len(sums)


def test_meaningful_encoding_in_hindi_comes_out_near_the_paper(shared_data: Path) -> None:
    """Malik et al. (2022), Table 3: gendered verbs d = 1.87 with the population deviation."""
    model = fairvec.load(shared_data / "emb_glove_hi" / "glove_hi_57k_100d.npz")
    outcomes = fairvec.audit(model, suites=["malik2022"], convention="population", resamples=100)
    effects = {o.test.id: o.effect for o in outcomes if isinstance(o, Result)}
    assert effects["malik2022/me-verbs"] == pytest.approx(1.87, abs=0.05)
