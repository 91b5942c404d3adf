"""What a study would do: its plan in words, before anything is done."""

from __future__ import annotations

from pathlib import Path

from solitaire_lab.study.plan import Study, budget_text, size_text
from solitaire_lab.study.result import about_study, text_table
from solitaire_lab.study.shards import STUDY_FILE
from solitaire_lab.study.statistics import deals_needed
from solitaire_lab.study.store import Store

BYTES_A_DEAL = 12
"""On the disk, about: measured 7 to 12 on Stonewall, Pyramid and Klondike."""


def plan_text(study: Study, folder: str | None, *, escalate: bool = False, mix_versions: bool = False) -> str:
    """Return the plan of a study in words; nothing is computed or written.

    Parameters
    ----------
    study, folder, escalate, mix_versions
        As :func:`solitaire_lab.study.store.open_store` takes them.

    Raises
    ------
    InputError
        As the study itself would: if the folder holds another study, say.
    """
    store = Store.in_memory(study)
    if folder is not None and (escalate or (Path(folder) / STUDY_FILE).exists()):
        store = Store.look(study, folder, escalate=escalate, mix_versions=mix_versions)
    lines = about_study(store.study, store.description.layers)
    stored = len(store.stored_rows())
    if store.layer:
        missing = sum(part.missing.count for part in store.parts())
        lines.append(("To do", f"{missing:,} undecided deals, each with {budget_text(study.budget)}"))
    elif study.until_width is not None:
        worst = deals_needed(study.until_width, confidence=study.confidence, interval=study.interval)
        lines.append(("To do", f"at most {worst or 0:,} deals if all are decided; undecided ones make it more"))
    else:
        lines.append(("To do", f"{study.seeds.count - stored:,} of {study.seeds.count:,} deals"))
    lines.append(
        ("Stored", f"{stored:,} deals in {folder}" if stored else f"nothing yet in {folder or 'memory alone'}")
    )
    if folder is not None and not store.layer and study.until_width is None:
        size = study.seeds.count * BYTES_A_DEAL
        shards = -(-study.seeds.count // store.description.shard_deals)
        lines.append(("Size", f"about {size / 2**20:,.1f} MiB in the end, in {shards:,} shards"))
    lines.append(("Memory", f"up to {size_text(study.budget.max_table)} of table a worker"))
    return text_table(lines)
