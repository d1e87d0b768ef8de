"""Renders, lists and verifies services made from the template."""
