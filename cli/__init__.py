"""The command line. This room may use every room."""
