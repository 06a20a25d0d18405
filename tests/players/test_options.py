"""A bot made with an option outside its limits is refused, by its name or by its class."""

from parlour.core import BadOption, options_of, registry


def test_a_value_beyond_the_limits_is_refused():
    wrong, tried = [], 0
    for name, claim in registry.claims("bots").items():
        for option, known in options_of(claim.load()).items():
            for limit, step in ((known.low, -1), (known.high, 1)):
                if limit is None or known.kind not in (int, float):
                    continue
                tried += 1
                try:
                    registry.find("bots", name)(**{option: limit + step})
                    wrong.append(f"{name} took {option}={limit + step}")
                except BadOption as refusal:
                    if refusal.option != option:
                        wrong.append(f"{name} {option}={limit + step}: {refusal}")
    assert not wrong, "\n".join(wrong)
    assert tried > 20
