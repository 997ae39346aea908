"""Pictures of games: a position as SVG or PNG, and a whole game as a film."""

from spieltisch.pictures.bitmap import TooWide, animate, has_fonts, png
from spieltisch.pictures.film import film
from spieltisch.pictures.still import NoPicture, NoPly, cut, picture, plies

__all__ = ["NoPicture", "NoPly", "TooWide", "animate", "cut", "film", "has_fonts", "picture", "plies", "png"]
