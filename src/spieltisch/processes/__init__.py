"""Child processes: one way to start and kill them (`child`), and two protocols to talk to them (`lines`, `calls`)."""
