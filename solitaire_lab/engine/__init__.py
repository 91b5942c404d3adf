"""All compiled code: fast copies of the referee, and the searches that run on them.

The engines know cards and piles as plain integers in numpy arrays; what those mean is set by
:mod:`solitaire_lab.solver`. Nothing here imports any other part of the package.
"""
