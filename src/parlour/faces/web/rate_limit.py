"""How much one client may ask for: a bucket that fills steadily and is emptied by requests."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass

MOST_KEPT = 20_000


@dataclass
class _Bucket:
    left: float
    seen: float


class Limit:
    """So many requests a second for each name, and a burst now and then."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: str, cost: float = 1, now: float | None = None) -> bool:
        """Whether there is still so much for this name; if so, it is taken."""
        now = time.monotonic() if now is None else now
        with self._lock:
            bucket = self._buckets.pop(name, None) or _Bucket(self.burst, now)
            bucket.left = min(self.burst, bucket.left + (now - bucket.seen) * self.rate)
            bucket.seen = now
            self._buckets[name] = bucket  # the one used last stands last
            if len(self._buckets) > MOST_KEPT:
                self._buckets.popitem(last=False)
            if bucket.left < cost:
                return False
            bucket.left -= cost
            return True
