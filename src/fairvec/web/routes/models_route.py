"""GET /api/models and /api/remarks: what is open, and what has become of its files."""

from typing import Any

from fairvec.web.opened import OpenModels


def told_of_models(models: OpenModels) -> dict[str, Any]:
    """Return each model's name, size, space and languages, and whether there are results."""
    return {
        "models": [
            {
                "name": model.name,
                "asked": model.asked,
                "words": len(model.embedding),
                "dimensions": model.embedding.dimensions,
                "geometry": model.embedding.geometry.name,
                "languages": list(model.languages),
            }
            for model in models.every
        ],
        "results": bool(models.results.folders),
    }


def told_of_files(models: OpenModels) -> dict[str, Any]:
    """Return a sentence for each model whose file is no longer what it was."""
    return {"remarks": {model.name: model.remark for model in models.every if model.remark}}
