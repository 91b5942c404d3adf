"""Every notebook runs from start to end, without a warning, and is stored as it came out of such a run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

DEALS = 40
STATES = 10_000
"""A deal; few, so that all notebooks together take less than a minute."""

LARGEST = 400_000
"""Bytes of a notebook with its outputs."""


def names() -> list[str]:
    return [path.name for path in NOTEBOOKS]


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def assert_plots_are_shown(notebook: nbformat.NotebookNode) -> None:
    """Check that every cell that draws something shows one picture: a plot, a board or a replay."""
    drawing = re.compile(
        r"(sl\.plots\.(?!STYLE|together|side_by_side)\w+\(|plt\.subplots)|(^sl\.board\(|\.replay\(\))", re.MULTILINE
    )
    seen = set()
    for cell in code_cells(notebook):
        shown = [
            kind
            for output in cell.outputs
            for kind in output.get("data", {})
            if kind.startswith(("image/", "text/html"))
        ]
        if found := drawing.search(cell.source):
            assert len(shown) == 1, cell.source
            assert (shown == ["image/png"]) == bool(found[1]), cell.source
            seen.add(shown[0])
    assert {"image/png", "image/svg+xml"} <= seen


def test_there_are_notebooks_and_a_list_of_them() -> None:
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert NOTEBOOKS
    assert [name for name in names() if f"[{name}]({name})" not in listed] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names())
def test_notebook_runs(path: Path, tmp_path: Path) -> None:
    settings = {"SOLITAIRE_LAB_DEALS": str(DEALS), "SOLITAIRE_LAB_STATES": str(STATES), "PYTHONWARNINGS": "default"}
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"} | settings
    # In a process of its own, since Jupyter's libraries warn about each other, and here warnings are errors.
    command = [sys.executable, "-W", "ignore", "-m", "tests.run_notebooks", path.name, "--to", str(tmp_path)]
    done = subprocess.run(
        command, cwd=FOLDER.parent, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    executed = tmp_path / path.name
    said = [
        output.text
        for cell in code_cells(nbformat.read(executed, as_version=4))
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stderr"
    ]
    assert [text for text in said if "Warning" in text] == []
    assert_plots_are_shown(nbformat.read(executed, as_version=4))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names())
def test_notebook_is_stored_with_its_outputs_and_without_noise(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert path.stat().st_size < LARGEST
    assert [cell.metadata for cell in notebook.cells if cell.metadata] == []
    assert [cell.execution_count for cell in code_cells(notebook)] == list(range(1, len(code_cells(notebook)) + 1))
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"] == []
    assert_plots_are_shown(notebook)
