"""`python -m ragseam` is the command `ragseam`."""

from .cli import main

main()
