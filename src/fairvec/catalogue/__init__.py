"""Models and data sets that are known by name: shipped, inside packages, or on the web."""

from fairvec.catalogue.cache import cache_folder
from fairvec.catalogue.entries import (
    Dataset,
    Model,
    Package,
    Shipped,
    Url,
    dataset,
    datasets,
    find,
    models,
    names,
)
from fairvec.catalogue.fetch import (
    data_file,
    dataset_files,
    dataset_path,
    has_dataset,
    is_local,
    local_path,
    verified_model_path,
)

__all__ = [
    "Dataset",
    "Model",
    "Package",
    "Shipped",
    "Url",
    "cache_folder",
    "data_file",
    "dataset",
    "dataset_files",
    "dataset_path",
    "datasets",
    "find",
    "has_dataset",
    "is_local",
    "local_path",
    "models",
    "names",
    "verified_model_path",
]
