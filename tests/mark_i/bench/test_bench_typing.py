"""The benchmark of the hands: what it has typed, what it finds out, what it says, and that it leaves nothing behind."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from mark_i.bench.apps.fields import FIELDS, Field
from mark_i.bench.corpus import ASCII, FAMILIES, LONG_CHARS, STRINGS, corpus
from mark_i.bench.typing import OURS, POINTS, Contest, chosen, clicked, our_typing
from mark_i.cli.commands.bench import tell_typing
from tests.support import Run, gone, processes_with
from toolbelt.control import Control

pytestmark = pytest.mark.timing

CAP_S = 120.0  # seconds for something to happen on a busy machine
BY_NAME = {field.name: field for field in FIELDS}
HERE = ("Xvfb", "openbox", "xterm", "env")  # what is on the path of the short run: no other application, and no xdotool


# The corpus --------------------------------------------------------------------------------------------------------


def test_the_corpus_is_the_same_thousand_different_strings() -> None:
    assert len(corpus()) == len(set(corpus())) == STRINGS == 1000
    assert corpus() == corpus()
    assert [len(text) for text in corpus() if len(text) >= LONG_CHARS] == [LONG_CHARS]
    assert len(corpus()[-1]) == LONG_CHARS


def test_every_kind_of_text_is_in_the_corpus() -> None:
    texts = corpus()
    signs = set("".join(texts))

    assert set(ASCII) <= set(texts)
    assert all(
        any(sign in signs and sign.isprintable() for sign in kind) for kind in ("é", "ω", "ж", "好", "ع", "ש", "한")
    )
    assert set(FAMILIES) <= set(texts)
    assert {"\u200d", "\N{EMOJI MODIFIER FITZPATRICK TYPE-4}", "\U00020000"} <= signs
    assert sum(unicodedata.combining(sign) > 0 for sign in signs) > 100
    assert {sign for sign in signs if unicodedata.category(sign) == "Cc"} == {"\n", "\t"}
    assert sum("\n" in text for text in texts) > 100 < sum("\t" in text for text in texts)


@pytest.mark.parametrize("strings", [2, 3, 12, 999, 1000])
def test_a_part_of_the_corpus_is_spread_over_all_of_it(strings: int) -> None:
    everything = {text: place for place, text in enumerate(corpus())}

    places = [everything[text] for text in chosen(strings)]

    assert len(places) == strings
    assert places[-1] == STRINGS - 1
    gaps = {after - before for before, after in itertools.pairwise([0, *places[:-1], STRINGS - 1])}
    assert max(gaps) - min(gaps - {0}) <= 1


# The figures -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("benchmark", "display")
@pytest.mark.parametrize("name", ["GTK (mousepad)", pytest.param("Chromium", marks=pytest.mark.browser)])
def test_text_typed_by_mark_i_arrives(name: str, control: Control) -> None:
    field = BY_NAME[name]
    assert field.missing() is None
    told: list[str] = []

    row = Contest(control, told.append).row(field, OURS, None, our_typing, chosen(12)[:-1])

    assert (row["equal"], row["of"], row["missed"], row["ended"]) == (11, 11, [], None)
    assert row["characters_per_second"] > 0
    assert told[-1] == f"{name}: mark-i types string 11 of 11"


@pytest.mark.usefixtures("benchmark", "display")
def test_missing_text_is_reported(control: Control) -> None:
    def other(field: Field) -> Field:
        return Field(field.name, field.open, field.missing, line_end="|")

    row = Contest(control, len).row(other(BY_NAME["xterm"]), OURS, None, our_typing, ["one", "two\nlines"])

    assert (row["equal"], row["of"]) == (1, 2)
    assert row["missed"] == [{"text": "two\nlines", "arrived": "two\rlines", "refused": None}]


@pytest.mark.usefixtures("benchmark", "display")
def test_every_click_goes_down_where_it_should(control: Control) -> None:
    figures = clicked(control, len)

    assert (figures["exact"], figures["arrived"], figures["refused"]) == (POINTS, POINTS, 0)
    assert 0 < figures["p50_ms"] <= figures["p95_ms"]


@pytest.mark.usefixtures("benchmark")
def test_the_command_prints_all_figures_and_what_is_missing(
    mark_i: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for program in HERE:
        (tmp_path / program).symlink_to(shutil.which(program) or "")
    done = mark_i("bench", "typing", "--strings", "2", "--json", env=os.environ | {"PATH": str(tmp_path)})

    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(done.stdout)
    assert {name: figures[name] for name in ("strings", "long_text", "rival_strings")} == {
        "strings": 2,
        "long_text": LONG_CHARS,
        "rival_strings": 1,
    }
    rows = {(row["application"], row["hands"]): row for row in figures["typing"]}
    assert [name for name, hands in rows if hands == "pynput"] == ["Tk", "GTK (mousepad)", "xterm", "Chromium"]
    for name in ("Tk", "xterm"):
        row = rows[name, OURS]
        assert (row["equal"], row["of"], row["missing"]) == (2, 2, None)
        assert row["characters_per_second"] > 0 < row["long_text_per_second"]
        assert (rows[name, "pyautogui"]["of"], rows[name, "pyautogui"]["long_text_per_second"]) == (1, None)
        assert rows[name, "xdotool"]["missing"].startswith("xdotool is not installed: ")
    assert rows["Chromium", OURS]["missing"].startswith("chromium is not installed: ")
    assert figures["click"]["points"] == POINTS

    monkeypatch.setenv("COLUMNS", "120")
    tell_typing(figures)
    said = capsys.readouterr().out
    assert "mousepad is not installed: sudo apt-get install mousepad" in said
    assert f"{figures['click']['exact']:,} of 1,000" in said
    assert max(map(len, said.splitlines())) <= 120


@pytest.mark.usefixtures("benchmark", "processes")
def test_a_stopped_benchmark_leaves_nothing_behind(tmp_path: Path, control: Control) -> None:
    mark = f"TMPDIR={tmp_path}"
    command = [sys.executable, "-m", "mark_i", "bench", "typing", "--strings", "100"]
    with subprocess.Popen(command, env=os.environ | {"TMPDIR": str(tmp_path)}, stdout=subprocess.PIPE) as process:
        # Ourselves, the desktop's keeper, its display and window manager, and an application.
        assert control.until(lambda: len(processes_with(mark)) >= 5, CAP_S)
        started = processes_with(mark)

        process.send_signal(signal.SIGINT)

        assert process.wait(CAP_S) == 130
    assert gone(*started)
    assert list(tmp_path.iterdir()) == []
