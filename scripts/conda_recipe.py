"""Write conda/recipe.yaml from pyproject.toml, so that the two cannot drift apart.

python -m scripts.conda_recipe, then: rattler-build build -r conda/recipe.yaml
"""

import tomllib
from pathlib import Path

from fairvec.version import __version__

ROOT = Path(__file__).parents[1]
RECIPE = ROOT / "conda" / "recipe.yaml"


def recipe() -> str:
    """Return the recipe: a package for every platform, with what the core needs and no extras."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject["project"]
    python = f"python {project['requires-python']}"
    commands = [f"{name} = {place}" for name, place in project["scripts"].items()]
    return f"""# Written by: python -m scripts.conda_recipe (a test keeps it current)
schema_version: 1

package:
  name: {project["name"]}
  version: "{__version__}"

source:
  path: ..

build:
  number: 0
  noarch: python
  script: python -m pip install . --no-deps --no-build-isolation -vv
  python:
    entry_points:
{_list(commands, 6)}

requirements:
  host:
{_list([python, "pip", *map(_spaced, pyproject["build-system"]["requires"])], 4)}
  run:
{_list([python, *map(_spaced, project["dependencies"])], 4)}

tests:
  - python:
      imports:
        - fairvec
      pip_check: true
  - script:
      - fairvec --version
      - fairvec audit glove-en-small --suite caliskan2017/weat-6

about:
  summary: "{project["description"]}"
  license: {project["license"]}
  license_file: {project["license-files"][0]}
"""


def _list(entries: list[str], indent: int) -> str:
    return "\n".join(f"{' ' * indent}- {entry}" for entry in entries)


def _spaced(requirement: str) -> str:
    """Return a requirement as conda writes it: a space before the bound."""
    name, sign, bound = requirement.partition(">=")
    return f"{name} {sign}{bound}"


def main() -> None:
    """Write the recipe."""
    RECIPE.write_text(recipe(), encoding="utf-8")


if __name__ == "__main__":
    main()
