"""Replays: the page holds the referee's positions, and each card is followed from move to move."""

from __future__ import annotations

import json
import random
import re

import pytest

import solitaire_lab as sl
from solitaire_lab.cli import main
from solitaire_lab.deals import deal_seed
from solitaire_lab.referee import IllegalMoveError, Move, position
from solitaire_lab.rules import catalogue_keys, load_game
from solitaire_lab.view.replay import MARKED, Replay, move_html


def random_moves(rules, seed, length):
    board, choice, moves = position(rules, deal_seed(rules, seed)), random.Random(seed), []
    while len(moves) < length and (legal := board.legal_moves()):
        moves.append(choice.choice(legal))
        board.apply(moves[-1])
    return moves


def data_of(page):
    (text,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def played(data):
    """Yield what the page shows after each move: for each card left, top, height in its pile, face down."""
    now = {}
    for changes in data["steps"]:
        for place in range(0, len(changes), 5):
            now[changes[place]] = tuple(changes[place + 1 : place + 5])
        yield dict(now)


@pytest.mark.parametrize("key", catalogue_keys())
def test_the_page_shows_the_positions_of_the_referee(key):
    rules = load_game(key).rules
    replay = Replay(rules, deal_seed(rules, 4), random_moves(rules, 4, 200))
    data = data_of(replay.html())
    cards = data["cards"]
    assert len(data["steps"]) == len(data["moved"]) == len(data["labels"]) == len(replay.moves) + 1
    labels = {}
    for number, (shown, picture) in enumerate(zip(played(data), replay.pictures, strict=True)):
        expected = sorted((card.card, round(card.x), round(card.y), int(card.face_down)) for card in picture.cards)
        assert sorted((cards[index], x, y, down) for index, (x, y, _, down) in shown.items()) == expected
        tops = {}
        for index, (x, y, height, _) in shown.items():
            tops[x, y] = max(tops.get((x, y), (-1, 0)), (height, cards[index]))
        drawn = {(round(card.x), round(card.y)): card.card for card in picture.cards}
        assert {place: card for place, (_, card) in tops.items()} == drawn  # the same cards lie on top
        news = data["labels"][number]
        labels |= dict(zip(news[::2], news[1::2], strict=True))
        assert [labels[place] for place in range(len(labels))] == [label.text for label in picture.labels]


@pytest.mark.parametrize("key", ["klondike-draw1", "cleopatra", "pyramid", "giza"])
def test_the_cards_that_a_move_names_are_the_ones_that_are_marked(key):
    rules = load_game(key).rules
    replay = Replay(rules, deal_seed(rules, 2), random_moves(rules, 2, 120))
    data = data_of(replay.html())
    assert data["moved"][0] == []
    for move, marked in zip(replay.moves, data["moved"][1:], strict=True):
        if move.cards and len(move.cards) <= MARKED:
            assert sorted(data["cards"][index] for index in marked) == sorted(move.cards)


def test_cards_that_stay_are_not_touched():
    rules = load_game("stonewall").rules
    moves = random_moves(rules, 3, 40)
    for move, changes in zip(
        moves, data_of(Replay(rules, deal_seed(rules, 3), moves).html())["steps"][1:], strict=True
    ):
        assert len(changes) // 5 <= len(move.cards) + 1  # the card below may turn


@pytest.mark.parametrize(("game", "options"), [("klondike-draw1", {}), ("cleopatra", {}), ("pyramid", {"passes": 60})])
def test_a_page_of_two_hundred_moves_is_small(game, options):
    rules = load_game(game).with_options(options).rules
    moves = random_moves(rules, 1, 200)
    assert len(moves) == 200
    assert len(Replay(rules, deal_seed(rules, 1), moves).html().encode()) < 300_000


def test_a_page_asks_for_nothing_else():
    page = sl.solve("stonewall", seed=2).replay().html()
    assert "{{" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"(src|href)=\"(?!#|data:,)", page)
    assert "@import" not in page
    assert "url(" not in page


def test_a_verdict_replays_in_a_notebook(tmp_path):
    verdict = sl.solve("stonewall", seed=2)
    replay = verdict.replay()
    assert replay.won
    assert replay.title == "Stonewall, native deal 2"
    assert f"Won in {len(verdict.moves)} moves" in replay.html()
    assert replay._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert f"{len(verdict.moves)} moves" in repr(replay)
    replay.save(tmp_path / "replay.html")
    assert (tmp_path / "replay.html").read_text(encoding="utf-8") == replay.html()


def test_a_title_is_text_and_not_html():
    rules = load_game("stonewall").rules
    page = Replay(rules, deal_seed(rules, 2), (), "<script>alert(1)</script>").html()
    assert "<script>alert" not in page
    assert data_of(page)["won"] is False
    assert "<p>0 moves</p>" in page


def test_an_illegal_move_is_named():
    rules = load_game("stonewall").rules
    with pytest.raises(IllegalMoveError, match="move 1: redeal"):
        Replay(rules, deal_seed(rules, 2), [Move("redeal")])


def test_there_is_nothing_to_replay_without_a_solution():
    verdict = sl.solve("stonewall", seed=1)
    with pytest.raises(sl.InputError, match="Stonewall, native deal 1 is unwinnable"):
        verdict.replay()
    assert "unwinnable" in verdict._repr_html_()


def test_verdicts_show_themselves_in_notebooks():
    verdict = sl.solve("stonewall", seed=2)
    text = verdict._repr_html_()
    assert f"{len(verdict.moves)} moves, replayed by the rules" in text
    assert move_html(verdict.moves[0]) in text
    undecided = sl.solve("klondike", seed=1, max_states=20)
    assert "undecided</b>, by the limit of states" in undecided._repr_html_()


def test_moves_in_words():
    run = Move("tableau-to-tableau", (43, 38, 35, 30), (("tableau", 1),), ("tableau", 5))
    assert move_html(run) == "<b class=k>10♠</b> … <b class=r>7♥</b> column 2 → column 6"
    assert move_html(run._replace(cards=run.cards[:2])).startswith("<b class=k>10♠</b> <b class=r>9♥</b> column")
    assert move_html(Move("waste-to-foundation", (4,), (("waste", 0),), ("foundation", "C"))) == (
        "<b class=k>A♣</b> waste → foundation"
    )
    pair = Move("discard", (6, 50), (("pyramid", 6, 2), ("waste", 0)))
    assert move_html(pair) == "<b class=r>A♥</b> pyramid 7.3 + <b class=r>Q♥</b> waste"
    assert move_html(Move("draw")) == "turn the stock"
    assert move_html(Move("redeal")) == "new pass of the stock"


# The command.


def test_solve_writes_the_first_solution(capsys, tmp_path):
    file = tmp_path / "replay.html"
    assert main(["solve", "stonewall", "--seeds", "1-6", "--replay", str(file)]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 6
    assert f"{file}: the solution of Stonewall, native-stonewall-2\n" in printed.err
    assert "<title>Stonewall, native-stonewall-2</title>" in file.read_text(encoding="utf-8")


def test_solve_says_if_there_was_none(capsys, tmp_path):
    file = tmp_path / "replay.html"
    assert main(["solve", "stonewall", "--seeds", "1", "--replay", str(file)]) == 0
    assert "no deal was proved winnable" in capsys.readouterr().err
    assert not file.exists()


def test_solve_refuses_a_file_that_it_could_not_write_before_it_searches(capsys, tmp_path):
    assert main(["solve", "stonewall", "--seeds", "1-3", "--replay", str(tmp_path / "no" / "replay.html")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "no folder" in printed.err
