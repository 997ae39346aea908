"""The notebook in examples/ runs from its first cell to its last, and shows pictures."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first_hour.ipynb"


def outputs(cell) -> list[dict]:
    return [output.get("data", output) for output in cell.get("outputs", ())]


def texts(notebook) -> list[list[str]]:
    """What the cells print or evaluate to, without pictures."""
    return [[data.get("text/plain", data.get("text")) for data in outputs(cell)] for cell in notebook.cells]


def test_the_notebook_runs_and_shows_what_it_was_kept_with():
    kept = nbformat.read(NOTEBOOK, as_version=4)
    run = nbformat.read(NOTEBOOK, as_version=4)
    for cell in run.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(run, timeout=600, kernel_name="python3").execute()
    assert texts(run) == texts(kept)
    pictures = [data for cell in run.cells for data in outputs(cell) if "image/svg+xml" in data]
    assert len(pictures) == 3
