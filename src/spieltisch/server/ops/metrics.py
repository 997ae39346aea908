"""Metrics for Prometheus: numbers only, never a name, a table or a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE: Final = "text/plain; version=0.0.4"
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """The metrics of one server process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "spieltisch_http_requests", "HTTP requests.", ("method", "route", "status"), registry=self.registry
        )
        self._durations = Histogram(
            "spieltisch_http_request_duration_seconds",
            "Duration of HTTP requests, event streams excluded.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._rate_limited = Counter(
            "spieltisch_rate_limited", "Requests refused by a rate limit.", ("limit",), registry=self.registry
        )

    def add_gauge(self, name: str, description: str, read: Callable[[], float]) -> None:
        """Adds a gauge that is read when the metrics are scraped."""
        Gauge(f"spieltisch_{name}", description, registry=self.registry).set_function(read)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts a request and its duration."""
        self._requests.labels(method, route or "none", str(status)).inc()
        if not route.endswith("/stream"):
            self._durations.labels(method, route or "none").observe(seconds)

    def count_rate_limited(self, limit: str) -> None:
        """Counts a request that a rate limit has refused."""
        self._rate_limited.labels(limit).inc()

    def render(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self.registry)
