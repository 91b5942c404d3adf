"""The engine of build games.

``layout`` (the position), ``generator`` (legal moves), ``moves`` (make, take back), ``hashing``,
``dominance`` (what need not be tried), ``order`` (what is tried first) and ``search``.
"""
