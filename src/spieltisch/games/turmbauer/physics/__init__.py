"""Physics of the tower: static equilibrium, rigid-body simulation, and the judges that use them."""
