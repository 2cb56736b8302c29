"""The shape of the tree: imports point down, optional packages stay behind their doors."""

import ast
import re
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest

import fairvec
from tests.loading import BEHIND_DOORS, loaded_after

SOURCE = Path(fairvec.__file__).parent
CORE = {"core", "version"}
MAY_IMPORT = {
    "core": {"version"},
    "geometry": CORE,
    "results": CORE | {"stats"},
    "stats": CORE,
    "catalogue": CORE,
    "languages": CORE | {"results"},
}
MAY_IMPORT["messages"] = CORE | {"languages", "results", "stats"}
MAY_IMPORT["embedding"] = CORE | {"geometry", "catalogue", "languages"}
MAY_IMPORT["encoders"] = MAY_IMPORT["embedding"] | {"embedding"}
MAY_IMPORT["lexicon"] = MAY_IMPORT["encoders"] | {"encoders"}
MAY_IMPORT["training"] = MAY_IMPORT["encoders"] | {"encoders"}
MAY_IMPORT["benchmarks"] = MAY_IMPORT["encoders"] | {"encoders"}
MAY_IMPORT["metrics"] = (MAY_IMPORT["lexicon"] - {"catalogue"}) | {
    "results",
    "stats",
    "lexicon",
    "benchmarks",
}
MAY_IMPORT["mitigation"] = (MAY_IMPORT["lexicon"] - {"catalogue"}) | {"lexicon"}
MAY_IMPORT["tasks"] = MAY_IMPORT["metrics"] - {"lexicon", "results"}
MAY_IMPORT["documents"] = MAY_IMPORT["metrics"] - {"benchmarks"} | {"messages", "metrics"}
MAY_IMPORT["experiments"] = MAY_IMPORT["metrics"] | {
    "messages",
    "metrics",
    "mitigation",
    "tasks",
    "training",
}
MAY_IMPORT["papers"] = MAY_IMPORT["experiments"] - {"training"} | {"catalogue", "experiments"}
MAY_IMPORT["testing"] = MAY_IMPORT["metrics"] | {"metrics", "mitigation"}
MAY_IMPORT["report"] = CORE | {"messages", "results"}
MAY_IMPORT["web"] = MAY_IMPORT["experiments"] | {"experiments", "report"}
MAY_IMPORT["api"] = MAY_IMPORT["papers"] | {
    "documents",
    "papers",
    "report",
    "training",
    "web",
}
MAY_IMPORT["cli"] = (MAY_IMPORT["api"] - {"stats", "web"}) | {"api", "testing"}
FILES = sorted(SOURCE.rglob("*.py"))
PROJECT = Path(__file__).parents[1]
NEXT_TO_SOURCE = ("tests", "scripts", "fuzz", "benchmarks")


def imported_modules(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} uses a relative import"
            module = node.module or ""
            names |= {f"fairvec.{a.name}" for a in node.names} if module == "fairvec" else {module}
    return names


def folder_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def test_every_folder_has_its_place() -> None:
    assert {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()} == set(
        MAY_IMPORT
    )


def test_imports_point_down_only() -> None:
    offenders = []
    for file in FILES:
        home = folder_of(file)
        if home in ("__init__", "__main__"):  # the two doors: of Python and of the shell
            continue
        seen = {name.split(".")[1] for name in imported_modules(file) if name[:8] == "fairvec."}
        if wrong := seen - MAY_IMPORT.get(home, set()) - {home}:
            offenders.append(f"{file.relative_to(SOURCE)} must not know {sorted(wrong)}")
    assert not offenders, "\n".join(offenders)


def test_no_file_is_longer_than_one_topic() -> None:
    ours = [*FILES, *(file for name in NEXT_TO_SOURCE for file in (PROJECT / name).rglob("*.py"))]
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in ours}
    assert {str(file): lines for file, lines in lengths.items() if lines > 700} == {}


SHELL = "import sys, fairvec.cli\nsys.argv = ['fairvec', *{!r}]\nfairvec.cli.main()"


