"""λ-returns, worked out by hand."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from spieltisch.training.returns import Steps, from_seat, lambda_returns, to_seats

VALUES = [0.5, 0.6, 0.7, 0.8]


def steps(seats, over, is_random=(), best=0.9):
    """One game of two players, in which the first seat's share is given by VALUES."""
    count = len(seats)

    def pair(share):
        return [[share, 1 - share], [10 * share, 0.0]]

    return Steps(
        jnp.asarray(seats, jnp.int32)[:, None],
        jnp.asarray([[pair(VALUES[n])] for n in range(count)]),
        jnp.asarray([[pair(best)] for _ in range(count)]),
        jnp.asarray([[n in is_random] for n in range(count)]),
        jnp.asarray([[n == over] for n in range(count)]),
        jnp.asarray([[pair(1.0)] for _ in range(count)]),
    )


def shares(found):
    return np.asarray(found[0])[:, 0, 0, 0]


def test_a_shared_chain_goes_over_the_decisions_of_all_seats():
    found = lambda_returns(steps([0, 1, 0], 2), 0.5, shared=True)
    last = 1.0
    second = 0.5 * VALUES[2] + 0.5 * last
    first = 0.5 * VALUES[1] + 0.5 * second
    assert shares(found) == pytest.approx([first, second, last])
    assert np.asarray(found[1]).all()
    assert np.asarray(found[0])[2, 0, 1].tolist() == [10.0, 0.0]


def test_a_seat_is_chained_over_its_own_decisions_and_the_end_counts_for_all():
    found = lambda_returns(steps([0, 1, 0], 2), 0.5, shared=False)
    assert shares(found) == pytest.approx([0.5 * VALUES[2] + 0.5 * 1.0, 1.0, 1.0])


def test_the_last_decisions_of_a_chunk_have_no_target_yet():
    found = lambda_returns(steps([0, 1, 0, 1], None), 0.5, shared=False)
    assert np.asarray(found[1])[:, 0].tolist() == [True, True, False, False]
    assert shares(found)[:2] == pytest.approx([VALUES[2], VALUES[3]])


def test_a_random_choice_cuts_the_trace():
    found = lambda_returns(steps([0, 1, 0], 2, is_random={1}), 0.5, shared=True)
    assert shares(found) == pytest.approx([0.9, 0.5 * VALUES[2] + 0.5, 1.0])


def test_a_random_choice_of_another_seat_leaves_no_target_before_it():
    found = lambda_returns(steps([0, 1, 0], 2, is_random={1}), 0.5, shared=False)
    assert np.asarray(found[1])[:, 0].tolist() == [False, True, True]
    assert shares(found)[1:] == pytest.approx([1.0, 1.0])


def test_the_end_of_a_game_parts_it_from_the_next():
    found = lambda_returns(steps([0, 1, 0, 1], 1), 0.5, shared=True)
    assert shares(found)[1] == 1.0
    assert np.asarray(found[1])[:, 0].tolist() == [True, True, True, False]


def test_seats_are_counted_from_the_one_that_decides_and_back():
    values, seat = jnp.asarray([[[1.0, 2.0, 3.0]]]), jnp.asarray([2])
    counted = from_seat(values, seat, 5)
    assert counted.tolist() == [[[3.0, 1.0, 2.0, 0.0, 0.0]]]
    assert to_seats(counted, seat, 3).tolist() == values.tolist()
