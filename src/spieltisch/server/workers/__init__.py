"""Worker processes: a pool, and what runs in it: rules, bots, replays."""
