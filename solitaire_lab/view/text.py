"""Games and their rules in words."""

from __future__ import annotations

import dataclasses

from solitaire_lab.cards import RANKS
from solitaire_lab.rules import UNLIMITED, BuildRules, Game, PairRules
from solitaire_lab.rules.language import ranges, show_value

_FOLLOWS = {
    "alternate_colour": "in alternating colours",
    "same_suit": "in suit",
    "any_suit": "regardless of suit",
}
_GROUPS = {
    "run": "a face-up run moves as a block, whole or in part",
    "whole": "a column's face-up cards move as a block, if they are a run, and only all together",
    "single": "cards move one at a time",
}
_SPACES = {
    "any": "any card fills an empty column",
    "kings": "only a king, alone or with its run, fills an empty column",
    "none": "an empty column stays empty",
}
_FACE_DOWN = {
    "none": "all cards face up",
    "all_but_top": "all cards face down but the top ones",
    "alternate": "every second card face down, the top ones up",
}


def game_text(game: Game) -> str:
    """Return a game in words: its rules, its options with their values in force, and its readings."""
    described = _build(game.rules) if isinstance(game.rules, BuildRules) else _pair(game.rules)
    lines = [f"{game.name} ({game.key}, {game.family} game)", game.summary, "", "Rules"]
    lines += [f"  {heading:<12}{text}" for heading, text in described]
    lines += ["", "Options in force (-o NAME=VALUE sets one)", *_options(game)]
    if game.readings:
        lines += ["", "Where the default departs from the letter of the written description"]
        lines += [f"  {reading.note} The letter: -o {reading.option}={reading.letter}" for reading in game.readings]
    return "\n".join(lines)


def _options(game: Game) -> list[str]:
    docs = {field.name: field.metadata["doc"] for field in dataclasses.fields(game.rules)}
    allowed = ranges(type(game.rules))
    allowed["draw"] = dataclasses.replace(allowed["draw"], high=max(1, game.rules.stock_size))
    shown = {name: f"{name}={show_value(value)}" for name, value in game.options.items()}
    width = max(map(len, shown.values()), default=0)
    return [f"  {text:<{width}}  {docs[name]}; {allowed[name].expected()}" for name, text in shown.items()]


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def _pack(decks: int, ranks: int, suits: str, size: int) -> str:
    packs = "one pack" if decks == 1 else f"{decks} packs"
    reduced = "" if size == 52 * decks else f", ranks A to {RANKS[ranks - 1]} in suits {' '.join(suits)}"
    return f"{packs}, {_cards(size)}{reduced}"


def _stock(size: int, draw: int, passes: int | str) -> str:
    turned = "one card is turned at a time" if draw == 1 else f"{draw} cards are turned at a time"
    times = {1: "one pass", UNLIMITED: "unlimited passes"}.get(passes, f"{passes} passes")
    return f"{_cards(size)}; {turned}; {times}"


def _build(rules: BuildRules) -> list[tuple[str, str]]:
    order = "column by column" if rules.deal_by == "columns" else "row by row"
    lines = [
        ("Pack", _pack(rules.decks, rules.ranks, rules.suits, rules.pack_size)),
        (
            "Tableau",
            f"{len(rules.columns)} columns of {' '.join(map(str, rules.columns))}, dealt {order}; "
            f"{_FACE_DOWN[rules.face_down]}; a card turns up when it is uncovered",
        ),
        ("Building", f"down by one {_FOLLOWS[rules.build]}; {_GROUPS[rules.group]}"),
    ]
    if rules.run_policy != rules.build and rules.group != "single":
        lines.append(("Runs", f"the cards of a run that moves follow each other {_FOLLOWS[rules.run_policy]}"))
    lines.append(("Spaces", _SPACES[rules.spaces]))
    if rules.reserve:
        lines.append(("Reserve", f"{rules.reserve} open cards, each playable at any time, never refilled"))
    if rules.stock_size:
        lines.append(("Stock", _stock(rules.stock_size, rules.draw, rules.passes)))
        lines.append(("Waste", "the turned cards; its top card is always playable"))
    else:
        lines.append(("Stock", "none"))
    heights = f"{rules.decks * len(rules.suits)} of them, A to {RANKS[rules.ranks - 1]} in suit"
    if rules.auto_foundation:
        heights += "; available cards go there at once and by themselves"
    if not rules.worrying_back:
        back = "; once played, a card stays"
    elif rules.return_to_space:
        back = "; a top card may return to a column that takes it, empty ones included"
    else:
        back = "; a top card may return to a column that takes it, but not to an empty one"
    lines.append(("Foundations", heights + back))
    lines.append(("Won", "when all cards are on the foundations"))
    return lines


def _pair(rules: PairRules) -> list[tuple[str, str]]:
    lines = [("Pack", _pack(1, rules.ranks, rules.suits, rules.pack_size))]
    heading = "Pyramid" if rules.pyramid else "Layout"
    if rules.pyramid_size:
        sizes = f"1 to {rules.pyramid}" if rules.pyramid else " ".join(str(len(row)) for row in rules.rows)
        rows = f"{_cards(rules.pyramid_size)} in overlapping rows of {sizes}, all up"
        lines.append((heading, f"{rows}; a card is exposed when nothing overlaps it"))
    if rules.reserves:
        piles = " ".join(map(str, rules.reserves))
        lines.append(("Reserve", f"{len(rules.reserves)} piles of {piles}, each pile's top exposed"))
    pairs = []
    if rules.pair_total:
        pairs.append(f"of total {rules.pair_total} (A 1, J 11, Q 12, K 13); a card of that rank goes alone")
    if rules.pair_steps:
        words = {0: "of equal rank"}
        steps = [words.get(step, f"{step} rank{'s' * (step != 1)} apart") for step in rules.pair_steps]
        pairs.append(" or ".join(steps) + (", round the corner too" if rules.pair_wrap else ""))
    lines.append(("Discarding", f"two exposed cards {'; or '.join(pairs)}; never forced"))
    if rules.overlap_pairs:
        lines.append(("Overlaps", "a card may also pair with the one card that still covers it"))
    if rules.stock_size:
        lines.append(("Stock", _stock(rules.stock_size, rules.draw, rules.passes)))
        if rules.draw_exposed == "waste_and_stock":
            lines.append(("", "its next card is up and exposed"))
        tops = "its top card is exposed" if rules.waste_piles == 1 else f"{rules.waste_piles} piles, each top exposed"
        lines.append(("Waste", tops))
        if rules.at_exhaustion == "stop":
            lines.append(("Exhaustion", "the game ends when the last stock card of the last pass has left the stock"))
    lines.append(("Won", f"when {'all cards are' if rules.goal == 'all' else f'the {heading.lower()} is'} gone"))
    return lines
