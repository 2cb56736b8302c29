"""Drawings as trees, and words to draw."""

from xml.etree.ElementTree import Element, fromstring

from markupsafe import Markup

from fairvec.results import WordScore


def parsed(drawing: Markup) -> Element:
    return fromstring(f"<all>{drawing}</all>")


def words(role: str, *scores: float) -> list[WordScore]:
    return [
        WordScore(word=f"{role}<{at}>", key="k", role=role, score=score, without=score)
        for at, score in enumerate(scores)
    ]
