"""The page's figures, each as one SVG that stands alone: for notebooks, papers and slides."""

from fairvec.report.figures.close_ups import heat_picture, strip_picture
from fairvec.report.figures.forests import categories_picture, forest_picture
from fairvec.report.figures.picture import Picture

__all__ = [
    "Picture",
    "categories_picture",
    "forest_picture",
    "heat_picture",
    "strip_picture",
]
