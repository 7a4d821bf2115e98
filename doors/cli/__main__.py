"""`python -m reverie.cli`, the same as `reverie`."""

from reverie.cli.start import main

main()
