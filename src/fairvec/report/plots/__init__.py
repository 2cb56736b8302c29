"""Plots as inline SVG: numbers in, text out.

Horizontal positions are percentages and sizes are pixels, so one drawing fits a phone, a screen
and paper without scaled letters. Colours come from the page's style sheet.
"""

from fairvec.report.plots.bars_plot import bars
from fairvec.report.plots.cloud_plot import Mark, cloud
from fairvec.report.plots.diamond import diamond_row
from fairvec.report.plots.dumbbell_plot import dumbbell
from fairvec.report.plots.forest import forest_axis, forest_row
from fairvec.report.plots.influence import influence_axis, influence_row, influence_scale
from fairvec.report.plots.looks import look_row
from fairvec.report.plots.method_marks import mark
from fairvec.report.plots.ranking import ranking_heap, ranking_row, ranking_scale
from fairvec.report.plots.scale import Scale, scale_of
from fairvec.report.plots.scatter_plot import Spot, scatter
from fairvec.report.plots.strip_plot import strip

__all__ = [
    "Mark",
    "Scale",
    "Spot",
    "bars",
    "cloud",
    "diamond_row",
    "dumbbell",
    "forest_axis",
    "forest_row",
    "influence_axis",
    "influence_row",
    "influence_scale",
    "look_row",
    "mark",
    "ranking_heap",
    "ranking_row",
    "ranking_scale",
    "scale_of",
    "scatter",
    "strip",
]
