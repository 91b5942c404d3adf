"""A study as a report: tables, plots, published figures, and how to reproduce it; as Markdown or as one HTML page.

The report is written once, as Markdown; the page is made from that.
"""

from __future__ import annotations

import html
import io
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from solitaire_lab.errors import InputError
from solitaire_lab.rules import load_game
from solitaire_lab.rules.claims import POPULATIONS, claims
from solitaire_lab.rules.language import show_value
from solitaire_lab.study.confront import Confrontation
from solitaire_lab.study.plan import size_text
from solitaire_lab.study.result import StudyResult
from solitaire_lab.study.statistics import SEQUENCE
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE, Budget
from solitaire_lab.view import plots
from solitaire_lab.view.saving import check_target, write_text
from solitaire_lab.view.text import game_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HARDEST = 10
"""Deals in the table of those that took the most states."""

NAMED_SEEDS = 20
"""Undecided deals that are named."""

FIGURES: dict[str, Callable[[StudyResult], Axes]] = {
    "running-estimate": lambda result: plots.running_estimate(
        result.frame, confidence=result.study.confidence, interval=result.study.interval
    ),
    "hardness": lambda result: plots.hardness(result.frame),
    "undecided-share": lambda result: plots.undecided_share(result.frame),
}
"""The plots of a report, by name."""

CAPTIONS = {
    "running-estimate": "How the estimate settles as deals come in",
    "hardness": "What a deal takes to decide",
    "undecided-share": "Undecided share against budget",
}


def markdown(result: StudyResult, picture: Callable[[str], str] | None = None) -> str:
    """Return a study's report as Markdown.

    Parameters
    ----------
    result
        The study.
    picture
        Says where the plot of a name is; without it there are none.
    """
    return "\n".join(_lines(result, picture))


