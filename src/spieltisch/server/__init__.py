"""The table server: tables, seats, the log, streams, bots."""
