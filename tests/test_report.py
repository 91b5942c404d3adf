"""Reports: what they say is what the study found, and their commands run it again."""

from __future__ import annotations

import dataclasses
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import solitaire_lab as sl
from solitaire_lab.cli import main
from solitaire_lab.study.plan import Study
from solitaire_lab.study.result import StudyResult
from solitaire_lab.study.rows import Row, Rows
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.view.report import FIGURES, figure_svg, markdown, page, save_markdown, study_commands


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A study with undecided deals, some of them decided in a second attempt."""
    path = tmp_path_factory.mktemp("studies") / "klondike"
    sl.study("klondike", seeds="1-60", max_states=300, out=path, draw=2)
    sl.study("klondike", seeds="1-60", max_states=3000, out=path, escalate=True, draw=2)
    return path


@pytest.fixture(scope="module")
def result(folder) -> StudyResult:
    return sl.open_study(folder)


def cells(text: str, heading: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {heading} |")]
    return [cell.strip() for cell in line.split("|")[2:-1]]


def test_it_says_what_the_study_found(result):
    text, found = markdown(result), result.estimate
    assert text.startswith("# Klondike: 60 deals\n")
    assert f"{found.winnable} are proved winnable" in text
    assert f"**{100 * found.low:.2f} %** and **{100 * found.high:.2f} %**" in text
    assert found.undecided
    assert found.winnable
    for heading, value in result.table():
        if heading:
            assert cells(text, f"**{heading}**")[0].replace("\\", "") == value


def test_its_tables_are_of_the_frame(result):
    text, frame = markdown(result), result.frame
    won = frame[frame["verdict"] == "winnable"]
    assert cells(text, "winnable") == [
        f"{len(won)}",
        f"{100 * len(won) / 60:.2f} %",
        f"{won['states'].median():,.0f}",
        f"{won['states'].max():,}",
        f"{won['moves'].median():,.0f}",
    ]
    hardest = text.split("## The deals that took most states")[1].split("##")[0]
    states = [int(row.replace(",", "")) for row in re.findall(r"^\|[^|]*\|[^|]*\| ([\d,]+) \|", hardest, re.MULTILINE)]
    assert states == sorted(frame["states"], reverse=True)[:10]
    for seed in result.undecided()[:20]:
        assert re.search(rf"Undecided are the deals .*\b{seed}\b", text)


def test_its_commands_run_the_study_again(result, folder, tmp_path, capsys):
    first, second = study_commands(result)
    assert first == "solitaire-lab study klondike -o draw=2 --seeds 1-60 --max-states 300 --out FOLDER"
    for command in (first, second):
        assert command in markdown(result)
        arguments = shlex.split(command.replace("FOLDER", str(tmp_path / "again")))
        assert main([*arguments[1:], "--quiet"]) == 0
    capsys.readouterr()
    again = sl.open_study(tmp_path / "again").frame.drop(columns="seconds")
    assert again.equals(sl.open_study(folder).frame.drop(columns="seconds"))


def test_commands_say_everything_that_is_not_usual(result):
    study = dataclasses.replace(
        result.study,
        shuffle="microsoft",
        confidence=0.9,
        interval="exact",
        budget=sl.Budget(5000, 1.5, 3 * 2**20),
    )
    (first, _) = study_commands(dataclasses.replace(result, study=study))
    assert first == (
        "solitaire-lab study klondike -o draw=2 --seeds 1-60 --shuffle microsoft --max-states 5000 --max-seconds 1.5 "
        "--max-table 3M --confidence 0.9 --interval exact --out FOLDER"
    )


def test_a_study_that_stops_by_its_width_says_so(tmp_path):
    found = sl.study("stonewall", until_width=0.9, first_seed=5, max_states=1000, out=tmp_path / "study")
    (command,) = study_commands(found)
    assert command == ("solitaire-lab study stonewall --until-width 0.9 --first-seed 5 --max-states 1000 --out FOLDER")
    assert "confidence sequence" in markdown(found)
    assert "<svg" in page(found)


class Checker(HTMLParser):
    """Checks that elements are closed in order, and collects the words."""

    def __init__(self):
        super().__init__()
        self.open, self.words, self.outside = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "link", "br", "img"):
            self.open.append(tag)
        self.outside += [
            value for name, value in attrs if name in ("src", "href") and not value.startswith(("#", "data:"))
        ]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_is_whole_and_needs_nothing_else(result):
    text = page(result)
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert [value for value in checker.outside if not value.startswith("#")] == []
    words = "".join(checker.words)
    assert "worrying_back=false" in words
    assert "**" not in words
    assert text.count("<svg") == len(FIGURES)
    ids = re.findall(r'\bid="([^"]+)"', text)
    repeated = {name for name in ids if ids.count(name) > 1 and f"#{name}" in text}
    assert repeated == set()


def test_every_figure_says_its_source(result):
    for name in FIGURES:
        drawn = "".join(ElementTree.fromstring(figure_svg(result, name)).itertext())
        assert "n = 60" in drawn
        assert "300 states a deal" in drawn
        assert "then for the undecided: 3,000 states a deal" in drawn


def test_an_empty_study_has_a_report(result, tmp_path):
    nothing = dataclasses.replace(result, rows=result.rows.first(0), end="interrupted")
    assert "No deal is finished yet." in markdown(nothing)
    assert page(nothing).count("<svg") == len(FIGURES)


# The command.


def test_report_prints_markdown(folder, result, capsys):
    assert main(["report", str(folder)]) == 0
    printed = capsys.readouterr()
    assert printed.out == markdown(result) + "\n"
    assert "![" not in printed.out
    assert printed.err == ""


def test_report_writes_both_forms(folder, result, tmp_path, capsys):
    html_file, markdown_file = tmp_path / "a report.html", tmp_path / "a report.md"
    assert main(["report", str(folder), "--html", str(html_file), "--markdown", str(markdown_file)]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert html_file.read_text(encoding="utf-8") == page(result)
    text = markdown_file.read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert shown == [f"a%20report-{name}.svg" for name in FIGURES]
    assert all((tmp_path / name.replace("%20", " ")).exists() for name in shown)
    assert len(list(tmp_path.iterdir())) == 2 + len(FIGURES)
    assert all(name in printed.err for name in ("a report.html", "a report.md", "a report-hardness.svg"))


def test_report_follows_the_intervals_settings(folder, capsys):
    assert main(["report", str(folder), "--confidence", "0.5", "--interval", "exact"]) == 0
    assert "50 % confidence, exact (Clopper-Pearson)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "holds no study"),
        (["{folder}", "--html", "no/where.html"], "no folder 'no'"),
        (["{folder}", "--markdown", "."], "expected the name of a file"),
        (["{folder}", "--confidence", "2"], "expected a number above 0 and below 1"),
        ([], "DIR"),
    ],
)
def test_report_says_what_is_wrong(folder, arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["report", *(word.format(folder=folder) for word in arguments)]) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""
    assert list(tmp_path.iterdir()) == []


def test_plots_beside_markdown_are_returned(result, tmp_path):
    assert save_markdown(result, tmp_path / "r.md") == [tmp_path / f"r-{name}.svg" for name in FIGURES]


# Published figures.


def studied(game, counts, **options):
    """Return a study's result with so many winnable, unwinnable and undecided deals."""
    won, lost, left = counts
    rows = [Row(1 + seed, "winnable", None, "complete", 5, 0.1, 9) for seed in range(won)]
    rows += [Row(1 + won + seed, "unwinnable", None, "complete", 5, 0.1, None) for seed in range(lost)]
    rows += [Row(1 + won + lost + seed, "undecided", "states", "complete", 5, 0.1, None) for seed in range(left)]
    chosen = sl.load_game(game).with_options(options)
    return StudyResult(Study(chosen, Seeds.parse(f"1-{len(rows)}")), Rows(rows), None)


