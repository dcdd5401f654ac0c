"""From collected records to a report: join table, figures, pictures, page."""
