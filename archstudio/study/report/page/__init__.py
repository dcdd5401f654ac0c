"""The report as one self-contained HTML page, and as a PDF."""
