"""The README's commands, outputs and Python are what the program does, but for what depends on machine and version.

In an output a line ``...`` stands for any number of lines. Seconds, counts of states, lengths of solutions and the
solutions themselves may differ: a better search changes them.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from solitaire_lab.cli import main
from solitaire_lab.rules import catalogue_keys

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *ROOT.glob("*/README.md")]

VARIABLE = [
    (re.compile(r"[\d.,]+ (s|states|CPU s|moves|deals/s)\b"), r"# \1"),
    (re.compile(r"\b\d+,[\d.]+,\d+$", re.MULTILINE), "#"),  # states, seconds and moves in a line of CSV
    (re.compile(r'("states"|"seconds"): [\d.]+'), r"\1: #"),
    (re.compile(r"\+[0-9a-f]{12}\b"), "+fingerprint"),  # of the solver's sources
    (re.compile(r"^ +\d+\. .*$", re.MULTILINE), "move"),
    (re.compile(r" {2,}"), "  "),
]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def examples() -> list[tuple[str, str]]:
    """Return each command of the README's console blocks with its output."""
    found = []
    for block in blocks("console"):
        for part in block.split("$ ")[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def settled(text: str) -> list[str]:
    """Return the lines of an output without what may differ."""
    for pattern, put in VARIABLE:
        text = pattern.sub(put, text)
    return [line.rstrip() for line in text.splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the README's game file in it."""
    monkeypatch.chdir(tmp_path)
    (text,) = blocks("toml")
    (key,) = re.findall(r'^key = "(.*)"', text)
    (tmp_path / f"{key}.toml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("command", "output"), examples(), ids=[command for command, _ in examples()])
def test_console_example(command: str, output: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if "|" in command or "&&" in command:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        status = subprocess.run(
            command, shell=True, cwd=folder, env={**os.environ, "PATH": path}, check=False
        ).returncode
    else:
        program, *arguments = shlex.split(command)
        assert program == "solitaire-lab"
        status = main(arguments)
    written, said = capfd.readouterr()
    assert status == 0, said
    pattern = "".join(r"(.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in settled(output))
    got = "".join(f"{line}\n" for line in settled(written))
    assert re.fullmatch(pattern, got), got


def test_python_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})
    assert (tmp_path / "stonewall.png").exists()


def test_the_table_of_games_names_games_of_the_catalogue() -> None:
    section = TEXT.split("## Games, presets, options")[1].split("## ")[0]
    first_cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    assert first_cells
    assert {key for cell in first_cells for key in re.findall("`(.*?)`", cell)} <= set(catalogue_keys())


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []
