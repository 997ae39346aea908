"""The public API behind `import spieltisch`."""
