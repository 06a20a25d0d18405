"""A bot made with an option outside its limits is refused, by its name or by its class."""

from __future__ import annotations

import pytest

from parlour.core import BadOption, options_of, registry

BOUNDED = [
    (name, option, limit + step)
    for name, claim in registry.claims("bots").items()
    for option, known in options_of(claim.load()).items()
    for limit, step in ((known.low, -1), (known.high, 1))
    if limit is not None and known.kind in (int, float)
]


def test_many_options_have_limits():
    assert ("perfect", "level", 11) in BOUNDED
    assert len(BOUNDED) > 20


@pytest.mark.parametrize(("name", "option", "value"), BOUNDED)
def test_a_value_beyond_the_limits_is_refused(name, option, value):
    with pytest.raises(BadOption, match=option):
        registry.find("bots", name)(**{option: value})
