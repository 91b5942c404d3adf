"""What people look at: text, plots, progress. Nothing is imported here; each module loads what it needs."""
