"""The README's pictures are those that ``tests/make_pictures.py`` makes now."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from tests.make_figures import ROOT, seed_sets
from tests.make_pictures import DOCS, board_svg, fingerprint, winnability_svg

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_board_is_drawn_as_boards_are_now():
    assert (DOCS / "board.svg").read_text(encoding="utf-8") == board_svg()


def test_the_plot_is_drawn_from_the_seed_sets_as_they_are():
    assert fingerprint() in (DOCS / "winnability.svg").read_text(encoding="utf-8")


def test_the_plot_has_every_seed_set():
    drawn = ElementTree.fromstring(winnability_svg())
    words = " ".join("".join(element.itertext()) for element in drawn.iter("{http://www.w3.org/2000/svg}text"))
    assert fingerprint() in winnability_svg()
    for each in seed_sets():
        assert each.game.name in words
        assert f"n = {len(each.rows):,}" in words


def test_the_pictures_are_small_and_all_in_the_readme():
    shown = set(re.findall(r"docs/[\w.-]+", README))
    assert shown == {f"docs/{path.name}" for path in DOCS.iterdir()}
    assert all(path.stat().st_size < 80_000 for path in DOCS.iterdir())
    assert (DOCS / "replay.png").read_bytes().startswith(b"\x89PNG")
