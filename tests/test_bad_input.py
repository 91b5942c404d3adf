"""Bad input: one clear message, exit status 2, never a traceback; by example and by fuzzing."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solitaire_lab.cli import COMMANDS, main

BUDGET = ["--max-states", "20"]


def outcome(*argv: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """Run the program in this process; return exit status, standard output and standard error."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(argv)
        out.flush()
    return status, out.buffer.getvalue().decode(), err.getvalue()  # type: ignore[attr-defined]


def check(status: int, err: str, *, allowed: tuple[int, ...] = (0, 2)) -> None:
    """Check that a run ended as allowed, and that bad input got exactly one line."""
    assert status in allowed, err
    assert "Traceback" not in err
    if status == 2:
        (line,) = (line for line in err.splitlines() if not line.startswith("Compiling"))
        assert line.startswith("solitaire-lab: ")
        assert len(line) > len("solitaire-lab: ") + 5


# By example, for every command.


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "expected a command"),
        (["--nothing"], "unknown option '--nothing'"),
        (["shw"], "did you mean 'show'"),
        (["games", "extra"], "unrecognized arguments: extra"),
        (["show"], "required: GAME"),
        (["show", "stonewal"], "did you mean 'stonewall'"),
        (["show", "missing.toml"], "cannot read game file missing.toml"),
        (["show", "/"], "cannot read game file /"),
        (["show", "\0/x.toml"], "game"),
        (["show", "klondike", "-o", "drow=3"], "did you mean 'draw'"),
        (["show", "klondike", "-o", "draw=0"], "draw=0"),
        (["show", "klondike", "-o", "draw=25"], "draw=25"),
        (["show", "klondike", "-o", "draw"], "NAME=VALUE"),
        (["show", "klondike", "-o", "=3"], "NAME=VALUE"),
        (["show", "klondike", "-o", "build=same_siut"], "did you mean 'same_suit'"),
        (["show", "klondike", "--seed", "-1"], "--seed"),
        (["show", "klondike", "--seed", str(2**64)], "--seed"),
        (["deal", "klondike"], "--seeds"),
        (["deal", "klondike", "--seeds", "9-1"], "backwards"),
        (["deal", "klondike", "--seeds", "1-"], "expected seeds such as"),
        (["deal", "klondike", "--seeds", str(2**64)], "2**64 - 1"),
        (["deal", "klondike", "--seeds", "1", "--shuffle", "microsft"], "--shuffle"),
        (["deal", "klondike", "--seeds", f"1-{2**33}", "--shuffle", "microsoft"], "microsoft deals have numbers"),
        (["deal", "pyramid", "--seeds", "1", "--shuffle", "solvitaire"], "build games only"),
        (["deal", "klondike", "--seeds", "1", "--format", "xml"], "--format"),
        (["solve", "klondike"], "one of the arguments --seeds --deals is required"),
        (["solve", "klondike", "--seeds", "1", "--deals", "-"], "not allowed with"),
        (["solve", "klondike", "--deals", "missing.jsonl"], "cannot read missing.jsonl"),
        (["solve", "klondike", "--deals", "."], "cannot read .: Is a directory"),
        (["solve", "klondike", "--deals", "-", "--shuffle", "native"], "--shuffle goes with --seeds"),
        (["solve", "klondike", "--seeds", "1", "--json", "--csv"], "not allowed with"),
        (["solve", "klondike", "--seeds", "1", "--max-states", "0"], "--max-states"),
        (["solve", "klondike", "--seeds", "1", "--max-states", "1e6"], "--max-states"),
        (["solve", "klondike", "--seeds", "1", "--max-states", str(2**63)], "--max-states"),
        (["solve", "klondike", "--seeds", "1", "--max-seconds", "0"], "max_seconds"),
        (["solve", "klondike", "--seeds", "1", "--max-seconds", "nan"], "--max-seconds"),
        (["solve", "klondike", "--seeds", "1", "--max-table", "64X"], "such as 64M"),
        (["solve", "klondike", "--seeds", "1", "--max-table", "1"], "max_table"),
        (["solve", "klondike", "--seeds", "1", "--jobs", "0"], "--jobs"),
        (["solve", "klondike", "--seeds", "1", "--jobs", "9999"], "--jobs"),
        (["verify"], "required: FILE"),
        (["verify", "missing.jsonl"], "cannot read missing.jsonl"),
        (["verify", "\0"], "cannot read"),
        (["study", "klondike"], "expected one of --deals, --seeds and --until-width"),
        (["study", "klondike", "--deals", "0"], "--deals"),
        (["study", "klondike", "--deals", "2", "--first-seed", str(2**64 - 1)], "2**64 - 1"),
        (["study", "klondike", "--seeds", "1-5", "--first-seed", "2"], "--first-seed goes with --deals"),
        (["study", "klondike", "--seeds", "1-5,3"], "seed 3 comes twice"),
        (["study", "klondike", "--deals", "1", "--confidence", "95"], "confidence=95"),
        (["study", "klondike", "--deals", "1", "--interval", "wald"], "--interval"),
    ],
)
def test_one_clear_message(argv: list[str], message: str) -> None:
    status, out, err = outcome(*argv)
    assert status == 2
    assert out == ""
    assert message in err
    check(status, err)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "line 2: not a line of JSON"),
        (b"[1]", "line 2: expected a JSON object"),
        (b"nonsense", "line 2: not a line of JSON"),
        (b"\xff\xfe", "line 2: not a line of JSON"),
        (b"[" * 100_000, "line 2: not a line of JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "line 2: not a line of JSON"),
        (b"{}", "line 2: "),
        (b'{"tableau": [["AS"]]}', "line 2: "),
    ],
)
@pytest.mark.parametrize("argv", [["solve", "stonewall", *BUDGET, "--deals", "-"], ["verify", "-"]])
def test_bad_lines_are_named(argv: list[str], content: bytes, message: str) -> None:
    status, _, err = outcome(*argv, stdin=b"\n" + content)
    assert status == 2
    assert f"solitaire-lab: standard input, {message}" in err
    check(status, err)


