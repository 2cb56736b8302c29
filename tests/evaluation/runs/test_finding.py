"""The interval of an effect holds every effect that its test does not reject."""

import numpy as np
import pytest

from fairvec.experiments.audit.inference import infer
from fairvec.experiments.audit.plan import Statistics
from fairvec.geometry import FloatArray
from fairvec.metrics.base import Score, TwoSamples
from fairvec.metrics.bias.weat import EFFECT_SIZES, EffectSize, leanings
from fairvec.stats import difference_interval, widen_for_spread_error

every_size = pytest.mark.parametrize("size", EFFECT_SIZES, ids=lambda size: size.name)


def drawn(seed: int) -> tuple[FloatArray, FloatArray]:
    """Closeness to A and B of words that differ little among themselves, and often in the lists."""
    rng = np.random.default_rng(seed)
    nx, ny = rng.integers(4, 9, 2)
    rows = rng.normal(scale=rng.choice([0.01, 0.1]), size=(nx + ny, 1))
    rows = rows + rng.normal(scale=0.05, size=(nx + ny, 2))
    rows[:nx, 0] += rng.choice([0.0, 0.2])
    rows[nx:, 1] += rng.choice([0.0, 0.2])
    return rows[:nx], rows[nx:]


@every_size
def test_the_interval_holds_every_effect_that_is_not_rejected(size: EffectSize) -> None:
    """That of raw similarities turns: wide apart lists may have a smaller effect than near ones."""
    for seed in range(25):
        x, y = drawn(seed)
        samples = TwoSamples(x, y, leanings, size)
        value = float(size(x, y))
        found = infer(Score(value, (), samples), Statistics())
        ends, evidence = found.steadiness.interval, found.evidence
        assert ends is not None
        assert evidence is not None
        p = evidence.p_two_sided
        kept = difference_interval(*map(leanings, (x, y)), p=p.value, method=p.method)
        differences = widen_for_spread_error(leanings(x), leanings(y), kept.low, kept.high)
        effects = [samples.effect_at(one) for one in np.linspace(*differences, 201)]
        assert ends.low - 1e-9 <= min(effects) <= value <= max(effects) <= ends.high + 1e-9
        assert ends.high - max(effects) < 1e-3  # and it is no wider than that
        assert min(effects) - ends.low < 1e-3
        assert evidence.reach[0] <= ends.low <= ends.high <= evidence.reach[1]
        assert (p.value > 0.05) == (ends.low <= 0 <= ends.high)
