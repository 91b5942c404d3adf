"""Confront a published figure with simulation: its value beside our interval, and what it could be true of."""

from __future__ import annotations

import argparse

from solitaire_lab.cli.arguments import add_budget, add_jobs, add_out, budget_of, number, whole
from solitaire_lab.cli.output import json_line, line
from solitaire_lab.cli.running import run_shown
from solitaire_lab.rules.claims import claim_of
from solitaire_lab.study.confront import Confrontation
from solitaire_lab.study.seeds import LAST_SEED
from solitaire_lab.study.store import open_store, planned

DEALS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("claim", metavar="ID", help="an id of 'claims'")
    parser.add_argument(
        "--deals", metavar="N", type=whole(1, LAST_SEED), default=DEALS, help=f"how many deals (default {DEALS:,})"
    )
    parser.add_argument(
        "--confidence", metavar="C", type=number, default=0.95, help="the interval's confidence (default 0.95)"
    )
    add_jobs(parser)
    add_out(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    add_budget(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    claim = claim_of(arguments.claim)
    study = planned(claim.game, deals=arguments.deals, budget=budget_of(arguments), confidence=arguments.confidence)
    with open_store(study, arguments.out, mix_versions=arguments.mix_versions) as store:
        result, status = run_shown(store, arguments)
    found = Confrontation(claim, result)
    if arguments.json:
        json_line(found.to_json())
    else:
        line(found.text())
    return status
