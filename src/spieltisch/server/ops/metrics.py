"""Metrics for Prometheus: numbers only, never a name, a table or a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """What one server process counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._answers = Counter(
            "spieltisch_answers", "Answered requests.", ("method", "route", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "spieltisch_answer_seconds",
            "How long an answer took; streams are not counted.",
            ("method", "route"),
            buckets=_BOUNDS,
            registry=self.registry,
        )
        self._refused = Gauge("spieltisch_limited", "Refusals because of a limit.", ("what",), registry=self.registry)

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Adds a number that is asked for when somebody looks."""
        Gauge(f"spieltisch_{name}", about, registry=self.registry).set_function(value)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts an answer."""
        self._answers.labels(method, route or "none", str(status)).inc()
        if not route.endswith("/stream"):
            self._seconds.labels(method, route or "none").observe(seconds)

    def limited(self, what: str, times: int) -> None:
        """Says how often a limit has refused something."""
        self._refused.labels(what).set(times)

    def text(self) -> bytes:
        """All of it, in Prometheus' own form."""
        return generate_latest(self.registry)
