"""What twins share, in JAX: the extra `batch`."""
