"""Models and data sets that are known by name: shipped, inside packages, or on the web."""

from fairvec.catalogue.cache import cache_folder
from fairvec.catalogue.data_sets import Dataset, dataset, dataset_path, datasets, has_dataset
from fairvec.catalogue.entries import find, models, names
from fairvec.catalogue.local import checked_path, is_local, local_path
from fairvec.catalogue.model import Model, Package, Shipped, Url

__all__ = [
    "Dataset",
    "Model",
    "Package",
    "Shipped",
    "Url",
    "cache_folder",
    "checked_path",
    "dataset",
    "dataset_path",
    "datasets",
    "find",
    "has_dataset",
    "is_local",
    "local_path",
    "models",
    "names",
]
