"""When a p-value is significant."""


def significant(p: float, alpha: float) -> bool:
    """Say whether a p-value is at most alpha; what only rounding tells apart is equal.

    Every verdict, label and interval asks here, so that they cannot disagree.
    """
    return p <= alpha * (1 + 1e-12)
