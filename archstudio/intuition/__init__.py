"""ArchitectureIQ: data sets, set-ups that are really trained on them, and questions about which of them ends best."""
