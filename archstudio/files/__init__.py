"""Everything that touches the disk: strict readers, safe saving, recovery, settings, logs and bundled data."""
