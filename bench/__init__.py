"""Measurements of forest: what a command costs, side by side in one run."""
