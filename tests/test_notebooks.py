"""Every notebook runs from start to end, without a warning, and is stored as it came out of such a run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

DEALS = 40
EXECUTE = """
import sys
import nbformat
from nbclient import NotebookClient
source, target, folder = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
nbformat.write(notebook, target)
"""
LARGEST = 300_000
"""Bytes of a notebook with its outputs."""


def names() -> list[str]:
    return [path.name for path in NOTEBOOKS]


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks_and_a_list_of_them() -> None:
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert NOTEBOOKS
    assert [name for name in names() if f"[{name}]({name})" not in listed] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names())
def test_notebook_runs(path: Path, tmp_path: Path) -> None:
    executed = tmp_path / path.name
    settings = {"SOLITAIRE_LAB_DEALS": str(DEALS), "PYTHONWARNINGS": "default"}
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"} | settings
    # In a process of its own, since Jupyter's libraries warn about each other, and here warnings are errors.
    command = [sys.executable, "-W", "ignore", "-c", EXECUTE, str(path), str(executed), str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    said = [
        output.text
        for cell in code_cells(nbformat.read(executed, as_version=4))
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stderr"
    ]
    assert [text for text in said if "Warning" in text] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names())
def test_notebook_is_stored_with_its_outputs_and_without_noise(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert path.stat().st_size < LARGEST
    assert [cell.metadata for cell in notebook.cells if cell.metadata] == []
    assert [cell.execution_count for cell in code_cells(notebook)] == list(range(1, len(code_cells(notebook)) + 1))
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"] == []
    assert any("image/png" in output.get("data", {}) for output in outputs)
