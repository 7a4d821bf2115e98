"""What is worked out: afterwards (ingest, consolidate, decay, summarise, procedures, topics) and when asked (recall,
answer). Plain functions over a `Context`; no Celery.

This room may use `store`, `models` and `config`.
"""
