"""Structured logs: one JSON object per line on standard error, with events and numbers, without secrets."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

_MAX_FRAMES = 8


def configure(level: str) -> None:
    """Logs everything from that level on to standard error; libraries only log warnings and errors."""
    chosen = logging.getLevelNamesMapping()[level.upper()]
    libraries = logging.StreamHandler(sys.stderr)
    libraries.setFormatter(_LibraryFormatter())
    logging.basicConfig(handlers=[libraries], level=max(chosen, logging.WARNING), force=True)
    if chosen >= logging.WARNING:
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # malformed HTTP is not worth a warning
    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(chosen),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


class _LibraryFormatter(logging.Formatter):
    """Logs a library's message without its arguments: they may be private."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        fields = {
            "event": str(record.msg).partition("\n")[0],  # before the arguments are filled in
            "library": record.name,
            **(error_fields(error) if error is not None else {}),
            "level": record.levelname.lower(),
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        return json.dumps(fields, ensure_ascii=False)


def error_fields(error: BaseException) -> dict[str, Any]:
    """The log fields of an error: its type and the frames it passed through, but no values."""
    frames = [(Path(frame.filename), frame) for frame in traceback.extract_tb(error.__traceback__)]
    own = [one for one in frames[:-1] if "spieltisch" in one[0].parts][-_MAX_FRAMES:]
    traced = [f"{path.stem}:{frame.name}:{frame.lineno}" for path, frame in (*own, *frames[-1:])]
    return {"error": type(error).__name__, "traceback": traced}
