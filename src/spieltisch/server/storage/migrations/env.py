"""Runs migrations on the connection that the store gives."""

from __future__ import annotations

from alembic import context

from spieltisch.server.storage.models import DATA

context.configure(connection=context.config.attributes["connection"], target_metadata=DATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
