"""Embedders, rerankers, token counters and language models: small protocols with their providers beside them.

This room knows no Redis and no memory; it may use `config` only.
"""
