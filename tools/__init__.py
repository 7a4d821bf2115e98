"""The agent's synchronous calls. Each is one function that validates, reads what it must and writes one transaction.

This room may use `pipelines`, `store`, `models` and `config`.
"""
