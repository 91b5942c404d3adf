"""Renew the README's pictures in ``docs/``: ``python -m tests.make_pictures``. The replay's needs Chromium.

The plot is drawn from ``seeds/*.csv``, and renewed by ``python -m tests.make_figures`` too. Its file says by a hash
from which, so that a test sees when it is out of date.
"""

from __future__ import annotations

import hashlib
import io
import tempfile
import time
from pathlib import Path

import pandas as pd

import solitaire_lab as sl
from solitaire_lab.view import plots
from tests.browser import open_browser
from tests.make_figures import ROOT, SEEDS, SeedSet, seed_sets

DOCS = ROOT / "docs"

BOARD = ("stonewall", 2)

REPLAY = ("klondike-draw1", 2)
REPLAY_PART = 0.68
"""After this part of the solution that is found now."""

WIDTH, HEIGHT = 1100, 700


def board_svg() -> str:
    """Return the board as a drawing."""
    game, seed = BOARD
    return sl.board(game, seed=seed)._repr_svg_()


def fingerprint() -> str:
    """Return a hash of the files that the plot is drawn from."""
    digest = hashlib.sha256()
    for each in seed_sets():
        digest.update(f"{each.name} {each.command}\n".encode())
        digest.update((SEEDS / each.name).read_bytes())
    return f"seeds {digest.hexdigest()[:16]}"


def winnability_svg() -> str:
    """Return the plot of the README's table of figures."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    mpl.use("Agg")
    sets = {_label(each): each for each in seed_sets()}
    frame = plots.together({label: pd.read_csv(SEEDS / each.name) for label, each in sets.items()})
    settings = plots.STYLE | {"svg.hashsalt": "solitaire_lab", "svg.fonttype": "none"}
    with plt.rc_context(settings):
        figure, ax = plt.subplots(figsize=(8, 1.6 + 0.42 * len(sets)), layout="constrained")
        plots.win_rates(
            frame,
            ax,
            title="Winnability, all cards known",
            source="The verdicts in seeds/*.csv; rules, budgets and commands stand in the table of the README",
        )
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Description": fingerprint()})
        plt.close(figure)
    return "\n".join(line.rstrip() for line in drawn.getvalue().splitlines()) + "\n"


def _label(each: SeedSet) -> str:
    changed = each.changed_options()
    return ", ".join([each.game.name, *changed])


def replay_png() -> bytes:
    """Return a photograph of a replay page in Chromium."""
    from PIL import Image

    game, seed = REPLAY
    with tempfile.TemporaryDirectory() as folder, open_browser(Path(folder), WIDTH, HEIGHT) as browser:
        page = Path(folder) / "replay.html"
        replay = sl.solve(game, seed=seed).replay()
        replay.save(page)
        browser.get(page.as_uri())
        browser.execute_script(f"show({round(REPLAY_PART * len(replay.moves))})")
        time.sleep(0.5)
        photograph = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB")
    packed = io.BytesIO()
    photograph.quantize(128, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def write_plot() -> None:
    """Write the plot of the README's table of figures."""
    DOCS.mkdir(exist_ok=True)
    (DOCS / "winnability.svg").write_text(winnability_svg(), encoding="utf-8")


def main() -> None:
    """Write all pictures."""
    write_plot()
    (DOCS / "board.svg").write_text(board_svg(), encoding="utf-8")
    (DOCS / "replay.png").write_bytes(replay_png())


if __name__ == "__main__":
    main()
