"""JAX building blocks shared by all twins; needs the extra `batch`."""
