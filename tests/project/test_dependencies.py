"""What the packages import is what pyproject declares, and the sdist holds what its Makefile uses."""

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.extras import EXTRAS, FOR_USERS

CHECKOUT: Final = Path(__file__).parents[2]
LAYERS: Final = ("world_model", "toolbelt", "mark_i", "gui")
PROJECT: Final[dict[str, Any]] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VENDORS: Final = ("gemini", "openai", "anthropic", "gemini-legacy")
# Where an extra may be imported: only in these files and folders, which are loaded when somebody asks for them.
OPTIONAL: Final = {
    "gui": ("window",),
    "toolbelt/desktops/accessibility/worker.py": ("accessibility",),
    "toolbelt/desktops/wayland/portal": ("portal",),
    "toolbelt/tools/internet": ("web",),
    "toolbelt/langchain.py": ("langgraph",),
    "mark_i/workflows/langgraph.py": ("langgraph",),
    "mark_i/brains/gemini.py": ("gemini",),
    "mark_i/brains/gemini_legacy.py": ("gemini-legacy",),
    "mark_i/brains/openai.py": ("openai",),
    "mark_i/brains/anthropic.py": ("anthropic",),
    "mark_i/brains/http.py": VENDORS,
    "mark_i/mcp": ("mcp",),
    "mark_i/plugins/mcp_client.py": ("mcp",),
    "mark_i/cli/commands/mcp.py": ("mcp",),
    "mark_i/fleet/on_ray.py": ("fleet",),
    "mark_i/runs/spans.py": ("otel",),
    "mark_i/bench/miniwob.py": ("bench",),
}
NOT_IMPORTED: Final = {"onnxruntime"}  # rapidocr loads it, where OpenVINO has no build
# On this system nobody can say which distribution brings these.
ELSEWHERE: Final = {
    "pygetwindow": "pygetwindow",
    "pynput": "pynput",
    "pyperclip": "pyperclip",
    "Quartz": "pyautogui",  # pyobjc's, which pyautogui requires on macOS
    "AppKit": "pyautogui",
}
# What programs of a benchmark import that the system's own Python runs, and a module beside them.
OF_SYSTEM: Final = ("gi", "gtk_places", "PyQt6", "uno")
NAMESPACES: Final = {  # each of several distributions
    "google.api_core": "google-api-core",
    "google.genai": "google-genai",
    "google.generativeai": "google-generativeai",
    "google.protobuf": "protobuf",
    "opentelemetry.exporter": "opentelemetry-exporter-otlp-proto-http",
    "opentelemetry.sdk": "opentelemetry-sdk",
    "opentelemetry.trace": "opentelemetry-api",
}
INSTALLED: Final = packages_distributions()
SHARED: Final = {"langgraph": "langgraph"}  # the distribution that requires the others of its name


def named(requirement: str) -> str:
    """The distribution of a requirement, as registries spell it."""
    return spelled(re.split(r"[ ;<>=\[]", requirement, maxsplit=1)[0])


def spelled(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


DECLARED: Final = {named(one) for one in PROJECT["dependencies"]}
EXTRA: Final = {name: {named(one) for one in needs} for name, needs in PROJECT["optional-dependencies"].items()}


def modules(file: Path) -> Iterator[str]:
    """What a file imports that is neither ours nor Python's, also where it does so by name."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        found: list[str] = []
        match node:
            case ast.Import():
                found = [alias.name for alias in node.names]
            case ast.ImportFrom(level=0, module=str(module)):
                found = [f"{module}.{alias.name}" if module == "google" else module for alias in node.names]
            case ast.Call(
                func=ast.Attribute(attr=name) | ast.Name(id=name), args=[ast.Constant(value=str(module)), *_]
            ):
                found = [module] if name in {"import_module", "find_spec"} else []
        yield from (
            one for one in found if one.partition(".")[0] not in {*sys.stdlib_module_names, *LAYERS, *OF_SYSTEM}
        )


def distribution(module: str) -> str:
    top, second = module.partition(".")[0], ".".join(module.split(".")[:2])
    known = NAMESPACES.get(second) or SHARED.get(top) or ELSEWHERE.get(top)
    return known or spelled(INSTALLED[top][0])


def imports() -> Iterator[tuple[str, str]]:
    """Each file, and each distribution that it imports."""
    for layer in LAYERS:
        for file in sorted((CHECKOUT / layer).rglob("*.py")):
            yield from ((file.relative_to(CHECKOUT).as_posix(), distribution(one)) for one in set(modules(file)))


def allowed(file: str) -> set[str]:
    extras = next((names for place, names in OPTIONAL.items() if file == place or file.startswith(f"{place}/")), ())
    return DECLARED.union(*(EXTRA[name] for name in extras[:1])).intersection(
        *(DECLARED | EXTRA[name] for name in extras)
    )


def test_every_import_is_declared_where_it_is_used() -> None:
    assert [f"{file} imports {name}" for file, name in imports() if name not in allowed(file)] == []


def test_every_declared_package_is_imported() -> None:
    used = {name for _, name in imports()}
    for_users = set[str]().union(*(EXTRA[name] for name in EXTRAS))
    assert (DECLARED | for_users) - used - NOT_IMPORTED == set()


def test_the_extra_all_brings_every_extra_for_users() -> None:
    assert PROJECT["optional-dependencies"]["all"] == [f"mark-i[{','.join(sorted(FOR_USERS))}]"]
    assert set(PROJECT["optional-dependencies"]) == {*EXTRAS, "all", "dev"}


def test_an_extra_counts_as_installed_where_its_packages_are() -> None:
    for name, extra in EXTRAS.items():
        assert {distribution(module) for module in extra.modules} <= EXTRA[name]
        assert extra.installed


def test_every_declared_package_is_pinned_once() -> None:
    lines = (CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    names = [line.partition("==")[0] for line in lines if not line.startswith("#")]
    assert len(names) == len(set(map(spelled, names)))
    assert DECLARED - {spelled(name) for name in names} <= {"onnxruntime", "pygetwindow", "pynput", "pyperclip"}


# The source distribution -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sdist(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(folder), str(CHECKOUT)]
    subprocess.run(command, check=True, capture_output=True, timeout=250)
    [archive] = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.mark.parametrize("folder", [*LAYERS, "tests", "benchmarks", "docs", "scripts", ".ci"])
def test_the_sdist_holds_every_file(folder: str, sdist: Path) -> None:
    there = {file.relative_to(CHECKOUT) for file in (CHECKOUT / folder).rglob("*") if file.is_file()}
    wanted = {file for file in there if "__pycache__" not in file.parts}
    assert wanted
    assert {file for file in wanted if not (sdist / file).is_file()} == set()


def test_the_makefile_of_the_sdist_finds_what_it_runs(sdist: Path) -> None:
    makefile = (sdist / "Makefile").read_text(encoding="utf-8")
    scripts = set(re.findall(r"scripts/[\w-]+", makefile))
    assert scripts
    for script in scripts:
        assert (sdist / script).stat().st_mode & 0o100, script
    planned = subprocess.run(
        ["make", "--dry-run", "demo", "test"], capture_output=True, text=True, check=False, timeout=60, cwd=sdist
    )
    assert planned.returncode == 0, planned.stderr


def test_the_sdist_holds_the_files_that_setup_and_checks_read(sdist: Path) -> None:
    wanted = {"pyproject.toml", "constraints.txt", "README.md", "LICENSE", "CONTRIBUTING.md", "mkdocs.yml"}
    assert {name for name in wanted if not (sdist / name).is_file()} == set()
