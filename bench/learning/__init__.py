"""Learning: whether walks get shorter by what earlier ones left, measured on questions that were never walked."""
