"""What all tests of brains share: no time is spent on what they are not about."""

from pathlib import Path

import pytest
from tenacity import wait_none

from mark_i.loop import model_calls


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No time is spent between two tries, and on certificates, of which none is needed."""
    monkeypatch.setattr(model_calls, "_BACKOFF", wait_none())
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):  # none may catch 127.0.0.1
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
