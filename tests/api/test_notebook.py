"""The notebook in examples/ runs from its first cell to its last, and shows pictures."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first_hour.ipynb"


def outputs(cell) -> list[dict]:
    return [output.get("data", output) for output in cell.get("outputs", ())]


def texts(notebook) -> list[list[str]]:
    """What the cells print or evaluate to, without pictures."""
    return [[data.get("text/plain", data.get("text")) for data in outputs(cell)] for cell in notebook.cells]


def pictures(notebook) -> list[str]:
    return [data["image/svg+xml"] for cell in notebook.cells for data in outputs(cell) if "image/svg+xml" in data]


def executed():
    """The notebook with the outputs of a new run."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    metadata = deepcopy(notebook.metadata)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(notebook, timeout=600, kernel_name="python3", record_timing=False).execute()
    notebook.metadata = metadata  # without the version of this Python
    return notebook


def test_the_notebook_runs_and_shows_what_it_was_kept_with():
    kept, run = nbformat.read(NOTEBOOK, as_version=4), executed()
    assert texts(run) == texts(kept)
    assert pictures(run) == pictures(kept), "python -m tests.api.test_notebook stores the notebook as it runs now"
    assert len(pictures(run)) == 3


if __name__ == "__main__":
    nbformat.write(executed(), NOTEBOOK)
