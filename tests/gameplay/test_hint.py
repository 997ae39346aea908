"""Hints in words: made from what the view shows, whatever is hidden, and without field numbers or coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.core.game import AnyGame, Decision, Over
from spieltisch.gameplay.hint import HintWords, describe_hint
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import message_factory

GAMES = [game for game in registry.all() if type(registry.speech(game)).hint_reason.__qualname__[:7] != "Speech."]
POSITIONS = 60  # per game


def decisions(game: AnyGame, seed: str) -> Iterator[tuple[Any, Decision[Any]]]:
    """States of random games in which somebody decides, of several numbers of players."""
    dice, found = Random(seed), 0
    while found < POSITIONS:
        state = game.initial(game.agree(dice.choice(game.editions[0].players)))
        while not isinstance(pending := game.pending(state), Over) and found < POSITIONS:
            if isinstance(pending, Decision) and dice.random() < 0.3:
                found += 1
                yield state, pending
            state = game.apply(state, dice.choice(pending.actions))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_reasons_cite_only_what_the_view_shows(game):
    """Whatever is hidden is exchanged, and the sentences stay the same."""
    simulated, dice = game.for_simulation, Random("hidden")
    for state, pending in decisions(simulated, "hidden"):
        view, action = game.observe(state, pending.seat), dice.choice(pending.actions)
        other = game.observe(game.imagine(view, dice), pending.seat)
        assert describe_hint(game, view, action, pending.actions) == describe_hint(game, other, action, pending.actions)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_hints_are_sentences_in_every_language_without_coordinates(game):
    simulated, dice = game.for_simulation, Random("said")
    reasons = 0
    for state, pending in decisions(simulated, "said"):
        view, action = game.observe(state, pending.seat), dice.choice(pending.actions)
        words = describe_hint(game, view, action, pending.actions)
        reasons += words.reason is not None
        for language in LANGUAGES:
            proposal = format_message(words.proposal, language)
            reason = format_message(words.reason, language) if words.reason else "A."
            assert not re.search(r"[{}#]|  ", proposal + reason)
            assert not proposal.endswith(".")
            assert re.match(r"[A-ZÀÉ].*\.$", reason), reason
        said = format_message(words.proposal, "en")
        assert not re.search(r"column|row|disc \d|(?:ring|spoke|arm) \d", said), said
    assert reasons > POSITIONS / 10


def test_the_only_choice_needs_no_other_reason():
    game = GAMES[0]
    for state, pending in decisions(game, "only"):
        view, action = game.observe(state, pending.seat), pending.actions[0]
        words = describe_hint(game, view, action, [action])
        assert words == HintWords(registry.speech(game).proposal(view, action), message_factory("")("hint.only"))


def test_a_game_without_reasons_proposes_what_its_choices_say():
    """The game for new authors has no reasons: hints work without them."""
    (game,) = set(registry.all()) - set(GAMES)
    state, pending = next(decisions(game, "plain"))
    view = game.observe(state, pending.seat)
    action = pending.actions[0]
    words = describe_hint(game, view, action, pending.actions)
    assert words == HintWords(registry.speech(game).choice(view, action), None)
