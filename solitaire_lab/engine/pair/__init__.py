"""The engine of pair games.

``layout`` (the position), ``moves`` (legal moves and what they lead to),
``dominance`` (what need not be tried), ``order`` (what is tried first) and ``search``.
"""
