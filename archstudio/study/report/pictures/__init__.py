"""The pictures of a study's report, drawn from its figures by matplotlib."""
