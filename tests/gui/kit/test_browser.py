"""What the desktop opens, and what is told if it opens nothing."""

from pathlib import Path
from queue import SimpleQueue

import pytest

from gui.kit.browser import open_in_browser

WAIT_S = 60.0


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(("ends", "opened"), [("exit 3", False), ("exit 0", True), ("exec /bin/sleep 8", True)])
def test_it_is_told_whether_a_program_opened_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str, *, opened: bool
) -> None:
    opener = tmp_path / "xdg-open"
    opener.write_text(f"#!/bin/sh\n{ends}\n")
    opener.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.delenv("BROWSER", raising=False)
    told = SimpleQueue[bool]()

    open_in_browser(tmp_path, told.put)

    assert told.get(timeout=WAIT_S) is opened
