"""The models that read text, in a process of their own."""

import subprocess
import sys

import pytest

ENDS_MEANWHILE = """
import time
from toolbelt.ocr import engine

engine.warm_up()
while not engine._engine.cache_info().currsize:
    time.sleep(0.01)
"""


@pytest.mark.usefixtures("processes")
def test_a_program_that_ends_while_the_models_load_ends_well() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDS_MEANWHILE], capture_output=True, text=True, check=False, timeout=250
    )

    assert (done.returncode, done.stderr) == (0, "")
