"""`python -m reverie.cli`, the same as `reverie`."""

from reverie.cli.app import main

main()
