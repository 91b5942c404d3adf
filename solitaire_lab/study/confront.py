"""Published figures beside our own: what a claim could be true of, as far as winnability can say.

Winnability is a property of the game: the share of deals that can be won with all cards known. As such a figure is
compared with our interval. A win rate in play, of people or of programs that do not see hidden cards, cannot lie above
the winnability of the same game; that is all that winnability says of it.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from solitaire_lab.rules.claims import POPULATIONS, Claim
from solitaire_lab.study.result import StudyResult, text_table
from solitaire_lab.study.statistics import wilson

AGREES, ABOVE, BELOW = "agrees", "refuted: above", "refuted: below"
POSSIBLE, IMPOSSIBLE = "possible", "impossible"


@dataclasses.dataclass(frozen=True, repr=False)
class Confrontation:
    """A claim beside the study of the game that it speaks of."""

    claim: Claim
    result: StudyResult

    @property
    def claimed(self) -> tuple[float, float]:
        """The claimed share as a range: widened by its sampling error if its sample is known and its margin is not."""
        claim = self.claim
        if claim.sample is not None and claim.low == claim.high:
            return wilson(round(claim.low * claim.sample), claim.sample, self.result.estimate.confidence)
        return claim.low, claim.high

    @property
    def as_winnability(self) -> str:
        """``"agrees"`` if the claimed range and our interval overlap, else whether it lies above or below."""
        (low, high), found = self.claimed, self.result.estimate
        if low > found.high:
            return ABOVE
        return BELOW if high < found.low else AGREES

    @property
    def as_win_rate(self) -> str:
        """``"impossible"`` if the claimed range lies above our interval, for nobody wins what cannot be won."""
        return IMPOSSIBLE if self.claimed[0] > self.result.estimate.high else POSSIBLE

    @property
    def could_be_true_of(self) -> list[str]:
        """Return the populations of which the figure could be true, given our interval."""
        populations = []
        if self.as_winnability == AGREES:
            populations.append("thoughtful")
        if self.as_win_rate == POSSIBLE:
            populations += ["human", "player"]
        return populations

    def to_json(self) -> dict[str, Any]:
        """Return it as an object ready for ``json``."""
        return {
            "schema": 1,
            "claim": self.claim.to_json(),
            "as_winnability": self.as_winnability,
            "as_win_rate": self.as_win_rate,
            "could_be_true_of": self.could_be_true_of,
            "win_rate": None,
            "study": self.result.to_json(),
        }

    def table(self) -> list[tuple[str, str]]:
        """Return it as rows of a heading and a text."""
        claim, found, study = self.claim, self.result.estimate, self.result.study
        sample = f", from {claim.sample:,}" if claim.sample is not None else ""
        lines = [
            ("Claim", f"{claim.id}: {claim.words}{sample} ({claim.source})"),
            ("Population", f"{claim.population}: {POPULATIONS[claim.population]}"),
            ("Game", f"{study.game.name} ({study.game.options_text()})"),
            (
                "Winnability",
                f"{_percent(found.low)} to {_percent(found.high)}, from {found.deals:,} deals, "
                f"{found.undecided:,} undecided ({found.method_text()})",
            ),
            ("Win rate", "not simulated: players who do not see hidden cards come later"),
            ("As winnability", self._winnability_words()),
            ("As a win rate", self._win_rate_words()),
            ("Verdict", self._verdict()),
        ]
        if claim.note:
            lines.insert(2, ("Note", claim.note))
        return lines

    def _winnability_words(self) -> str:
        low, high = self.claimed
        claimed = _percent(low) if low == high else f"{_percent(low)} to {_percent(high)}"
        found = self.result.estimate
        if self.as_winnability == AGREES:
            width = f"; but it is {_percent(found.width)} wide" if found.width > 0.1 else ""
            return f"agrees: {claimed} and our interval overlap{width}"
        where = "above" if self.as_winnability == ABOVE else "below"
        return f"refuted: {claimed} lies {where} our interval"

    def _win_rate_words(self) -> str:
        low, high = self.claimed
        found = self.result.estimate
        if self.as_win_rate == IMPOSSIBLE:
            return "impossible: no player can win more deals than can be won"
        least, most = (
            min(1.0, low / found.high) if found.high else 0.0,
            min(1.0, high / found.low) if found.low else 1.0,
        )
        share = (
            _percent(least, 0) if round(least, 2) == round(most, 2) else f"{_percent(least, 0)} to {_percent(most, 0)}"
        )
        return f"possible: somebody who wins {share} of the deals that can be won; winnability is only a bound"

    def _verdict(self) -> str:
        claim = self.claim
        if claim.population == "thoughtful":
            return {
                AGREES: "the figure agrees with ours",
                ABOVE: "the figure is too high for the game as it is played here",
                BELOW: "the figure is too low for the game as it is played here",
            }[self.as_winnability]
        if self.as_win_rate == IMPOSSIBLE:
            return "the figure can be true of nobody who plays the game as it is played here"
        if claim.population == "unstated":
            if self.as_winnability == AGREES:
                return "the figure could be the share of deals that can be won, or some player's win rate"
            return "the figure is not the share of deals that can be won; it could be some player's win rate"
        return f"the figure could be true of its population ({claim.population}); winnability cannot say more"

    def text(self) -> str:
        """Return it as a table in words."""
        return text_table(self.table(), width=16)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from solitaire_lab.view.summary import plain_table_html

        return plain_table_html(self.table())


def _percent(share: float, digits: int = 2) -> str:
    return f"{100 * share:.{digits}f} %"
