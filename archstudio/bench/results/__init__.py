"""Results of benchmark runs: published files read in, totals made anew, difficulty rated, tables written."""
