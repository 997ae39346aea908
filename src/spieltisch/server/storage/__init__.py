"""Storage: database models, the store, its writer, migrations."""
