"""The command line's contract: what each command prints, and its exit status."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from solitaire_lab.cli import COMMANDS, main
from solitaire_lab.referee import Move, position
from solitaire_lab.rules import catalogue_keys, load_game
from solitaire_lab.solver import warm_up
from solitaire_lab.version import __version__

PROGRAM = [sys.executable, "-m", "solitaire_lab"]
VERDICT_KEYS = ["schema", "id", "game", "options", "verdict", "reason", "stage", "states", "seconds"]

Capture = pytest.CaptureFixture[str]


def lines(capsys: Capture, *argv: str, status: int = 0) -> list[str]:
    """Run the program in this process; return what it printed."""
    assert main(argv) == status
    return capsys.readouterr().out.splitlines()


def error(capsys: Capture, *argv: str, status: int = 2) -> str:
    """Run the program; return its one line on standard error."""
    assert main(argv) == status
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("solitaire-lab: ")
    return line


def objects(capsys: Capture, *argv: str, status: int = 0) -> list[dict]:  # type: ignore[type-arg]
    return [json.loads(line) for line in lines(capsys, *argv, status=status)]


def without_seconds(line: str) -> str:
    data = json.loads(line)
    data.pop("seconds")
    return json.dumps(data)


# The program as a whole.


def test_version_and_help(capsys: Capture) -> None:
    assert lines(capsys, "--version") == [f"solitaire-lab {__version__}"]
    text = "\n".join(lines(capsys, "--help"))
    assert all(command in text for command in COMMANDS)
    for later in ("play",):
        assert f"  {later} " not in text


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys: Capture, command: str) -> None:
    text = "\n".join(lines(capsys, command, "--help"))
    assert "--quiet" in text
    if command in ("solve", "study"):
        assert "By default 1,000,000 states" in " ".join(text.split())


@pytest.mark.parametrize(
    "argv",
    [
        ["study", "stonewall", "--deals", "5", "--escalate"],
        ["study", "stonewall"],
        ["study", "stonewall", "--deals", "5", "--until-width", "0.1"],
        ["study", "stonewall", "--until-width", "0.1", "--interval", "exact"],
        ["study", "stonewall", "--until-width", "1.5"],
        ["study", "stonewall", "--seeds", "1", "--first-seed", "1"],
        ["play", "klondike"],
    ],
)
def test_what_comes_later_is_refused(capsys: Capture, argv: list[str]) -> None:
    error(capsys, *argv)


def test_misspelt_command_and_option_get_the_near_match(capsys: Capture) -> None:
    assert "did you mean 'study'?" in error(capsys, "studdy", "stonewall")
    assert "did you mean '--max-states'?" in error(capsys, "solve", "stonewall", "--max-state", "5")
    assert "did you mean 'stonewall'?" in error(capsys, "show", "stonwall")
    assert "did you mean 'worrying_back'?" in error(capsys, "show", "stonewall", "-o", "worying_back=true")


@pytest.mark.parametrize(
    ("argv", "unwanted"),
    [
        (["--help"], "numba numpy pandas scipy matplotlib tqdm"),
        (["games"], "numba numpy pandas scipy matplotlib tqdm"),
        (["show", "stonewall", "--seed", "1"], "numba numpy pandas scipy matplotlib tqdm"),
        (["deal", "stonewall", "--seeds", "1"], "numba numpy pandas scipy matplotlib tqdm"),
        (["verify", os.devnull], "numba numpy pandas scipy matplotlib tqdm"),
        (["solve", "pyramid", "--seeds", "1", "--quiet"], "pandas scipy.stats scipy.special matplotlib tqdm"),
        (["study", "pyramid", "--deals", "1", "--quiet"], "pandas scipy.stats scipy.special matplotlib"),
    ],
)
def test_start_is_fast_because_heavy_packages_stay_out(argv: list[str], unwanted: str) -> None:
    code = (
        "import sys; from solitaire_lab.cli import main; status = main(sys.argv[2:]); "
        "print([name for name in sys.argv[1].split() if name in sys.modules], file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", code, unwanted, *argv], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == ["[]"]


def test_module_and_program_are_the_same() -> None:
    done = subprocess.run([*PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"solitaire-lab {__version__}\n"


# games, show, deal.


def test_games(capsys: Capture) -> None:
    assert [line.split()[0] for line in lines(capsys, "games")] == catalogue_keys()
    games = objects(capsys, "games", "--json")
    assert [game["key"] for game in games] == catalogue_keys()
    assert all(list(game) == ["key", "name", "family", "decks", "summary"] for game in games)
    assert {game["key"]: game["decks"] for game in games}["cleopatra"] == 2


@pytest.mark.parametrize("key", catalogue_keys())
def test_show_names_every_option_in_force(capsys: Capture, key: str) -> None:
    game = load_game(key)
    text = "\n".join(lines(capsys, "show", key))
    assert game.name in text
    for part in game.options_text().split(", "):
        assert f"  {part} " in text
    for reading in game.readings:
        assert reading.note in text


def test_show_follows_the_options(capsys: Capture) -> None:
    before = "\n".join(lines(capsys, "show", "klondike"))
    after = "\n".join(lines(capsys, "show", "klondike", "-o", "draw=3", "-o", "passes=unlimited", "-o", "group=single"))
    assert "one card is turned at a time; one pass" in before
    assert "3 cards are turned at a time; unlimited passes" in after
    assert "cards move one at a time" in after


def test_show_with_a_seed_has_the_board(capsys: Capture) -> None:
    from solitaire_lab.deals import deal_seed

    game = load_game("pyramid")
    text = "\n".join(lines(capsys, "show", "pyramid", "--seed", "7"))
    assert text.endswith(position(game.rules, deal_seed(game.rules, 7)).text())
    assert "native-pyramid-7" in text


def test_deal_writes_lines_that_solve_reads(capsys: Capture, tmp_path: Path) -> None:
    dealt = objects(capsys, "deal", "klondike", "--seeds", "1-3,8")
    assert [deal["id"] for deal in dealt] == [f"native-klondike-{seed}" for seed in (1, 2, 3, 8)]
    assert all(list(deal) == ["id", "game", "tableau", "stock"] for deal in dealt)
    file = tmp_path / "deals.jsonl"
    file.write_text("\n\n".join(json.dumps(deal) for deal in dealt) + "\n")
    for options in ([], ["-o", "draw=3"]):
        budget = ["--max-states", "500", "--json", *options]
        from_file = lines(capsys, "solve", "klondike", "--deals", str(file), *budget)
        from_seeds = lines(capsys, "solve", "klondike", "--seeds", "1-3,8", *budget)
        assert [without_seconds(line) for line in from_file] == [without_seconds(line) for line in from_seeds]


def test_deal_in_text_and_by_other_shuffles(capsys: Capture) -> None:
    text = lines(capsys, "deal", "klondike", "--seeds", "1", "--shuffle", "pysol", "--format", "text")
    assert text[0] == "pysol-klondike-1"
    assert text[2].startswith("Foundations")


# solve.


def test_solve_json_is_as_the_contract_says(capsys: Capture) -> None:
    solved = objects(capsys, "solve", "stonewall", "--seeds", "1-12", "--max-states", "2000", "--json")
    assert [line["id"] for line in solved] == [f"native-stonewall-{seed}" for seed in range(1, 13)]
    for line in solved:
        assert list(line) == VERDICT_KEYS
        assert line["schema"] == 1
        assert line["options"] == load_game("stonewall").options
        assert (line["reason"] is None) == (line["verdict"] != "undecided")
    assert {line["verdict"] for line in solved} >= {"unwinnable"}


def test_solve_does_not_depend_on_jobs(capsys: Capture) -> None:
    argv = ["solve", "pyramid", "--seeds", "1-60", "--json", "--max-states", "2000"]
    one = [without_seconds(line) for line in lines(capsys, *argv, "--jobs", "1")]
    assert [without_seconds(line) for line in lines(capsys, *argv, "--jobs", "3")] == one


def test_solutions_are_printed_and_verified(capsys: Capture, tmp_path: Path) -> None:
    argv = ["solve", "cheops", "--seeds", "1-3", "--moves"]
    printed = lines(capsys, *argv, "--json")
    first = json.loads(printed[0])
    assert list(first) == [*VERDICT_KEYS, "moves", "deal"]
    assert first["verdict"] == "winnable"
    moves = [Move.from_json(move).text() for move in first["moves"]]
    text = lines(capsys, *argv)
    assert text[0].split()[:2] == ["native-cheops-1", "winnable"]
    assert text[1 : len(moves) + 1] == [f"{number:>6}. {move}" for number, move in enumerate(moves, start=1)]
    file = tmp_path / "solved.jsonl"
    file.write_text("\n".join(printed))
    assert lines(capsys, "verify", str(file))[-1].startswith("3 solutions replayed to the win, 0 failed")


def test_verify_says_which_solution_fails_and_why(capsys: Capture, tmp_path: Path) -> None:
    solved = objects(capsys, "solve", "cheops", "--seeds", "1-3", "--moves", "--json")
    solved[0]["moves"].pop()
    solved[2]["moves"].insert(1, solved[2]["moves"][0])
    solved.append({**solved[1], "verdict": "undecided", "moves": None})
    file = tmp_path / "solved.jsonl"
    file.write_text("\n".join(map(json.dumps, solved)))
    printed = lines(capsys, "verify", str(file), status=1)
    assert "line 1: native-cheops-1: the" in printed[0]
    assert "do not win" in printed[0]
    assert "line 3: native-cheops-3: move 2, " in printed[1]
    assert printed[2] == "1 solutions replayed to the win, 2 failed; 1 verdicts with nothing to check"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "won"}, "verdict"),
        ({"moves": None}, "moves is missing"),
        ({"deal": None}, "deal is missing"),
        ({"moves": 5}, "moves: expected a list"),
        ({"moves": [{"kind": "jump"}]}, "move 1: unknown kind"),
        ({"game": "nothing"}, "unknown game"),
        ({"game": ["cheops"]}, "game: expected a text"),
        ({"options": {"drow": 1}}, "did you mean 'draw'"),
        ({"options": [1]}, "options: expected a JSON object"),
        ({"deal": {"pyramid": []}}, "missing"),
    ],
)
def test_verify_refuses_malformed_lines(capsys: Capture, tmp_path: Path, change: object, message: str) -> None:
    (solved,) = objects(capsys, "solve", "cheops", "--seeds", "1", "--moves", "--json")
    file = tmp_path / "solved.jsonl"
    file.write_text(json.dumps(solved) + "\n" + json.dumps({**solved, **change}))  # type: ignore[dict-item]
    text = error(capsys, "verify", str(file))
    assert "line 2" in text
    assert message in text


def test_solve_csv(capsys: Capture) -> None:
    rows = list(csv.DictReader(lines(capsys, "solve", "cheops", "--seeds", "1-2", "--csv", "--moves")))
    assert list(rows[0]) == ["id", "game", "options", "verdict", "reason", "stage", "states", "seconds", "moves"]
    assert rows[0]["options"].startswith("draw_exposed=waste_and_stock, ")
    assert " + " in rows[0]["moves"]
    bare = list(csv.DictReader(lines(capsys, "solve", "cheops", "--seeds", "1-2", "--csv")))
    assert "moves" not in bare[0]


def test_explain_goes_to_standard_error_beside_data(capsys: Capture) -> None:
    main(["solve", "pyramid", "--seeds", "1", "--explain", "--quiet"])
    assert "stage complete of native-pyramid-1" in capsys.readouterr().out
    main(["solve", "pyramid", "--seeds", "1", "--explain", "--json", "--quiet"])
    captured = capsys.readouterr()
    assert "stage complete of native-pyramid-1" in captured.err
    assert len(captured.out.splitlines()) == 1


def deal_file(capsys: Capture, tmp_path: Path, *changes: dict[str, object]) -> str:
    """Write one Klondike deal a change, each line with that change."""
    (deal,) = objects(capsys, "deal", "klondike", "--seeds", "1")
    del deal["game"]
    file = tmp_path / "deals.jsonl"
    file.write_text("".join(json.dumps({**deal, **change}) + "\n" for change in changes))
    return str(file)


STANDARD = {"draw": 3, "passes": "unlimited", "worrying_back": True}
STANDARD_ARGV = ["-o", "draw=3", "-o", "passes=unlimited", "-o", "worrying_back=true"]


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["klondike"], {}),
        (["klondike", "-o", "draw=3"], {}),
        (["klondike", "-o", "draw=3"], {"game": "klondike"}),
        (["klondike", "-o", "draw=3"], {"options": {"draw": 3}}),
        (["klondike", "-o", "draw=3"], {"game": "klondike", "options": {"draw": 3, "passes": 1}}),
        (["klondike"], {"game": "klondike", "options": {}}),
        (["klondike-standard"], {}),
        (["klondike-standard"], {"game": "klondike", "options": STANDARD}),
        (["klondike-standard"], {"game": "klondike-standard"}),
        (["klondike", *STANDARD_ARGV], {"game": "klondike-standard"}),
        (["klondike", *STANDARD_ARGV], {"game": "klondike-standard", "options": {}}),
    ],
)
def test_deal_lines_of_the_same_game_are_taken(
    capsys: Capture, tmp_path: Path, argv: list[str], line: dict[str, object]
) -> None:
    file = deal_file(capsys, tmp_path, {"id": "mine", **line}, {"id": None})
    solved = objects(capsys, "solve", *argv, "--deals", file, "--json", "--max-states", "20")
    assert [each["id"] for each in solved] == ["mine", "line-2"]
    assert solved[0]["game"] == argv[0]


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["klondike"], {"options": {"draw": 3}}),
        (["klondike", "-o", "draw=3"], {"options": {"draw": 2}}),
        (["klondike", "-o", "draw=3"], {"options": {"passes": 1}}),
        (["klondike"], {"game": "klondike-standard"}),
        (["klondike-standard"], {"game": "klondike", "options": {"draw": 3}}),
        (["klondike"], {"game": "stonewall"}),
        (["klondike"], {"game": "nothing"}),
        (["klondike"], {"game": 5}),
        (["klondike"], {"options": {"drow": 5}}),
        (["klondike"], {"options": 5}),
        (["klondike"], {"id": ["x"]}),
        (["klondike"], {"stock": []}),
    ],
)
def test_other_deal_lines_are_refused_by_number_and_the_ones_before_stay(
    capsys: Capture, tmp_path: Path, argv: list[str], line: dict[str, object]
) -> None:
    file = deal_file(capsys, tmp_path, {}, {}, line, {})
    assert main(["solve", *argv, "--deals", file, "--json", "--max-states", "20", "--quiet"]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 2
    assert captured.err.startswith(f"solitaire-lab: {file}, line 3: ")
    assert captured.err.count("\n") == 1


def test_solve_answers_each_line_before_the_next_comes() -> None:
    deal = subprocess.run([*PROGRAM, "deal", "pyramid", "--seeds", "1"], capture_output=True, check=True).stdout
    argv = [*PROGRAM, "solve", "pyramid", "--deals", "-", "--json", "--quiet", "--max-states", "1000", "--jobs", "2"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(deal)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == "native-pyramid-1"
        process.stdin.close()
        assert process.wait(10) == 0


# study.


def test_study_table(capsys: Capture) -> None:
    text = "\n".join(lines(capsys, "study", "stonewall", "--deals", "20", "--max-states", "2000", "--quiet"))
    for part in ("Stonewall (stonewall)", "seeds 1-20", "2,000 states", "Wilson", "lowers it", __version__):
        assert part in text


def test_study_json_agrees_with_csv(capsys: Capture) -> None:
    argv = ["study", "pyramid", "--deals", "50", "--first-seed", "11", "--max-states", "2000", "--quiet"]
    (data,) = objects(capsys, *argv, "--json")
    rows = list(csv.DictReader(io.StringIO("\n".join(lines(capsys, *argv, "--csv")))))
    assert list(rows[0]) == ["seed", "verdict", "reason", "stage", "states", "seconds", "moves"]
    assert [int(row["seed"]) for row in rows] == list(range(11, 61))
    for verdict in ("winnable", "unwinnable", "undecided"):
        assert data[verdict] == sum(row["verdict"] == verdict for row in rows)
    assert data["deals"] == 50
    assert data["states"] == sum(int(row["states"]) for row in rows)
    assert 0 <= data["low"] <= data["high"] <= 1
    assert data["confidence"] == 0.95


def test_study_by_seeds_options_and_interval(capsys: Capture) -> None:
    argv = ["study", "klondike", "--seeds", "5,1-3", "-o", "draw=3", "--max-states", "200", "--quiet"]
    (wilson,) = objects(capsys, *argv, "--json")
    (exact,) = objects(capsys, *argv, "--json", "--interval", "exact", "--confidence", "0.99")
    assert wilson["options"]["draw"] == 3
    assert wilson["deals"] == 4
    assert (exact["confidence"], exact["states"]) == (0.99, wilson["states"])
    assert exact["high"] - exact["low"] >= wilson["high"] - wilson["low"]


def test_study_notes_are_on_standard_error(capsys: Capture) -> None:
    argv = ["study", "pyramid", "--deals", "3", "--csv"]
    assert main(argv) == 0
    assert "Pyramid (pyramid)" in capsys.readouterr().err
    assert main([*argv, "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["--quiet", *argv]) == 0
    assert capsys.readouterr().err == ""


# Signals and pipes, in real processes.


def interrupted_after(lines: int, tmp_path: Path, *argv: str) -> tuple[list[str], list[str]]:
    """Interrupt the program once it has printed some lines; return its lines and its notes."""
    output = tmp_path / "output"
    with output.open("w") as stream:
        process = subprocess.Popen([*PROGRAM, *argv], stdout=stream, stderr=subprocess.PIPE, text=True)
    with process:
        while output.read_text().count("\n") < lines and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, notes = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in notes
    return output.read_text().splitlines(), notes.splitlines()


@pytest.mark.parametrize("processes", [[], ["--processes"]])
def test_interrupted_study_prints_what_was_finished(processes: list[str], tmp_path: Path) -> None:
    argv = ["study", "pyramid", "--deals", "1000000", "--jobs", "2", "--csv", "--max-states", "1000", *processes]
    rows, notes = interrupted_after(20, tmp_path, *argv)
    seeds = [int(row.split(",")[0]) for row in rows[1:]]
    assert seeds == list(range(1, len(seeds) + 1))
    assert any(f"these are the first {len(seeds):,} of 1,000,000 deals" in note for note in notes)


@pytest.mark.skipif(not Path("/proc").exists(), reason="finds the worker in /proc")
def test_lost_worker_is_status_3_with_what_was_finished(tmp_path: Path) -> None:
    argv = ["study", "pyramid", "--deals", "1000000", "--processes", "--csv", "--max-states", "1000"]
    output = tmp_path / "output"
    with output.open("w") as stream:
        process = subprocess.Popen([*PROGRAM, *argv], stdout=stream, stderr=subprocess.PIPE, text=True)
    with process:
        while output.read_text().count("\n") < 20 and process.poll() is None:
            time.sleep(0.05)
        children = Path(f"/proc/{process.pid}/task").glob("*/children")
        workers = [int(child) for file in children for child in file.read_text().split()]
        worker = next(pid for pid in workers if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes())
        os.kill(worker, signal.SIGKILL)
        _, notes = process.communicate(timeout=120)
    assert process.returncode == 3
    finished = len(output.read_text().splitlines()) - 1
    assert f"worker lost; {finished:,} of 1,000,000 deals were finished" in notes


def test_interrupted_study_prints_its_counts(capsys: Capture) -> None:
    warm_up(load_game("stonewall").rules)
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    assert main(["study", "stonewall", "--deals", "1000000", "--max-states", "1000", "--json", "--quiet"]) == 130
    timer.join()
    captured = capsys.readouterr()
    assert 0 < json.loads(captured.out)["deals"] < 1_000_000
    assert captured.err.startswith("solitaire-lab: interrupted; ")


def test_interrupted_solve_keeps_what_was_printed(tmp_path: Path) -> None:
    argv = ["solve", "pyramid", "--seeds", "1-1000000", "--json", "--max-states", "1000"]
    solved, notes = interrupted_after(20, tmp_path, *argv)
    names = [json.loads(line)["id"] for line in solved]
    assert names == [f"native-pyramid-{seed}" for seed in range(1, len(names) + 1)]
    assert notes[-1] == "solitaire-lab: interrupted"


def test_solve_waiting_for_input_is_interrupted() -> None:
    deal = subprocess.run([*PROGRAM, "deal", "pyramid", "--seeds", "1"], capture_output=True, check=True).stdout
    argv = [*PROGRAM, "solve", "pyramid", "--deals", "-", "--quiet"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(argv, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write(deal)
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"native-pyramid-1 ")
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stderr.read() == b"solitaire-lab: interrupted\n"


@pytest.mark.parametrize(
    "argv",
    [
        ["deal", "stonewall", "--seeds", "1-1000000"],
        ["solve", "pyramid", "--seeds", "1-1000000", "--max-states", "100"],
        ["study", "pyramid", "--deals", "1000000", "--max-states", "100", "--csv"],
    ],
)
def test_broken_pipe_ends_quietly(argv: list[str]) -> None:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*PROGRAM, *argv, "--quiet"], **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(20) == 141
        assert process.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "argv",
    [
        ["games"],
        ["deal", "stonewall", "--seeds", "1-5"],
        ["solve", "pyramid", "--seeds", "1-5"],
        ["study", "pyramid", "--deals", "3"],
    ],
)
def test_full_disk_is_one_message_and_status_3(argv: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PROGRAM, *argv, "--quiet"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.splitlines() == ["solitaire-lab: No space left on device"]


def test_one_easy_deal_is_quick_once_compiled() -> None:
    argv = [*PROGRAM, "solve", "stonewall", "--seeds", "1", "--json"]
    subprocess.run(argv, check=True, capture_output=True)
    before = os.times().children_user
    done = subprocess.run(argv, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    assert os.times().children_user - before < 3  # 1.5 s by the clock on an idle machine
