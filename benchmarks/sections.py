"""What the benchmarks share: sections of measurements, chosen on the command line; rows as a table or as JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

import solitaire_lab as sl

Row = dict[str, str | float | int]
Sections = dict[str, tuple[Callable[[int], list[Row]], int]]
"""What measures each, and of what size by default; the first line of its docstring says what is measured."""


def run(about: str | None, sections: Sections, *, on_request: tuple[str, ...] = ()) -> None:
    """Measure the sections that the command line asks for, and print their rows.

    Parameters
    ----------
    about
        The script's docstring.
    on_request
        Sections that are measured only if they are named.
    """
    parser = argparse.ArgumentParser(description=(about or "").splitlines()[0].split(":")[0] + ".")
    left_out = f" but {', '.join(on_request)}" if on_request else ""
    parser.add_argument(
        "sections", nargs="*", metavar="SECTION", help=f"any of {', '.join(sections)} (default: all{left_out})"
    )
    parser.add_argument("--size", metavar="N", type=int, help="deals, in place of a section's own number")
    add_json(parser)
    arguments = parser.parse_args()
    if unknown := set(arguments.sections) - set(sections):
        parser.error(f"unknown section {sorted(unknown)[0]!r}; expected any of {', '.join(sections)}")
    print_machine(arguments.json)
    for name in arguments.sections or [name for name in sections if name not in on_request]:
        measure, size = sections[name]
        rows = measure(arguments.size or size)
        if arguments.json:
            for row in rows:
                print(json.dumps({"section": name, **row}), flush=True)
        else:
            print(f"\n{name}: {(measure.__doc__ or '').splitlines()[0]}\n")
            print_table(rows)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option that asks for JSON."""
    parser.add_argument("--json", action="store_true", help="one JSON object for the machine and one for each row")


def print_machine(as_json: bool = False) -> None:
    """Print what the figures are measured on."""
    about = machine()
    print(json.dumps(about) if as_json else ", ".join(f"{name} {value}" for name, value in about.items()), flush=True)


def machine() -> dict[str, str | int | float]:
    """Say what the figures were measured on."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = names[0] if names else cpu
    return {
        "cpu": cpu,
        "cores": os.cpu_count() or 1,
        "load": round(os.getloadavg()[0], 2),
        "system": platform.system(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "solitaire_lab": sl.__version__,
    }


def text_of(value: str | float | int) -> str:
    """Return a cell: counts with commas, measures with three figures."""
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
    return value


def print_table(rows: list[Row]) -> None:
    """Print rows under their headings, numbers to the right."""
    cells = [list(rows[0]), *([text_of(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    words = [isinstance(value, str) for value in rows[0].values()]
    for line in cells:
        aligned = [
            cell.ljust(width) if word else cell.rjust(width)
            for cell, width, word in zip(line, widths, words, strict=True)
        ]
        print("  ".join(aligned).rstrip())
