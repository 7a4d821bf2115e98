"""An embedder and a language model over HTTP that fail at random."""

import contextlib
import hashlib
import json
import random
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSION = 32


class Models:
    """An OpenAI-compatible endpoint. Vectors are made of the words; while `failing`, a share of the calls goes wrong.

    The language model never gives what it was asked for: each use of it must find its way without.
    """

    def __init__(self, seed: int) -> None:
        self.failing = 0.0
        self.calls: Counter[str] = Counter()
        """How many calls there were, by what was asked for, and how many of them failed."""
        self._random = random.Random(seed)
        models = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, answer = models._answer(self.path, body)
                said = json.dumps(answer).encode()
                with contextlib.suppress(OSError):  # who asked was killed meanwhile
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(said)))
                    self.end_headers()
                    self.wfile.write(said)

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self.environment = {
            "REVERIE_EMBEDDER": "openai",
            "REVERIE_EMBEDDER_MODEL": "words",
            "REVERIE_EMBEDDER_BASE_URL": address,
            "REVERIE_EMBEDDER_API_KEY": "none",
            "REVERIE_EMBEDDER_DIMENSION": str(DIMENSION),
            "REVERIE_LLM_MODEL": "nonsense",
            "REVERIE_LLM_BASE_URL": address,
            "REVERIE_LLM_API_KEY": "none",
            "REVERIE_LLM_TIMEOUT": "PT1S",
        }

    def _answer(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        asked = "embeddings" if path.endswith("/embeddings") else "completions"
        self.calls[asked] += 1
        if self._random.random() < self.failing:
            self.calls[f"failed {asked}"] += 1
            return self._random.choice((429, 500, 503)), {"error": {"message": "not now"}}
        if path.endswith("/embeddings"):
            rows = [
                {"object": "embedding", "index": i, "embedding": _vector(text)} for i, text in enumerate(body["input"])
            ]
            return 200, {
                "object": "list",
                "data": rows,
                "model": "words",
                "usage": {"prompt_tokens": 1, "total_tokens": 1},
            }
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "no idea"}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "nonsense"}
        return 200, whole | {"choices": [choice], "usage": usage}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _vector(text: str) -> list[float]:
    vector = [0.0] * DIMENSION
    for word in text.casefold().split():
        digest = hashlib.blake2b(word.encode(), digest_size=4).digest()
        vector[digest[0] % DIMENSION] += 1.0 if digest[1] % 2 else -1.0
    return vector if any(vector) else [1.0] * DIMENSION
