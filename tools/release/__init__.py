"""What people install: the wheel, the bundle for Claude Desktop, and the entry in the MCP registry."""
