"""Plots as inline SVG: numbers in, text out.

Horizontal positions are percentages and sizes are pixels, so one drawing fits a phone, a screen
and paper without scaled letters. Colours come from the page's style sheet.
"""

from fairvec.report.plots.bar_plots import bars
from fairvec.report.plots.rows import (
    diamond_row,
    dumbbell,
    forest_axis,
    forest_row,
    influence_axis,
    influence_row,
    influence_scale,
    robustness_row,
)
from fairvec.report.plots.scatter_plots import Mark, Spot, cloud, draw_symbol, scatter
from fairvec.report.plots.svg import Scale, scale_of
from fairvec.report.plots.words import ranking_heap, ranking_row, ranking_scale, strip

__all__ = [
    "Mark",
    "Scale",
    "Spot",
    "bars",
    "cloud",
    "diamond_row",
    "draw_symbol",
    "dumbbell",
    "forest_axis",
    "forest_row",
    "influence_axis",
    "influence_row",
    "influence_scale",
    "ranking_heap",
    "ranking_row",
    "ranking_scale",
    "robustness_row",
    "scale_of",
    "scatter",
    "strip",
]