def claims_section(result):
    text = markdown(result)
    return text.split("## Published figures\n")[1].split("\n## ")[0] if "## Published figures" in text else ""


def test_published_figures_of_the_same_form_are_confronted():
    section = claims_section(studied("stonewall", (300, 700, 0)))
    (claim,) = sl.claims("stonewall")
    (row,) = [line for line in section.splitlines() if claim.words in line]
    assert row == (
        f"| {claim.words} | unstated | {claim.source} | the figure is not the share of deals that can be won; "
        "it could be some player's win rate |"
    )
    assert "*unstated*: it is not said of what." in section
    assert "it could be" not in claims_section(studied("stonewall", (10, 990, 0)))
    assert "could be the share of deals that can be won" in claims_section(studied("stonewall", (100, 900, 0)))
    assert "true of nobody" in claims_section(studied("stonewall", (10, 990, 0)))


def test_figures_of_other_forms_are_only_counted():
    section = claims_section(studied("klondike-standard", (80, 15, 5)))
    known = sl.claims("klondike")
    same = [claim for claim in known if claim.game.rules == sl.load_game("klondike-standard").rules]
    assert len(same) > 2
    assert all(claim.source.split(",")[0] in section for claim in same)
    assert f"{len(known) - len(same)} more published figures are of other forms" in section
    assert "`solitaire-lab claims klondike`" in section
    assert "| figure |" not in claims_section(studied("klondike", (1, 1, 0), draw=7))


def test_a_game_of_ones_own_has_no_published_figures(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('key = "mine"\nname = "Mine"\nfamily = "build"\nsummary = "Mine."\n[rules]\ncolumns = [26, 26]\n')
    result = studied(str(file), (1, 2, 0))
    assert claims_section(result) == ""
    file.unlink()
    assert "solitaire-lab study " in study_commands(result)[0]
