"""Live tables: the cache of tables in memory, the scheduler, presence and leases."""
