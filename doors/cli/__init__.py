"""The command line: `reverie --help`. One file a group of commands; what they do is in the rooms below.

Texts for people go to the terminal through `output`; with `--json` a command prints one JSON document and nothing else.
"""
