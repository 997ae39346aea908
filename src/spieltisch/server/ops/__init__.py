"""Operations: logs, metrics, garbage collection, event loop lag."""
