"""Settings, names and errors: what every room may use and which uses no other room."""
