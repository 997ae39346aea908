"""The HTTP interface: routes, request and response models, authentication, limits, event streams, static files."""
