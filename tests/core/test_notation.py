"""Notation of every game under arbitrary text: an action or BadNotation, applied or refused, never anything else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch import registry
from spieltisch.core.game import BadNotation, IllegalAction, Over, Refusal

GAMES = {game.name: game for game in registry.all()}


def walk(game, seed: int) -> tuple[list[object], list[str]]:
    """Some states of a random game, including the last, and every notation on the way."""
    dice, state = Random(seed), game.initial(game.agree())
    states, texts = [state], []
    while not isinstance(pending := game.pending(state), Over):
        texts += [game.write(state, action) for action in pending.actions]
        state = game.apply(state, dice.choice(pending.actions))
        states.append(state)
    return [*states[:: max(1, len(states) // 12)], state], sorted(set(texts))


def mangled(texts: list[str]) -> st.SearchStrategy[str]:
    """Arbitrary text, real notation, and real notation with a part swapped, doubled or missing."""
    real = st.sampled_from(texts)
    pieces = st.tuples(real, real, st.integers(0, 8)).map(lambda three: three[0][: three[2]] + three[1][three[2] :])
    return st.one_of(st.text(max_size=30), real, pieces, real.map(lambda text: text * 2), real.map(str.swapcase))


@pytest.mark.parametrize("name", GAMES)
def test_any_text_is_an_action_or_bad_notation_and_is_applied_or_refused(name):
    game = GAMES[name]
    states, texts = walk(game, 1)

    @settings(max_examples=400, derandomize=True, deadline=None)
    @given(st.sampled_from(states), mangled(texts))
    def hold(state, text):
        refusal: Refusal | None = None
        offered = False
        try:
            action = game.read(state, text)
            pending = game.pending(state)
            offered = not isinstance(pending, Over) and action in pending.actions
            game.apply(state, action)
        except (BadNotation, IllegalAction) as error:
            refusal = error
        assert offered == (refusal is None)
        assert refusal is None or str(refusal)
        assert not isinstance(refusal, IllegalAction) or refusal.rule

    hold()
