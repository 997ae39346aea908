"""Sliding-window rate limiter: how many hits of a key count, and how many keys it remembers."""

from __future__ import annotations

import threading

from spieltisch.server.http.sliding_window import SlidingWindow


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_hits_above_the_limit_do_not_count_until_the_oldest_is_out_of_the_window():
    clock = Clock()
    window = SlidingWindow(2, 10.0, clock)
    assert window.hit("ada") == 0
    clock.now += 4
    assert window.hit("ada") == 0
    assert [window.hit("ada") for _ in range(5)] == [6.0] * 5
    assert window.hit("eva") == 0
    clock.now += 6
    assert window.hit("ada") == 0  # the first is out of the window, the second is not
    assert window.hit("ada") == 4.0


def test_somebody_who_sends_another_token_with_every_request_takes_no_memory_and_no_thread():
    """As long as the hits come at a steady rate, only the keys of one window are in memory."""
    clock, threads = Clock(), threading.active_count()
    window = SlidingWindow(50, 1.0, clock)
    for number in range(5000):
        assert window.hit(f"token {number}") == 0
        clock.now += 0.01
    assert len(window) <= 101
    assert threading.active_count() == threads
    for _ in range(60):
        window.hit("the last one")
        clock.now += 0.05
    assert len(window) == 1
