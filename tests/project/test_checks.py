"""What must hold before each commit: one list of checks, in the Makefile, and an exception only with a reason."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests.tiers import FIXTURES

CHECKOUT: Final = Path(__file__).parents[2]
PARTS: Final = ("style", "types", "security", "house")
ROOMS: Final = ("world_model", "toolbelt", "mark_i", "gui", "benchmarks")


def read(name: str) -> str:
    return (CHECKOUT / name).read_text(encoding="utf-8")


def planned(target: str) -> str:
    """What make would do for a target."""
    command = ["make", "--no-print-directory", "--dry-run", target]  # make itself may be what runs the tests
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=CHECKOUT)
    return done.stdout


@pytest.mark.usefixtures("processes")
def test_the_checks_are_one_list_and_the_tests_do_all_of_it() -> None:
    check, test = planned("check"), planned("test")

    for tool in ("ruff format --check", "ruff check", "bin/mypy", "bin/bandit", "tests/test_house.py"):
        assert check.count(tool) == 1
    assert check in test
    assert "audit" not in test


@pytest.mark.usefixtures("processes")
def test_no_test_has_a_second_try_and_those_of_a_file_run_on_one_worker() -> None:
    assert "--dist loadgroup" in planned("test")
    assert "reruns" not in planned("test")
    command = [sys.executable, "-m", "pytest", "-v", "--numprocesses", "2", "--dist", "loadgroup"]
    files = ["tests/world_model/test_world_model.py", "tests/toolbelt/targeting/test_targets.py"]

    done = subprocess.run(
        [*command, *files, "-m", "not display"], capture_output=True, text=True, check=True, timeout=250, cwd=CHECKOUT
    )

    ran = set(re.findall(r"^\[(gw\d)\] .* PASSED .*/(\w+)\.py::.*@(\w+)", done.stdout, re.MULTILINE))
    assert {(file, group) for _, file, group in ran} == {(name := Path(file).stem, name) for file in files}
    assert len(ran) == len(files)


@pytest.mark.usefixtures("processes")
def test_the_fast_tier_is_what_no_fixture_puts_in_another() -> None:
    assert f'-m "not ({" or ".join(FIXTURES.values())})"' in planned("test-fast")
    assert set(FIXTURES.values()) <= set(re.findall(r'^    "(\w+): ', read("pyproject.toml"), re.MULTILINE))


@pytest.mark.usefixtures("processes")
def test_the_demo_sets_up_what_a_user_needs_and_no_more() -> None:
    assert "scripts/setup tests" not in planned("demo")
    assert "scripts/setup\n" in planned("demo")
    assert "scripts/setup tests\n" in planned("test-fast")


@pytest.mark.usefixtures("processes")
def test_the_commit_hooks_are_those_checks_and_fetch_nothing() -> None:
    hooks = read(".pre-commit-config.yaml")

    assert re.findall(r"entry: (.+?),", hooks) == [f"make {part}" for part in PARTS]
    assert re.findall(r"repo: (\S+)", hooks) == ["local"]
    assert hooks.count("language: system") == len(PARTS)
    assert planned("check") == "".join(
        step if not place else step.split("\n", 1)[1] for place, step in enumerate(map(planned, PARTS))
    )


def test_the_page_for_contributors_names_each_part() -> None:
    page = read("CONTRIBUTING.md")

    assert re.findall(r"^\| `make (\w+)`", page, re.MULTILINE) == list(PARTS)
    for target in re.findall(r"make ([\w-]+)", page):
        assert f"\n{target}:" in read("Makefile")


@pytest.mark.parametrize("table", [("ruff", "lint", "ignore"), ("bandit", "skips")], ids=" ".join)
def test_every_rule_that_is_left_out_has_its_reason(table: tuple[str, ...]) -> None:
    values = tomllib.loads(read("pyproject.toml"))["tool"]
    for name in table:
        values = values[name]

    assert values
    lines = read("pyproject.toml").splitlines()
    for rule in values:
        [place] = [number for number, line in enumerate(lines) if line.strip().startswith(f'"{rule}",')]
        while lines[place].strip().startswith('"') and "#" not in lines[place]:
            place -= 1  # a reason above several of them
        assert "#" in lines[place]


def test_every_exception_in_the_code_has_its_reason() -> None:
    files = [file for room in ROOMS for file in (CHECKOUT / room).rglob("*.py")]
    said = [line for file in files for line in file.read_text(encoding="utf-8").splitlines() if "nosec" in line]

    assert said
    assert [line for line in said if not re.search(r"# nosec B\d+  # \w+", line)] == []


@pytest.mark.usefixtures("processes")
def test_bandit_finds_what_is_no_exception(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import pickle\n\n\ndef read(file):\n    return pickle.load(file)\n")
    command = [sys.executable, "-m", "bandit", "--quiet", "--configfile", str(CHECKOUT / "pyproject.toml")]

    done = subprocess.run(
        [*command, str(tmp_path / "bad.py")], capture_output=True, text=True, check=False, timeout=120
    )

    assert done.returncode == 1
    assert "B301" in done.stdout


@pytest.mark.usefixtures("processes")
def test_without_a_network_the_audit_says_so(tmp_path: Path) -> None:
    """With a pip that reaches nothing; what it finds with a network, no test can say."""
    for name in ("scripts/audit", "constraints.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((CHECKOUT / name).read_bytes())
    (tmp_path / "scripts" / "audit").chmod(0o755)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0", "PIP_CONFIG_FILE": "/dev/null"}

    done = subprocess.run(
        ["env", *(f"{name}={value}" for name, value in nowhere.items()), str(tmp_path / "scripts" / "audit")],
        capture_output=True, text=True, check=False, timeout=250,
    )  # fmt: skip

    assert done.returncode == 3
    assert done.stderr.endswith("Nothing was audited: try again with a network.\n")


@pytest.mark.usefixtures("processes")
def test_setup_installs_each_part_once_and_all_of_it_for_tests(tmp_path: Path) -> None:
    """With a Python that only writes down what it is asked for."""
    for name in ("scripts/setup", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((CHECKOUT / name).read_bytes())
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n')
    python.chmod(0o755)

    def installed(*parts: str) -> list[str]:
        (tmp_path / "asked").write_text("")
        subprocess.run(["bash", str(tmp_path / "scripts" / "setup"), *parts], check=True, timeout=250)
        return re.findall(r"-e \.\[(.*?)\]", (tmp_path / "asked").read_text())

    assert [installed(), installed()] == [["all"], []]
    assert [installed("tests"), installed("tests"), installed()] == [["all,dev"], [], []]
