"""Model Context Protocol server (extra `mcp`): language models and their agents play matches through tools."""
