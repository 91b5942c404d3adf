"""One setting for the whole suite: fuzzing tries the same examples everywhere, however slow the machine."""

from hypothesis import settings

settings.register_profile("everywhere", deadline=None, derandomize=True, database=None)
settings.load_profile("everywhere")
