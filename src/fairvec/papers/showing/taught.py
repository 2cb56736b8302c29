"""From which text a model in a role was learnt, where its history says so."""

from typing import Any

from fairvec.results import ModelIdentity

SAID = ("words", "window", "min_count", "most_words", "epochs", "seed")
"""What is told of a training beside its kind and its text."""


def taught(model: ModelIdentity) -> str:
    """Say how fairvec trained a model and on what text, with its hash; empty if it did not.

    A history is read from a file, which may have been written by anything: what it does not say is
    left out.
    """
    step = next((step for step in model.history if step.get("action") == "trained"), None)
    if step is None:
        return ""
    given = {name: step[name] for name in SAID if step.get(name) is not None}
    settings = [f"{name.replace('_', ' ')} {value}" for name, value in given.items()]
    hashed = f" (SHA-256 {step['corpus_sha256']})" if step.get("corpus_sha256") else ""
    text = f" on {_named(step['corpus'])}{hashed}" if step.get("corpus") else ""
    return ", ".join([f"trained with fairvec as {step.get('by', 'another kind')}{text}", *settings])


def _named(corpus: Any) -> str:
    return " + ".join(map(str, corpus)) if isinstance(corpus, list | tuple) else str(corpus)
