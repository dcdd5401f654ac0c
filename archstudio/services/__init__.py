"""The benchmark and the verdict as services: environment and checker over HTTP, tools over MCP. No window, no torch."""
