"""`python -m app` is `hotdice`."""

from app.cli import main

main()