def page(result: StudyResult) -> str:
    """Return a study's report as one HTML page with its plots in it."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark").enable("table").render(markdown(result, str))
    body = re.sub(
        r'<p><img src="([^"]+)"[^>]*></p>', lambda found: f"<figure>{figure_svg(result, found[1])}</figure>", body
    )
    title = html.escape(_title(result))
    return f"{_HEAD}<title>{title}</title>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"


def save_html(result: StudyResult, path: str | Path) -> None:
    """Write a study's report as one HTML page.

    Raises
    ------
    InputError
        If it cannot be written there.
    """
    write_text(check_target(path), page(result))


def save_markdown(result: StudyResult, path: str | Path) -> list[Path]:
    """Write a study's report as Markdown, its plots as files beside it.

    Returns
    -------
    list of pathlib.Path
        The plots' files.

    Raises
    ------
    InputError
        If they cannot be written there.
    """
    target = check_target(path)
    files = {name: target.with_name(f"{target.stem}-{name}.svg") for name in FIGURES}
    for name, file in files.items():
        write_text(file, figure_svg(result, name))
    write_text(target, markdown(result, lambda name: quote(files[name].name)))
    return list(files.values())


def figure_svg(result: StudyResult, name: str) -> str:
    """Return a plot of the report as an ``<svg>`` element."""
    from matplotlib import pyplot as plt
    from matplotlib.figure import Figure

    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "backend": "agg"}):
        figure = FIGURES[name](result).figure
        assert isinstance(figure, Figure)
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
        plt.close(figure)
    text = drawn.getvalue()
    return text[text.index("<svg") :]


def study_commands(result: StudyResult) -> list[str]:
    """Return the command lines that run the study again; the later ones try its undecided deals again."""
    study, game = result.study, result.study.game
    options = game.options
    try:
        defaults = load_game(game.reference).options
        options = {name: value for name, value in options.items() if defaults.get(name) != value}
    except InputError:  # the game's file is elsewhere now: say all of them
        pass
    start = ["solitaire-lab", "study", game.reference]
    start += [part for name, value in options.items() for part in ("-o", f"{name}={show_value(value)}")]
    which = ["--seeds", study.seeds.text(whole=True)]
    if study.until_width is not None:
        which = ["--until-width", f"{study.until_width:g}", "--first-seed", str(study.seeds.first)]
    if study.shuffle != "native":
        which += ["--shuffle", study.shuffle]
    rest = [] if study.confidence == 0.95 else ["--confidence", f"{study.confidence:g}"]
    if study.interval not in ("wilson", SEQUENCE):
        rest += ["--interval", study.interval]
    again = start + ([] if study.shuffle == "native" else ["--shuffle", study.shuffle])
    commands = [[*start, *which, *_budget(study.budget), *rest, "--out", "FOLDER"]]
    commands += [[*again, *_budget(budget), *rest, "--escalate", "--out", "FOLDER"] for budget in result.layers]
    return [shlex.join(command) for command in commands]


def _budget(budget: Budget) -> list[str]:
    default = Budget()
    words = ["--max-states", str(budget.max_states)]
    if budget.max_seconds is not None:
        words += ["--max-seconds", f"{budget.max_seconds:g}"]
    if budget.max_table != default.max_table:
        words += ["--max-table", size_text(budget.max_table).replace(" bytes", "").replace(",", "")]
    return words


def _title(result: StudyResult) -> str:
    return f"{result.study.game.name}: {len(result.rows):,} deals"


def _lines(result: StudyResult, picture: Callable[[str], str] | None) -> Iterator[str]:
    yield from (f"# {_text(_title(result))}", "")
    yield from _findings(result)
    yield from ("", "## The study", "")
    yield from _table(
        ["", ""], [(f"**{_text(heading)}**" if heading else "", _text(text)) for heading, text in result.table()]
    )
    yield from ("", "## Verdicts", "")
    yield from _verdicts(result)
    if picture is not None:
        for name, caption in CAPTIONS.items():
            yield from ("", f"![{caption}]({picture(name)})")
    yield from _claims(result)
    yield from ("", "## The deals that took most states", "")
    yield from _hardest(result)
    yield from ("", "## How to reproduce it", "")
    yield from _reproduction(result)


def _findings(result: StudyResult) -> Iterator[str]:
    found = result.estimate
    if not found.deals:
        yield "No deal is finished yet."
        return
    yield (
        f"Of {found.deals:,} deals, {found.winnable:,} are proved winnable with all cards known, "
        f"{found.unwinnable:,} are proved unwinnable, and {found.undecided:,} are undecided. "
        f"So between **{100 * found.low:.2f} %** and **{100 * found.high:.2f} %** of all deals are winnable "
        f"({found.method_text()}; undecided deals count as lost at the low end and as won at the high end). "
        "This is an upper bound for what anybody wins who does not see every card."
    )
    if result.end != "complete":
        yield from ("", f"**The study is not finished ({result.end}): these are its first deals.**")


def _verdicts(result: StudyResult) -> Iterator[str]:
    frame = result.frame
    rows = []
    for verdict in (WINNABLE, UNWINNABLE, UNDECIDED):
        part = frame[frame["verdict"] == verdict]
        if len(part):
            moves = f"{part['moves'].median():,.0f}" if verdict == WINNABLE else ""
            share = f"{100 * len(part) / len(frame):.2f} %"
            states = part["states"]
            rows.append((verdict, f"{len(part):,}", share, f"{states.median():,.0f}", f"{states.max():,}", moves))
    yield from _table(
        ["verdict", "deals", "share", "states, median", "states, most", "moves, median"], rows, numbers=range(1, 6)
    )
    if undecided := result.undecided():
        named = ", ".join(map(str, undecided[:NAMED_SEEDS]))
        more = f" and {len(undecided) - NAMED_SEEDS:,} more" if len(undecided) > NAMED_SEEDS else ""
        yield from ("", f"Undecided are the deals {named}{more}.")


def _claims(result: StudyResult) -> Iterator[str]:
    """Set published figures of the same form of the game beside the study; nothing if there are none."""
    game = result.study.game
    try:
        known = claims(game.base)
    except InputError:  # a game that is not in the catalogue
        return
    same = [claim for claim in known if claim.game.rules == game.rules]
    if not known or not len(result.rows):
        return
    yield from ("", "## Published figures", "")
    if same:
        rows = []
        for claim in same:
            beside = dict(Confrontation(claim, result).table())["Verdict"]
            rows.append((_text(claim.words), _text(claim.population), _text(claim.source), _text(beside)))
        yield from _table(["figure", "of what", "source", "beside this study"], rows)
        told = {claim.population: POPULATIONS[claim.population] for claim in same}
        yield from ("", "; ".join(f"*{_text(name)}*: {_text(words)}" for name, words in told.items()) + ".")
    if others := len(known) - len(same):
        forms = "another form" if others == 1 else "other forms"
        figures = "figure is" if others == 1 else "figures are"
        yield from (
            "",
            f"{others} more published {figures} of {forms} of this game (`solitaire-lab claims {game.base}`).",
        )


def _hardest(result: StudyResult) -> Iterator[str]:
    frame = result.frame.nlargest(HARDEST, "states")
    rows = [
        (str(row.seed), str(row.verdict), f"{row.states:,}", f"{row.seconds:.2f}", str(row.stage))
        for row in frame.itertuples(index=False)
    ]
    yield from _table(["seed", "verdict", "states", "CPU s", "last search"], rows, numbers=(0, 2, 3))


def _reproduction(result: StudyResult) -> Iterator[str]:
    yield "The same version gives the same rows, but for the seconds, on every machine:"
    yield from ("", "```sh", *study_commands(result), "```", "", "The game, as it was played:", "")
    yield from ("```text", *game_text(result.study.game).splitlines(), "```", "")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    right = set(numbers)
    yield f"|{'|'.join('--:' if place in right else '---' for place in range(len(heads)))}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _text(text: str) -> str:
    """Return plain text such that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)


_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; --ink: #1b1f24; --page: #fff; --line: #d5dbd8; --soft: #f3f6f4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eae8; --page: #16191a; --line: #394340; --soft: #1e2324; } }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 860px; margin: auto; padding: 16px; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2em; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th:empty { display: none; }
pre { background: var(--soft); padding: 10px 12px; border-radius: 8px; overflow-x: auto; font-size: .85rem; }
figure { margin: 1.2em 0; background: #fff; border-radius: 8px; padding: 8px; }
figure svg { width: 100%; height: auto; display: block; }
</style>
"""
