"""The engine of build games whose columns are single runs on cards face down, as in Klondike.

Start at ``layout.py``, which says what a position is, and ``component.py``, which says what is searched.
"""
