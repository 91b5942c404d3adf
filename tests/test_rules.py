"""The rule language: ranges, game files, options, presets, and what is said about bad ones."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.errors import InputError
from solitaire_lab.rules import BuildRules, PairRules, catalogue_keys, load_game
from solitaire_lab.rules.catalogue import read_game_file
from solitaire_lab.rules.language import show_value

# Rule dataclasses.


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"decks": 0}, "decks=0: expected a whole number from 1 to 2"),
        ({"decks": 3}, "decks=3: expected a whole number from 1 to 2"),
        ({"decks": True}, "decks=true: expected a whole number from 1 to 2"),
        ({"decks": 1.0}, "decks=1.0: expected a whole number from 1 to 2"),
        ({"ranks": 0}, "ranks=0: expected a whole number from 1 to 13"),
        ({"ranks": 14}, "ranks=14: expected a whole number from 1 to 13"),
        ({"suits": ""}, "suits=: expected different letters of CDHS"),
        ({"suits": "CC"}, "suits=CC: expected different letters of CDHS"),
        ({"suits": "CX"}, "suits=CX: expected different letters of CDHS"),
        ({"suits": 4}, "suits=4: expected a word"),
        ({"columns": ()}, "columns: expected at least one tableau column"),
        ({"columns": (1,) * 31}, "columns: expected at most 30 tableau columns, got 31"),
        ({"columns": (-1,)}, "columns=-1: expected a list of whole numbers from 0 to 64"),
        ({"columns": 7}, "columns=7: expected a list of whole numbers from 0 to 64"),
        ({"columns": [7]}, "columns=[7]: expected a list of whole numbers"),
        ({"columns": (39,)}, "columns: a column of 39 cards leaves no room to build on it; expected at most 38"),
        ({"columns": (30, 30)}, "columns and reserve take 60 cards, but the pack has only 52"),
        ({"columns": (30,), "reserve": 23}, "columns and reserve take 53 cards, but the pack has only 52"),
        ({"reserve": 61}, "reserve=61: expected a whole number from 0 to 60"),
        ({"face_down": "all_but"}, "face_down=all_but: expected none or all_but_top or alternate; did you mean"),
        ({"deal_by": "row"}, "deal_by=row: expected rows or columns; did you mean 'rows'?"),
        ({"draw": 0}, "draw=0: expected a whole number from 1 to 104"),
        ({"draw": 52}, "draw=52: expected a whole number from 1 to 51, the size of the stock"),
        ({"columns": (26, 26), "draw": 2}, "draw=2: expected a whole number from 1 to 1, the size of the stock"),
        ({"passes": 0}, "passes=0: expected a whole number from 1 to 60 or unlimited"),
        ({"passes": 61}, "passes=61: expected a whole number from 1 to 60 or unlimited"),
        ({"passes": "unlimted"}, "passes=unlimted: expected a whole number from 1 to 60 or unlimited; did you mean"),
        ({"build": "same_siut"}, "build=same_siut: expected alternate_colour or same_suit or any_suit; did you mean"),
        ({"group": "runs"}, "group=runs: expected run or whole or single; did you mean 'run'?"),
        ({"run_build": "no"}, "run_build=no: expected as_build or alternate_colour or same_suit or any_suit"),
        ({"spaces": "king"}, "spaces=king: expected kings or any or none; did you mean 'kings'?"),
        ({"worrying_back": 1}, "worrying_back=1: expected true or false"),
        ({"return_to_space": "yes"}, "return_to_space=yes: expected true or false"),
        ({"auto_foundation": None}, "auto_foundation=None: expected true or false"),
    ],
)
def test_build_rules_out_of_range(values, message):
    with pytest.raises(InputError, match="^" + re.escape(message)):
        BuildRules(**values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"pair_total": 0}, "pair_total, pair_steps: expected at least one of them, or no cards ever pair"),
        ({"pair_total": 27}, "pair_total=27: expected a whole number from 0 to 26"),
        ({"pair_steps": (13,)}, "pair_steps=13: expected a list of whole numbers from 0 to 12"),
        ({"pair_wrap": "no"}, "pair_wrap=no: expected true or false"),
        ({"ranks": 6}, "pyramid and reserves take 28 cards, but the pack has only 24"),
        ({"suits": "XYZ"}, "suits=XYZ: expected different letters of CDHS"),
        ({"pyramid": 10}, "pyramid=10: expected a whole number from 0 to 9"),
        ({"pyramid": 9, "reserves": (8,)}, "pyramid and reserves take 53 cards, but the pack has only 52"),
        ({"pyramid": 0}, "goal=pyramid: expected goal=all, since there is no pyramid"),
        ({"reserves": (53,)}, "reserves=53: expected a list of whole numbers from 0 to 52"),
        ({"draw": 25}, "draw=25: expected a whole number from 1 to 24, the size of the stock"),
        ({"draw_exposed": "stock"}, "draw_exposed=stock: expected waste or waste_and_stock"),
        ({"waste_piles": 2}, "waste_piles=2: expected 1 or 3"),
        ({"waste_piles": 4}, "waste_piles=4: expected a whole number from 1 to 3"),
        ({"waste_piles": 3}, "waste_piles=3 with draw=1: expected draw=3, one card to each waste pile"),
        ({"waste_piles": 3, "draw": 3, "pyramid": 5}, "waste_piles=3: expected a stock of at most 32 cards, got 37"),
        ({"passes": -1}, "passes=-1: expected a whole number from 1 to 60 or unlimited"),
        ({"at_exhaustion": "stopp"}, "at_exhaustion=stopp: expected continue or stop; did you mean 'stop'?"),
        ({"goal": "everything"}, "goal=everything: expected pyramid or all"),
        ({"overlap_pairs": "maybe"}, "overlap_pairs=maybe: expected true or false"),
    ],
)
def test_pair_rules_out_of_range(values, message):
    with pytest.raises(InputError, match="^" + re.escape(message)):
        PairRules(**{"pair_total": 13, **values})


def test_rules_are_frozen_hashable_and_compared_by_value():
    assert BuildRules(columns=(7,)) == BuildRules(columns=(7,))
    assert len({BuildRules(), BuildRules(), BuildRules(draw=2)}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        BuildRules().draw = 3


def test_sizes_follow_from_the_layout():
    rules = BuildRules(decks=2, ranks=5, suits="CH", columns=(3, 4), reserve=2)
    assert (rules.pack_size, rules.stock_size) == (20, 11)
    rules = PairRules(pair_total=13, reserves=(3,) * 8)
    assert (rules.pack_size, rules.pyramid_size, rules.stock_size) == (52, 28, 0)


def test_runs_follow_the_tableau_unless_they_have_a_rule_of_their_own():
    assert BuildRules(build="any_suit").run_policy == "any_suit"
    assert BuildRules(build="any_suit", run_build="same_suit").run_policy == "same_suit"


def test_pairs_by_total_by_step_and_round_the_corner():
    total, steps = PairRules(pair_total=13), PairRules(pair_steps=(0, 1))
    wrap = PairRules(pair_steps=(1,), pair_wrap=True)
    assert (total.pairs(1, 12), total.pairs(13, 13), total.goes_alone(13)) == (True, False, True)
    assert (steps.pairs(5, 5), steps.pairs(5, 6), steps.pairs(1, 13)) == (True, True, False)
    assert (wrap.pairs(1, 13), wrap.pairs(1, 2), wrap.pairs(5, 5)) == (True, True, False)
    assert not any(steps.goes_alone(rank) for rank in range(1, 14))


# Options.


@pytest.mark.parametrize("values", [{"draw": "3", "worrying_back": "true"}, {"draw": 3, "worrying_back": True}])
def test_options_from_text_and_from_python_are_the_same(values):
    rules = load_game("klondike").with_options(values).rules
    assert (rules.draw, rules.worrying_back) == (3, True)
    assert load_game("klondike").with_options(**values).rules == rules


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("passes", "unlimited", "unlimited"),
        ("passes", " Unlimited ", "unlimited"),
        ("passes", "3", 3),
        ("worrying_back", "TRUE", True),
        ("build", "same-suit", "same_suit"),
        ("spaces", "any", "any"),
    ],
)
def test_options_as_text(name, text, value):
    game = load_game("klondike").with_options({name: text})
    assert game.options[name] == value
    assert game.with_options({name: show_value(value)}) == game


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"darw": 3}, "klondike has no option 'darw'; its options are draw, passes, worrying_back, return_to_space, "
                      "spaces, build, group; did you mean 'draw'?"),
        ({"columns": (1, 2)}, "klondike has no option 'columns'"),
        ({"draw": 25}, "klondike: draw=25: expected a whole number from 1 to 24"),
        ({"draw": "three"}, "klondike: draw=three: expected a whole number from 1 to 104"),
        ({"draw": "2.5"}, "klondike: draw=2.5: expected a whole number"),
        ({"draw": ""}, "klondike: draw=: expected a whole number"),
        ({"worrying_back": "yes"}, "klondike: worrying_back=yes: expected true or false"),
        ({"spaces": "kigns"}, "klondike: spaces=kigns: expected kings or any or none; did you mean 'kings'?"),
    ],
)  # fmt: skip
def test_bad_options(options, message):
    with pytest.raises(InputError, match="^" + re.escape(message)):
        load_game("klondike").with_options(options)


def test_options_do_not_change_the_catalogue():
    load_game("klondike").with_options(draw=3)
    assert load_game("klondike").options["draw"] == 1
    assert load_game("klondike").with_options() is load_game("klondike")


def test_options_text():
    assert load_game("stonewall").options_text() == "worrying_back=true, return_to_space=true, group=run, spaces=any"


# Games by key, preset and path.


def test_unknown_games_get_a_near_match():
    with pytest.raises(InputError, match="unknown game 'klondyke'; did you mean 'klondike'"):
        load_game("klondyke")
    with pytest.raises(InputError, match=r"'games' lists all; a path must end in \.toml"):
        load_game("xyzzy")


def test_a_preset_knows_the_game_it_belongs_to():
    preset = load_game("klondike-standard")
    assert (preset.key, preset.base) == ("klondike-standard", "klondike")
    assert preset.rules == load_game("klondike").with_options(draw=3, passes="unlimited", worrying_back=True).rules
    assert preset.name != load_game("klondike").name


FILE = """
key = "mine"
name = "Mine"
family = "build"
summary = "A small game."
[rules]
ranks = 5
columns = [1, 2, 3]
face_down = "all_but_top"
[options]
draw = 2
passes = "unlimited"
[presets.mine-one]
name = "Mine, draw 1"
options = { draw = 1 }
[[readings]]
option = "draw"
letter = 1
note = "The description turns one."
"""


def test_a_game_file_by_path(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(FILE, encoding="utf-8")
    game = load_game(str(path))
    assert (game.reference, game.key, game.name, game.base) == (str(path), "mine", "Mine", str(path))
    assert game.rules == BuildRules(ranks=5, columns=(1, 2, 3), face_down="all_but_top", draw=2, passes="unlimited")
    assert game.options == {"draw": 2, "passes": "unlimited"}
    assert [(reading.option, reading.letter) for reading in game.readings] == [("draw", "1")]


def test_a_game_file_has_presets():
    game, preset = read_game_file(FILE, "mine.toml")
    assert (game.key, preset.key, preset.base) == ("mine", "mine-one", "mine")
    assert (preset.rules.draw, preset.rules.passes, preset.summary) == (1, "unlimited", "A small game.")


def test_unreadable_game_files(tmp_path):
    with pytest.raises(InputError, match=r"cannot read game file .*none\.toml: No such file"):
        load_game(str(tmp_path / "none.toml"))
    with pytest.raises(InputError, match="cannot read game file"):
        load_game(f"{tmp_path}/")
    path = tmp_path / "latin.toml"
    path.write_bytes(b'name = "Caf\xe9"')
    with pytest.raises(InputError, match="cannot read game file"):
        load_game(str(path))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('key = "mine"', 'key = "mine', "mine.toml: not valid TOML: "),
        ('key = "mine"', "", "mine.toml: key: expected a text"),
        ('name = "Mine"', "name = 3", "mine.toml: name: expected a text"),
        ('"build"', '"biuld"', "mine.toml: family=biuld: expected build or pair; did you mean 'build'?"),
        ("[rules]", "[rule]", "mine.toml: unknown entry 'rule'; expected one of key, name, family, summary, rules, "),
        ("[rules]\n", "[rules]\ncolums = [1]\n", "mine.toml: unknown rule 'colums'; expected one of decks, ranks, "),
        ("[rules]\n", "[rules]\npair_total = 13\n", "mine.toml: unknown rule 'pair_total'"),
        ("[rules]\n", "[rules]\ndraw = 3\n", "mine.toml: draw: stands in both [rules] and [options]"),
        ("ranks = 5", "ranks = 15", "mine.toml: ranks=15: expected a whole number from 1 to 13"),
        ("ranks = 5", "ranks = 1", "mine.toml: columns and reserve take 6 cards, but the pack has only 4"),
        ("[1, 2, 3]", "[1, 2.5, 3]", "mine.toml: columns=1,2.5,3: expected a list of whole numbers from 0 to 64"),
        ("[1, 2, 3]", "[[1], 2, 3]", "mine.toml: columns=[1],2,3: expected a list of whole numbers"),
        ("{ draw = 1 }", "{ darw = 1 }", "mine.toml: mine has no option 'darw'"),
        ("{ draw = 1 }", "{ draw = 99 }", "mine.toml: mine: draw=99: expected a whole number from 1 to 14"),
        ("{ draw = 1 }", "1", "mine.toml: presets.mine-one: expected a table with options"),
        (
            'option = "draw"',
            'option = "drow"',
            "mine.toml: readings: 'drow' is not an option of this game; did you mean",
        ),
        ("letter = 1\n", "", "mine.toml: readings: expected entries of option, letter and note"),
        ("[[readings]]", "[readings]", "mine.toml: readings: expected a list of tables"),
    ],
)
def test_bad_game_files(old, new, message):
    assert old in FILE
    with pytest.raises(InputError) as caught:
        read_game_file(FILE.replace(old, new), "mine.toml")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["rules", "options", "presets", "readings"])
@pytest.mark.parametrize("value", ["3", '"text"', "true", "[1]"])
def test_game_file_tables_must_be_tables(name, value):
    text = f'key = "mine"\nname = "Mine"\nfamily = "build"\n{name} = {value}\n'
    with pytest.raises(InputError, match=f"mine.toml: {name}"):
        read_game_file(text, "mine.toml")


TOML_VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-5, 200), st.text("abc_ 3", max_size=4).map(repr), st.just("1.5")),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: "[" + ", ".join(map(str, items)) + "]"),
    max_leaves=5,
)
RULE_NAMES = [field.name for field in (*dataclasses.fields(BuildRules), *dataclasses.fields(PairRules))]


@given(
    family=st.sampled_from(["build", "pair"]),
    rules=st.dictionaries(st.sampled_from(RULE_NAMES), TOML_VALUES, max_size=4),
    options=st.dictionaries(st.sampled_from(RULE_NAMES), TOML_VALUES, max_size=3),
)
def test_any_values_make_a_game_or_bad_input(family, rules, options):
    lines = ['key = "mine"', 'name = "Mine"', f'family = "{family}"', "[rules]"]
    lines += [f"{name} = {str(value).lower()}" for name, value in rules.items()]
    lines += ["[options]", *(f"{name} = {str(value).lower()}" for name, value in options.items())]
    try:
        games = read_game_file("\n".join(lines), "mine.toml")
    except InputError:
        return
    assert games[0].rules.stock_size >= 0


@given(text=st.text(max_size=40))
def test_any_text_is_a_game_file_or_bad_input(text):
    with pytest.raises(InputError):
        read_game_file(text, "mine.toml")


def test_every_catalogue_game_can_be_loaded():
    assert all(load_game(key).key == key for key in catalogue_keys())
