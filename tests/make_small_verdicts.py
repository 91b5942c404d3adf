"""Renew ``tests/data/small_verdicts.json``: what the naive search says of the reduced games.

Run ``python -m tests.make_small_verdicts [NAME ...]`` after a change of the rules or of the reduced games. It takes
about half an hour. Each entry holds the rules it was made with, and one letter a deal: W winnable, U unwinnable.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from solitaire_lab.deals import deal_seed
from tests.naive import naive_verdict
from tests.small_decks import SMALL_DECKS

FILE = Path(__file__).parent / "data" / "small_verdicts.json"
DEALS = 200
LETTERS = {"winnable": "W", "unwinnable": "U"}


def main(names: list[str]) -> None:
    entries = json.loads(FILE.read_text()) if FILE.exists() else {}
    entries = {name: entry for name, entry in entries.items() if name in SMALL_DECKS}
    for name in names or list(SMALL_DECKS):
        rules = SMALL_DECKS[name]
        if not names and entries.get(name, {}).get("rules") == repr(rules):
            continue  # up to date; a run that was cut off goes on
        letters = ""
        for seed in range(1, DEALS + 1):
            verdict, _ = naive_verdict(rules, deal_seed(rules, seed), 2_000_000, canonical=True)
            letters += LETTERS[verdict]
        entries[name] = {"rules": repr(rules), "verdicts": letters}
        FILE.write_text(json.dumps(entries, indent=1, sort_keys=True) + "\n")
        print(name, letters.count("W"), "of", DEALS, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
