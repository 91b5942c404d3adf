"""Published figures: the list, and what a study says of one."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest

import solitaire_lab as sl
from solitaire_lab.cli import main
from solitaire_lab.errors import InputError
from solitaire_lab.rules import load_game
from solitaire_lab.rules.claims import POPULATIONS, Claim, claim_of, claims, read_claims
from solitaire_lab.study.confront import Confrontation
from solitaire_lab.study.plan import Study
from solitaire_lab.study.result import StudyResult
from solitaire_lab.study.rows import Row, Rows
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.store import open_study

Capture = pytest.CaptureFixture[str]


def test_the_claims_of_the_field_are_there() -> None:
    found = {claim.id: claim for claim in claims()}
    assert len(found) == len(claims()) >= 20
    assert (found["stonewall-site"].low, found["stonewall-site"].population) == (0.10, "unstated")
    jair = found["klondike-jair"]
    assert (jair.low, jair.high) == pytest.approx((0.81861, 0.82029))
    assert jair.game.rules == load_game("klondike-standard").rules
    assert found["klondike-jair-no-return"].game.options["worrying_back"] is False
    assert found["pyramid-mchung94"].sample == 1500
    assert {claim.population for claim in claims()} == set(POPULATIONS)
    assert all(claim.source for claim in claims())


def test_claims_of_a_game_and_of_a_preset() -> None:
    assert {claim.game.base for claim in claims("klondike")} == {"klondike"}
    assert [claim.id for claim in claims("klondike-3x3")] == ["klondike-collins-3x3"]
    assert claims("cheops") == []
    with pytest.raises(InputError, match="did you mean 'klondike'"):
        claims("klondyke")
    with pytest.raises(InputError, match="did you mean 'stonewall-site'"):
        claim_of("stonewall-sight")


HEAD = 'key = "k"\nname = "K"\nfamily = "pair"\n[rules]\npair_total = 13\n[options]\npasses = 1\n'


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('value = 0.1\npopulation = "human"\nsource = "s"', "expected tables with an id"),
        ('id = "c"\nvalue = 0.1\npopulation = "peple"\nsource = "s"', "claim c: population=peple"),
        ('id = "c"\nvalue = 0.1\npopulation = "human"', "claim c: source"),
        ('id = "c"\nvalue = 10\npopulation = "human"\nsource = "s"', "expected shares from 0 to 1"),
        ('id = "c"\npopulation = "human"\nsource = "s"', "claim c: 'low'"),
        ('id = "c"\nvalue = 0.1\npopulation = "human"\nsource = "s"\npreset = "l"', "preset=l"),
        ('id = "c"\nvalue = 0.1\npopulation = "human"\nsource = "s"\noptions = {draw = 2}', "no option 'draw'"),
        ('id = "c"\nvalu = 0.1\npopulation = "human"\nsource = "s"', "unknown entry 'valu'"),
    ],
)
def test_bad_claims_are_named(entry: str, message: str) -> None:
    with pytest.raises(InputError, match=f"k.toml: .*{message}"):
        read_claims(f"{HEAD}[[claims]]\n{entry}\n", "k.toml")


def confronted(low: float, high: float, population: str, won: int, lost: int, **more: object) -> Confrontation:
    game = load_game("stonewall")
    claim = Claim("c", game, low, high, "words", population, "source", **more)  # type: ignore[arg-type]
    verdicts = ["winnable"] * won + ["unwinnable"] * lost
    rows = [Row(seed, verdict, None, "complete", 1, 0.1, None) for seed, verdict in enumerate(verdicts, start=1)]
    return Confrontation(claim, StudyResult(Study(game, Seeds.starting(1, len(rows))), Rows(rows)))


@pytest.mark.parametrize(
    ("low", "high", "population", "winnability", "rate", "words"),
    [
        (
            0.10,
            0.10,
            "unstated",
            "refuted: below",
            "possible",
            "is not the share of deals that can be won; it could be some player",
        ),
        (0.25, 0.25, "unstated", "agrees", "possible", "could be the share of deals that can be won, or"),
        (0.60, 0.60, "unstated", "refuted: above", "impossible", "true of nobody"),
        (0.25, 0.26, "thoughtful", "agrees", "possible", "agrees with ours"),
        (0.10, 0.12, "thoughtful", "refuted: below", "possible", "too low"),
        (0.60, 0.62, "thoughtful", "refuted: above", "impossible", "too high"),
        (0.10, 0.12, "human", "refuted: below", "possible", "could be true of its population"),
        (0.60, 0.60, "player", "refuted: above", "impossible", "true of nobody"),
    ],
)
def test_verdicts_in_words(low: float, high: float, population: str, winnability: str, rate: str, words: str) -> None:
    found = confronted(low, high, population, 250, 750)
    assert (found.as_winnability, found.as_win_rate) == (winnability, rate)
    assert words in found.text()
    assert ("thoughtful" in found.could_be_true_of) == (winnability == "agrees")
    assert ("human" in found.could_be_true_of) == (rate == "possible")


def test_a_sample_widens_the_claim() -> None:
    assert confronted(0.30, 0.30, "thoughtful", 250, 750).as_winnability == "refuted: above"
    assert confronted(0.30, 0.30, "thoughtful", 250, 750, sample=50).as_winnability == "agrees"
    assert confronted(0.30, 0.30, "thoughtful", 250, 750, sample=10**6).as_winnability == "refuted: above"


def test_nothing_won_at_all() -> None:
    assert "impossible" in confronted(0.3, 0.3, "human", 0, 100).text()
    assert confronted(0.0, 0.0, "human", 0, 100).as_winnability == "agrees"


def test_claims_are_listed(capsys: Capture) -> None:
    assert main(["claims", "stonewall"]) == 0
    assert capsys.readouterr().out.startswith("stonewall-site  about 10 %  unstated  ")
    assert main(["claims", "--json"]) == 0
    data = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["id"] for entry in data] == [claim.id for claim in claims()]
    assert main(["claims", "cheops"]) == 0
    assert main(["claims", "nothing"]) == 2


def test_a_claim_is_tested_and_its_study_kept(tmp_path: Path, capsys: Capture) -> None:
    argv = [
        "test-claim",
        "stonewall-site",
        "--deals",
        "300",
        "--max-states",
        "20000",
        "--out",
        str(tmp_path),
        "--quiet",
    ]
    assert main(argv) == 0
    text = capsys.readouterr().out
    assert "refuted: 10.00 % lies below our interval" in text
    assert "it could be some player's win rate" in text
    assert len(open_study(tmp_path).rows) == 300
    assert main([*argv, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["could_be_true_of"] == ["human", "player"]
    assert data["study"]["deals"] == 300
    assert main(["test-claim", "stonewall-site", "--deals", "300", "--out", str(tmp_path), "--quiet"]) == 2


def test_a_confrontation_shows_itself_in_a_notebook() -> None:
    beside = sl.confront("stonewall-site", deals=20, max_states=1000)
    shown = beside._repr_html_()
    for heading, text in beside.table():
        assert f">{heading}</th>" in shown
        assert html.escape(text) in shown
