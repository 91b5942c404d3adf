"""The rule language: one frozen dataclass a family, and the game files that fill them in."""

from solitaire_lab.rules.build import BuildRules
from solitaire_lab.rules.catalogue import Game, Reading, Rules, catalogue_keys, load_game
from solitaire_lab.rules.language import UNLIMITED
from solitaire_lab.rules.pair import PairRules

__all__ = ["UNLIMITED", "BuildRules", "Game", "PairRules", "Reading", "Rules", "catalogue_keys", "load_game"]
