"""Research environments: every game for PettingZoo, Gymnasium and OpenSpiel, and batches of games in the style of Pgx."""

from importlib.util import find_spec

from spieltisch.research.extras import missing_extra

if find_spec("numpy") is None:
    raise missing_extra("numpy")
