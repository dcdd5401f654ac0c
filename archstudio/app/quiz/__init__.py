"""Questions to answer: packs read, a session that records each answer before anything is revealed, results. No Qt."""
