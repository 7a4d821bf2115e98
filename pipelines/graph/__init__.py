"""The knowledge graph of an (app, user): what is written, what is read, what is found.

`statements` is the life of one statement; `writing`, `closing`, `log`, `deleting` and `learning` change a graph;
`reading`, `search`, `service`, `card`, `walk` and `export` only look.
"""
