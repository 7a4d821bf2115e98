"""What language models cost a namespace: requests and tokens, by purpose."""

from collections import defaultdict

from reverie.store.namespace import Namespace


def count(
    ns: Namespace, purpose: str, *, requests: int, input_tokens: int, output_tokens: int, failed: int = 0
) -> None:
    """Add what one use of a model took. `failed` counts replies that could not be used."""
    pipe = ns.client.pipeline(transaction=False)
    numbers = {"requests": requests, "input_tokens": input_tokens, "output_tokens": output_tokens, "failed": failed}
    for name, number in numbers.items():
        if number:
            pipe.hincrby(ns.keys.named("usage"), f"{purpose}:{name}", number)
    pipe.execute()


def read(ns: Namespace) -> dict[str, dict[str, int]]:
    """Per purpose: requests, input_tokens, output_tokens, failed; counts of zero are left out."""
    found: dict[bytes, bytes] = ns.client.hgetall(ns.keys.named("usage"))
    counted: dict[str, dict[str, int]] = defaultdict(dict)
    for field, number in sorted(found.items()):
        purpose, _, name = field.decode().rpartition(":")
        counted[purpose][name] = int(number)
    return dict(counted)
