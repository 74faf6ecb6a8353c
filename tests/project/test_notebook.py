"""The notebook in docs/ is executed, and what it shows is what is saved in it."""

import copy
import itertools
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import pytest

CHECKOUT: Final = Path(__file__).parents[2]
NOTEBOOK: Final = CHECKOUT / "docs" / "thinking.ipynb"

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed: pip install 'mark-i[dev]'")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: pip install 'mark-i[dev]'")
pytest.importorskip("langgraph", reason="LangGraph is not installed: pip install 'mark-i[langgraph]'")


@pytest.fixture
def notebook() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def shown(notebook: Any) -> list[list[tuple[str, str]]]:
    """What stands below each cell of code: what was printed, or the name of anything else."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [_joined([(one.output_type, one.get("text", "")) for one in cell.outputs]) for cell in cells]


def _joined(outputs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What is printed comes in one piece or in several, as the kernel sends it."""
    return [(kind, "".join(text for _, text in pieces)) for kind, pieces in itertools.groupby(outputs, itemgetter(0))]


@pytest.mark.usefixtures("processes")
def test_it_shows_without_a_network_what_is_saved_in_it(
    notebook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # nothing listens there
    executed = copy.deepcopy(notebook)
    where = {"metadata": {"path": str(CHECKOUT)}}
    nbclient.NotebookClient(executed, timeout=250, kernel_name="python3", resources=where).execute()

    assert shown(executed) == shown(notebook)


def test_it_shows_every_path_and_nothing_of_its_machine(notebook: Any) -> None:
    printed = [text for cell in shown(notebook) for kind, text in cell if kind == "stream"]
    paths = [[line.partition(":")[0] for line in text.splitlines() if ":" in line[:20]] for text in printed]
    thought, tool = ["Thought"], ["Requesting tools", "Tool result", "Thought"]

    assert ["Question", *thought, "Final answer"] in paths
    assert ["Question", *thought * 3, "Final answer"] in paths
    assert ["Question", *thought, *tool, "Final answer"] in paths
    assert any(labels.count("Requesting tools") == 2 and "Tool error" in labels for labels in paths)
    assert all(kind == "stream" for cell in shown(notebook) for kind, _ in cell)
    assert not any(place in NOTEBOOK.read_text(encoding="utf-8") for place in ("/home/", "/root/", "/tmp/", "/work/"))