def test_the_architecture_page_names_the_folders_that_exist() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)/` \| (.*) \| .* \|$", page, re.MULTILINE))
    assert set(rows) == set(MAY_IMPORT)
    for name, description in rows.items():
        named = set(re.findall(r"`(\w+)/`", description))
        subfolders = {file.parent.name for file in (SOURCE / name).glob("*/__init__.py")}
        assert subfolders <= named <= {path.name for path in (SOURCE / name).rglob("*")}, name
    for path in re.findall(r"`([\w/]+\.(?:py|toml|md))`", page):
        assert (PROJECT / path).exists() or any(SOURCE.rglob(path)), path


def test_servers_are_known_to_the_explorer_alone() -> None:
    servers = {"starlette", "uvicorn", "h11", "anyio"}
    knowing = {
        folder_of(file)
        for file in FILES
        if servers & {name.split(".")[0] for name in imported_modules(file)}
    }
    assert knowing == {"web"}


@pytest.mark.parametrize(
    "program",
    ["import fairvec", "import fairvec.cli", SHELL.format(["--help"]), SHELL.format(["--version"])],
)
def test_a_start_loads_no_work(program: str) -> None:
    loaded = loaded_after(program)
    ours = {name.split(".")[1] for name in loaded if name.startswith("fairvec.")}
    assert ours <= {"cli", "core", "version"}
    assert not {name for name in loaded if name.startswith("fairvec.cli.commands.")}
    heavy = {*BEHIND_DOORS, "numpy", "scipy", "pydantic", "rich", "jinja2", "platformdirs"}
    assert not loaded & heavy


def test_a_static_audit_needs_the_core_alone(tmp_path: Path) -> None:
    arguments = ["audit", "glove-en-small", "-s", "caliskan2017/weat-6", "-o", str(tmp_path)]
    loaded = loaded_after(SHELL.format(arguments), XDG_CACHE_HOME=str(tmp_path))
    assert (tmp_path / "report.html").exists()
    assert not loaded & {*BEHIND_DOORS, "fairvec.mitigation", "fairvec.papers"}


def test_an_audit_of_one_test_loads_few_modules_of_metrics_and_experiments() -> None:
    program = "import fairvec\nfairvec.audit('glove-en-small', suites='caliskan2017/weat-6')"
    rooms = ("fairvec.metrics", "fairvec.experiments")
    loaded = {name for name in loaded_after(program) if name.startswith(rooms)}
    assert len(loaded) <= 30, sorted(loaded)
    assert "fairvec.metrics.utility" not in loaded


def test_an_audit_printed_in_a_terminal_loads_no_page(tmp_path: Path) -> None:
    arguments = ["audit", "glove-en-small", "-s", "caliskan2017/weat-6"]
    loaded = loaded_after(SHELL.format(arguments), XDG_CACHE_HOME=str(tmp_path))
    assert "fairvec.report.tables" in loaded
    assert not loaded & {"jinja2", "fairvec.report.page", "fairvec.report.plots"}


@pytest.mark.parametrize(
    "arguments", [["models", "list"], ["suites", "list"], ["concepts", "list"]]
)
def test_a_list_is_printed_without_statistics(arguments: list[str], tmp_path: Path) -> None:
    loaded = loaded_after(SHELL.format(arguments), XDG_CACHE_HOME=str(tmp_path))
    assert not loaded & {*BEHIND_DOORS, "scipy", "jinja2", "fairvec.stats", "fairvec.metrics"}
    assert not {name for name in loaded if name.startswith(("fairvec.report.", "fairvec.results"))}


def test_records_hold_what_statistics_give_without_loading_them() -> None:
    loaded = loaded_after("import fairvec.results")
    assert {name for name in loaded if name.startswith("fairvec.stats.")} == {
        "fairvec.stats.values"
    }
    assert not loaded & {"numpy", "scipy"}


def test_a_model_is_read_without_statistics(tmp_path: Path) -> None:
    loaded = loaded_after("import fairvec\nfairvec.load('glove-en-small')")
    assert not loaded & {
        *BEHIND_DOORS,
        "scipy",
        "jinja2",
        "rich",
        "fairvec.stats",
        "fairvec.metrics",
    }


PACKAGES_ON_DEMAND = [
    ".".join(file.relative_to(SOURCE.parent).parent.parts)
    for file in FILES
    if file.name == "__init__.py" and "lazy_exports(" in file.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", PACKAGES_ON_DEMAND)
def test_names_on_demand_are_what_type_checkers_see(name: str) -> None:
    package = import_module(name)
    seen = {
        alias.name: node.module
        for node in ast.walk(ast.parse(Path(str(package.__file__)).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fairvec.")
        for alias in node.names
        if alias.name != "lazy_exports"
    }
    assert set(seen) == set(package.__all__)
    for public, home in seen.items():
        assert getattr(package, public) is getattr(import_module(home or ""), public)
    assert set(seen) <= set(dir(package))


def test_every_folder_is_an_attribute_and_no_other_name_is() -> None:
    names = sorted(MAY_IMPORT)
    # A folder that another one has imported would be an attribute without being asked for.
    program = "import fairvec\nfor name in {!r}: vars(fairvec).pop(name, 0), getattr(fairvec, name)"
    assert {f"fairvec.{name}" for name in names} <= loaded_after(program.format(names))
    assert {*names, *fairvec.__all__} <= set(dir(fairvec))
    with pytest.raises(AttributeError, match="'lod'"):
        fairvec.lod  # type: ignore[attr-defined]  # noqa: B018


def test_no_two_public_types_share_a_name() -> None:
    homes = defaultdict(list)
    for file in FILES:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(file.relative_to(SOURCE)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_no_module_is_hidden_by_a_function_of_its_name() -> None:
    names = [module.name for module in walk_packages(fairvec.__path__, "fairvec.")]
    unread = ModuleType("behind a door that is closed here")
    for name in names:
        try:
            import_module(name)
        except ModuleNotFoundError as absent:
            if absent.name not in BEHIND_DOORS:
                raise
    hidden = []
    for name in names:
        package, _, leaf = name.rpartition(".")
        if not isinstance(getattr(sys.modules[package], leaf, unread), ModuleType):
            hidden.append(name)
    assert hidden == []
