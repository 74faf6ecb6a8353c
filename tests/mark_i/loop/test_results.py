"""Files that are there and are not what the goal asks for: empty, another one, incomplete, or set as before."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from mark_i.loop.evidence import checked, objections
from tests.mark_i.loop.known_facts import lines, old, proves, run

PACK = "python3 -m zipfile -c all.zip"
BEFORE = {
    "a.txt": "one\n",
    "b.txt": "two\n",
    "keep.log": "1",
    "x.log": "2",
    "y.log": "3",
    "app.ini": "port = 80\nzone = UTC\n",
    "letter.txt": "Dear Anna\nmany thanks\nsee you\n",
    "trip/map.txt": "map",
}


@pytest.mark.parametrize(
    ("goal", "command", "told"),
    [
        ("Save the sum of the numbers in new.txt.", "> new.txt", "new.txt is empty."),
        ("Save the sum of the numbers in new.txt.", "echo 3 > new.txt", ""),
        ("Save it as new.txt.", "> new.txt", ""),
        ("Convert a.txt to JSON and save it as a.json.", "cp a.txt a.json", "only its name ends otherwise."),
        ("Convert a.txt to JSON and save it as a.json.", "echo '[1]' > a.json", ""),
        ("Copy a.txt to c.md.", "cp a.txt c.md", ""),
        ("Pack a.txt and b.txt into all.zip.", f"{PACK} a.txt", "all.zip does not hold b.txt."),
        ("Pack a.txt and b.txt into all.zip.", f"{PACK} a.txt b.txt", ""),
        ("Pack a.txt into all.zip in the folder trip.", f"cd trip; {PACK} ../a.txt", ""),
        ("Pack a.txt into all.zip and delete b.txt.", f"{PACK} a.txt; rm b.txt", ""),
        ("Compress the folder trip into all.zip.", "tar czf all.zip trip", "all.zip is no such archive."),
        ("Compress the folder trip into trip.tar.gz.", "tar czf trip.tar.gz a.txt", "trip.tar.gz does not hold trip."),
        ("Compress the folder trip into trip.tar.gz.", "tar czf trip.tar.gz trip", ""),
        ("Create a link new.txt to b.txt.", "ln -s a.txt new.txt", "new.txt is a link to a.txt."),
        ("Create a link new.txt to b.txt.", "ln -s b.txt new.txt", ""),
        ("Set the port to 8080 in app.ini.", "echo '# port = 8080' >> app.ini", 'still holds "port = 80".'),
        ("Set the port to 8080 in app.ini.", "sed -i s/80/8080/ app.ini", ""),
        ("Set the zone to CET in app.ini, the port stays 80.", "sed -i s/UTC/CET/ app.ini", ""),
        ('Add "PS" below the line "see you" in letter.txt.', "sed -i 1iPS letter.txt", '"PS" is not beside "see you"'),
        ('Add "PS" below the line "see you" in letter.txt.', "echo PS >> letter.txt", ""),
        (
            "Copy the first 2 lines of letter.txt to new.txt.",
            "head -1 letter.txt > new.txt",
            "holds 1 of the lines of letter.txt",
        ),
        ("Copy the first 2 lines of letter.txt to new.txt.", "head -2 letter.txt > new.txt", ""),
        ("Copy line 3 of letter.txt to new.txt.", "tail -1 letter.txt > new.txt", ""),
        ("Delete all .log files except keep.log.", "rm x.log", "y.log is still there."),
        ("Delete all .log files except keep.log.", "rm x.log y.log", ""),
        ("Delete all .log files except keep.log.", "rm *.log", "keep.log is gone."),
        ("Delete a.txt, not b.txt.", "rm a.txt", ""),
    ],
)
def test_a_result_is_what_the_goal_asks_for(
    goal: str, command: str, told: str, tmp_path: Path, processes: None
) -> None:
    (tmp_path / "trip").mkdir()
    for name, text in BEFORE.items():
        old(tmp_path / name, text)

    known = run(goal, tmp_path, lambda: subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, check=True))
    against = [one for one in objections([], known, kind="deed") if not one.startswith("Nothing shows")]

    assert any(told in one for one in against) if told else not against


@pytest.mark.parametrize(
    ("goal", "mode", "shown", "good"),
    [
        ("Make a.sh executable.", 0o755, "-rwxr-xr-x", True),
        ("Make a.sh executable.", 0o644, "-rw-r--r--", False),
        ("Make a.sh executable.", 0o755, "-rw-r--r--", False),
        ("Mache a.sh ausf\u00fchrbar.", 0o755, "-rwxr-xr-x", True),
        ("Write hello into a.sh.", 0o755, "-rwxr-xr-x", False),
    ],
)
def test_permissions_are_shown_by_those_that_a_file_got(
    goal: str, mode: int, shown: str, tmp_path: Path, *, good: bool
) -> None:
    path = old(tmp_path / "a.sh")
    path.chmod(0o644)

    known = run(goal, tmp_path, lambda: path.chmod(mode))

    assert proves({"text": shown}, replace(known, lines=lines(f"{shown} 1 anna anna 9 a.sh"))) is good


def test_the_agent_is_told_to_show_the_permissions(tmp_path: Path) -> None:
    path = old(tmp_path / "a.sh")
    path.chmod(0o644)
    known = run("Make a.sh executable.", tmp_path, lambda: path.chmod(0o755))

    [(_, verdict)] = checked([{"file": "a.sh"}], known, "", "deed")

    assert verdict.reason == f"{path} is as it was before the run, but for -rwxr-xr-x: show that as text."
