"""How sure a share is: Wilson's interval."""

from math import sqrt
from statistics import NormalDist

from fairvec.ground.errors import SettingError


def wilson(found: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval for the share of `found` among `of` trials.

    The shares p with |found/of - p| <= z sqrt(p (1 - p) / of). It stays between 0 and 1, and none
    found of a few is no proof of zero.

    Wilson (1927), doi:10.1080/01621459.1927.10502953.
    """
    if not 0 <= found <= of or not of:
        raise SettingError(f"{found} of {of} is no share; count trials, and those that succeeded.")
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share, more = found / of, z**2 / of
    spread = z * sqrt(share * (1 - share) / of + more / (4 * of))
    low, high = ((share + more / 2 + sign * spread) / (1 + more) for sign in (-1, 1))
    # Rounding must not put the share itself outside.
    return max(min(low, share), 0.0), min(max(high, share), 1.0)