def changed_deal(**changes: Any) -> bytes:
    return json.dumps({**good_deal("stonewall"), **changes}).encode()


@functools.cache
def good_deal(game: str) -> dict[str, Any]:
    status, out, _ = outcome("deal", game, "--seeds", "1")
    assert status == 0
    data: dict[str, Any] = json.loads(out)
    return data


@functools.cache
def good_solution(game: str) -> dict[str, Any]:
    status, out, _ = outcome("solve", game, "--seeds", "1-9", "--json", "--moves")
    assert status == 0
    solved = map(json.loads, out.splitlines())
    return next(line for line in solved if line["verdict"] == "winnable")


def test_wrong_cards_are_named_with_their_place() -> None:
    tableau = good_deal("stonewall")["tableau"]
    swapped = [[*tableau[0][:-1], tableau[1][0]], *tableau[1:]]
    cases: list[tuple[list[Any], list[str]]] = [
        (swapped, ["duplicate card", "tableau"]),
        ([[*tableau[0][:-1], "1X"], *tableau[1:]], ["'1X' is not a card", "pile 1, card 6"]),
        ([tableau[0][:-1], *tableau[1:]], ["missing 1 card"]),
        ([[*tableau[0], tableau[1][-1]], tableau[1][:-1], *tableau[2:]], ["column 1", "7", "expected 6"]),
    ]
    for piles, messages in cases:
        status, _, err = outcome("solve", "stonewall", *BUDGET, "--deals", "-", stdin=changed_deal(tableau=piles))
        check(status, err, allowed=(2,))
        assert all(message in err for message in messages)


def test_misspelt_entry_gets_the_near_match() -> None:
    status, _, err = outcome("solve", "stonewall", "--deals", "-", stdin=changed_deal(reserv=[]))
    check(status, err, allowed=(2,))
    assert "did you mean 'reserve'" in err


# By fuzzing. Whatever runs is small: the last words limit the states, and numbers are few.

USUAL = """stonewall klondike-3x3 pyramid -o draw=3 passes=unlimited group=x draw_exposed=waste --seeds --deals
    --first-seed --seed 1 3 1-3 2,2 9-2 - -- --json --csv --jobs --moves --explain --quiet --shuffle pysol microsoft
    --format text --max-seconds 0.1 --max-table 64M --interval exact --confidence 0.9 --version --help
    --until-width 0.5 --escalate --dry-run --sample --no-reuse --mix-versions stonewall[spaces=kings] stonewall[x"""
WORDS = st.sampled_from([*COMMANDS, *USUAL.split(), "", " ", "\0", "é", "\ud800"])
NOISE = st.text(st.characters(codec=None, exclude_characters=string.digits), max_size=6)


