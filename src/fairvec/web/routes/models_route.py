"""GET /api/models: what is open."""

from typing import Any

from fairvec.web.opened import OpenModels


def told_of_models(models: OpenModels) -> dict[str, Any]:
    """Return each model's name, size, space and languages."""
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
            for model in models.values()
        ]
    }
