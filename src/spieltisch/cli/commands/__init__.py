"""The commands of `spieltisch`, one module each, loaded when used."""
