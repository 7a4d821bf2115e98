"""Fresh ids and the fingerprints by which a repeated call is told from a conflicting one."""

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import blake2b
from typing import Any

from ulid import ULID


def fresh_id(now: datetime) -> str:
    """A ULID: sortable by its moment, 80 random bits."""
    return str(ULID.from_datetime(now))


def fingerprint(content: Mapping[str, Any]) -> str:
    """128 bits of the content as canonical JSON; datetimes as ISO 8601."""
    document = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return blake2b(document.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
