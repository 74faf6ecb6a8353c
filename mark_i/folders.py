"""Where MARK-I keeps what outlives a run."""

import os
import secrets
import time
from collections.abc import Mapping
from pathlib import Path

import platformdirs


def runs_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the runs; `MARK_I_HOME` puts everything under one folder."""
    home = environment.get("MARK_I_HOME")
    data = Path(home) if home else platformdirs.user_data_path("mark-i", appauthor=False)
    return data / "profiles" / "default" / "runs"


def new_run() -> str:
    """A name for a run: sorts by time, and two at once differ."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
