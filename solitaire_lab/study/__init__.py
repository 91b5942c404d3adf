"""Studies: many deals of one game, solved on all cores, and what their verdicts say about the game.

Nothing is imported here, so that a command that only needs seeds or lines stays fast.
"""
