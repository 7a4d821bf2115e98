"""Redis and nothing else: keys, records, edges, search rows, durable work, locks, the embedded server.

This room knows no agent, no model and no task; it may use `config` only.
"""