@settings(max_examples=300, deadline=None)
@given(
    command=st.sampled_from([*COMMANDS, "sho"]),
    game=st.sampled_from(["stonewall", "klondike", "pyramid", "-"]),
    words=st.lists(WORDS | NOISE, max_size=7),
)
def test_no_arguments_end_in_a_traceback(command: str, game: str, words: list[str]) -> None:
    last = BUDGET if command in ("solve", "study", "compare", "test-claim") else []
    status, _, err = outcome(command, game, *words, *last)
    assert status in (0, 2), err
    assert "Traceback" not in err
    if status == 2:
        assert err.splitlines()[-1].startswith("solitaire-lab: ")


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS | NOISE, max_size=5))
def test_no_words_at_all_end_in_a_traceback(words: list[str]) -> None:
    status, _, err = outcome(*words, "--max-states=20")
    check(status, err)


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["AS", "#KH", "10D"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def paths(data: Any) -> list[tuple[Any, ...]]:
    """Return the ways to every part of a JSON value."""
    if isinstance(data, dict):
        items: Any = data.items()
    elif isinstance(data, list):
        items = enumerate(data)
    else:
        return [()]
    return [(), *((key, *rest) for key, value in items for rest in paths(value))]


def replaced(data: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return the value with one part replaced."""
    if not path:
        return new
    copy = data.copy()
    copy[path[0]] = replaced(data[path[0]], path[1:], new)
    return copy


@st.composite
def spoilt(draw: st.DrawFn, data: dict[str, Any]) -> bytes:
    """Return a line of JSON with one to three parts replaced, moved about or cut off."""
    changed: Any = data
    for _ in range(draw(st.integers(1, 3))):
        ways = paths(changed)
        path = draw(st.sampled_from(ways))
        other = draw(st.sampled_from(ways))
        value = changed
        for key in other:
            value = value[key]
        changed = replaced(changed, path, draw(JUNK) if draw(st.booleans()) else value)
    line = json.dumps(changed).encode()
    return line[: draw(st.integers(0, len(line)))] if draw(st.integers(0, 9)) == 0 else line


@pytest.mark.parametrize("game", ["stonewall", "klondike", "cleopatra", "pyramid"])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_no_deal_line_ends_in_a_traceback(game: str, data: st.DataObject) -> None:
    line = data.draw(spoilt(good_deal(game)))
    status, _, err = outcome("solve", game, *BUDGET, "--deals", "-", "--quiet", stdin=line)
    check(status, err)


@pytest.mark.parametrize("game", ["stonewall", "cheops", "klondike-draw1"])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_no_solution_line_ends_in_a_traceback(game: str, data: st.DataObject) -> None:
    line = data.draw(spoilt(good_solution(game)))
    status, _, err = outcome("verify", "-", stdin=line)
    check(status, err, allowed=(0, 1, 2))


GAME_FILES = sorted((Path(__file__).parent.parent / "solitaire_lab" / "games").glob("*.toml"))
ENTRIES = """key = 5;rules = 1;options = [];presets = 3;readings = 5;readings = [1];[rules];[options];draw = [];
    columns = [1, 2];columns = 'x';suits = 'CC';ranks = 14;pyramid = -1;[presets.x];options = {draw = 1};[[readings]];
    option = {};letter = 1979-05-27;note = inf;draw = 1e400;x.y.z = 1"""
ENTRY = st.sampled_from([entry.strip() for entry in ENTRIES.split(";")])


def test_deeply_nested_game_file(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text("a = " + "[" * 20_000)
    status, _, err = outcome("show", str(file))
    check(status, err, allowed=(2,))


@pytest.mark.parametrize("file", GAME_FILES, ids=lambda file: file.stem)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_game_file_ends_in_a_traceback(file: Path, tmp_path: Path, data: st.DataObject) -> None:
    lines = file.read_text().splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(["cut", "insert", "replace", "spoil"]))
        if kind in ("cut", "replace"):
            del lines[place]
        if kind in ("insert", "replace"):
            lines.insert(place, data.draw(ENTRY))
        if kind == "spoil" and lines[place]:
            at = data.draw(st.integers(0, len(lines[place]) - 1))
            lines[place] = lines[place][:at] + data.draw(st.text(max_size=3)) + lines[place][at + 1 :]
    spoilt_file = tmp_path / "game.toml"
    spoilt_file.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
    status, _, err = outcome("show", str(spoilt_file), "--seed", "1")
    check(status, err)
