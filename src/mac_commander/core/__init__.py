"""Policy and flow, the same for every desktop."""
