"""The product for assistants: tools over MCP, by stdio and at /mcp (docs/seeding.md)."""
