"""Verdicts, studies and comparisons as a few lines of HTML, for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solitaire_lab.verdicts import Verdict

SHOWN_MOVES = 6
COLOURS = {"winnable": "#0072b2", "unwinnable": "#d55e00", "undecided": "#8c8c8c"}
"""Of verdicts, in plots too: from the palette of M. Okabe and K. Ito (Color Universal Design, 2008)."""


def verdict_html(verdict: Verdict) -> str:
    """Return a verdict as a table: what was found, by how much work, and how a solution begins."""
    rows = []
    if verdict.name:
        rows.append(("Deal", html.escape(verdict.name)))
    found = f'<b style="color:{COLOURS[verdict.verdict]}">{verdict.verdict}</b>'
    if verdict.reason:
        found += f", by the limit of {verdict.reason}"
    rows += [("Verdict", found), ("Work", f"{verdict.states:,} states in {verdict.seconds:.3f} CPU s")]
    if verdict.moves is not None:
        from solitaire_lab.view.replay import move_html

        begin = "; ".join(move_html(move) for move in verdict.moves[:SHOWN_MOVES])
        more = "; ..." if len(verdict.moves) > SHOWN_MOVES else ""
        rows.append(("Solution", f"{len(verdict.moves)} moves, replayed by the rules: {begin}{more}"))
    return table_html(rows)


def study_html(counts: Mapping[str, int], rows: Iterable[tuple[str, str]]) -> str:
    """Return a study as a bar of its verdicts above a table, both as plain text."""
    return f"{_bar(counts)}{plain_table_html(rows)}"


def comparison_html(variants: Iterable[tuple[str, Mapping[str, int]]], text: str) -> str:
    """Return a comparison as a bar for each variant, by name and counts of verdicts, above its text."""
    bars = "".join(f"<div>{html.escape(name)}</div>{_bar(counts)}" for name, counts in variants)
    return f"{bars}<pre>{html.escape(text)}</pre>"


def _bar(counts: Mapping[str, int]) -> str:
    parts = "".join(
        f'<span title="{name}: {counts[name]:,}" style="flex:{counts[name]};background:{colour}"></span>'
        for name, colour in COLOURS.items()
        if counts[name]
    )
    style = "display:flex;gap:1px;height:10px;max-width:480px;border-radius:5px;overflow:hidden"
    return f'<div style="{style}">{parts}</div>'


def plain_table_html(rows: Iterable[tuple[str, str]]) -> str:
    """Return rows of a heading and a text, both plain, as a table."""
    return table_html((html.escape(heading), html.escape(text)) for heading, text in rows)


def table_html(rows: Iterable[tuple[str, str]]) -> str:
    """Return rows of a heading and a text, both HTML, as a table."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{heading}</th><td style='text-align:left'>{text}</td></tr>"
        for heading, text in rows
    )
    return f"<table>{cells}</table>"
