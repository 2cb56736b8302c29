"""In which settings two outcomes differ, in words."""

from fairvec.results import Outcome


def differing_settings(one: Outcome, other: Outcome) -> str:
    """Return every setting that differs as "similarity cosine, then negative-distance"."""
    was, is_now = _settings(one), _settings(other)
    differing = [
        f"{name} {was.get(name, 'none')}, then {is_now.get(name, 'none')}"
        for name in dict.fromkeys((*was, *is_now))
        if was.get(name) != is_now.get(name)
    ]
    return "; ".join(differing) or "as their records say"


def _settings(outcome: Outcome) -> dict[str, str]:
    """Return one word or number a setting, and each setting once: a metric repeats two of them."""
    convention = getattr(outcome, "convention", None)
    own = outcome.described.settings if outcome.described else {"settings": "not recorded"}
    said = {
        "version of the suite": outcome.test.suite_version,
        "metric": outcome.metric,
        "similarity": outcome.similarity or "none",
        "convention": f"{convention.name}, ddof {convention.ddof}" if convention else "none",
    }
    return {name.replace("_", " "): _plainly(value) for name, value in own.items()} | said


def _plainly(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plainly(one)}" for name, one in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_plainly, value)) or "none"
    return "none" if value is None else str(value)
