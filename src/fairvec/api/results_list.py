"""A list of records that a notebook shows."""

from fairvec.results import Outcome


class Results(list[Outcome]):
    """What was found, one record a test; a plain list, and more."""
