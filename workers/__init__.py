"""The Celery app and its tasks. Tasks only translate: JSON in, a call of `pipelines` or `tools`, a summary out.

This room may use every room below it; nothing imports it but the `celery` command and the command line.
"""
