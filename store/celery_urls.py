"""The URL of a Redis as Celery reads it.

redis-py, and so Reverie, takes a password and options in the query, `unix://` for a socket, and checks certificates
unless told otherwise. Celery and kombu take none of that as it is.
"""

from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from redis.connection import parse_url

from reverie.store.connection import is_redis


def results_options(url: str) -> dict[str, bool]:
    """What Celery's results must be told beside the URL (`redis_backend_use_ssl`): its query holds texts alone."""
    read = parse_url(url) if is_redis(url) else {}
    return {"ssl_check_hostname": read["ssl_check_hostname"]} if "ssl_check_hostname" in read else {}


def results_url(url: str) -> str:
    """The URL for Celery's results; see `results_options`."""
    parts = urlsplit(celery_url(url))
    options = [pair for pair in parse_qsl(parts.query) if pair[0] != "ssl_check_hostname"]
    return (
        urlunsplit(parts._replace(query=urlencode(options))) if "ssl_check_hostname" in parts.query else celery_url(url)
    )


def celery_url(url: str) -> str:
    """The URL for Celery's broker. One of no Redis stays as it is."""
    if not is_redis(url):
        return url
    parts, read = urlsplit(url), parse_url(url)
    user, password = read.get("username") or "", read.get("password") or ""
    login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user or password else ""
    database = read.get("db", 0)
    if parts.scheme == "unix":
        return f"redis+socket://{login}{quote(read['path'])}?virtual_host={database}"
    host = read.get("host", "localhost")
    place = f"[{host}]" if ":" in host else host
    address = f"{parts.scheme}://{login}{place}:{read.get('port', 6379)}/{database}"
    if parts.scheme != "rediss":
        return address
    options = {name: value for name, value in parse_qsl(parts.query) if name.startswith("ssl_")}
    return f"{address}?{urlencode({'ssl_cert_reqs': 'required'} | options)}"
