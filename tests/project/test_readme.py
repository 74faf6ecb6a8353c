"""The README and the pages in docs/: every command is one, every link leads somewhere, and their Python works."""

import contextlib
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final, cast

import click
import pytest

from mark_i.cli.main import program
from mark_i.extras import FOR_USERS

ROOT: Final = Path(__file__).parents[2]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES: Final = {"README.md": README} | {
    page.name: page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md"))
}
BLOCKS: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON: Final = BLOCKS.findall(PAGES["python.md"])
LONGEST: Final = 150  # lines of the README
CAP_S: Final = 250.0  # seconds on a busy machine


def commands(page: str) -> list[str]:
    """Each command of a page: `a | b` names several, and what is in brackets may be left out."""
    inline = re.findall(r"`(mark-i [^`]+)`", page)
    fenced = re.findall(r"^ *(?:\.venv/bin/)?(mark-i .+)$", page, re.MULTILINE)
    found = []
    for line in {" ".join(re.sub(r"  +#.*|\[.*?\]|\.\.\.", "", one).split()) for one in (*inline, *fenced)}:
        first, *others = re.split(r" \| ", line)
        stem = first.rpartition(" ")[0]
        found += [first, *(f"{stem} {other}" for other in others)]
    return sorted(found)


COMMANDS: Final = sorted({command for page in PAGES.values() for command in commands(page)})


def parse(args: list[str]) -> None:
    """Read a command line as click does; words of the reader's own may be missing where a page only names a command."""
    name, command, context = "mark-i", cast("click.Command", program), None
    while args and isinstance(command, click.Group):
        try:
            context = command.make_context(name, args, parent=context)
        except click.exceptions.Exit:  # `--version` has told it
            return
        found, following, args = command.resolve_command(context, [*context._protected_args, *context.args])
        assert found
        assert following
        name, command = found, following
    if not isinstance(command, click.Group):
        with contextlib.suppress(click.MissingParameter):
            command.make_context(name, args, parent=context)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_one(command: str) -> None:
    parse(shlex.split(command)[1:])


@pytest.mark.usefixtures("processes")
def test_the_pages_build_without_warning_and_all_are_listed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    built = subprocess.run(command, capture_output=True, text=True, check=False, timeout=CAP_S, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    assert "not included in the" not in built.stderr
    for name in PAGES.keys() - {"README.md", "index.md"}:
        page = tmp_path / "site" / Path(name).stem / "index.html"
        assert not re.search(
            r"""(?:src|href)=["'](?:https?:)?//""", page.read_text(encoding="utf-8").partition("<body")[0]
        )
        assert f"({name})" in PAGES["index.md"]


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_left_to_be_filled_in(page: str) -> None:
    assert re.findall(r"@[A-Z]+@|\bTODO\b|not measured yet", PAGES[page]) == []


def test_what_is_no_command_would_be_found() -> None:
    assert commands("`mark-i run GOAL --brain x`, `mark-i config show | sett`") == [
        "mark-i config sett",
        "mark-i config show",
        "mark-i run GOAL --brain x",
    ]
    for wrong in (["config", "sett"], ["run", "x", "--brian", "y"], ["rub"], ["mcp", "--http", "x"]):
        with pytest.raises(click.UsageError):
            parse(wrong)


def run_python(code: str, folder: Path) -> str:
    file = folder / "example.py"
    file.write_text(code, encoding="utf-8")
    command = [sys.executable, str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=CAP_S, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("block", "says"),
    [(1, "It is ticket 4711."), (2, "Paris."), (3, "'outcome': 'done'")],
    ids=["ReactAgent", "LangGraph", "desktop"],
)
def test_the_python_of_the_page_does_what_it_says(block: int, says: str, tmp_path: Path) -> None:
    assert "@tool" in PYTHON[0]  # which the others use
    assert says in run_python(f"{PYTHON[0]}\n\n{PYTHON[block]}", tmp_path)


@pytest.mark.usefixtures("processes")
def test_the_python_of_the_readme_does_what_it_says(tmp_path: Path) -> None:
    [code] = BLOCKS.findall(README)
    assert "It is ticket 4711." in run_python(code, tmp_path)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= LONGEST


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file(page: str) -> None:
    folder = ROOT if page == "README.md" else ROOT / "docs"
    links = re.findall(r"\]\((?!https?:)([^)#]+)", PAGES[page])
    assert [link for link in links if not (folder / link).exists()] == []


def test_the_readme_names_every_system_package_that_setup_installs() -> None:
    setup = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")
    [listed] = re.findall(r"^packages=\((.*?)^\)", setup, re.MULTILINE | re.DOTALL)
    wanted = set(re.sub(r"#.*", "", listed).split())
    [command] = re.findall(r"apt-get install (.*?[^\\])\n", README, re.DOTALL)
    assert wanted
    assert wanted - set(command.split()) == set()


def test_the_readme_names_every_extra_for_users() -> None:
    assert {name for name in (*FOR_USERS, "all") if f"`{name}`" not in README} == set()
