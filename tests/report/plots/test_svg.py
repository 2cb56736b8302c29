from markupsafe import Markup

from fairvec.report.plots.svg import element


def test_elements_escape_what_they_are_given() -> None:
    drawn = element("text", Markup.escape("<&>"), class_='a"b', stroke_width=2, style="")
    assert drawn == '<text class="a&#34;b" stroke-width="2">&lt;&amp;&gt;</text>'
