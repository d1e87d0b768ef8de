"""Examines services, and says of each finding what to run."""
