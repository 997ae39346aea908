"""Messages and the formatter that turns them into sentences of six languages."""
