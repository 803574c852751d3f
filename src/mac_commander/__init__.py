"""Mac-Commander: a minimal GUI-automation MCP server whose every input step is proven."""

__version__ = "0.1.0"
