"""Run notebooks from fresh kernels and store them with their outputs: ``python -m tests.run_notebooks [NAME ...]``.

Without names all notebooks of ``notebooks/`` are run. Nothing but outputs is stored: no times, no settings of cells.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "notebooks"


def run(source: Path, target: Path) -> None:
    """Run a notebook in a folder of its own, and store the result."""
    notebook = nbformat.read(source, as_version=4)
    for cell in notebook.cells:
        cell.metadata = {}
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": folder}}, record_timing=False
        )
        client.execute()
    nbformat.write(notebook, target)


def main(names: list[str]) -> None:
    """Run notebooks where they are, or ``--to FOLDER`` into another folder."""
    target = Path(names.pop()) if names[-2:-1] == ["--to"] and names.pop(-2) else FOLDER
    root = str(FOLDER.parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    for path in [FOLDER / name for name in names] or sorted(FOLDER.glob("*.ipynb")):
        print(path.name, file=sys.stderr)
        run(path, target / path.name)


if __name__ == "__main__":
    main(sys.argv[1:])
