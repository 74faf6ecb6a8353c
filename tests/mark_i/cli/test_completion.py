"""What a shell completes, asked by a real bash, and the scripts for all three."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from mark_i.config.paths import runs_folder
from mark_i.config.settings import save
from tests.support import Run

CHECKOUT: Final = Path(__file__).parents[3]
ASKED: Final = """
eval "$(mark-i completion bash)"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_mark_i_completion mark-i
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where `mark-i` is the program of this checkout."""
    program = tmp_path / "bin" / "mark-i"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={CHECKOUT} exec {sys.executable} -m mark_i "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


def completed(path: str, *words: str) -> list[str]:
    """What bash offers for the last of the words."""
    command = ["bash", "--norc", "-c", ASKED, "bash", "mark-i", *words]
    environment = os.environ | {"PATH": path}
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, env=environment)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["r"], ["run", "runs"]),
        (["do"], ["doctor"]),
        (["runs", "sh"], ["show"]),
        (["run", "--workfl"], ["--workflow"]),
        (["run", "--workflow", "cri"], ["critic"]),
        (["run", "--brain", "off"], ["offline"]),
        (["tools", "show", "double"], ["double_click"]),
        (["workflow", "show", "rea"], ["react"]),
        (["config", "set", "max_s"], ["max_steps", "max_seconds"]),
        (["config", "set", "gem"], ["gemini.key"]),
        (["runs", "show", ""], []),  # there are none yet
    ],
    ids=" ".join,
)
def test_what_is_begun_is_completed(path: str, words: list[str], offered: list[str]) -> None:
    assert completed(path, *words) == offered


@pytest.mark.usefixtures("processes")
def test_runs_are_completed_by_profile_and_profiles_too(path: str) -> None:
    for profile, name in (("default", "20260101-a"), ("default", "20260102-b"), ("work", "20260103-c")):
        (runs_folder(profile) / name).mkdir(parents=True)
    save({"max_steps": 3}, "home")

    assert completed(path, "runs", "show", "") == ["last", "20260102-b", "20260101-a"]
    assert completed(path, "runs", "show", "--profile", "work", "2") == ["20260103-c"]
    assert completed(path, "run", "--resume", "20260101") == ["20260101-a"]
    assert completed(path, "stop", "l") == ["last"]
    assert completed(path, "config", "show", "--profile", "") == ["default", "home", "work"]
    assert completed(path, "runs", "show", "--profile", "../x", "") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script_that_it_can_read(mark_i: Run, shell: str, tmp_path: Path) -> None:
    done = mark_i("completion", shell)

    assert (done.returncode, done.stderr) == (0, "")
    assert f"_MARK_I_COMPLETE={shell}_complete" in done.stdout
    script = tmp_path / "script"
    script.write_text(done.stdout)
    if program := shutil.which(shell):  # not every machine has all three
        subprocess.run([program, "-n", str(script)], check=True, timeout=60)


def test_another_shell_is_refused(mark_i: Run) -> None:
    done = mark_i("completion", "tcsh")

    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr
